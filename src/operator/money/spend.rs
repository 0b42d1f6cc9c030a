//! `GET /operator/v1/accounts/{id}/spend/{YYYY-MM}`: for what an account paid in a month: by radar type, and by radar.

use serde::Serialize;

use super::statements;
use crate::operator::call::Call;
use crate::web::call::Answer;
use domain::money::statement::Spend;
use wire::money::Usd;
use wire::object;

/// The most radars that are named, those that cost most.
const RADARS_SHOWN: u64 = 100;

/// What radars cost in a month, refunds taken off.
pub(crate) async fn show(call: Call) -> Answer {
    let (account_id, month) = statements::account_and_month(&call).await?;
    let store = &call.state.shared.store;
    let spend = store.spend(account_id, month.starts_at(), month.ends_at(), RADARS_SHOWN).await?;
    let answer = object! {
        account_id,
        month: month.to_string(),
        by_type: spend.by_type.iter().map(record).collect::<Vec<_>>(),
        by_radar: spend.by_radar.iter().map(|(radar_id, spend)| object! { radar_id: *radar_id, #[serde(flatten)] spend: record(spend) }).collect::<Vec<_>>(),
    };
    call.data(200, "Spend", answer)
}

fn record(spend: &Spend) -> impl Serialize + use<> {
    object! { radar_type: spend.radar_type, movements: spend.ledger_txs, amount_usd: Usd(spend.amount) }
}
