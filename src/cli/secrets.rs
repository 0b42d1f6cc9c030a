//! `radar secrets rotate`: another key for the secrets in the database, beside a running service.

use clap::Subcommand;
use serde_json::json;

use super::failure::{Failure, Result};
use super::output;
use crate::app::SecretKeys;
use config::Config;
use store::KeyRotation;

/// `radar secrets …`
#[derive(Debug, Subcommand)]
pub enum SecretsCommand {
    /// Encrypt every secret with another key: that in secrets.key, or on SQLite a new one that is put into the key file.
    /// Works beside a running service, and goes on where it was cut off
    Rotate,
}

/// Runs one command.
///
/// # Errors
/// [`Failure`] when a key is missing or the database does not answer; what was done by then is done.
pub fn run(config: &Config, command: &SecretsCommand, as_json: bool) -> Result<()> {
    let SecretsCommand::Rotate = command;
    let settings = &config.database;
    let keys = SecretKeys::of(config);
    if !keys.is_configured() && !settings.url.starts_with("sqlite") {
        let problem = "on PostgreSQL give every process the new key here and the old one in secrets.previous_keys, \
                       restart them, and rotate then";
        return Err(Failure::of("secrets.key", problem));
    }
    actix_rt::System::new().block_on(async {
        let rotation = KeyRotation::open(settings).await?;
        let Some(ring) = keys.for_rotation(rotation.named())? else {
            let problem = "every secret is encrypted with this key; set another one and move this one to \
                           secrets.previous_keys";
            return Err(Failure::of("secrets.key", problem));
        };
        let reencrypted = rotation.run(&ring, &keys).await?;
        let key_id = ring.first().id().as_str();
        let text =
            format!("{reencrypted} secrets were encrypted anew; every secret is encrypted with the key {key_id}");
        output::either(&json!({"key_id": key_id, "reencrypted": reencrypted}), &text, as_json)
    })
}
