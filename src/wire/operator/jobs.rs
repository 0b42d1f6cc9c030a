//! Jobs as operators see them.

use serde::Serialize;
use uuid::Uuid;

use super::values::{LIMIT_DEFAULT, LIMIT_MAX};
use crate::object;
use crate::parameters::{NOT_A_CURSOR, Parameters, uuid_text};
use crate::time::Instant;
use domain::radar::search::COUNT_MAX;
use domain::{FieldError, Job, Work};

/// The job with what it is about: a range of time, or a search for radars.
pub fn job_record(job: Job) -> impl Serialize {
    let Job { job_id, work, created_at, count, done, finished_at, resumes_at, is_stopped } = job;
    let state = match (is_stopped, finished_at, resumes_at) {
        (true, _, _) => "stopped",
        (_, Some(_), _) => "finished",
        (_, _, Some(_)) => "waiting",
        _ => "running",
    };
    let (action, range, search) = match work {
        Work::Resend(range) => ("resend", Some(range), None),
        Work::Deactivate { search } => ("deactivate", None, Some(search)),
    };
    let is_exact = search.is_none() || count <= COUNT_MAX;
    object! {
        job_id,
        action,
        account_id: range.and_then(|range| range.account_id),
        since: range.map(|range| Instant(range.since)),
        until: range.map(|range| Instant(range.until)),
        radar_type: range.and_then(|range| range.radar_type),
        include_delivered: range.map(|range| range.with_delivered),
        search,
        state,
        count: if is_exact { count } else { COUNT_MAX },
        count_is_exact: is_exact,
        done,
        created_at: Instant(created_at),
        finished_at: finished_at.map(Instant),
        resumes_at: resumes_at.map(Instant),
    }
}

/// Reads the query of `GET /operator/v1/jobs`: before which one, and how many at most.
pub fn list(query: &str) -> Result<(Option<Uuid>, u32), Vec<FieldError>> {
    let mut parameters = Parameters::of(query, &["cursor", "limit"]);
    let before = parameters.one("cursor", |text| uuid_text(text).map_err(|_| NOT_A_CURSOR));
    let limit = parameters.limit(LIMIT_DEFAULT, LIMIT_MAX);
    parameters.finish((before, limit))
}
