//! Stopping accounts whose rows do not add up, and noting how far the others were checked.

use chrono::{DateTime, Utc};
use entity::account;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter};

use super::{AuditedAccount, audit};
use crate::database::statement::Statements;
use crate::{Store, StoreError};
use domain::ids::AccountId;

/// Accounts that have changed since they were last checked, those whose check is longest ago first; followed by how many.
const UNCHECKED: &str = "select a.account_id from account a left join ledger_check c on c.account_id = a.account_id
    where a.frozen_at is null and (c.account_id is null or c.tx_seq <> a.tx_seq or c.update_seq <> a.update_seq)
    order by coalesce(c.checked_at, 0), a.account_id limit ";

impl Store {
    /// Accounts whose ledger or updates have changed since they were last checked.
    pub async fn all_unchecked_accounts(&self, limit: u64) -> Result<Vec<AccountId>, StoreError> {
        self.deadline.io(self.sql(UNCHECKED).count(limit).all(&self.read)).await
    }

    /// Checks an account: the first time all of it, later what came since. Sound rows are noted as checked, an account
    /// whose rows do not add up is frozen. `None` when there is no such account.
    pub async fn check_account(
        &self,
        account_id: AccountId,
        now: DateTime<Utc>,
    ) -> Result<Option<AuditedAccount>, StoreError> {
        let audited = self.in_snapshot(async |snapshot| {
            let mut checked = snapshot.sql("select tx_seq, update_seq from ledger_check where account_id = ");
            let checked = checked.bind(account_id.0).first(snapshot).await?;
            audit(account_id, checked, snapshot).await
        });
        let audited = audited.await?;
        if let Some(audited) = &audited {
            match audited.discrepancies.first() {
                None => {
                    let checked_until = (audited.ledger_txs, audited.updates);
                    self.deadline.io(write_check(&self.write, account_id, checked_until, now)).await?;
                }
                Some(discrepancy) => drop(self.freeze_account(account_id, &discrepancy.to_string(), now).await?),
            }
        }
        Ok(audited)
    }

    /// Checks all rows of an account and changes nothing. `None` when there is no such account.
    pub async fn audit_account(&self, account_id: AccountId) -> Result<Option<AuditedAccount>, StoreError> {
        self.in_snapshot(async |snapshot| audit(account_id, None, snapshot).await).await
    }

    /// Stops an account; one that is stopped already keeps its reason. `false` when nothing changed.
    pub async fn freeze_account(
        &self,
        account_id: AccountId,
        reason: &str,
        now: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let mut sql = self.sql("update account set frozen_at = ");
        sql.bind(now.timestamp_micros()).push(", frozen_reason = ").bind(reason);
        sql.push(" where frozen_at is null and account_id = ").bind(account_id.0);
        Ok(self.deadline.io(sql.run(&self.write)).await? > 0)
    }

    /// Lets an account move again. What stands in it now is taken for sound: checks go on from here, so that what the
    /// operator has looked at does not stop it a second time.
    pub async fn unfreeze_account(&self, account_id: AccountId, now: DateTime<Utc>) -> Result<(), StoreError> {
        let mut sql = self.sql("update account set frozen_at = null, frozen_reason = null where frozen_at is not null");
        sql.push(" and account_id = ").bind(account_id.0);
        self.in_transaction(async |transaction| {
            if sql.run(transaction).await? > 0
                && let Some(row) = account::Entity::find_by_id(account_id.0).one(transaction).await?
            {
                write_check(transaction, account_id, (row.tx_seq, row.update_seq), now).await?;
            }
            Ok(())
        })
        .await
    }

    /// How many accounts are stopped.
    pub async fn all_frozen_count(&self) -> Result<u64, StoreError> {
        let frozen = account::Entity::find().filter(account::Column::FrozenAt.is_not_null());
        Ok(self.deadline.io(frozen.count(&self.read)).await?)
    }
}

async fn write_check(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    (tx_seq, update_seq): (i64, i64),
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let mut sql = connection.sql("insert into ledger_check (account_id, tx_seq, update_seq, checked_at) values (");
    sql.bind(account_id.0).push(", ").bind(tx_seq).push(", ").bind(update_seq).push(", ").bind(now.timestamp_micros());
    sql.push(") on conflict (account_id) do update set tx_seq = excluded.tx_seq, update_seq = excluded.update_seq, ");
    sql.push("checked_at = excluded.checked_at").run(connection).await.map(drop)
}
