//! What the housekeeper looks for across all accounts.

use chrono::{DateTime, Utc};
use sea_orm::{ConnectionTrait, Statement};
use uuid::Uuid;

use crate::domain::ids::AccountId;
use crate::store::database::rows;
use crate::store::{Store, StoreError};

/// Accounts with an expired lot, with a pause whose price the balance covers, or with a renewal that is overdue. Pauses of
/// stopped accounts stay.
const DUE_WORK: &str = "select account_id from account where frozen_reason is null and (
        next_expiry_at <= $1
        or status = 'active' and exists (select 1 from type_pause p where p.account_id = account.account_id
            and (p.rate_micros <= account.balance_micros or not exists (
                select 1 from held_finding h
                where h.account_id = p.account_id and h.radar_type = p.radar_type)))
        or exists (select 1 from radar r where r.account_id = account.account_id and r.next_charge_at <= $2))
    order by account_id limit $3";

/// A renewal is left to its radar for this long before its account is settled.
const RENEWAL_GRACE_MICROS: i64 = 60 * 1_000_000;

impl Store {
    /// The accounts in which something is due that nobody has decided.
    pub async fn sweep_accounts_with_due_work(
        &self,
        now: DateTime<Utc>,
        limit: u64,
    ) -> Result<Vec<AccountId>, StoreError> {
        let now_micros = now.timestamp_micros();
        let values: [sea_orm::Value; 3] = [
            now_micros.into(),
            (now_micros - RENEWAL_GRACE_MICROS).into(),
            i64::try_from(limit).unwrap_or(i64::MAX).into(),
        ];
        let statement = Statement::from_sql_and_values(self.read.get_database_backend(), DUE_WORK, values);
        let found = self.clock.io(self.read.query_all_raw(statement)).await?;
        found.into_iter().map(|row| Ok(AccountId(row.try_get::<Uuid>("", "account_id")?))).collect()
    }

    /// The last instant that any account has given to anything.
    pub async fn sweep_last_at(&self) -> Result<Option<DateTime<Utc>>, StoreError> {
        let statement =
            Statement::from_string(self.read.get_database_backend(), "select max(last_at) as last_at from account");
        let row = self.clock.io(self.read.query_one_raw(statement)).await?;
        let last_at: Option<i64> = row.map(|row| row.try_get("", "last_at")).transpose()?.flatten();
        rows::instant_option("account", last_at)
    }

    /// Removes updates discovered before `before` with their deliveries and attempts, oldest first, and answers how
    /// many. A delivery that is still under way goes with its update: its time is over as well.
    pub async fn sweep_purge_updates(&self, before: DateTime<Utc>, limit: u64) -> Result<usize, StoreError> {
        // The identifier settles ties, so that all three statements are about the same updates.
        const OLD: &str = "select update_id from radar_update where discovered_at < $1
            order by discovered_at, update_id limit $2";
        self.purge(("radar_update", "update_id"), OLD, before, limit).await
    }

    /// The same for balance alerts, which are delivered like updates.
    pub async fn sweep_purge_alerts(&self, before: DateTime<Utc>, limit: u64) -> Result<usize, StoreError> {
        const OLD: &str = "select alert_id from balance_alert where crossed_at < $1
            order by crossed_at, alert_id limit $2";
        self.purge(("balance_alert", "alert_id"), OLD, before, limit).await
    }

    /// Removes what `old` names, with its deliveries and attempts, from the table and key column in `home`.
    async fn purge(
        &self,
        home: (&str, &str),
        old: &str,
        before: DateTime<Utc>,
        limit: u64,
    ) -> Result<usize, StoreError> {
        let backend = self.write.get_database_backend();
        let values = [before.timestamp_micros().into(), i64::try_from(limit).unwrap_or(i64::MAX).into()];
        self.clock
            .io(async {
                let transaction = self.begin().await?;
                let mut purged = 0;
                for (table, key) in [("attempt", "update_id"), ("delivery", "update_id"), home] {
                    let sql = format!("delete from {table} where {key} in ({old})");
                    let statement = Statement::from_sql_and_values(backend, sql, values.clone());
                    purged = transaction.execute_raw(statement).await?.rows_affected();
                }
                transaction.commit().await?;
                Ok(usize::try_from(purged).unwrap_or(usize::MAX))
            })
            .await
    }
}
