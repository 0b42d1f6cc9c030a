//! `/v1/api-keys`: customers see, make and revoke the keys of their own account (decision 3.13).

use super::call::Call;
use crate::web::Answer;
use crate::web::secrets::api_keys;
use wire::public::api_keys::parse;

/// The keys, newest first.
pub(crate) async fn list(call: Call) -> Answer {
    call.no_query()?;
    call.data(200, "API keys", api_keys::list(call.shared(), call.account_id()).await?)
}

/// Makes a key that may do no more than the one that asks.
pub(crate) async fn create(mut call: Call) -> Answer {
    let grant = parse(&call.body().await?.value, call.owner.grant(), call.now())?;
    call.data(201, "API key created", api_keys::make(call.shared(), call.account_id(), grant).await?)
}

/// Revokes a key, be it the one that asks.
pub(crate) async fn revoke(call: Call) -> Answer {
    call.no_query()?;
    let revoked = api_keys::revoke(call.shared(), call.account_id(), call.id("key_id")?).await?;
    call.data(200, "API key revoked", revoked)
}
