//! Stopping accounts whose rows do not add up, and noting how far the others were checked.

use chrono::{DateTime, Utc};
use entity::account;
use sea_orm::{ConnectionTrait, EntityTrait};

use super::{AuditedAccount, audit};
use crate::database::Run;
use crate::{Result, Store};
use domain::ids::AccountId;

/// Accounts that have changed since they were last checked, those whose check is longest ago first.
const UNCHECKED: &str = "select a.account_id from account a left join ledger_check c on c.account_id = a.account_id
    where a.frozen_at is null and (c.account_id is null or c.tx_seq <> a.tx_seq or c.update_seq <> a.update_seq)
    order by coalesce(c.checked_at, 0), a.account_id limit ?";

impl Store {
    /// Accounts whose ledger or updates have changed since they were last checked.
    pub async fn all_unchecked_accounts(&self, limit: u64) -> Result<Vec<AccountId>> {
        self.all(UNCHECKED, limit).await
    }

    /// Checks an account: the first time all of it, later what came since. Sound rows are noted as checked, an account
    /// whose rows do not add up is frozen. `None` when there is no such account.
    pub async fn check_account(&self, account_id: AccountId, now: DateTime<Utc>) -> Result<Option<AuditedAccount>> {
        let audited = self.in_snapshot(async |snapshot| {
            let checked = "select tx_seq, update_seq from ledger_check where account_id = ?";
            let checked = snapshot.first(checked, account_id).await?;
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
    pub async fn audit_account(&self, account_id: AccountId) -> Result<Option<AuditedAccount>> {
        self.in_snapshot(async |snapshot| audit(account_id, None, snapshot).await).await
    }

    /// Stops an account; one that is stopped already keeps its reason. `false` when nothing changed.
    pub async fn freeze_account(&self, account_id: AccountId, reason: &str, now: DateTime<Utc>) -> Result<bool> {
        let freeze = "update account set frozen_at = ?, frozen_reason = ? where frozen_at is null and account_id = ?";
        Ok(self.run(freeze, (now, reason, account_id)).await? > 0)
    }

    /// Lets an account move again. What stands in it now is taken for sound: checks go on from here, so that what the
    /// operator has looked at does not stop it a second time.
    pub async fn unfreeze_account(&self, account_id: AccountId, now: DateTime<Utc>) -> Result<()> {
        let unfreeze = "update account set frozen_at = null, frozen_reason = null
            where frozen_at is not null and account_id = ?";
        self.in_transaction(async |transaction| {
            if transaction.run(unfreeze, account_id).await? > 0
                && let Some(row) = account::Entity::find_by_id(account_id.0).one(transaction).await?
            {
                write_check(transaction, account_id, (row.tx_seq, row.update_seq), now).await?;
            }
            Ok(())
        })
        .await
    }

    /// How many accounts are stopped.
    pub async fn all_frozen_count(&self) -> Result<u64> {
        Ok(self.first("select count(*) from account where frozen_at is not null", ()).await?.unwrap_or_default())
    }
}

async fn write_check(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    (tx_seq, update_seq): (i64, i64),
    now: DateTime<Utc>,
) -> Result<()> {
    let write = "insert into ledger_check (account_id, tx_seq, update_seq, checked_at) values (?, ?, ?, ?)
        on conflict (account_id) do update set tx_seq = excluded.tx_seq, update_seq = excluded.update_seq,
        checked_at = excluded.checked_at";
    connection.run(write, (account_id, tx_seq, update_seq, now)).await.map(drop)
}
