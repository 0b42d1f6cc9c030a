//! `GET /operator/v1/accounts/{id}/statements/{YYYY-MM}`: the money of a month, counted by when ledger transactions were written.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::operator::call::Call;
use crate::web::{Answer, Failure};
use domain::{AccountId, KindSum, Month, Statement};
use wire::{Instant, Usd, object};

/// The statement of one month: past, current or future.
pub(crate) async fn show(call: Call) -> Answer {
    let (account_id, month) = account_and_month(&call).await?;
    let statement = call.store().statement(account_id, month.starts_at(), month.ends_at()).await?;
    let is_final = call.now() >= month.ends_at();
    call.data(200, "Statement", record(account_id, month, is_final, &statement))
}

/// The account and the month that the path of a route without a query names.
pub(super) async fn account_and_month(call: &Call) -> Result<(AccountId, Month), Failure> {
    call.no_query()?;
    let account_id = call.account_id()?;
    let month = Month::parse(call.segment("month"));
    let month = month.ok_or_else(|| Failure::invalid("month", "must be a month such as 2026-01"))?;
    call.account(account_id).await?;
    Ok((account_id, month))
}

/// A statement. Closing is opening plus the amounts of all kinds, and the opening of the next month.
fn record(account_id: AccountId, month: Month, is_final: bool, statement: &Statement) -> impl Serialize {
    let Statement { first_seq, end_seq, opening, closing, ref by_kind } = *statement;
    let sum = |of: &KindSum| (of.kind.as_str(), object! { movements: of.ledger_txs, amount_usd: Usd(of.amount) });
    let has_any = end_seq > first_seq;
    object! {
        account_id,
        month: month.to_string(),
        starts_at: Instant(month.starts_at()),
        ends_at: Instant(month.ends_at()),
        // Whether the month is over.
        is_final,
        opening_balance_usd: Usd(opening),
        by_kind: by_kind.iter().map(sum).collect::<BTreeMap<_, _>>(),
        closing_balance_usd: Usd(closing),
        movements: end_seq - first_seq,
        first_seq: has_any.then_some(first_seq),
        last_seq: has_any.then_some(end_seq - 1),
    }
}
