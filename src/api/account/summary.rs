//! `GET /v1/account` (Spec 4.1, decision 3.8).

use crate::api::call::Call;
use crate::domain::money::MicroUsd;
use crate::domain::money::month::Month;
use crate::store::AccountSummary as Stored;
use crate::web::call::{Answer, with_data};
use crate::wire::public::account::{AccountData, AccountSummary};
use crate::wire::public::query;

/// What is counted for the account.
pub(crate) async fn account(call: Call) -> Answer {
    let now = call.now();
    let month = query::account(call.query())?.month.unwrap_or_else(|| Month::of(now));
    let stored = call.state.shared.store.account_summary(call.account_id(), &month.to_string(), now).await?;
    with_data(200, "Account summary", now, AccountData::from(summary(month, &stored)))
}

fn summary(month: Month, stored: &Stored) -> AccountSummary {
    let count = |count: i64| u64::try_from(count).unwrap_or_default();
    AccountSummary {
        month,
        radars_activated: count(stored.usage.radars_activated),
        radars_deactivated: count(stored.usage.radars_deactivated),
        radars_failed: count(stored.usage.radars_failed),
        updates_found: count(stored.usage.updates_found),
        balance_used: MicroUsd::from_micros(stored.usage.used_micros),
        active_radars: count(stored.active_radars),
        inactive_radars: count(stored.inactive_radars),
        failed_radars: count(stored.failed_radars),
        total_updates_found: count(stored.total_updates_found),
        balance_remaining: stored.balance,
    }
}
