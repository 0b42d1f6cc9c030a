//! Removing radars that ended long ago and of which nothing is left but what the ledger says. The ledger itself stays: its
//! ledger transactions name radars that are gone, and the account counts them.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::accounts::lock_accounts;
use crate::database::{List, Run, WriteTransaction};
use crate::{Result, Store};
use domain::RadarId;

/// Radars with no paid time, update or waiting finding left, in accounts that are not frozen, that ended before an
/// instant.
const DEAD: &str = "select r.radar_id, r.account_id from radar r where r.status = 'inactive' and r.wake_at is null
    and not exists (select 1 from radar_update u where u.radar_id = r.radar_id)
    and not exists (select 1 from held_finding h where h.radar_id = r.radar_id)
    and not exists (select 1 from approval a where a.radar_id = r.radar_id)
    and r.account_id not in (select account_id from account where frozen_at is not null)
    and r.deactivated_at < ?";

impl Store {
    /// Removes radars that ended before `before` with all that is known of them, those first that ended first, and answers
    /// how many.
    pub async fn purge_radars(&self, before: DateTime<Utc>, limit: u64) -> Result<usize> {
        self.deadline.io(self.purge_ended_radars(before, limit)).await
    }

    async fn purge_ended_radars(&self, before: DateTime<Utc>, limit: u64) -> Result<usize> {
        let mut dead = self.sql_with(DEAD, before);
        dead.add(" order by r.deactivated_at, r.radar_id limit ?", limit);
        let found: Vec<(Uuid, Uuid)> = dead.all(&self.read).await?;
        if found.is_empty() {
            return Ok(0);
        }
        let mut accounts: BTreeMap<Uuid, i64> = found.iter().map(|(_, account_id)| (*account_id, 0)).collect();
        let mut change = self.change();
        let transaction = self.begin().await?;
        lock_accounts(&transaction, accounts.keys().copied()).await?;
        let mut still_dead = self.sql_with(DEAD, before);
        still_dead.add(" and r.radar_id in ?", List(found.into_iter().map(|(radar_id, _)| radar_id)));
        let mut removed = Vec::new();
        for (radar_id, account_id) in still_dead.all::<(Uuid, Uuid)>(&transaction).await? {
            removed.push(radar_id);
            *accounts.entry(account_id).or_default() += 1;
        }
        self.remove(&transaction, &removed, &accounts).await?;
        change.of(removed.iter().copied().map(RadarId), []);
        transaction.commit().await?;
        change.settle();
        Ok(removed.len())
    }

    async fn remove(
        &self,
        transaction: &WriteTransaction,
        radars: &[Uuid],
        accounts: &BTreeMap<Uuid, i64>,
    ) -> Result<()> {
        for table in ["finding_seen", "radar_feed", "radar"] {
            let removed = List(radars.iter().copied());
            transaction.run(&format!("delete from {table} where radar_id in ?"), removed).await?;
        }
        for (account_id, count) in accounts.iter().filter(|(_, count)| **count > 0) {
            let purge = "update account set ended_radars = ended_radars - ?, purged_radars = purged_radars + ?
                where account_id = ?";
            transaction.run(purge, (*count, *count, *account_id)).await?;
        }
        Ok(())
    }
}
