//! Sending again what failed in a range of time (decision 5.8).

use serde::Serialize;

use super::Shared;
use super::call::{Answer, Call};
use super::errors::Failure;
use domain::delivery::job::UNFINISHED_MAX;
use domain::{JobId, Recovery};
use wire::public::webhooks::recoveries::{DryRun, RecoveryRequest};

/// Begins what was asked for, or counts it.
pub(crate) async fn begin<S, O, T: Serialize>(
    call: &Call<S, O>,
    shared: &Shared,
    RecoveryRequest { range, is_dry_run }: RecoveryRequest,
    record: impl FnOnce(Recovery) -> T,
) -> Answer {
    let now = call.now();
    if is_dry_run {
        let count = shared.store.recoverable(&range, now).await?;
        return call.data(200, "Deliveries that would be sent again", DryRun { count });
    }
    let job_id = JobId(shared.ids.next(now));
    let Some(begun) = shared.store.begin_recovery(job_id, range, now).await? else {
        let reason = format!("at most {UNFINISHED_MAX} recoveries may be unfinished");
        return Err(Failure::conflict("recover", reason));
    };
    shared.dispatcher.kick();
    call.data(202, "Recovery begun", record(begun))
}
