//! `GET /v1/account` (Spec 4.1, decision 3.8), and `GET /v1/account/spend`.

use crate::api::call::Call;
use crate::web::Answer;
use domain::{MicroUsd, Month};
use store::AccountSummary;
use wire::Usd;
use wire::public::account::{AccountData, SpendRecord, Totals, Usage};
use wire::public::query;

/// What is counted for the account.
pub(crate) async fn account(call: Call) -> Answer {
    let now = call.now();
    let month = query::account(call.query())?.unwrap_or_else(|| Month::of(now));
    let stored = call.store().account_summary(call.account_id(), &month.to_string(), now).await?;
    call.record("Account summary", data(month, &stored))
}

/// For what the account paid in a month.
pub(crate) async fn spend(call: Call) -> Answer {
    let month = query::account(call.query())?.unwrap_or_else(|| Month::of(call.now()));
    let store = call.store();
    let (summed_max, radars_max) = (SpendRecord::SUMMED_MAX, SpendRecord::RADARS_MAX);
    let spend = store.spend(call.account_id(), month.starts_at(), month.ends_at(), summed_max, radars_max).await?;
    call.record("Spend", SpendRecord::of(month, &spend))
}

fn data(month: Month, stored: &AccountSummary) -> AccountData {
    let count = |count: i64| u64::try_from(count).unwrap_or_default();
    AccountData {
        usage: Usage {
            month: month.to_string(),
            radars_activated: count(stored.usage.radars_activated),
            radars_deactivated: count(stored.usage.radars_deactivated),
            radars_failed: count(stored.usage.radars_failed),
            updates_found: count(stored.usage.updates_found),
            balance_used_usd: Usd(MicroUsd::from_micros(stored.usage.used_micros)),
        },
        account: Totals {
            total_radars: count(stored.active_radars + stored.inactive_radars + stored.failed_radars),
            active_radars: count(stored.active_radars),
            inactive_radars: count(stored.inactive_radars),
            failed_radars: count(stored.failed_radars),
            total_updates_found: count(stored.total_updates_found),
        },
        balance_remaining_usd: Usd(stored.balance),
    }
}

#[cfg(test)]
mod tests {
    use super::data;
    use domain::{MicroUsd, Month};
    use store::{AccountSummary, Usage};

    #[test]
    fn spec_4_1_amounts_are_exact_numbers_and_the_total_adds_up() {
        let usage =
            Usage { radars_activated: 1, radars_deactivated: 2, radars_failed: 3, updates_found: 4, used_micros: -5 };
        let stored = AccountSummary {
            usage,
            active_radars: 6,
            inactive_radars: 7,
            failed_radars: 8,
            total_updates_found: 9,
            balance: MicroUsd::from_micros(999_999_999_999_999),
        };
        let text = serde_json::to_string(&data(Month::parse("2026-02").expect("a month"), &stored));
        let wanted = concat!(
            r#"{"usage":{"month":"2026-02","radars_activated":1,"radars_deactivated":2,"radars_failed":3,"#,
            r#""updates_found":4,"balance_used_usd":-0.000005},"account":{"total_radars":21,"active_radars":6,"#,
            r#""inactive_radars":7,"failed_radars":8,"total_updates_found":9},"#,
            r#""balance_remaining_usd":999999999.999999}"#
        );
        assert_eq!(text.expect("JSON"), wanted);
    }
}
