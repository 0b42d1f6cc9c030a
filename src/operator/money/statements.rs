//! `GET /operator/v1/accounts/{id}/statements/{YYYY-MM}`: the money of a month, counted by when movements were written.

use std::collections::BTreeMap;

use serde::Serialize;
use uuid::Uuid;

use crate::domain::ids::AccountId;
use crate::domain::money::month::Month;
use crate::domain::money::statement::Statement;
use crate::operator::accounts::found;
use crate::operator::call::Call;
use crate::web::call::Answer;
use crate::web::errors::Failure;
use crate::wire::money::Usd;
use crate::wire::time::Instant;

/// A statement. Closing is opening plus the amounts of all kinds, and the opening of the next month.
#[derive(Debug, Serialize)]
struct StatementRecord {
    account_id: Uuid,
    month: String,
    starts_at: Instant,
    ends_at: Instant,
    /// Whether the month is over, so that nothing can come any more.
    is_final: bool,
    opening_balance_usd: Usd,
    by_kind: BTreeMap<&'static str, SumRecord>,
    closing_balance_usd: Usd,
    movements: i64,
    first_seq: Option<i64>,
    last_seq: Option<i64>,
}

#[derive(Debug, Serialize)]
struct SumRecord {
    movements: i64,
    amount_usd: Usd,
}

/// The statement of one month, be it over, under way or still to come.
pub(crate) async fn show(call: Call) -> Answer {
    call.no_query()?;
    let account_id = call.account_id()?;
    let month = Month::parse(call.segment("month"));
    let month = month.ok_or_else(|| Failure::invalid("month", "must be a month such as 2026-01"))?;
    found(&call, account_id).await?;
    let statement = call.state.shared.store.statement(account_id, month.starts_at(), month.ends_at()).await?;
    let is_final = call.now() >= month.ends_at();
    call.data(200, "Statement", StatementRecord::of(account_id, month, is_final, &statement))
}

impl StatementRecord {
    fn of(account_id: AccountId, month: Month, is_final: bool, statement: &Statement) -> Self {
        let Statement { first_seq, end_seq, opening, closing, ref by_kind } = *statement;
        let movements = end_seq - first_seq;
        let sum = |movements, amount| SumRecord { movements, amount_usd: Usd(amount) };
        Self {
            account_id: account_id.0,
            month: month.to_string(),
            starts_at: Instant(month.starts_at()),
            ends_at: Instant(month.ends_at()),
            is_final,
            opening_balance_usd: Usd(opening),
            by_kind: by_kind.iter().map(|of| (of.kind.as_str(), sum(of.movements, of.amount))).collect(),
            closing_balance_usd: Usd(closing),
            movements,
            first_seq: (movements > 0).then_some(first_seq),
            last_seq: (movements > 0).then_some(end_seq - 1),
        }
    }
}
