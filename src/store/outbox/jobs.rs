//! Jobs: work on everything that matches, as rows that survive whatever process does it.
//!
//! What is sent again is done by `recoveries`. Radars are ended page by page by the housekeeper, through the ledger: a page
//! that a crash has cut off is gone through once more, and what is ended already stays as it is and is counted once.

use chrono::{DateTime, Utc};
use entity::job;
use sea_orm::EntityTrait;
use uuid::Uuid;

use super::redeliveries::take_turn;
use crate::database::{IfPresent, Run, bulk};
use crate::tables::stored::{Stored, stored};
use crate::{Result, Store};
use domain::delivery::job::{Deactivation, KEPT_FOR, UNFINISHED_MAX};
use domain::{AccountId, Job, JobId, RadarId, RecoveryRange, Work};

stored! {
    job (
        job_id, account_id, since, until, radar_type, with_delivered, search, created_at, found, done, cursor_at, cursor_id,
        advanced_at, finished_at, resumes_at, is_stopped
    )
    (Job<(RecoveryRange, Option<String>)>, (DateTime<Utc>, Option<Uuid>, DateTime<Utc>)) = (
        Job {
            job_id,
            work: (RecoveryRange { account_id, since, until, radar_type, with_delivered }, search),
            created_at,
            count: found,
            done,
            finished_at,
            resumes_at,
            is_stopped,
        },
        // How far it has gone, and when it went on last.
        (cursor_at, cursor_id, advanced_at),
    )
}

impl Store {
    /// Notes a job; `None` when too many of the account, or of the operator, are unfinished.
    pub async fn begin_job(&self, begun: Job) -> Result<Option<Job>> {
        let row = row_of(begun.clone());
        let account_id = row.account_id;
        let mut unfinished = self.sql("select count(*) from job where finished_at is null and ");
        match account_id {
            Some(account_id) => unfinished.add("account_id = ?", account_id),
            None => unfinished.push("account_id is null"),
        };
        self.in_transaction(async |transaction| {
            take_turn(transaction, account_id.map(AccountId)).await?;
            if unfinished.first(transaction).await?.is_some_and(|count: u64| count >= UNFINISHED_MAX) {
                return Ok(None);
            }
            transaction.run("delete from job where finished_at < ?", begun.created_at - KEPT_FOR).await?;
            bulk::insert_one(transaction, row, IfPresent::fail()).await?;
            Ok(Some(begun))
        })
        .await
    }

    /// Jobs of all accounts and of the operator, the newest first.
    pub async fn all_jobs(&self, before: Option<Uuid>, limit: u64) -> Result<Vec<Job>> {
        let mut sql = self.sql("select * from job");
        sql.add_if_some(" where job_id < ?", before).add(" order by job_id desc limit ?", limit);
        let found: Vec<job::Model> = self.deadline.io(sql.models(&self.read)).await?;
        found.into_iter().map(job_of).collect()
    }

    /// A job, of whatever account.
    pub async fn any_job(&self, job_id: JobId) -> Result<Option<Job>> {
        let found = self.deadline.io(job::Entity::find_by_id(job_id.0).one(&self.read)).await?;
        found.map(job_of).transpose()
    }

    /// Ends a job where it is. What it has done stands; one that has ended stays as it is.
    pub async fn stop_job(&self, job_id: JobId, now: DateTime<Utc>) -> Result<()> {
        self.in_transaction(async |transaction| {
            let stop = "update job set is_stopped = 1, resumes_at = null, finished_at = ?
                where finished_at is null and job_id = ?";
            transaction.run(stop, (now, job_id)).await?;
            transaction.run("delete from recovery_left where recovery_id = ?", job_id).await.map(drop)
        })
        .await
    }

    /// The unfinished job that ends radars and has waited longest.
    pub async fn next_deactivation(&self) -> Result<Option<Deactivation>> {
        let mut sql = self.sql(
            "select * from job where finished_at is null and search is not null order by advanced_at, job_id limit 1",
        );
        let found: Option<job::Model> = self.deadline.io(sql.models(&self.read)).await?.pop();
        found.map(deactivation_of).transpose().map(Option::flatten)
    }

    /// Notes that the next radars of a job are ended, `done` of them, up to `last`; that the job is through, where there is none.
    pub async fn advance_deactivation(
        &self,
        from: &Deactivation,
        (last, done): (Option<(DateTime<Utc>, RadarId)>, u64),
        now: DateTime<Utc>,
    ) -> Result<()> {
        let (cursor_at, cursor_id) = last.unwrap_or(from.before);
        let finished_at = last.is_none().then_some(now);
        // Another process may have gone through the same ones.
        let advance = "update job set done = done + ?, cursor_at = ?, cursor_id = ?, advanced_at = ?,
            finished_at = coalesce(finished_at, ?) where job_id = ? and cursor_id = ?";
        let advanced = (done, cursor_at, cursor_id, now, finished_at, from.job_id, from.before.1);
        self.run(advance, advanced).await.map(drop)
    }
}

fn row_of(job: Job) -> job::Model {
    let created_at = job.created_at;
    // Deliveries are gone through in the order in which they were published, radars from the newest on.
    let (work, (cursor_at, cursor_id)) = match &job.work {
        Work::Resend(range) => ((*range, None), (range.since, None)),
        Work::Deactivate { search } => {
            let everything = RecoveryRange::everything_until(created_at);
            ((everything, Some(search.clone())), (created_at, Some(Uuid::max())))
        }
    };
    job::Entity::row((job.with(work), (cursor_at, cursor_id, created_at)))
}

pub(super) fn job_of(row: job::Model) -> Result<Job> {
    let (job, _) = job::Entity::value(row)?;
    let work = match job.work.clone() {
        (_, Some(search)) => Work::Deactivate { search },
        (range, None) => Work::Resend(range),
    };
    Ok(job.with(work))
}

/// What a job that sends again is about.
pub(super) fn range_of(row: &job::Model) -> Result<RecoveryRange> {
    let (job, _) = job::Entity::value(row.clone())?;
    Ok(job.work.0)
}

fn deactivation_of(row: job::Model) -> Result<Option<Deactivation>> {
    let (Job { job_id, work: (_, search), created_at, .. }, (cursor_at, cursor_id, _)) = job::Entity::value(row)?;
    let (Some(search), Some(cursor_id)) = (search, cursor_id) else { return Ok(None) };
    Ok(Some(Deactivation { job_id, search, created_at, before: (cursor_at, RadarId(cursor_id)) }))
}
