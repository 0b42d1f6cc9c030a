//! Sending again step by step what failed in a range of time (decision 5.8).
//!
//! A recovery is a row. Each step is one transaction that makes the failed ones among the next deliveries due and moves
//! the row's cursor behind them, so that whatever process dies, another one goes on where it was. A step reads a bounded
//! part of the log, however few of it failed. What is under way is left alone, and so is what is held. A recovery waits for
//! the next day of its account. It does not wait for a host that has no free turn (`domain::delivery::redelivery`) before
//! it has gone through the whole range: what it has left there follows as turns become free.

use chrono::{DateTime, Utc};
use entity::job;
use sea_orm::{ActiveModelTrait, ConnectionTrait, DbBackend, EntityTrait, IntoActiveModel};
use uuid::Uuid;

use super::jobs::{job_of, range_of};
use super::redeliveries::{has_left, left_with_turns};
use crate::database::{LeaseNow, List, Sql, Statements, WriteTransaction, in_few_lengths};
use crate::{Result, Store};
use domain::delivery::redelivery::RECOVERY_WAIT;
use domain::{AccountId, Job, JobId, Recovery, RecoveryRange, Work};

/// Deliveries that one step looks at.
const STEP: u64 = 200;

/// The unfinished recovery that has waited longest of those that may go on.
const NEXT: &str = "finished_at is null and search is null and (resumes_at is null or resumes_at <= ?)
    order by advanced_at, job_id limit 1";

/// What has become of the recoveries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecoveryStep {
    /// There is none, or none that no other process works on.
    Nothing,
    /// All of them wait.
    Pause {
        /// When the first of them goes on.
        resumes_at: DateTime<Utc>,
    },
    /// One has been taken a step further, or to where it must wait.
    Made(Recovery),
}

impl Store {
    /// How many deliveries a recovery of `range` would send again at `now`.
    pub async fn recoverable(&self, range: &RecoveryRange, now: DateTime<Utc>) -> Result<u64> {
        self.deadline
            .io(async {
                let lease_now = self.leases.instant(&self.read).await?;
                let mut counting = counting(self.read.get_database_backend(), &self.kept(range, now), now, lease_now);
                Ok(counting.first(&self.read).await?.unwrap_or_default())
            })
            .await
    }

    /// Notes a recovery; the dispatcher works it off. `None` when too many of the account are unfinished.
    pub async fn begin_recovery(
        &self,
        job_id: JobId,
        range: RecoveryRange,
        now: DateTime<Utc>,
    ) -> Result<Option<Recovery>> {
        let count = self.recoverable(&range, now).await?;
        let begun = self.begin_job(Job::new(job_id, Work::Resend(range), count, now)).await?;
        Ok(begun.map(|begun| begun.with(range)))
    }

    /// A recovery of an account; `None` when it has no such.
    pub async fn recovery(&self, account_id: AccountId, job_id: JobId) -> Result<Option<Recovery>> {
        Ok(self.any_recovery(job_id).await?.filter(|recovery| recovery.work.account_id == Some(account_id)))
    }

    /// A recovery, of whatever account.
    pub async fn any_recovery(&self, job_id: JobId) -> Result<Option<Recovery>> {
        let of = |job: Job| if let Work::Resend(range) = job.work { Some(job.with(range)) } else { None };
        Ok(self.any_job(job_id).await?.and_then(of))
    }

    /// One step of the recovery that has waited longest of those that may go on.
    pub async fn advance_recovery(&self, now: DateTime<Utc>) -> Result<RecoveryStep> {
        // Nearly always there is none, and a reader is enough to see that.
        let next = "select min(coalesce(resumes_at, 0)) from job where finished_at is null and search is null";
        match self.first(next, ()).await?.flatten() {
            None => return Ok(RecoveryStep::Nothing),
            Some(resumes_at) if resumes_at > now => return Ok(RecoveryStep::Pause { resumes_at }),
            Some(_) => {}
        }
        self.in_transaction(async |transaction| {
            let mut next = transaction.rows_of::<job::Entity>();
            let found = next.add(NEXT, now).lock_skipping().models(transaction).await?.pop();
            let Some(row) = found else { return Ok(RecoveryStep::Nothing) };
            self.step(transaction, row, now).await.map(RecoveryStep::Made)
        })
        .await
    }

    /// Makes the recoverable ones due, among those that were left and among the next ones, as many as their account and
    /// their hosts may have sent again, and moves the cursor behind them.
    async fn step(&self, transaction: &WriteTransaction, mut row: job::Model, now: DateTime<Utc>) -> Result<Recovery> {
        let range = range_of(&row)?;
        let kept = self.kept(&range, now);
        let mut redeliveries = self.redeliveries(transaction, range.account_id, now).await?;
        let mut passed: Vec<(i64, Uuid)> = following(transaction.get_database_backend(), &row).all(transaction).await?;
        let is_end = (passed.len() as u64) < STEP;
        let left = left_with_turns(transaction, row.job_id, now, STEP).await?;
        let lease_now = self.leases.instant(transaction).await?;
        let looked_at = left.iter().copied().chain(passed.iter().map(|(_, update_id)| *update_id));
        let wanted = wanted(transaction, looked_at.collect(), &kept, now, lease_now).await?;
        redeliveries.lock_hosts(transaction, wanted.iter().map(|(_, url)| url.as_str())).await?;
        let (again, new): (Vec<_>, Vec<_>) = wanted.into_iter().partition(|(update_id, _)| left.contains(update_id));
        redeliveries.come_back(transaction, row.job_id, left, again).await?;
        let next_day = redeliveries.go_on(transaction, row.job_id, &mut passed, new).await?;
        let resent = redeliveries.write(transaction).await?;
        row.done = row.done.saturating_add_unsigned(resent);
        if resent > 0 || !passed.is_empty() {
            // One that has found no turn keeps its place before those that have.
            row.advanced_at = now.timestamp_micros();
        }
        if let Some((cursor_at, cursor_id)) = passed.last().copied() {
            (row.cursor_at, row.cursor_id) = (cursor_at, Some(cursor_id));
        }
        let comes_back = (is_end || next_day.is_some()) && has_left(transaction, row.job_id).await?;
        let resumes_at = if comes_back { Some(now + RECOVERY_WAIT) } else { next_day };
        row.resumes_at = resumes_at.map(|at| at.timestamp_micros());
        if is_end && resumes_at.is_none() {
            row.finished_at = Some(now.timestamp_micros());
        }
        let advanced = job_of(row.clone())?.with(range);
        job::Entity::update(row.into_active_model().reset_all()).exec(transaction).await?;
        Ok(advanced)
    }

    /// The part of a range whose updates are kept at `now`.
    fn kept(&self, range: &RecoveryRange, now: DateTime<Utc>) -> RecoveryRange {
        RecoveryRange { since: range.since.max(self.rules.redeliveries.kept_from(now)), ..*range }
    }
}

/// Those of the deliveries that are sent again, in their order and locked, and where they go.
async fn wanted(
    transaction: &WriteTransaction,
    looked_at: Vec<Uuid>,
    range: &RecoveryRange,
    now: DateTime<Utc>,
    lease_now: DateTime<Utc>,
) -> Result<Vec<(Uuid, String)>> {
    if looked_at.is_empty() {
        return Ok(Vec::new());
    }
    let those = "select delivery.update_id, endpoint.url from delivery
        join endpoint on endpoint.endpoint_id = delivery.endpoint_id where delivery.update_id in ? and delivery.created_at >= ? and ";
    let mut sql = transaction.sql_with(those, (List(in_few_lengths(looked_at)), range.since));
    recoverable(&mut sql, range, now, lease_now);
    sql.push(" order by delivery.created_at, delivery.update_id");
    if transaction.get_database_backend() == DbBackend::Postgres {
        sql.push(" for no key update of delivery");
    }
    sql.all(transaction).await
}

/// The next deliveries behind the cursor of a recovery, in whatever state: when they were published, and which they are.
pub(super) fn following(backend: DbBackend, row: &job::Model) -> Sql {
    let mut sql = Sql::new(backend, "select created_at, update_id from delivery");
    sql.add(" where created_at >= ? and created_at < ?", (row.cursor_at, row.until));
    sql.add_if_some(" and account_id = ?", row.account_id);
    let behind = row.cursor_id.map(|cursor_id| (row.cursor_at, cursor_id));
    sql.add_if_some(" and (created_at > ? or update_id > ?)", behind);
    sql.add(" order by created_at, update_id limit ?", STEP);
    sql
}

/// Appends the condition of a delivery that is sent again: what the doc comment of [`RecoveryRange`] says.
fn recoverable(sql: &mut Sql, range: &RecoveryRange, now: DateTime<Utc>, lease_now: DateTime<Utc>) {
    sql.push("(state = 'exhausted' or ");
    waits_for_retry(sql, now, lease_now);
    sql.push(if range.with_delivered { " or state = 'delivered')" } else { ")" });
    of_type(sql, range);
}

/// Counts what [`recoverable`] says, state by state: each has an index of its own.
pub(super) fn counting(backend: DbBackend, range: &RecoveryRange, now: DateTime<Utc>, lease_now: DateTime<Utc>) -> Sql {
    let mut sql = Sql::new(backend, "");
    sql.push("select (select count(*) from delivery where state in ('held', 'exhausted') and state = 'exhausted'");
    within(&mut sql, range, "created_at");
    sql.push(") + (select count(*) from delivery where due_at is not null and ");
    waits_for_retry(&mut sql, now, lease_now);
    // Of all accounts, few wait: the sign keeps SQLite from walking everything that was published in the range.
    within(&mut sql, range, if range.account_id.is_some() { "created_at" } else { "+created_at" });
    if range.with_delivered {
        sql.push(") + (select count(*) from delivery where state = 'delivered'");
        within(&mut sql, range, "created_at");
    }
    sql.push(") as n");
    sql
}

fn waits_for_retry(sql: &mut Sql, now: DateTime<Utc>, lease_now: DateTime<Utc>) {
    sql.add("state = 'pending' and attempts > 0 and due_at > ? and ", now);
    sql.unleased(LeaseNow::Micros(lease_now.timestamp_micros()));
}

fn within(sql: &mut Sql, range: &RecoveryRange, created_at: &str) {
    sql.add(&format!(" and {created_at} >= ? and {created_at} < ?"), (range.since, range.until));
    sql.add_if_some(" and account_id = ?", range.account_id);
    of_type(sql, range);
}

fn of_type(sql: &mut Sql, range: &RecoveryRange) {
    let is_of =
        " and exists (select 1 from radar_update u where u.update_id = delivery.update_id and u.radar_type = ?)";
    sql.add_if_some(is_of, range.radar_type);
}
