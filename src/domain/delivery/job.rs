//! Work on everything that matches something, done step by step: whichever process dies, another one goes on where it was.

use chrono::{DateTime, TimeDelta, Utc};

use super::recovery::RecoveryRange;
use crate::ids::{JobId, RadarId};

/// Jobs of one account, or of the operator, that may be unfinished at the same time.
pub const UNFINISHED_MAX: u64 = 10;
/// How long a finished job can be looked up.
pub const KEPT_FOR: TimeDelta = TimeDelta::days(60);

/// What a job does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Work {
    /// Sends deliveries again.
    Resend(RecoveryRange),
    /// Ends the radars that an operator's search finds.
    Deactivate {
        /// The search, as the query of a list of radars.
        search: String,
    },
}

/// A job and its progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job<W = Work> {
    /// Which one; later ones are larger.
    pub job_id: JobId,
    /// What it does.
    pub work: W,
    /// When it was asked for.
    pub created_at: DateTime<Utc>,
    /// How many it was about when it was asked for; of radars one more than [`crate::radar::search::COUNT_MAX`] stands for any
    /// number beyond that.
    pub count: u64,
    /// To how many it was done so far.
    pub done: u64,
    /// When it ended.
    pub finished_at: Option<DateTime<Utc>>,
    /// When it goes on, where it waits: for the next day of its account, or for its turn at a host.
    pub resumes_at: Option<DateTime<Utc>>,
    /// Whether an operator ended it before it was through.
    pub is_stopped: bool,
}

/// A job that sends again.
pub type Recovery = Job<RecoveryRange>;

/// A job that ends radars, and how far it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deactivation {
    /// The job.
    pub job_id: JobId,
    /// What its radars are searched by.
    pub search: String,
    /// When it was asked for.
    pub created_at: DateTime<Utc>,
    /// The last radar that it has gone through, and when that was created.
    pub before: (DateTime<Utc>, RadarId),
}

impl<W> Job<W> {
    /// One that begins now.
    pub fn new(job_id: JobId, work: W, count: u64, now: DateTime<Utc>) -> Self {
        Self { job_id, work, created_at: now, count, done: 0, finished_at: None, resumes_at: None, is_stopped: false }
    }

    /// The same job with its work seen as `work`.
    pub fn with<V>(self, work: V) -> Job<V> {
        let Self { job_id, work: _, created_at, count, done, finished_at, resumes_at, is_stopped } = self;
        Job { job_id, work, created_at, count, done, finished_at, resumes_at, is_stopped }
    }
}
