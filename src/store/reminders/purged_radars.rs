//! Removing radars that ended long ago and of which nothing is left but what the ledger says. The ledger itself stays: its
//! ledger transactions name radars that are gone, and the account counts them.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use sea_orm::{ConnectionTrait, DbBackend, Statement};
use uuid::Uuid;

use crate::domain::ids::RadarId;
use crate::store::database::statement::Sql;
use crate::store::database::write_transaction::WriteTransaction;
use crate::store::queries::radar_cache::RadarCache;
use crate::store::{Store, StoreError};

/// Radars `r` that ended before an instant, with no paid time, update or waiting finding left, in accounts that are
/// not frozen.
const DEAD: &str = "r.status = 'inactive' and r.wake_at is null
    and not exists (select 1 from radar_update u where u.radar_id = r.radar_id)
    and not exists (select 1 from held_finding h where h.radar_id = r.radar_id)
    and not exists (select 1 from judged_finding j where j.radar_id = r.radar_id)
    and r.account_id not in (select account_id from account where frozen_at is not null)
    and r.deactivated_at < ";

impl Store {
    /// Removes radars that ended before `before` with all that is known of them, those first that ended first, and answers
    /// how many.
    pub async fn purge_radars(&self, before: DateTime<Utc>, limit: u64) -> Result<usize, StoreError> {
        self.clock.io(self.purge_ended_radars(before, limit)).await
    }

    async fn purge_ended_radars(&self, before: DateTime<Utc>, limit: u64) -> Result<usize, StoreError> {
        let backend = self.write.get_database_backend();
        let mut dead = Sql::new(backend);
        dead.push("select r.radar_id, r.account_id from radar r where ").push(DEAD).bind(before.timestamp_micros());
        dead.push(" order by r.deactivated_at, r.radar_id limit ").bind(i64::try_from(limit).unwrap_or(i64::MAX));
        let found = self.read.query_all_raw(dead.finish()).await?;
        if found.is_empty() {
            return Ok(0);
        }
        let mut ids = Vec::new();
        let mut accounts = BTreeMap::new();
        for row in found {
            ids.push(row.try_get::<Uuid>("", "radar_id")?);
            accounts.insert(row.try_get::<Uuid>("", "account_id")?, 0_i64);
        }
        let mut change = self.radar_reads.cache().map(RadarCache::change);
        let transaction = self.begin().await?;
        lock(&transaction, backend, accounts.keys().copied()).await?;
        let mut removed = Vec::new();
        for row in transaction.query_all_raw(still_dead(backend, &ids, before)).await? {
            removed.push(row.try_get::<Uuid>("", "radar_id")?);
            *accounts.entry(row.try_get("", "account_id")?).or_default() += 1;
        }
        remove(&transaction, backend, &removed, &accounts).await?;
        if let Some(change) = &mut change {
            change.of(removed.iter().copied().map(RadarId), []);
        }
        transaction.commit().await?;
        if let Some(change) = change {
            change.settle();
        }
        Ok(removed.len())
    }
}

/// In ascending order, as everybody locks accounts.
async fn lock(
    transaction: &WriteTransaction,
    backend: DbBackend,
    accounts: impl Iterator<Item = Uuid>,
) -> Result<(), StoreError> {
    if backend == DbBackend::Sqlite {
        return Ok(());
    }
    let mut sql = Sql::new(backend);
    sql.push("select account_id from account where account_id in ").bind_list(accounts);
    sql.push(" order by account_id for no key update");
    transaction.query_all_raw(sql.finish()).await?;
    Ok(())
}

fn still_dead(backend: DbBackend, ids: &[Uuid], before: DateTime<Utc>) -> Statement {
    let mut sql = Sql::new(backend);
    sql.push("select r.radar_id, r.account_id from radar r where ").push(DEAD).bind(before.timestamp_micros());
    sql.push(" and r.radar_id in ").bind_list(ids.iter().copied());
    sql.finish()
}

async fn remove(
    transaction: &WriteTransaction,
    backend: DbBackend,
    radars: &[Uuid],
    accounts: &BTreeMap<Uuid, i64>,
) -> Result<(), StoreError> {
    if radars.is_empty() {
        return Ok(());
    }
    for table in ["finding_seen", "radar_feed", "radar"] {
        let mut sql = Sql::new(backend);
        sql.push("delete from ").push(table).push(" where radar_id in ").bind_list(radars.iter().copied());
        transaction.execute_raw(sql.finish()).await?;
    }
    for (account_id, count) in accounts.iter().filter(|(_, count)| **count > 0) {
        let mut sql = Sql::new(backend);
        sql.push("update account set ended_radars = ended_radars - ").bind(*count);
        sql.push(", purged_radars = purged_radars + ").bind(*count).push(" where account_id = ").bind(*account_id);
        transaction.execute_raw(sql.finish()).await?;
    }
    Ok(())
}
