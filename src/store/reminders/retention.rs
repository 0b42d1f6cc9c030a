//! Removing updates and alerts whose time is over, with their deliveries, attempts and feedback (Spec 6.4, decision 5.7).
//!
//! On PostgreSQL most of it goes with its partition (`partitions`), and this is for what lies in the default one.
//! What is over is found by a reader; the transaction that removes it does nothing else and is short, because whatever
//! publishes and sends waits for it on SQLite.

use chrono::{DateTime, Utc};
use sea_orm::DbBackend;
use uuid::Uuid;

use crate::database::{List, Run, Sql, in_few_lengths};
use crate::{Result, Store};
use domain::ids::AccountId;

/// Of each account from the given one on, updates published before an instant, the oldest first. Goes from account to
/// account, because the index of instants is by account.
const OLD_UPDATES: &str = "select a.account_id, u.update_id from account a cross join ";
const OF_ACCOUNT: &str = " u where u.account_id = a.account_id and a.account_id >= ? and u.discovered_at < ?
    order by a.account_id, u.discovered_at limit ?";

/// A step of the removal of updates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PurgedUpdates {
    /// How many were removed.
    pub removed: usize,
    /// From which account on the next step looks; `None` when nothing is left.
    pub next: Option<AccountId>,
}

impl Store {
    /// Removes updates discovered before `before` that lie in no partition, with their deliveries and attempts, of the
    /// accounts from `from` on, the oldest of each account first. A delivery that is still under way goes with its update: its
    /// time is over as well.
    pub async fn purge_updates(
        &self,
        before: DateTime<Utc>,
        from: Option<AccountId>,
        limit: u64,
    ) -> Result<PurgedUpdates> {
        self.deadline
            .io(async {
                let mut old = old_updates(self.read.get_database_backend(), before, from, limit);
                let found: Vec<(Uuid, Uuid)> = old.all(&self.read).await?;
                let last = found.last().map(|(account_id, _)| *account_id);
                let ids: Vec<Uuid> = found.into_iter().map(|(_, update_id)| update_id).collect();
                let is_full = ids.len() as u64 >= limit;
                let removed = self.purge(("radar_update", "update_id"), &ids).await?;
                Ok(PurgedUpdates { removed, next: last.filter(|_| is_full).map(AccountId) })
            })
            .await
    }

    /// The same for the alerts of one of [`ALERTS`](crate::ALERTS), the oldest of all accounts first; how many were removed.
    pub async fn purge_alerts(
        &self,
        (table, made_at): (&str, &str),
        before: DateTime<Utc>,
        limit: u64,
    ) -> Result<usize> {
        let old = format!("select alert_id from {table} where {made_at} < ? order by {made_at}, alert_id limit ?");
        let old = self.all(&old, (before, limit)).await?;
        self.deadline.io(self.purge((table, "alert_id"), &old)).await
    }

    /// Removes the rows of `table` whose instant in the column `instant` is before `before`; how many they were.
    pub(crate) async fn remove_before(&self, table: &str, instant: &str, before: DateTime<Utc>) -> Result<usize> {
        let removed = self.run(&format!("delete from {table} where {instant} < ?"), before).await?;
        Ok(usize::try_from(removed).unwrap_or(usize::MAX))
    }

    /// Removes what `ids` name from the table and key column in `home`, with its deliveries and attempts.
    async fn purge(&self, home: (&str, &str), ids: &[Uuid]) -> Result<usize> {
        if ids.is_empty() {
            return Ok(0);
        }
        let transaction = self.begin().await?;
        let ids = in_few_lengths(ids.iter().copied());
        let remove = async |(table, key)| {
            transaction.run(&format!("delete from {table} where {key} in ?"), List(ids.iter().copied())).await
        };
        remove(("attempt", "update_id")).await?;
        remove(("delivery", "update_id")).await?;
        let purged = remove(home).await?;
        // Last, so that none comes that was given while its update went.
        remove(("update_feedback", "update_id")).await?;
        transaction.commit().await?;
        Ok(usize::try_from(purged).unwrap_or(usize::MAX))
    }
}

pub(crate) fn old_updates(backend: DbBackend, before: DateTime<Utc>, from: Option<AccountId>, limit: u64) -> Sql {
    let mut sql = Sql::new(backend, OLD_UPDATES);
    sql.push(if backend == DbBackend::Postgres { "radar_update_default" } else { "radar_update" });
    sql.add(OF_ACCOUNT, (from.map_or(Uuid::nil(), |from| from.0), before, limit));
    sql
}
