//! `/operator/v1/accounts/{id}/api-keys`: several keys per account.

use crate::operator::call::Call;
use crate::web::Answer;
use crate::web::secrets::api_keys;
use domain::Grant;
use wire::public::api_keys::parse;

/// `POST /operator/v1/accounts/{id}/api-keys`
pub(crate) async fn create(mut call: Call) -> Answer {
    let account_id = call.account_id()?;
    let grant = parse(&call.body().await?.value, Grant::ALL, call.now())?;
    call.account(account_id).await?;
    let made = api_keys::make(call.shared(), account_id, grant).await?;
    call.data(201, "API key created", made)
}

/// `GET /operator/v1/accounts/{id}/api-keys`
pub(crate) async fn list(call: Call) -> Answer {
    let account_id = call.existing_account().await?.account_id;
    call.data(200, "API keys", api_keys::list(call.shared(), account_id).await?)
}

/// `DELETE /operator/v1/accounts/{id}/api-keys/{key_id}`
pub(crate) async fn revoke(call: Call) -> Answer {
    call.no_query()?;
    let (account_id, key_id) = (call.account_id()?, call.id("key_id")?);
    call.data(200, "API key revoked", api_keys::revoke(call.shared(), account_id, key_id).await?)
}
