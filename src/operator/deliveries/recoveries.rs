//! `POST /operator/v1/deliveries/recover` and `GET …/recover/{id}` (decision 5.8).

use crate::operator::call::Call;
use crate::web::{Answer, recoveries};
use domain::{JobId, Missing};
use wire::operator::deliveries::{recovery, recovery_record};

/// Sends everything again that failed in a range of time, or counts it.
pub(crate) async fn create(mut call: Call) -> Answer {
    let asked = recovery(&call.body().await?.value, call.now())?;
    if let Some(account_id) = asked.range.account_id {
        call.account(account_id).await?;
    }
    recoveries::begin(&call, call.shared(), asked, recovery_record).await
}

/// How far a recovery has come.
pub(crate) async fn show(call: Call) -> Answer {
    call.no_query()?;
    let found = call.store().any_recovery(JobId(call.id("id")?)).await?;
    call.data(200, "Recovery", recovery_record(found.ok_or(Missing::Recovery)?))
}
