//! Accounts: what operators set.

pub(super) mod api_keys;
pub(super) mod feed_addresses;
mod feedback;
pub(super) mod kept_answers;
pub(super) mod money_settings;
pub(super) mod operator_actions;
pub(super) mod portal_links;
pub(super) mod prices;
pub(super) mod rate_budgets;

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use entity::{account, api_key};
use sea_orm::sea_query::LockType;
use sea_orm::{ColumnTrait, DbBackend, EntityTrait, QueryFilter, QuerySelect};
use uuid::Uuid;

use crate::database::{IfPresent, List, Sql, Statements, WriteTransaction, bulk, in_few_lengths, rows};
use crate::error::unavailable;
use crate::tables::stored::Stored;
use crate::{ApiKey, Result, Store, StoreError, tables};
use domain::{AccountId, AccountSearch, AccountStanding, AccountStatus, Approval, MicroUsd, OwnLimits};

/// An account as operators see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// The account.
    pub account_id: AccountId,
    /// Its name, for the operator.
    pub name: String,
    /// Whether it may use the service.
    pub status: AccountStatus,
    /// Who approves its findings.
    pub approval: Approval,
    /// Its own limits; `None` where the service's default holds.
    pub limits: OwnLimits,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// What it may spend.
    pub balance: MicroUsd,
    /// Where it hears of its endpoints that need attention, normalised.
    pub alert_url: Option<String>,
    /// Since when and why nothing may move in it; `None` for every healthy account.
    pub frozen: Option<Freeze>,
}

/// That an account is stopped because its rows do not add up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Freeze {
    /// Since when.
    pub since: DateTime<Utc>,
    /// The first thing that is wrong.
    pub reason: String,
}

/// An account to be made, with its first key and its secret.
#[derive(Clone)]
pub struct NewAccount {
    /// The identifier that it shall have.
    pub account_id: AccountId,
    /// Its name.
    pub name: String,
    /// Who approves its findings.
    pub approval: Approval,
    /// Its own limits.
    pub limits: OwnLimits,
    /// What signs its webhooks.
    pub webhook_secret: String,
    /// Its first key.
    pub api_key: ApiKey,
}

/// The most accounts whose name begins alike.
const NAMED_MAX: u64 = 1_000;

/// Sets what is given.
const CHANGE: &str = "update account set approval = coalesce(?, approval),
    write_per_minute = coalesce(?, write_per_minute), read_per_minute = coalesce(?, read_per_minute),
    per_second = coalesce(?, per_second), radars_max = coalesce(?, radars_max)";

/// What an operator changes about an account besides its status; `None` leaves as it is.
#[derive(Clone, Debug, Default)]
pub struct AccountChange {
    /// Who approves its findings.
    pub approval: Option<Approval>,
    /// Limits to be set; those that are `None` stay.
    pub limits: OwnLimits,
    /// Where it hears of its endpoints, normalised; the inner `None` removes the address.
    pub alert_url: Option<Option<String>>,
}

impl Store {
    /// Makes an account with its first key.
    pub async fn create_account(&self, new: NewAccount, now: DateTime<Utc>) -> Result<()> {
        let row = tables::accounts::new_row(&new, now);
        let key = api_key::Entity::row((new.account_id, new.api_key));
        self.in_transaction(async |transaction| {
            bulk::insert_one(transaction, row, IfPresent::fail()).await?;
            bulk::insert_one(transaction, key, IfPresent::fail()).await?;
            self.add_webhook_secret(new.account_id, 1, &new.webhook_secret, transaction).await
        })
        .await
    }

    /// An account, if it exists.
    pub async fn account(&self, account_id: AccountId) -> Result<Option<Account>> {
        let row = self.deadline.io(account::Entity::find_by_id(account_id.0).one(&self.read)).await?;
        row.map(account_of).transpose()
    }

    /// Accounts in order of their identifiers, from after `after`. Of those whose name begins alike no more than
    /// [`NAMED_MAX`] are looked at.
    pub async fn all_accounts(&self, search: &AccountSearch, limit: u64) -> Result<Vec<Account>> {
        let mut sql = self.read.rows_of::<account::Entity>();
        sql.push(match search.state {
            None => "true",
            Some(AccountStanding::Active) => "status = 'active' and frozen_at is null",
            Some(AccountStanding::Inactive) => "status <> 'active'",
            Some(AccountStanding::Frozen) => "frozen_at is not null",
        });
        sql.add_if_some(" and account_id > ?", search.after);
        if let Some(name) = &search.name {
            let (name, column) = (name.to_ascii_lowercase(), self.folded_name());
            sql.add(&format!(" and account_id in (select account_id from account where {column} >= ?"), name.as_str());
            sql.before_end_of(column, &name).add(&format!(" order by {column}, account_id limit ?)"), NAMED_MAX);
        }
        sql.add(" order by account_id limit ?", limit);
        let found: Vec<account::Model> = self.deadline.io(sql.models(&self.read)).await?;
        found.into_iter().map(account_of).collect()
    }

    /// The identifiers of accounts in their order, from after `after`.
    pub async fn all_account_ids(&self, after: Option<AccountId>, limit: u64) -> Result<Vec<AccountId>> {
        let after = after.map_or(Uuid::nil(), |after| after.0);
        self.all("select account_id from account where account_id > ? order by account_id limit ?", (after, limit))
            .await
    }

    /// The name as it is compared, in the words of its index.
    fn folded_name(&self) -> &'static str {
        match self.read.get_database_backend() {
            DbBackend::Postgres => r#"lower(name collate "C")"#,
            _ => "lower(name)",
        }
    }

    /// Changes an account; `false` when there is none.
    pub async fn change_account(&self, account_id: AccountId, change: AccountChange) -> Result<bool> {
        let OwnLimits { write_per_minute, read_per_minute, per_second, radars } = change.limits;
        let mut sql = self.sql_with(CHANGE, (change.approval, write_per_minute, read_per_minute, per_second, radars));
        if let Some(alert_url) = change.alert_url {
            sql.add(", endpoint_alert_url = ?", alert_url);
        }
        Ok(self.deadline.io(sql.add(" where account_id = ?", account_id).run(&self.write)).await? > 0)
    }

    /// Sets columns of an account's row; `false` when there is none.
    async fn set_of_account(&self, account_id: AccountId, row: account::ActiveModel) -> Result<bool> {
        let update = account::Entity::update_many().set(row).filter(account::Column::AccountId.eq(account_id.0));
        Ok(self.deadline.io(update.exec(&self.write)).await?.rows_affected > 0)
    }
}

/// Locks the row of an account, under which alone its rows are written (invariant 7).
pub(crate) async fn lock_account(transaction: &WriteTransaction, account_id: AccountId) -> Result<()> {
    account::Entity::find_by_id(account_id.0).lock(LockType::NoKeyUpdate).one(transaction).await?;
    Ok(())
}

/// Locks accounts in ascending order, as everybody does; answers their rows.
pub(crate) async fn lock_accounts(
    transaction: &WriteTransaction,
    accounts: impl Iterator<Item = Uuid>,
) -> Result<Vec<account::Model>> {
    locking(transaction, &accounts.collect(), None).models(transaction).await
}

impl Store {
    /// Locks accounts for a commit, which a process that was given up must not make: others do its work by now.
    pub(crate) async fn lock_accounts_as_node(
        &self,
        transaction: &WriteTransaction,
        accounts: BTreeSet<Uuid>,
    ) -> Result<Vec<account::Model>> {
        let node_id = self.membership().node_id().filter(|_| self.is_shared());
        let locked: Vec<account::Model> = locking(transaction, &accounts, node_id).models(transaction).await?;
        // In one statement with the locks; only where none was found it is asked which of the two it is.
        if locked.is_empty()
            && let Some(node_id) = node_id
        {
            let mut alive = transaction.sql("select 1 where ");
            if alive.fenced(node_id).all::<i32>(transaction).await?.is_empty() {
                return Err(StoreError::Unavailable(unavailable("this process was taken to be dead, and starts anew")));
            }
        }
        Ok(locked)
    }
}

/// Locks accounts in ascending order, unless the node is to hold its place and has lost it.
fn locking(transaction: &WriteTransaction, accounts: &BTreeSet<Uuid>, node_id: Option<Uuid>) -> Sql {
    let mut sql = transaction.rows_of::<account::Entity>();
    sql.add("account_id in ?", List(in_few_lengths(accounts.iter().copied())));
    if let Some(node_id) = node_id {
        sql.push(" and ").fenced(node_id);
    }
    sql.push(" order by account_id").lock_no_key();
    sql
}

fn account_of(row: account::Model) -> Result<Account> {
    let limit = |limit: Option<i64>| limit.map(|limit| u32::try_from(limit).unwrap_or(u32::MAX));
    let frozen_at = rows::instant_option("account", row.frozen_at)?;
    Ok(Account {
        account_id: AccountId(row.account_id),
        name: row.name,
        status: rows::closed("account", &row.status)?,
        approval: rows::closed("account", &row.approval)?,
        limits: OwnLimits {
            write_per_minute: limit(row.write_per_minute),
            read_per_minute: limit(row.read_per_minute),
            per_second: limit(row.per_second),
            radars: limit(row.radars_max),
        },
        created_at: rows::instant("account", row.created_at)?,
        balance: MicroUsd::from_micros(row.balance_micros),
        alert_url: row.endpoint_alert_url,
        frozen: frozen_at.zip(row.frozen_reason).map(|(since, reason)| Freeze { since, reason }),
    })
}
