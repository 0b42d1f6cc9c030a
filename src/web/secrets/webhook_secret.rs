//! The secret that signs an account's webhooks: showing it, and replacing it (decision 5.2).

use chrono::TimeDelta;

use crate::web::Shared;
use crate::web::errors::Failure;
use crate::web::ids::random_bits;
use domain::AccountId;
use domain::field_limits::WEBHOOK_SECRETS_MAX;
use store::Rotation;
use webhooks::secret::WebhookSecret;
use wire::Instant;
use wire::public::webhooks::deliveries::SecretRecord;

/// How long a secret that was replaced signs too.
const OVERLAP: TimeDelta = TimeDelta::hours(24);

/// The secret of an account; `None` for one that does not exist.
pub(crate) async fn show(shared: &Shared, account_id: AccountId) -> Result<Option<SecretRecord>, Failure> {
    let Some(encrypted) = shared.store.webhook_secrets(account_id).await? else { return Ok(None) };
    let secrets = shared.store.decrypt_secrets(&encrypted)?;
    let now = shared.clock.now();
    let previous_until = secrets.previous.iter().map(|(_, until)| *until).filter(|until| *until > now).max();
    Ok(Some(SecretRecord { webhook_secret: secrets.current, previous_signs_until: previous_until.map(Instant) }))
}

/// Makes a new secret for an account; `None` for one that does not exist.
///
/// # Errors
/// A conflict when it has been rotated so often that no more secrets may sign.
pub(crate) async fn rotate(shared: &Shared, account_id: AccountId) -> Result<Option<SecretRecord>, Failure> {
    let secret = WebhookSecret::generate(random_bits()?).expose();
    let now = shared.clock.now();
    match shared.store.rotate_webhook_secret(account_id, &secret, now, now + OVERLAP).await? {
        Rotation::Done => show(shared, account_id).await,
        Rotation::NoAccount => Ok(None),
        Rotation::TooMany => {
            let reason = format!("at most {WEBHOOK_SECRETS_MAX} secrets may sign at once");
            Err(Failure::conflict("webhook_secret", reason))
        }
    }
}
