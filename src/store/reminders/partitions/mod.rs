//! Partitions by time of what is kept for a while, on PostgreSQL: they are made ahead, and what is over goes with its
//! partition (`migration::partitions`). A file has plain tables, and rows go one by one.
//!
//! To make or drop a partition locks out all writers for as long as it takes to change the catalogue. Each is one
//! transaction, and one that does not get its locks at once gives up: the next round tries again, and until then the default
//! partition takes what comes.

use chrono::{DateTime, Utc};
use migration::partitions::{TABLES, WIDTH_MICROS, create, name, start_in, start_of};
use sea_orm::{ConnectionTrait, DbBackend};

use crate::database::{Run, Sql, WriteTransaction};
use crate::{Result, Store};

/// How long a lock is waited for, and everybody else behind it.
const LOCK_WAIT: &str = "set local lock_timeout = '200ms'";
/// Held by the transaction that makes or drops partitions; the number is ours and means nothing.
const TURN: &str = "select pg_advisory_xact_lock(5176320423)";
/// The partitions of updates, which all tables have.
const THERE: &str = "select relname::text from pg_class join pg_inherits on inhrelid = oid
    where inhparent = 'radar_update'::regclass";

const DAY_MICROS: i64 = 24 * 60 * 60 * 1_000_000;

impl Sql {
    /// Appends that an update was published after an instant, so that no partition of an earlier time is read.
    pub(crate) fn published_after(&mut self, instant: DateTime<Utc>) -> &mut Self {
        if self.is_of_server() { self.add(" and discovered_at > ?", instant) } else { self }
    }

    /// Appends that a column holds an instant about as early or late as `instants`, so that no partition of another time is
    /// read. It is no closer than a day, so that it holds of what belongs together.
    pub(crate) fn about(&mut self, column: &str, instants: impl Iterator<Item = i64> + Clone) -> &mut Self {
        let (Some(first), Some(last)) = (instants.clone().min(), instants.max()) else { return self };
        if !self.is_of_server() {
            return self;
        }
        let around = (first.saturating_sub(DAY_MICROS), last.saturating_add(DAY_MICROS));
        self.add(&format!(" and {column} >= ? and {column} <= ?"), around)
    }
}

impl Store {
    /// Makes the partitions of `now` and of the time after it, where they are not there and the default ones hold nothing of
    /// that time; answers how many.
    pub async fn make_partitions(&self, now: DateTime<Utc>) -> Result<usize> {
        let start = start_of(now.timestamp_micros());
        let mut wanted = vec![start, start.saturating_add(WIDTH_MICROS)];
        let there = self.partitions().await?;
        wanted.retain(|start| self.is_partitioned() && !there.contains(start));
        let mut made = 0;
        for start in wanted {
            made += usize::from(self.in_transaction(async |transaction| make(transaction, start).await).await?);
        }
        Ok(made)
    }

    /// Drops the partitions whose every instant lies before `before`, the oldest first, with the feedback on their updates;
    /// answers how many.
    pub async fn drop_partitions(&self, before: DateTime<Utc>) -> Result<usize> {
        let mut over = self.partitions().await?;
        over.retain(|start| start.saturating_add(WIDTH_MICROS) <= before.timestamp_micros());
        over.sort_unstable();
        for start in &over {
            self.in_transaction(async |transaction| self.drop_partition(transaction, *start).await).await?;
        }
        Ok(over.len())
    }

    async fn drop_partition(&self, transaction: &WriteTransaction, start: i64) -> Result<()> {
        let names = TABLES.map(|(table, _)| name(table, start).unwrap_or_default());
        if !take_turn(transaction).await?.contains(&start) {
            return Ok(());
        }
        let updates = &names[0];
        let feedback = format!("delete from update_feedback f using {updates} u where u.update_id = f.update_id");
        transaction.execute_unprepared(&feedback).await?;
        for table in &names {
            transaction.execute_unprepared(&format!("drop table {table}")).await?;
            self.faults.pass_or_fail("store.partition_dropped", table)?;
        }
        Ok(())
    }

    /// Gives up some deliveries that nobody has got and whose time is over, as many as `limit`: where rows go with their
    /// partition, they would be sent until then. Answers how many.
    pub async fn give_up_over(&self, before: DateTime<Utc>, now: DateTime<Utc>, limit: u64) -> Result<usize> {
        if !self.is_partitioned() {
            return Ok(0);
        }
        let give_up = "update delivery set state = 'exhausted', due_at = null, lease_until = null, finished_at = ?
            where published_at < ? and update_id in (select update_id from delivery
                where published_at < ? and (due_at is not null or state = 'held') limit ? for update skip locked)";
        let given_up = self.run(give_up, (now, before, before, limit)).await?;
        Ok(usize::try_from(given_up).unwrap_or(usize::MAX))
    }

    /// Whether the tables are partitioned.
    pub(super) fn is_partitioned(&self) -> bool {
        self.read.get_database_backend() == DbBackend::Postgres
    }

    /// When the partitions begin that are there; a file has none.
    async fn partitions(&self) -> Result<Vec<i64>> {
        if self.is_partitioned() { self.deadline.io(partitions(&self.read)).await } else { Ok(Vec::new()) }
    }
}

async fn partitions(connection: &impl ConnectionTrait) -> Result<Vec<i64>> {
    let names: Vec<String> = connection.all(THERE, ()).await?;
    Ok(names.iter().filter_map(|name| start_in(name)).collect())
}

/// Waits until no other process makes or drops partitions, and answers which there are then.
async fn take_turn(transaction: &WriteTransaction) -> Result<Vec<i64>> {
    transaction.execute_unprepared(TURN).await?;
    transaction.execute_unprepared(LOCK_WAIT).await?;
    partitions(transaction).await
}

/// Makes the partitions that begin at `start`, unless another process has, or there are such rows in the default ones.
async fn make(transaction: &WriteTransaction, start: i64) -> Result<bool> {
    if take_turn(transaction).await?.contains(&start) {
        return Ok(false);
    }
    for (table, instant) in TABLES {
        let left = format!("select {instant} from {table}_default where {instant} >= ? and {instant} < ? limit 1");
        if transaction.first::<i64>(&left, (start, start.saturating_add(WIDTH_MICROS))).await?.is_some() {
            return Ok(false);
        }
    }
    create(transaction, start).await?;
    Ok(true)
}

#[cfg(test)]
mod tests;
