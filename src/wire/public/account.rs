//! The `data` of `GET /v1/account` (Spec 4.1, decision 3.8).

use serde::Serialize;

use crate::domain::money::MicroUsd;
use crate::domain::money::month::Month;
use crate::wire::money::Usd;

/// What is counted for an account: a month's events, the state now, and the balance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccountSummary {
    /// The month of the `usage` numbers.
    pub month: Month,
    /// Radars created in the month that did not fail.
    pub radars_activated: u64,
    /// Radars ended in the month by the user or for lack of funds.
    pub radars_deactivated: u64,
    /// Radars that became failed in the month.
    pub radars_failed: u64,
    /// Findings published in the month.
    pub updates_found: u64,
    /// Charges of the month less refunds of those charges.
    pub balance_used: MicroUsd,
    /// Radars that are active now.
    pub active_radars: u64,
    /// Radars that are inactive now and did not fail.
    pub inactive_radars: u64,
    /// Radars that failed.
    pub failed_radars: u64,
    /// Findings published ever.
    pub total_updates_found: u64,
    /// The balance now.
    pub balance_remaining: MicroUsd,
}

/// The `data` object.
#[derive(Debug, Serialize)]
pub struct AccountData {
    usage: Usage,
    account: Totals,
    balance_remaining_usd: Usd,
}

#[derive(Debug, Serialize)]
struct Usage {
    month: String,
    radars_activated: u64,
    radars_deactivated: u64,
    radars_failed: u64,
    updates_found: u64,
    balance_used_usd: Usd,
}

#[derive(Debug, Serialize)]
struct Totals {
    total_radars: u64,
    active_radars: u64,
    inactive_radars: u64,
    failed_radars: u64,
    total_updates_found: u64,
}

impl From<AccountSummary> for AccountData {
    fn from(summary: AccountSummary) -> Self {
        Self {
            usage: Usage {
                month: summary.month.to_string(),
                radars_activated: summary.radars_activated,
                radars_deactivated: summary.radars_deactivated,
                radars_failed: summary.radars_failed,
                updates_found: summary.updates_found,
                balance_used_usd: Usd(summary.balance_used),
            },
            account: Totals {
                total_radars: summary.active_radars + summary.inactive_radars + summary.failed_radars,
                active_radars: summary.active_radars,
                inactive_radars: summary.inactive_radars,
                failed_radars: summary.failed_radars,
                total_updates_found: summary.total_updates_found,
            },
            balance_remaining_usd: Usd(summary.balance_remaining),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{AccountData, AccountSummary};
    use crate::domain::money::MicroUsd;
    use crate::domain::money::month::Month;
    use crate::wire::envelope::data;

    #[test]
    fn spec_4_1_amounts_are_exact_numbers_and_the_total_adds_up() {
        let summary = AccountSummary {
            month: Month::parse("2026-02").expect("a month"),
            radars_activated: 1,
            radars_deactivated: 2,
            radars_failed: 3,
            updates_found: 4,
            balance_used: MicroUsd::from_micros(-5),
            active_radars: 6,
            inactive_radars: 7,
            failed_radars: 8,
            total_updates_found: 9,
            balance_remaining: MicroUsd::from_micros(999_999_999_999_999),
        };
        let text = serde_json::to_string(&data(200, "", chrono::DateTime::UNIX_EPOCH, AccountData::from(summary)));
        let wanted = concat!(
            r#""data":{"usage":{"month":"2026-02","radars_activated":1,"radars_deactivated":2,"radars_failed":3,"#,
            r#""updates_found":4,"balance_used_usd":-0.000005},"account":{"total_radars":21,"active_radars":6,"#,
            r#""inactive_radars":7,"failed_radars":8,"total_updates_found":9},"#,
            r#""balance_remaining_usd":999999999.999999}}"#
        );
        assert!(text.expect("JSON").ends_with(wanted));
    }
}
