//! `GET /v1/webhooks/secret` and `POST …/secret/rotate` (decision 5.2). No cache may keep the answers, as no answer that does
//! not say otherwise.

use crate::api::call::Call;
use crate::web::secrets::webhook_secret;
use crate::web::{Answer, Failure};
use domain::Scope;

/// The secret in force. Who has it can sign, so a key that only reads is not enough.
pub(crate) async fn get(call: Call) -> Answer {
    call.no_query()?;
    call.require(Scope::Write)?;
    let shown = webhook_secret::show(call.shared(), call.account_id()).await?;
    let shown = shown.ok_or_else(|| Failure::internal("the account of a key has no webhook secret"))?;
    call.data(200, "Webhook secret", shown)
}

/// Makes a new secret; the one before it signs too for 24 hours.
pub(crate) async fn rotate(call: Call) -> Answer {
    call.no_query()?;
    let rotated = webhook_secret::rotate(call.shared(), call.account_id()).await?;
    let rotated = rotated.ok_or_else(|| Failure::internal("the account of a key has no webhook secret"))?;
    call.data(200, "Webhook secret rotated", rotated)
}
