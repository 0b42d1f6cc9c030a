//! What the shards need to wake radars in time.

pub(super) mod clock_steps;
pub(super) mod maintenance;
mod partitions;
pub(super) mod purged_radars;
pub(super) mod retention;

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};

use crate::database::{List, Sql, in_few_lengths};
use crate::feeds::watching::{NOT_PAUSED, NOT_STOPPED};
use crate::{Result, Store};
use domain::scheduling::shards::SHARDS;
use domain::{AccountId, RadarId};

/// A radar whose actor has something to do at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wake {
    /// Whose radar it is.
    pub account_id: AccountId,
    /// The radar.
    pub radar_id: RadarId,
    /// When.
    pub wake_at: DateTime<Utc>,
    /// Whether it is its renewal, which its account decides.
    pub is_renewal: bool,
}

/// Due renewals that are not decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overdue {
    /// How many.
    pub renewals: u64,
    /// When the oldest of them was due.
    pub oldest_at: Option<DateTime<Utc>>,
}

/// The radars of a shard whose actors have something to do.
const WAKES: &str = "select account_id, radar_id, wake_at from radar r where wake_at is not null and shard = ?";

impl Store {
    /// When the first wake of a shard is due, also of those that wait for their account or type. Shards that ask at the same
    /// time are looked up together.
    pub async fn all_first_wake_at(&self, shard: i64) -> Result<Option<DateTime<Utc>>> {
        let reading = self.first_wakes.run(shard, async |shards| self.first_wakes(shards).await);
        Ok(self.deadline.io(reading).await?.flatten())
    }

    async fn first_wakes(&self, shards: Vec<i64>) -> Result<Vec<Option<DateTime<Utc>>>> {
        let mut sql = self.sql(
            "select asked.column1, (select min(wake_at) from radar \
             where shard = asked.column1 and wake_at is not null) from (values ",
        );
        sql.bind_rows(in_few_lengths(shards.iter().copied()).into_iter().map(|shard| [shard])).push(") as asked");
        let found: BTreeMap<i64, Option<DateTime<Utc>>> = sql.all(&self.read).await?.into_iter().collect();
        Ok(shards.iter().map(|shard| found.get(shard).copied().flatten()).collect())
    }

    /// The next wakes of a shard that are no renewals, after the one at `after`, soonest first. Those of stopped accounts
    /// and of paused types wait until they go on.
    pub async fn all_wakes(&self, shard: i64, after: Option<Wake>, limit: u64) -> Result<Vec<Wake>> {
        let mut sql = self.sql_with(WAKES, shard);
        sql.push(" and (next_charge_at is null or next_charge_at <> wake_at)");
        sql.push(&format!(" and {NOT_STOPPED} and {NOT_PAUSED}"));
        let after = after.map(|Wake { wake_at, radar_id, .. }| (wake_at, wake_at, radar_id));
        sql.add_if_some(" and (wake_at > ? or wake_at = ? and radar_id > ?)", after);
        self.read_wakes(sql, limit, false).await
    }

    /// The next renewals of a shard, soonest first, but for those of the accounts in `except`.
    pub async fn all_renewal_wakes(&self, shard: i64, except: &BTreeSet<AccountId>, limit: u64) -> Result<Vec<Wake>> {
        let mut sql = self.sql_with(WAKES, shard);
        sql.push(" and next_charge_at = wake_at");
        if !except.is_empty() {
            sql.add(" and account_id not in ?", List(except.iter().map(|account_id| account_id.0)));
        }
        self.read_wakes(sql, limit, true).await
    }

    /// What is due at `now` and not decided, in all accounts.
    pub async fn all_overdue(&self, now: DateTime<Utc>) -> Result<Overdue> {
        // Named one by one, so that the index is walked in each shard only as far as something is due.
        let overdue = "select count(next_charge_at), min(next_charge_at) from radar
            where shard in ? and wake_at <= ? and next_charge_at <= ?";
        let (renewals, oldest_at) = self.first(overdue, (List(0..SHARDS), now, now)).await?.unwrap_or_default();
        Ok(Overdue { renewals, oldest_at })
    }

    async fn read_wakes(&self, mut sql: Sql, limit: u64, is_renewal: bool) -> Result<Vec<Wake>> {
        sql.add(" order by wake_at, radar_id limit ?", limit);
        let found = self.deadline.io(sql.all(&self.read)).await?.into_iter();
        Ok(found.map(|(account_id, radar_id, wake_at)| Wake { account_id, radar_id, wake_at, is_renewal }).collect())
    }
}
