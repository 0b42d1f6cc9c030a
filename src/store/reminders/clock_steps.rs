//! Instants that lie further ahead than they can, because the clock that they were taken from was ahead: leases end, what is
//! to be repeated comes, and days of radars are over, after the longest wait from now on instead.
//!
//! Leases and what waits with them go by the leases' clock (`store::database::leases`), all else by that of the process.
//! Money is not touched: charges and renewals stay on their grid, and the time of an account never goes back.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use entity::radar;
use uuid::Uuid;

use crate::accounts::lock_accounts;
use crate::claims::DueTable;
use crate::database::leases::micros;
use crate::database::{List, Run, Sql, Statements, WriteTransaction, in_few_lengths};
use crate::outbox::endpoint_health::bring_back_healths;
use crate::tables::stored::Stored;
use crate::{Result, Store};
use domain::scheduling::attempts::REST_MAX;
use domain::scheduling::polling::RETRY_MAX;
use domain::{DailyBound, FailedAttempts, RadarId};

/// By how much the clocks of two processes may differ.
const SKEW: TimeDelta = TimeDelta::minutes(1);
/// How long a host's next turn is away at most: a few crawl delays.
const HOST_WAIT_MAX: TimeDelta = TimeDelta::hours(1);
/// Radars whose day is brought back in one transaction.
const DAYS_AT_ONCE: usize = 256;

/// How far ahead the instants of deliveries can lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryWaits {
    /// The length of a lease.
    pub lease: TimeDelta,
    /// The longest wait for the next attempt, by the number of those that have failed, from one on.
    pub retries: Vec<TimeDelta>,
}

impl Store {
    /// Brings back what was noted for later than it can be; answers how many rows those were.
    pub async fn settle_clock(&self, waits: &DeliveryWaits, now: DateTime<Utc>) -> Result<u64> {
        let mut settled = self.in_transaction(async |transaction| self.settle_feeds_ahead(transaction).await).await?;
        settled += self.in_transaction(async |transaction| self.settle_set_ups_ahead(transaction, now).await).await?;
        settled += self
            .in_transaction(async |transaction| bring_back_healths(transaction, waits.lease, (now, now + SKEW)).await)
            .await?;
        settled += self.in_transaction(async |transaction| self.settle_outbox(transaction, waits, now).await).await?;
        loop {
            let days = self.deadline.io(self.settle_days_ahead(now)).await?;
            settled += days as u64;
            if days < DAYS_AT_ONCE {
                return Ok(settled);
            }
        }
    }

    /// Brings back some of the days of radars that end later than they can, under the locks of their accounts; answers how
    /// many those are. A day whose bound was not exceeded needs nothing: it does not count ([`DailyBound::day_ends_at`]).
    async fn settle_days_ahead(&self, now: DateTime<Utc>) -> Result<usize> {
        let latest = DailyBound::latest_end(now).timestamp_micros();
        let ahead = "select account_id, radar_id from radar where release_at > ?
            order by account_id, release_at, radar_id limit ?";
        let found: Vec<(Uuid, Uuid)> = self.read.all(ahead, (latest, DAYS_AT_ONCE as u64)).await?;
        if found.is_empty() {
            return Ok(0);
        }
        let mut change = self.change();
        let transaction = self.begin().await?;
        lock_accounts(&transaction, found.iter().map(|(account_id, _)| *account_id)).await?;
        let mut still = transaction.rows_of::<radar::Entity>();
        let radars = List(in_few_lengths(found.iter().map(|(_, radar_id)| *radar_id)));
        still.add("release_at > ? and radar_id in ?", (latest, radars));
        for row in still.models::<radar::Model>(&transaction).await? {
            let mut radar = radar::Entity::value(row)?;
            radar.daily = radar.daily.brought_back(now);
            let back = radar::Entity::row(radar);
            let day =
                "update radar set day_began_at = ?, full_since = ?, release_at = ?, wake_at = ? where radar_id = ?";
            let radar::Model { day_began_at, full_since, release_at, wake_at, radar_id, .. } = back;
            transaction.run(day, (day_began_at, full_since, release_at, wake_at, radar_id)).await?;
            change.of([RadarId(back.radar_id)], []);
        }
        transaction.commit().await?;
        change.settle();
        Ok(found.len())
    }

    /// Lets leases end that last longer than `length`.
    async fn settle_leases(&self, transaction: &WriteTransaction, table: DueTable, length: Duration) -> Result<u64> {
        let now = self.leases.now();
        let mut sql = transaction.sql(&format!("update {} set ", table.name()));
        sql.leased(table, now, length).push(" where ");
        // In the words of the index of what is due.
        sql.push(if table == DueTable::Deliveries { "due_at is not null and " } else { "" });
        sql.push("lease_until > ").now_after(now, length).run(transaction).await
    }

    async fn settle_feeds_ahead(&self, transaction: &WriteTransaction) -> Result<u64> {
        let settled = self.settle_leases(transaction, DueTable::Feeds, self.leases.length()).await?;
        // Of one that rests, of one that fails, of any other.
        let longest = |sql: &mut Sql| {
            sql.push("case when open_attempts > 0 then ").bind(micros(REST_MAX));
            sql.push(" when failures > 0 then ").larger().push("(").bind(micros(RETRY_MAX)).push(", ");
            sql.push("coalesce(poll_interval_micros, 0)) else coalesce(poll_interval_micros, ");
            sql.bind(micros(RETRY_MAX)).push(") end");
        };
        let mut due = transaction.sql("update feed set next_poll_at = ");
        due.now_after(self.leases.now(), Duration::ZERO).push(" + ");
        longest(&mut due);
        due.push(" where lease_until is null and next_poll_at > ").now_after(self.leases.now(), SKEW_FOR_LEASES);
        due.push(" + ");
        longest(&mut due);
        Ok(settled + due.run(transaction).await?)
    }

    async fn settle_set_ups_ahead(&self, transaction: &WriteTransaction, now: DateTime<Utc>) -> Result<u64> {
        let mut settled = self.settle_leases(transaction, DueTable::SetUps, self.leases.length()).await?;
        let waits: Vec<i64> = FailedAttempts::longest_waits().into_iter().map(micros).collect();
        let mut due = transaction.sql("update set_up set due_at = ");
        due.now(self.leases.now()).push(" + ").by_count("failures", &waits);
        due.push(" where lease_until is null and due_at > ").now_after(self.leases.now(), SKEW_FOR_LEASES);
        settled += due.push(" + ").by_count("failures", &waits).run(transaction).await?;
        for since in ["failing_since", "unknown_since"] {
            settled += bring_back(transaction, "set_up", since, now).await?;
        }
        Ok(settled)
    }

    async fn settle_outbox(
        &self,
        transaction: &WriteTransaction,
        DeliveryWaits { lease, retries }: &DeliveryWaits,
        now: DateTime<Utc>,
    ) -> Result<u64> {
        let length = lease.to_std().unwrap_or_default();
        let mut settled = self.settle_leases(transaction, DueTable::Deliveries, length).await?;
        // What is due since it was made waits for nothing; what was made due anew, for its turn at its host.
        let turn = self.rules.redeliveries.longest_wait();
        let waits = std::iter::once(&turn).chain(retries);
        let waits: Vec<i64> = waits.map(|wait| wait.num_microseconds().unwrap_or(i64::MAX / 4)).collect();
        let longest = |sql: &mut Sql| {
            sql.push("case when due_at <= created_at then 0 else ").by_count("attempts", &waits).push(" end");
        };
        let mut due = transaction.sql("update delivery set due_at = ");
        longest(due.bind(now.timestamp_micros()).push(" + "));
        due.push(" where lease_until is null and due_at > ").bind((now + SKEW).timestamp_micros()).push(" + ");
        longest(&mut due);
        // The receiver may have asked for a longer pause.
        due.push(
            " and due_at > coalesce((select next_allowed_at from endpoint_health \
             where endpoint_id = delivery.endpoint_id), 0)",
        );
        settled += due.run(transaction).await?;
        settled += bring_back(transaction, "preview_look", "began_at", now + SKEW).await?;
        settled += bring_back(transaction, "redelivery_host", "next_at", now + SKEW + turn).await?;
        settled += bring_back(transaction, "asked_host", "next_at", now + HOST_WAIT_MAX).await?;
        // Those that wait look at once whether they must.
        settled += bring_back(transaction, "job", "resumes_at", now).await?;
        Ok(settled)
    }
}

/// The same as [`SKEW`], as the leases' clock takes it.
const SKEW_FOR_LEASES: Duration = Duration::from_secs(60);

impl Sql {
    /// Appends the value for a count in a column: the last of `values` for all that are larger.
    fn by_count(&mut self, column: &str, values: &[i64]) -> &mut Self {
        self.push("case ").push(column);
        for (count, value) in values.iter().enumerate() {
            self.push(&format!(" when {count} then ")).bind(*value);
        }
        self.push(" else ").bind(values.last().copied().unwrap_or_default()).push(" end")
    }
}

/// Brings the instants of a column back that lie after `latest`.
async fn bring_back(transaction: &WriteTransaction, table: &str, column: &str, latest: DateTime<Utc>) -> Result<u64> {
    transaction.run(&format!("update {table} set {column} = ? where {column} > ?"), (latest, latest)).await
}
