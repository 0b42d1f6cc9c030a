//! The secret that signs an account's webhooks: showing it, and replacing it (decision 5.2).

use chrono::TimeDelta;

use super::Shared;
use super::errors::Failure;
use crate::domain::ids::AccountId;
use crate::webhooks::secret::WebhookSecret;
use crate::wire::public::deliveries::SecretRecord;
use crate::wire::time::Instant;

/// How long the secret before the one in force signs too.
const OVERLAP: TimeDelta = TimeDelta::hours(24);

/// The secret of an account; `None` for one that does not exist.
pub(crate) async fn show(shared: &Shared, account_id: AccountId) -> Result<Option<SecretRecord>, Failure> {
    let Some(encrypted) = shared.store.webhook_secrets(account_id).await? else { return Ok(None) };
    let secrets = shared.store.decrypt_secrets(&encrypted)?;
    let now = shared.clock.now();
    let previous_until = secrets.previous.map(|(_, until)| until).filter(|until| *until > now);
    Ok(Some(SecretRecord { webhook_secret: secrets.current, previous_signs_until: previous_until.map(Instant) }))
}

/// Makes a new secret for an account; `None` for one that does not exist.
pub(crate) async fn rotate(shared: &Shared, account_id: AccountId) -> Result<Option<SecretRecord>, Failure> {
    let mut random = [0; 32];
    getrandom::fill(&mut random).map_err(Failure::internal)?;
    let secret = WebhookSecret::generate(random).expose();
    shared.store.rotate_webhook_secret(account_id, &secret, shared.clock.now() + OVERLAP).await?;
    show(shared, account_id).await
}
