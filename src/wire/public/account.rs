//! The `data` of `GET /v1/account` (Spec 4.1, decision 3.8): a month's events, the state now, and the balance.

use serde::Serialize;

use crate::wire::money::Usd;

/// The `data` object.
#[derive(Debug, Serialize)]
pub struct AccountData {
    /// What happened in the month.
    pub usage: Usage,
    /// The state now.
    pub account: Totals,
    /// The balance now.
    pub balance_remaining_usd: Usd,
}

/// The events of a month.
#[derive(Debug, Serialize)]
pub struct Usage {
    /// The month.
    pub month: String,
    /// Radars created in the month that did not fail.
    pub radars_activated: u64,
    /// Radars ended in the month by the user or for lack of funds.
    pub radars_deactivated: u64,
    /// Radars that became failed in the month.
    pub radars_failed: u64,
    /// Findings published in the month.
    pub updates_found: u64,
    /// Charges of the month less refunds of those charges.
    pub balance_used_usd: Usd,
}

/// The state now; every radar is counted once.
#[derive(Debug, Serialize)]
pub struct Totals {
    /// All radars.
    pub total_radars: u64,
    /// Radars that are active.
    pub active_radars: u64,
    /// Radars that are inactive and did not fail.
    pub inactive_radars: u64,
    /// Radars that failed.
    pub failed_radars: u64,
    /// Findings published ever.
    pub total_updates_found: u64,
}
