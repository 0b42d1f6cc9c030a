//! Radars that were read lately, kept where nobody else can change them: on SQLite, whose only writer is this process.
//!
//! What is kept is never older than the last commit that was answered. A commit announces itself before it begins and
//! takes out what it has changed before it answers; a read that was under way meanwhile is not kept. A commit whose end
//! is unknown (it failed, or its caller is gone) empties everything, and nothing is kept until a later
//! commit has ended: there is one writer, so by then that one has ended as well.

use std::collections::{BTreeSet, HashMap};

use parking_lot::Mutex;

use super::radars::RadarAndPause;
use domain::{AccountId, RadarId};

/// How many radars are kept at most.
const RADARS_MAX: usize = 4096;

/// The radars that are kept.
#[derive(Default)]
pub(crate) struct RadarCache(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    radars: HashMap<RadarId, RadarAndPause>,
    /// Counts the commits that took something out.
    changes: u64,
    /// Whether a commit may still be under way that nobody waits for.
    is_unsettled: bool,
}

/// Proof of when a read began.
#[derive(Clone, Copy)]
pub(super) struct Ticket(u64);

/// A commit under way. What it has changed is taken out when this is dropped.
pub(crate) struct Change<'a> {
    /// `None` where nothing is kept.
    cache: Option<&'a RadarCache>,
    radars: BTreeSet<RadarId>,
    paused: BTreeSet<AccountId>,
    is_settled: bool,
}

impl RadarCache {
    /// A radar, if it is kept.
    pub(crate) fn get(&self, radar_id: RadarId) -> Option<RadarAndPause> {
        self.0.lock().radars.get(&radar_id).cloned()
    }

    /// To be taken before a read begins whose result is to be kept.
    pub(super) fn ticket(&self) -> Ticket {
        Ticket(self.0.lock().changes)
    }

    /// Keeps radars that were read, unless a commit has changed something since the ticket was taken.
    pub(super) fn keep<'a>(&self, radars: impl Iterator<Item = &'a RadarAndPause>, ticket: Ticket) {
        let mut kept = self.0.lock();
        if kept.is_unsettled || kept.changes != ticket.0 {
            return;
        }
        for radar in radars {
            if kept.radars.len() >= RADARS_MAX {
                kept.radars.clear();
            }
            kept.radars.insert(radar.0.radar_id, radar.clone());
        }
    }
}

impl<'a> Change<'a> {
    /// Announces a commit.
    pub(super) fn begin(cache: Option<&'a RadarCache>) -> Self {
        Self { cache, radars: BTreeSet::new(), paused: BTreeSet::new(), is_settled: false }
    }

    /// Notes what the commit changes: these radars, and those of these accounts whose types are paused or no longer so.
    pub(crate) fn of(
        &mut self,
        radars: impl IntoIterator<Item = RadarId>,
        paused: impl IntoIterator<Item = AccountId>,
    ) {
        self.radars.extend(radars);
        self.paused.extend(paused);
    }

    /// The commit has ended, and well.
    pub(crate) fn settle(mut self) {
        self.is_settled = true;
    }
}

impl Drop for Change<'_> {
    fn drop(&mut self) {
        let Some(cache) = self.cache else { return };
        let mut kept = cache.0.lock();
        kept.is_unsettled = !self.is_settled;
        if !self.is_settled {
            kept.radars.clear();
        }
        if !self.paused.is_empty() {
            kept.radars.retain(|_, (radar, _)| !self.paused.contains(&radar.account_id));
        }
        for radar_id in &self.radars {
            kept.radars.remove(radar_id);
        }
        if !self.is_settled || !self.paused.is_empty() || !self.radars.is_empty() {
            kept.changes += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::{Change, RadarCache};
    use crate::RadarAndPause;
    use crate::sample_radar::company;
    use domain::{AccountId, Radar, RadarId};

    const ONE: RadarId = RadarId(Uuid::from_u128(1));
    const OTHER: RadarId = RadarId(Uuid::from_u128(2));
    const ACCOUNT: AccountId = AccountId(Uuid::from_u128(3));

    fn radar(radar_id: RadarId) -> RadarAndPause {
        (Radar { radar_id, account_id: ACCOUNT, ..company() }, None)
    }

    fn keep_both(cache: &RadarCache) {
        cache.keep([radar(ONE), radar(OTHER)].iter(), cache.ticket());
    }

    fn kept(cache: &RadarCache) -> [bool; 2] {
        [ONE, OTHER].map(|radar_id| cache.get(radar_id).is_some())
    }

    #[test]
    fn a_commit_takes_out_what_it_changed_and_refuses_reads_that_began_before_its_end() {
        let cache = RadarCache::default();
        keep_both(&cache);
        let mut change = Change::begin(Some(&cache));
        change.of([ONE], []);
        let ticket = cache.ticket();
        assert_eq!(kept(&cache), [true, true], "the commit has not ended");
        change.settle();
        assert_eq!(kept(&cache), [false, true]);
        cache.keep([radar(ONE)].iter(), ticket);
        assert_eq!(kept(&cache), [false, true], "this was read before the commit ended");
        keep_both(&cache);
        Change::begin(Some(&cache)).settle();
        assert_eq!(kept(&cache), [true, true], "a commit that changed nothing");
    }

    #[test]
    fn a_pause_takes_out_all_radars_of_its_account() {
        let cache = RadarCache::default();
        keep_both(&cache);
        let mut change = Change::begin(Some(&cache));
        change.of([], [ACCOUNT]);
        change.settle();
        assert_eq!(kept(&cache), [false, false]);
    }

    #[test]
    fn after_a_commit_of_unknown_end_nothing_is_kept_until_another_has_ended() {
        let cache = RadarCache::default();
        keep_both(&cache);
        drop(Change::begin(Some(&cache)));
        assert_eq!(kept(&cache), [false, false]);
        keep_both(&cache);
        assert_eq!(kept(&cache), [false, false], "it may yet be committed");
        Change::begin(Some(&cache)).settle();
        keep_both(&cache);
        assert_eq!(kept(&cache), [true, true]);
    }
}
