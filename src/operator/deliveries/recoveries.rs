//! `POST /operator/v1/deliveries/recover` and `GET …/recover/{id}` (decision 5.8).

use crate::operator::call::Call;
use crate::web::call::Answer;
use crate::web::errors::Failure;
use domain::delivery::recovery::UNFINISHED_MAX;
use domain::ids::RecoveryId;
use domain::rejection::Missing;
use wire::operator::deliveries::{self, recovery_record};
use wire::public::webhooks::recoveries::{DryRun, RecoveryRequest};

/// Sends everything again that failed in a range of time, or counts it.
pub(crate) async fn create(mut call: Call) -> Answer {
    let RecoveryRequest { range, is_dry_run } = deliveries::recovery(&call.body().await?.value, call.now())?;
    if let Some(account_id) = range.account_id {
        call.account(account_id).await?;
    }
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
    call.data(202, "Recovery begun", recovery_record(begun))
}

/// How far a recovery has come.
pub(crate) async fn show(call: Call) -> Answer {
    call.no_query()?;
    let found = call.state.shared.store.any_recovery(RecoveryId(call.id("id")?)).await?;
    call.data(200, "Recovery", recovery_record(found.ok_or(Missing::Recovery)?))
}
