//! The reminders that are due soon, read from an index.

use std::collections::BTreeSet;
use std::time::Duration;

use chrono::{DateTime, Utc};

use crate::radar::RadarParts;
use crate::radar::parts::WINDOW;
use domain::AccountId;
use store::{StoreError, Wake};

/// How often the window is read again, whatever the timers say: twice in its length, so that nothing is missed.
pub(super) const REFRESH: Duration = Duration::from_secs(300);
/// How many wakes are read at once. Of renewals no more are at work: the others are read once the first were due, when their
/// accounts have mostly decided all of them.
const WAKES_MAX: u64 = 1_000;
/// The shortest time between two readings while more wakes are due than are read at once.
const NEXT_PAGE_AFTER: Duration = Duration::from_secs(1);

/// The reminders that are due soon.
pub(super) struct Window {
    pub(super) wakes: Vec<Wake>,
    /// When the next window has to be read.
    pub(super) next_at: DateTime<Utc>,
}

/// Reads the window of a shard, but for the renewals of the accounts that are being settled: they decide all that is due.
pub(super) async fn read(parts: &RadarParts, shard: i64, settling: &BTreeSet<AccountId>) -> Result<Window, StoreError> {
    let now = parts.clock.now();
    let horizon = now + WINDOW;
    let mut wakes: Vec<Wake> = Vec::new();
    let mut next_at = now + parts.clock.backstop(REFRESH);
    match parts.store.all_first_wake_at(shard).await? {
        Some(first_at) if first_at > horizon => {
            return Ok(Window { wakes, next_at: next_at.min(first_at - WINDOW) });
        }
        Some(_) => {}
        None => return Ok(Window { wakes, next_at }),
    }
    loop {
        let page = parts.store.all_wakes(shard, wakes.last().copied(), WAKES_MAX).await?;
        let is_last = (page.len() as u64) < WAKES_MAX;
        let beyond = page.iter().find(|wake| wake.wake_at > horizon).copied();
        wakes.extend(page.into_iter().filter(|wake| wake.wake_at <= horizon));
        next_at = beyond.map_or(next_at, |wake| next_at.min(wake.wake_at - WINDOW));
        if is_last || beyond.is_some() {
            break;
        }
    }
    let renewals = parts.store.all_renewal_wakes(shard, settling, WAKES_MAX).await?;
    let is_full = renewals.len() as u64 == WAKES_MAX;
    match renewals.iter().find(|wake| wake.wake_at > horizon) {
        Some(beyond) => next_at = next_at.min(beyond.wake_at - WINDOW),
        None if is_full => {
            let last_at = renewals.last().map_or(now, |last| last.wake_at);
            next_at = next_at.min(last_at.max(now + NEXT_PAGE_AFTER));
        }
        None => {}
    }
    wakes.extend(renewals.into_iter().filter(|wake| wake.wake_at <= horizon));
    Ok(Window { wakes, next_at })
}
