//! Finds the account that a key belongs to (Spec 5).
//!
//! The form of a key is checked first, so that a guess costs no look-up.

use actix_web::HttpRequest;
use actix_web::http::Method;

use super::errors::Failure;
use super::shared::Shared;
use domain::{ApiKey, KeyHeader, Rejection, Scope};
use store::KeyOwner;

/// The header of the key.
pub(crate) const HEADER: &str = "x-api-key";

/// The owner of the key, good at this instant, that `request` carries.
pub(crate) async fn owner(shared: &Shared, request: &HttpRequest) -> Result<KeyOwner, Failure> {
    let key_hash = key_hash(request)?;
    let now = shared.clock.now();
    let owner = match shared.keys.get(&key_hash, now) {
        Ok(owner) => owner,
        Err(ticket) => {
            let owner = shared.store.key_owner(&key_hash).await?.ok_or_else(invalid)?;
            shared.keys.remember(key_hash, owner, now, ticket);
            owner
        }
    };
    if owner.is_good(now) { Ok(owner) } else { Err(invalid()) }
}

/// What a key must be good for, for requests of this method.
pub(crate) fn scope_of(method: &Method) -> Scope {
    if method.is_safe() { Scope::Read } else { Scope::Write }
}

/// The hash of the key that `request` carries.
pub(crate) fn key_hash(request: &HttpRequest) -> Result<String, Failure> {
    let text = request.headers().get(HEADER).and_then(|value| value.to_str().ok()).ok_or_else(invalid)?;
    Ok(ApiKey::parse(text).ok_or_else(invalid)?.hash())
}

fn invalid() -> Failure {
    Rejection::InvalidKey(KeyHeader::Api).into()
}
