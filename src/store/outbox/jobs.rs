//! Jobs: work on everything that matches, as rows that survive whatever process does it.
//!
//! What is sent again is done by `recoveries`. Radars are ended page by page by the housekeeper, through the ledger: a page
//! that a crash has cut off is gone through once more, and what is ended already stays as it is and is counted once.

use chrono::{DateTime, Utc};
use entity::job;
use sea_orm::{ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter};
use uuid::Uuid;

use super::redeliveries::take_turn;
use crate::database::if_present::IfPresent;
use crate::database::statement::Statements;
use crate::database::{bulk, rows};
use crate::{Store, StoreError};
use domain::delivery::job::{Deactivation, Job, KEPT_FOR, UNFINISHED_MAX, Work};
use domain::delivery::recovery::RecoveryRange;
use domain::ids::{AccountId, JobId, RadarId};

const TABLE: &str = "job";

impl Store {
    /// Notes a job; `None` when too many of the account, or of the operator, are unfinished.
    pub async fn begin_job(&self, begun: Job) -> Result<Option<Job>, StoreError> {
        use job::Column::{AccountId as Account, FinishedAt};
        let row = row_of(&begun);
        let account_id = row.account_id;
        let of_account = account_id.map_or(Account.is_null(), |account_id| Account.eq(account_id));
        let unfinished = job::Entity::find().filter(of_account).filter(FinishedAt.is_null());
        self.in_transaction(async |transaction| {
            take_turn(transaction, account_id.map(AccountId)).await?;
            if unfinished.count(transaction).await? >= UNFINISHED_MAX {
                return Ok(None);
            }
            let kept_since = (begun.created_at - KEPT_FOR).timestamp_micros();
            job::Entity::delete_many().filter(FinishedAt.lt(kept_since)).exec(transaction).await?;
            bulk::insert_one(transaction, row, IfPresent::fail()).await?;
            Ok(Some(begun))
        })
        .await
    }

    /// Jobs of all accounts and of the operator, the newest first.
    pub async fn all_jobs(&self, before: Option<Uuid>, limit: u64) -> Result<Vec<Job>, StoreError> {
        let mut sql = self.sql("select * from job");
        if let Some(before) = before {
            sql.push(" where job_id < ").bind(before);
        }
        sql.push(" order by job_id desc limit ").count(limit);
        let found: Vec<job::Model> = self.deadline.io(sql.models(&self.read)).await?;
        found.iter().map(job_of).collect()
    }

    /// A job, of whatever account.
    pub async fn any_job(&self, job_id: JobId) -> Result<Option<Job>, StoreError> {
        let found = self.deadline.io(job::Entity::find_by_id(job_id.0).one(&self.read)).await?;
        found.as_ref().map(job_of).transpose()
    }

    /// Ends a job where it is. What it has done stands; one that has ended stays as it is.
    pub async fn stop_job(&self, job_id: JobId, now: DateTime<Utc>) -> Result<(), StoreError> {
        self.in_transaction(async |transaction| {
            let mut stop = transaction.sql("update job set is_stopped = 1, resumes_at = null, finished_at = ");
            stop.bind(now.timestamp_micros()).push(" where finished_at is null and job_id = ").bind(job_id.0);
            stop.run(transaction).await?;
            let mut forget = transaction.sql("delete from recovery_left where recovery_id = ");
            forget.bind(job_id.0).run(transaction).await.map(drop)
        })
        .await
    }

    /// The unfinished job that ends radars and has waited longest.
    pub async fn next_deactivation(&self) -> Result<Option<Deactivation>, StoreError> {
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
    ) -> Result<(), StoreError> {
        let (cursor_at, cursor_id) = last.unwrap_or(from.before);
        let finished_at = last.is_none().then_some(now.timestamp_micros());
        let mut sql = self.sql("update job set done = done + ");
        sql.count(done)
            .push(", cursor_at = ")
            .bind(cursor_at.timestamp_micros())
            .push(", cursor_id = ")
            .bind(cursor_id.0);
        sql.push(", advanced_at = ").bind(now.timestamp_micros());
        sql.push(", finished_at = coalesce(finished_at, ").bind(finished_at);
        // Another process may have gone through the same ones.
        sql.push(") where job_id = ").bind(from.job_id.0).push(" and cursor_id = ").bind(from.before.1.0);
        self.deadline.io(sql.run(&self.write)).await.map(drop)
    }
}

fn row_of(job: &Job) -> job::Model {
    let Job { job_id, work, created_at, count, done, finished_at, resumes_at, is_stopped } = job;
    let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    let (range, search) = match work {
        Work::Resend(range) => (*range, None),
        Work::Deactivate { search } => (RecoveryRange::everything_until(*created_at), Some(search.clone())),
    };
    // Deliveries are gone through in the order in which they were published, radars from the newest on.
    let (cursor_at, cursor_id) = match search {
        Some(_) => (*created_at, Some(Uuid::max())),
        None => (range.since, None),
    };
    job::Model {
        job_id: job_id.0,
        account_id: range.account_id.map(|account_id| account_id.0),
        since: range.since.timestamp_micros(),
        until: range.until.timestamp_micros(),
        radar_type: range.radar_type.map(|radar_type| radar_type.as_str().to_owned()),
        with_delivered: i64::from(range.with_delivered),
        search,
        created_at: created_at.timestamp_micros(),
        found: number(*count),
        done: number(*done),
        cursor_at: cursor_at.timestamp_micros(),
        cursor_id,
        advanced_at: created_at.timestamp_micros(),
        finished_at: finished_at.map(|at| at.timestamp_micros()),
        resumes_at: resumes_at.map(|at| at.timestamp_micros()),
        is_stopped: i64::from(*is_stopped),
    }
}

pub(super) fn job_of(row: &job::Model) -> Result<Job, StoreError> {
    let work = match &row.search {
        Some(search) => Work::Deactivate { search: search.clone() },
        None => Work::Resend(range_of(row)?),
    };
    Ok(Job {
        job_id: JobId(row.job_id),
        work,
        created_at: rows::instant(TABLE, row.created_at)?,
        count: row.found.unsigned_abs(),
        done: row.done.unsigned_abs(),
        finished_at: rows::instant_option(TABLE, row.finished_at)?,
        resumes_at: rows::instant_option(TABLE, row.resumes_at)?,
        is_stopped: row.is_stopped != 0,
    })
}

/// What a job that sends again is about.
pub(super) fn range_of(row: &job::Model) -> Result<RecoveryRange, StoreError> {
    Ok(RecoveryRange {
        account_id: row.account_id.map(AccountId),
        since: rows::instant(TABLE, row.since)?,
        until: rows::instant(TABLE, row.until)?,
        radar_type: row.radar_type.as_deref().map(|text| rows::closed(TABLE, text)).transpose()?,
        with_delivered: row.with_delivered != 0,
    })
}

fn deactivation_of(row: job::Model) -> Result<Option<Deactivation>, StoreError> {
    let (Some(search), Some(cursor_id)) = (row.search, row.cursor_id) else { return Ok(None) };
    let (created_at, cursor_at) = (rows::instant(TABLE, row.created_at)?, rows::instant(TABLE, row.cursor_at)?);
    Ok(Some(Deactivation { job_id: JobId(row.job_id), search, created_at, before: (cursor_at, RadarId(cursor_id)) }))
}
