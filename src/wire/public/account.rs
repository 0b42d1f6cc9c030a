//! The `data` of `GET /v1/account` (Spec 4.1, decision 3.8): a month's events, the state now, and the balance.

use crate::money::Usd;
use crate::record::records;
use crate::shapes::{MONTH, text};

records! {
    /// The account's month, state and balance.
    #[derive(Debug)]
    pub struct AccountData {
        /// What happened in the month.
        pub usage: Usage,
        /// The state now; every radar is counted once.
        pub account: Totals,
        /// The prepaid balance, in USD with at most 6 decimals.
        pub balance_remaining_usd: Usd,
    }

    /// The events of a month.
    #[derive(Debug)]
    pub struct Usage {
        /// The month, in UTC.
        pub month: String = |about| text(about).pattern(Some(MONTH)),
        /// Radars created that did not fail.
        pub radars_activated: u64,
        /// Radars ended by you or for lack of funds.
        pub radars_deactivated: u64,
        /// Radars that failed.
        pub radars_failed: u64,
        /// Findings published.
        pub updates_found: u64,
        /// Charges of the month less refunds of those charges, in USD.
        pub balance_used_usd: Usd,
    }

    /// The state now.
    #[derive(Debug)]
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
}
