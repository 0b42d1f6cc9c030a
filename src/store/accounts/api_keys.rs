//! The API keys of accounts (Spec 5). Only their hashes are kept.

use chrono::{DateTime, Utc};
use entity::api_key;
use sea_orm::{ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter};
use uuid::Uuid;

use super::{OwnLimits, lock_account};
use crate::database::bulk;
use crate::database::if_present::IfPresent;
use crate::database::statement::Statements;
use crate::tables::stored::Stored;
use crate::{Store, StoreError};
use domain::account_status::AccountStatus;
use domain::field_limits::API_KEYS_MAX;
use domain::ids::AccountId;

/// A key, of which only the hash is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiKey {
    /// The key's identifier.
    pub key_id: Uuid,
    /// SHA-256 of the key, in hexadecimal.
    pub key_hash: String,
    /// The first characters of the key, to tell keys apart.
    pub key_hint: String,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// When it stopped being good.
    pub revoked_at: Option<DateTime<Utc>>,
}

/// Whose key it is, and what that account may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyOwner {
    /// The account.
    pub account_id: AccountId,
    /// Whether the key and the account are good.
    pub is_active: bool,
    /// The account's own limits.
    pub limits: OwnLimits,
}

impl Store {
    /// Adds a key to an account; `false` when it has as many as may be ([`API_KEYS_MAX`]).
    pub async fn add_api_key(&self, account_id: AccountId, key: ApiKey) -> Result<bool, StoreError> {
        let of_account = api_key::Entity::find().filter(api_key::Column::AccountId.eq(account_id.0));
        self.in_transaction(async |transaction| {
            lock_account(transaction, account_id).await?;
            if of_account.count(transaction).await? >= API_KEYS_MAX as u64 {
                return Ok(false);
            }
            bulk::insert_one(transaction, api_key::Entity::row((account_id, key)), IfPresent::fail()).await?;
            Ok(true)
        })
        .await
    }

    /// The keys of an account, newest first.
    pub async fn api_keys(&self, account_id: AccountId) -> Result<Vec<ApiKey>, StoreError> {
        let mut sql = self.read.rows_of::<api_key::Entity>();
        sql.push("account_id = ").bind(account_id.0).push(" order by key_id desc");
        let found: Vec<api_key::Model> = self.deadline.io(sql.models(&self.read)).await?;
        found.into_iter().map(|row| Ok(api_key::Entity::value(row)?.1)).collect()
    }

    /// Ends a key; `false` when the account has none such.
    pub async fn revoke_api_key(
        &self,
        account_id: AccountId,
        key_id: Uuid,
        now: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let mut sql = self.sql("update api_key set revoked_at = coalesce(revoked_at, ");
        sql.bind(now.timestamp_micros()).push(") where account_id = ").bind(account_id.0);
        Ok(self.deadline.io(sql.push(" and key_id = ").bind(key_id).run(&self.write)).await? > 0)
    }

    /// Whose key has this hash.
    pub async fn key_owner(&self, key_hash: &str) -> Result<Option<KeyOwner>, StoreError> {
        let query = api_key::Entity::find().filter(api_key::Column::KeyHash.eq(key_hash));
        let Some(key) = self.deadline.io(query.one(&self.read)).await? else { return Ok(None) };
        let account = self.account(AccountId(key.account_id)).await?;
        Ok(account.map(|account| KeyOwner {
            account_id: account.account_id,
            is_active: key.revoked_at.is_none() && account.status == AccountStatus::Active,
            limits: account.limits,
        }))
    }
}
