//! The end of the grace period of a radar that its owner has ended (Spec 4.8).

use super::outcome::TurnError;
use super::parts::RadarParts;
use domain::Radar;
use domain::account::{SettleDue, Settled};

/// Ends the grace period that a DELETE has left.
pub(super) async fn end_grace(parts: &RadarParts, radar: Radar) -> Result<Radar, TurnError> {
    let command = SettleDue { radar_id: Some(radar.radar_id) };
    let Settled { radar: ended, .. } = parts.ledger.ask(radar.account_id, command).await??;
    // Another turn at once would end the same way.
    ended.map(|ended| *ended).ok_or(TurnError::NotNow)
}
