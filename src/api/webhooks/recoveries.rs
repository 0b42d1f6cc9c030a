//! `POST /v1/webhooks/recover` and `GET …/recover/{id}` (decision 5.8).

use crate::api::call::Call;
use crate::web::{Answer, recoveries};
use domain::{JobId, Missing};
use wire::public::webhooks::recoveries::{RecoveryRecord, recovery};

/// Sends everything again that failed in a range of time, or counts it.
pub(crate) async fn create(mut call: Call) -> Answer {
    let body = call.body().await?.value;
    let asked = recovery(&body, call.account_id(), call.now())?;
    recoveries::begin(&call, call.shared(), asked, RecoveryRecord::from).await
}

/// How far a recovery has come.
pub(crate) async fn get(call: Call) -> Answer {
    call.no_query()?;
    let recovery_id = JobId(call.id("id")?);
    let found = call.store().recovery(call.account_id(), recovery_id).await?;
    call.data(200, "Recovery", RecoveryRecord::from(found.ok_or(Missing::Recovery)?))
}
