//! `GET /operator/v1/accounts/{id}/spend/{YYYY-MM}`: for what an account paid in a month: by radar type, and by radar.

use super::statements;
use crate::operator::call::Call;
use crate::web::Answer;
use wire::object;
use wire::public::account::SpendRecord;

/// What radars cost in a month, refunds taken off.
pub(crate) async fn show(call: Call) -> Answer {
    let (account_id, month) = statements::account_and_month(&call).await?;
    let store = call.store();
    let (summed_max, radars_max) = (SpendRecord::SUMMED_MAX, SpendRecord::RADARS_MAX);
    let spend = store.spend(account_id, month.starts_at(), month.ends_at(), summed_max, radars_max).await?;
    call.data(200, "Spend", object! { account_id, #[serde(flatten)] spend: SpendRecord::of(month, &spend) })
}
