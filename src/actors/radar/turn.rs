//! What a radar does in one turn: load, let the domain decide, hand the intent to the ledger.
//!
//! A turn may be cut off anywhere: the next one finds in the database what is left to do.

use super::outcome::{Next, TurnError};
use super::parts::{RadarParts, SharedParts};
use super::{ending, findings, renewal};
use domain::{AccountId, RadarId};

/// Runs a turn to its end; answers what follows.
pub(super) async fn run(parts: SharedParts, account_id: AccountId, radar_id: RadarId) -> Next {
    loop {
        match look(&parts, account_id, radar_id).await {
            // It comes before everything else.
            Ok(Next::Renewal(due_at)) if due_at <= parts.clock.now() => {
                renewal::settle(&parts, account_id, due_at).await;
            }
            Ok(next) => return next,
            Err(error) => {
                if error.is_of_one_radar() {
                    tracing::warn!(%radar_id, %error, "a turn could not finish and is repeated");
                }
                return Next::Turn(parts.clock.now() + error.repeat_after());
            }
        }
    }
}

/// Does what is due, and answers what is next.
async fn look(parts: &RadarParts, account_id: AccountId, radar_id: RadarId) -> Result<Next, TurnError> {
    parts.faults.pass_or_fail("radar.turn", &radar_id)?;
    // The semaphores are never closed.
    let _turn = parts.turns.acquire().await;
    let Some((mut radar, mut paused_since)) = parts.store.radar(account_id, radar_id).await? else {
        return Ok(Next::Nothing);
    };
    let now = parts.clock.now();
    if let Some(due_at) = radar.next_charge_at.filter(|&due_at| due_at <= now) {
        return Ok(Next::Renewal(due_at));
    }
    if radar.grace_ends_at().is_some_and(|ends_at| ends_at <= now) {
        radar = ending::end_grace(parts, radar).await?;
    }
    if radar.daily.is_release_due(now) && paused_since.is_none() {
        parts.ledger.settle_due(account_id).await?;
        let Some(released) = parts.store.radar(account_id, radar_id).await? else {
            return Ok(Next::Nothing);
        };
        (radar, paused_since) = released;
    }
    if radar.is_watching(parts.clock.now()) && paused_since.is_none() && radar.daily.full_since.is_none() {
        for cursor in parts.store.feed_cursors(account_id, radar_id).await? {
            if findings::read_feed(parts, &mut radar, &cursor).await? {
                return Ok(Next::Turn(parts.clock.now()));
            }
        }
    }
    // What could not be released now is found again in the database, once its account goes on or its type is not paused.
    let release_at = radar.daily.release_at.filter(|&release_at| release_at > parts.clock.now());
    Ok(match (radar.next_charge_at, radar.grace_ends_at().or(release_at)) {
        (Some(due_at), _) => Next::Renewal(due_at),
        (None, Some(at)) => Next::Turn(at),
        (None, None) => Next::Nothing,
    })
}
