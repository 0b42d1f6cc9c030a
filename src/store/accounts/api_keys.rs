//! The API keys of accounts (Spec 5). Only their hashes are kept.

use chrono::{DateTime, Utc};
use entity::api_key;
use uuid::Uuid;

use super::{OwnLimits, lock_account};
use crate::database::{IfPresent, Run, bulk};
use crate::tables::stored::Stored;
use crate::{Result, Store};
use domain::field_limits::API_KEYS_MAX;
use domain::{AccountId, AccountStatus, Grant, KeyKind, Scopes};

/// A key, of which only the hash is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiKey {
    /// The key's identifier.
    pub key_id: Uuid,
    /// SHA-256 of the key, in hexadecimal.
    pub key_hash: String,
    /// The first characters of the key, to tell keys apart.
    pub key_hint: String,
    /// Who uses it.
    pub kind: KeyKind,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// What it may be used for.
    pub scopes: Scopes,
    /// From when on it is good no more.
    pub expires_at: Option<DateTime<Utc>>,
    /// When it stopped being good.
    pub revoked_at: Option<DateTime<Utc>>,
}

/// Whose key it is, and what that account may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyOwner {
    /// The account.
    pub account_id: AccountId,
    /// Who uses the key.
    pub kind: KeyKind,
    /// Whether the key was not revoked and the account is active.
    pub is_active: bool,
    /// From when on the key is good no more.
    pub expires_at: Option<DateTime<Utc>>,
    /// What the key may be used for.
    pub scopes: Scopes,
    /// The account's own limits.
    pub limits: OwnLimits,
}

impl KeyOwner {
    /// Whether the key is good at `now`.
    pub fn is_good(&self, now: DateTime<Utc>) -> bool {
        self.is_active && self.expires_at.is_none_or(|expires_at| now < expires_at)
    }

    /// What a key may be good for that is made with this one. A session ends by itself; a key that somebody makes in it is to
    /// stay.
    pub fn grant(&self) -> Grant {
        let expires_at = self.expires_at.filter(|_| self.kind == KeyKind::Program);
        Grant { scopes: self.scopes, expires_at }
    }
}

impl Store {
    /// Adds a key to an account; `false` when it has as many as may be ([`API_KEYS_MAX`]).
    pub async fn add_api_key(&self, account_id: AccountId, key: ApiKey) -> Result<bool> {
        let count = "select count(*) from api_key where account_id = ? and kind = ?";
        self.in_transaction(async |transaction| {
            lock_account(transaction, account_id).await?;
            if transaction.first(count, (account_id, KeyKind::Program)).await? >= Some(API_KEYS_MAX as u64) {
                return Ok(false);
            }
            bulk::insert_one(transaction, api_key::Entity::row((account_id, key)), IfPresent::fail()).await?;
            Ok(true)
        })
        .await
    }

    /// The keys of an account, newest first.
    pub async fn api_keys(&self, account_id: AccountId) -> Result<Vec<ApiKey>> {
        let newest_first = "account_id = ? order by key_id desc";
        let found = self.deadline.io(api_key::Entity::values_where(&self.read, newest_first, account_id)).await?;
        Ok(found.into_iter().map(|(_, key)| key).collect())
    }

    /// Ends a key; `false` when the account has none such.
    pub async fn revoke_api_key(&self, account_id: AccountId, key_id: Uuid, now: DateTime<Utc>) -> Result<bool> {
        let revoke = "update api_key set revoked_at = coalesce(revoked_at, ?) where account_id = ? and key_id = ?";
        Ok(self.run(revoke, (now, account_id, key_id)).await? > 0)
    }

    /// Whose key has this hash.
    pub async fn key_owner(&self, key_hash: &str) -> Result<Option<KeyOwner>> {
        let found = self.deadline.io(api_key::Entity::values_where(&self.read, "key_hash = ?", key_hash)).await?;
        let Some((account_id, key)) = found.into_iter().next() else { return Ok(None) };
        let account = self.account(account_id).await?;
        Ok(account.map(|account| KeyOwner {
            account_id: account.account_id,
            kind: key.kind,
            is_active: key.revoked_at.is_none() && account.status == AccountStatus::Active,
            expires_at: key.expires_at,
            scopes: key.scopes,
            limits: account.limits,
        }))
    }
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Duration};
    use domain::{AccountId, Grant, KeyKind, OwnLimits, Scopes};
    use uuid::Uuid;

    use super::KeyOwner;

    #[test]
    fn decision_3_13_a_key_that_was_looked_up_is_good_until_the_very_instant_at_which_it_expires() {
        let at = DateTime::UNIX_EPOCH;
        let account_id = AccountId(Uuid::nil());
        let limits = OwnLimits::default();
        let kind = KeyKind::Program;
        let owner = KeyOwner { account_id, kind, is_active: true, expires_at: Some(at), scopes: Scopes::ALL, limits };
        assert!(owner.is_good(at - Duration::microseconds(1)) && !owner.is_good(at));
        assert!(KeyOwner { expires_at: None, ..owner }.is_good(at));
        assert!(!KeyOwner { is_active: false, expires_at: None, ..owner }.is_good(at));
    }

    #[test]
    fn what_is_made_in_a_session_may_outlive_it_and_what_a_program_makes_may_not() {
        let at = Some(DateTime::UNIX_EPOCH);
        let owner = KeyOwner {
            account_id: AccountId(Uuid::nil()),
            kind: KeyKind::PortalSession,
            is_active: true,
            expires_at: at,
            scopes: Scopes::READ,
            limits: OwnLimits::default(),
        };
        assert_eq!(owner.grant(), Grant { scopes: Scopes::READ, expires_at: None });
        assert_eq!(KeyOwner { kind: KeyKind::Program, ..owner }.grant().expires_at, at);
    }
}
