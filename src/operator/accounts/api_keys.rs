//! `/operator/v1/accounts/{id}/api-keys`: several keys per account, of which only hashes are stored.

use chrono::{DateTime, Utc};
use serde::Serialize;

use crate::operator::call::Call;
use crate::web::call::Answer;
use crate::web::errors::Failure;
use crate::web::ids::random_bits;
use domain::api_key::{ApiKey, Scopes};
use domain::field_limits::API_KEYS_MAX;
use domain::rejection::Missing;
use wire::object;
use wire::operator::accounts;
use wire::time::Instant;

/// `POST /operator/v1/accounts/{id}/api-keys`
pub(crate) async fn create(mut call: Call) -> Answer {
    let account_id = call.account_id()?;
    let (scopes, expires_at) = accounts::parse_new_key(&call.body().await?.value, call.now())?;
    call.account(account_id).await?;
    let (key, stored) = fresh_key(&call, scopes, expires_at)?;
    if !call.state.shared.store.add_api_key(account_id, stored.clone()).await? {
        let reason = format!("an account has at most {API_KEYS_MAX} keys, revoked ones among them");
        return Err(Failure::conflict("api_keys", reason));
    }
    let record = object! { #[serde(flatten)] key: record(stored), api_key: key.expose() };
    call.data(201, "API key created", record)
}

/// `GET /operator/v1/accounts/{id}/api-keys`
pub(crate) async fn list(call: Call) -> Answer {
    let account_id = call.existing_account().await?.account_id;
    let keys = call.state.shared.store.api_keys(account_id).await?;
    call.data(200, "API keys", keys.into_iter().map(record).collect::<Vec<_>>())
}

/// `DELETE /operator/v1/accounts/{id}/api-keys/{key_id}`
pub(crate) async fn revoke(call: Call) -> Answer {
    call.no_query()?;
    let (account_id, key_id) = (call.account_id()?, call.id("key_id")?);
    let is_revoked = call.state.shared.store.revoke_api_key(account_id, key_id, call.now()).await?;
    call.state.shared.keys.clear();
    let keys = if is_revoked { call.state.shared.store.api_keys(account_id).await? } else { Vec::new() };
    let key = keys.into_iter().find(|key| key.key_id == key_id).ok_or(Missing::ApiKey)?;
    call.data(200, "API key revoked", record(key))
}

/// A new key, and what the store keeps of it.
pub(super) fn fresh_key(
    call: &Call,
    scopes: Scopes,
    expires_at: Option<DateTime<Utc>>,
) -> Result<(ApiKey, store::ApiKey), Failure> {
    let now = call.now();
    let key = ApiKey::from_random(random_bits()?);
    let stored = store::ApiKey {
        key_id: call.state.shared.ids.next(now),
        key_hash: key.hash(),
        key_hint: key.hint().to_owned(),
        created_at: now,
        scopes,
        expires_at,
        revoked_at: None,
    };
    Ok((key, stored))
}

fn record(key: store::ApiKey) -> impl Serialize {
    object! {
        key_id: key.key_id,
        key_hint: key.key_hint,
        created_at: Instant(key.created_at),
        scopes: key.scopes.list(),
        expires_at: key.expires_at.map(Instant),
        revoked_at: key.revoked_at.map(Instant),
    }
}
