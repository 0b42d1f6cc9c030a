//! `/operator/v1/jobs`: work on everything that matches, and stopping it; `POST /operator/v1/radars/deactivate` begins some.

use super::call::Call;
use crate::web::{Answer, Failure, located};
use domain::delivery::job::UNFINISHED_MAX;
use domain::{Duty, Job, JobId, Missing, Work};
use wire::operator::jobs::{self, job_record};
use wire::operator::radars::deactivation;
use wire::{Page, object};

/// A page of jobs, the newest first.
pub(super) async fn list(call: Call) -> Answer {
    let (before, limit) = jobs::list(call.query())?;
    let found = call.store().all_jobs(before, u64::from(limit) + 1).await?;
    let page = Page::cut(found, limit, |last| last.job_id.to_string(), job_record);
    call.page("Jobs", page)
}

/// How far a job has come.
pub(super) async fn show(call: Call) -> Answer {
    call.no_query()?;
    call.record("Job", job_record(found(&call).await?))
}

/// Ends a job where it is.
pub(super) async fn stop(call: Call) -> Answer {
    call.no_query()?;
    let job_id = found(&call).await?.job_id;
    call.store().stop_job(job_id, call.now()).await?;
    call.data(200, "Job stopped", job_record(found(&call).await?))
}

/// Ends all radars that a search finds, or counts them.
pub(super) async fn deactivate(mut call: Call) -> Answer {
    let (search, sought, is_dry_run) = deactivation(&call.body().await?.value)?;
    let (shared, now) = (call.shared(), call.now());
    let found = shared.store.all_radars_found(&sought, 1).await?;
    let (count, count_is_exact) = (found.count, found.count_is_exact);
    if is_dry_run {
        return call.data(200, "Radars that would be deactivated", object! { count, count_is_exact });
    }
    let job_id = JobId(shared.ids.next(now));
    let begun = Job::new(job_id, Work::Deactivate { search }, count + u64::from(!count_is_exact), now);
    let Some(begun) = shared.store.begin_job(begun).await? else {
        return Err(Failure::conflict("jobs", format!("at most {UNFINISHED_MAX} jobs may be unfinished")));
    };
    call.state.duties.begin(Duty::WorkOffJobs);
    Ok(located(call.data(202, "Job begun", job_record(begun))?, &format!("/operator/v1/jobs/{job_id}")))
}

async fn found(call: &Call) -> Result<Job, Failure> {
    Ok(call.store().any_job(JobId(call.id("id")?)).await?.ok_or(Missing::Job)?)
}
