//! The keys of an account, as both APIs show, make and revoke them. Only hashes are stored.

use serde::Serialize;
use uuid::Uuid;

use crate::web::errors::Failure;
use crate::web::ids::random_bits;
use crate::web::shared::Shared;
use domain::field_limits::API_KEYS_MAX;
use domain::{AccountId, ApiKey, Grant, KeyKind, Missing};
use wire::public::api_keys::ApiKeyRecord;
use wire::{Instant, object};

/// The keys, newest first.
pub(crate) async fn list(shared: &Shared, account_id: AccountId) -> Result<Vec<ApiKeyRecord>, Failure> {
    Ok(shared.store.api_keys(account_id).await?.into_iter().map(record).collect())
}

/// Makes a key, which is shown this once.
pub(crate) async fn make(shared: &Shared, account_id: AccountId, grant: Grant) -> Result<impl Serialize, Failure> {
    let (key, stored) = fresh(shared, KeyKind::Program, grant)?;
    if !shared.store.add_api_key(account_id, stored.clone()).await? {
        let reason = format!("an account has at most {API_KEYS_MAX} keys, revoked ones among them");
        return Err(Failure::conflict("api_keys", reason));
    }
    Ok(object! { #[serde(flatten)] key: record(stored), api_key: key.expose().to_owned() })
}

/// Revokes a key of the account.
pub(crate) async fn revoke(shared: &Shared, account_id: AccountId, key_id: Uuid) -> Result<ApiKeyRecord, Failure> {
    let is_revoked = shared.store.revoke_api_key(account_id, key_id, shared.clock.now()).await?;
    shared.keys.clear();
    let keys = if is_revoked { list(shared, account_id).await? } else { Vec::new() };
    Ok(keys.into_iter().find(|key| key.key_id == key_id).ok_or(Missing::ApiKey)?)
}

/// A new key, and what the store keeps of it.
pub(crate) fn fresh(shared: &Shared, kind: KeyKind, grant: Grant) -> Result<(ApiKey, store::ApiKey), Failure> {
    let now = shared.clock.now();
    let key = ApiKey::from_random(random_bits()?);
    let stored = store::ApiKey {
        key_id: shared.ids.next(now),
        key_hash: key.hash(),
        key_hint: key.hint().to_owned(),
        kind,
        created_at: now,
        scopes: grant.scopes,
        expires_at: grant.expires_at,
        revoked_at: None,
    };
    Ok((key, stored))
}

fn record(key: store::ApiKey) -> ApiKeyRecord {
    ApiKeyRecord {
        key_id: key.key_id,
        key_hint: key.key_hint,
        kind: key.kind,
        created_at: Instant(key.created_at),
        scopes: key.scopes.list(),
        expires_at: key.expires_at.map(Instant),
        revoked_at: key.revoked_at.map(Instant),
    }
}
