//! The end of a radar: its owner asks for it, and then its grace period is over (Spec 4.8).

use super::outcome::TurnError;
use super::parts::RadarParts;
use crate::ledger::LedgerError;
use domain::account::{Deactivate, Deactivated, Decision, SettleDue, Settled};
use domain::ids::{AccountId, RadarId};
use domain::radar::Radar;

/// Ends a radar on its owner's request.
pub(super) async fn deactivate(
    parts: &RadarParts,
    account_id: AccountId,
    radar_id: RadarId,
) -> Result<Decision<Deactivated>, LedgerError> {
    parts.ledger.ask(account_id, Deactivate { radar_id }).await
}

/// Ends the grace period that a DELETE has left.
pub(super) async fn end_grace(parts: &RadarParts, radar: Radar) -> Result<Radar, TurnError> {
    let command = SettleDue { radar_id: Some(radar.radar_id) };
    let Settled { radar: ended, .. } = parts.ledger.ask(radar.account_id, command).await??;
    // Another turn at once would end the same way.
    ended.map(|ended| *ended).ok_or(TurnError::NotNow)
}
