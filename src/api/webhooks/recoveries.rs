//! `POST /v1/webhooks/recover` and `GET …/recover/{id}` (decision 5.8).

use crate::api::call::Call;
use crate::web::call::Answer;
use crate::web::errors::Failure;
use domain::delivery::recovery::UNFINISHED_MAX;
use domain::ids::RecoveryId;
use domain::rejection::Missing;
use wire::public::webhooks::recoveries::{self, DryRun, RecoveryRecord, RecoveryRequest};

/// Sends everything again that failed in a range of time, or counts it.
pub(crate) async fn recover(mut call: Call) -> Answer {
    let body = call.body().await?.value;
    let RecoveryRequest { range, is_dry_run } = recoveries::recovery(&body, call.account_id(), call.now())?;
    let (shared, now) = (&call.state.shared, call.now());
    if is_dry_run {
        let count = shared.store.recoverable(&range, now).await?;
        return call.data(200, "Deliveries that would be sent again", DryRun { count });
    }
    let recovery_id = RecoveryId(shared.ids.next(now));
    let Some(begun) = shared.store.begin_recovery(recovery_id, range, now).await? else {
        let reason = format!("at most {UNFINISHED_MAX} recoveries may be unfinished");
        return Err(Failure::conflict("recover", reason));
    };
    shared.dispatcher.kick();
    call.data(202, "Recovery begun", RecoveryRecord::from(begun))
}

/// How far a recovery has come.
pub(crate) async fn get_recovery(call: Call) -> Answer {
    call.no_query()?;
    let recovery_id = RecoveryId(call.id("id")?);
    let found = call.state.shared.store.recovery(call.account_id(), recovery_id).await?;
    call.data(200, "Recovery", RecoveryRecord::from(found.ok_or(Missing::Recovery)?))
}
