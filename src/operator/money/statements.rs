//! `GET /operator/v1/accounts/{id}/statements/{YYYY-MM}`: the money of a month, counted by when ledger transactions were written.

use crate::operator::call::Call;
use crate::web::call::Answer;
use crate::web::errors::Failure;
use domain::money::month::Month;
use wire::operator::money::statement::StatementRecord;

/// The statement of one month: past, current or future.
pub(crate) async fn show(call: Call) -> Answer {
    call.no_query()?;
    let account_id = call.account_id()?;
    let month = Month::parse(call.segment("month"));
    let month = month.ok_or_else(|| Failure::invalid("month", "must be a month such as 2026-01"))?;
    call.account(account_id).await?;
    let statement = call.state.shared.store.statement(account_id, month.starts_at(), month.ends_at()).await?;
    let is_final = call.now() >= month.ends_at();
    call.data(200, "Statement", StatementRecord::of(account_id, month, is_final, &statement))
}
