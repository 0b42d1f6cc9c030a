//! `POST /operator/v1/accounts/{id}/webhook-secret/rotate` (decision 5.2).

use crate::operator::call::Call;
use crate::web::Answer;
use crate::web::secrets::webhook_secret;
use domain::Missing;

/// Gives an account a new webhook secret; the one before it signs too for 24 hours.
pub(crate) async fn rotate(call: Call) -> Answer {
    call.no_query()?;
    let rotated = webhook_secret::rotate(call.shared(), call.account_id()?).await?;
    call.data(200, "Webhook secret rotated", rotated.ok_or(Missing::Account)?)
}
