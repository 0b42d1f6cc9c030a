//! The task of one attempt: sign, send, and report its end, however it comes (decisions 5.2, 5.3).
//!
//! Never claims, never records, never decides what an outcome changes.

use std::rc::Rc;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use tokio::sync::watch;
use tracing::Instrument;
use tracing::field::{Empty, display};
use uuid::Uuid;

use super::{DispatcherMessage, DispatcherParts};
use crate::runtime::FinalMessage;
use domain::{AttemptReport, Outcome, Trace, TraceParent};
use store::{ClaimedDelivery, EncryptedSecrets, Store, StoreError};
use webhooks::attempt::{OutgoingRequest, Signing};
use webhooks::secret::{SecretError, WebhookSecret};
use webhooks::signature::SigningSecrets;

/// Why an account's deliveries cannot be signed.
#[derive(Debug, thiserror::Error)]
enum SecretsError {
    /// They cannot be decrypted.
    #[error(transparent)]
    Secrets(#[from] StoreError),
    /// They are no secrets.
    #[error(transparent)]
    Malformed(#[from] SecretError),
}

/// A claimed delivery and the host that it goes to.
pub(super) struct Outgoing {
    pub claimed: ClaimedDelivery,
    pub host: Arc<str>,
}

/// An attempt's task has ended.
pub(super) struct Ended {
    pub(super) life: u64,
    pub(super) outgoing: Outgoing,
    /// `None` when its result is not known.
    pub(super) report: Option<AttemptReport>,
}

/// The report of an attempt's task.
pub(super) type Ending = FinalMessage<DispatcherMessage>;

impl Outgoing {
    pub(super) fn new(claimed: ClaimedDelivery) -> Self {
        let after_scheme = claimed.url.split_once("://").map_or(&*claimed.url, |(_, rest)| rest);
        let host = Arc::from(after_scheme.split(['/', '?', '#']).next().unwrap_or_default());
        Self { claimed, host }
    }
}

/// One attempt.
pub(super) async fn attempt(parts: Rc<DispatcherParts>, mut hurry: watch::Receiver<bool>, mut ending: Ending) {
    let Some(DispatcherMessage::Ended(ended)) = ending.message_mut() else { return };
    let claimed = &ended.outgoing.claimed;
    let secrets = match signing_secrets(&parts.store, &claimed.secrets) {
        Ok(secrets) => secrets,
        Err(error) => {
            tracing::error!(%error, account_id = %claimed.account_id, "an account's webhook secret cannot be read");
            return;
        }
    };
    let update_id = claimed.delivery.update_id;
    let span_id = Uuid::new_v4().as_u64_pair().1;
    let span = tracing::trace_span!(
        target: "otlp", "attempt", otel.kind = "client", %update_id, endpoint_id = %claimed.endpoint_id,
        attempt = claimed.delivery.attempts + 1, context = Empty, outcome = Empty, status = Empty, error = Empty
    );
    // The receiver is to record its part where this process or the provider recorded one.
    let is_sampled = claimed.trace.is_sampled || !span.is_disabled();
    let parent = TraceParent { trace: Trace { is_sampled, ..claimed.trace }, span_id };
    span.record("context", display(parent));
    let request = OutgoingRequest {
        url: claimed.url.to_string(),
        update_id,
        format: claimed.format,
        body: claimed.body.clone(),
        delivery: Some(Signing { sequence: claimed.sequence, secrets, parent }),
    };
    let started_at = parts.clock.now();
    parts.figures.note_start(claimed.delivery.due_at, started_at);
    parts.faults.pass("dispatcher.before_send", &update_id);
    let report = tokio::select! {
        biased;
        _ = hurry.wait_for(|&is_hasty| is_hasty) => cancelled(started_at),
        report = parts.sender.send(request).instrument(span.clone()) => report,
    };
    span.record("outcome", report.outcome.as_str());
    span.record("status", report.status);
    span.record("error", !report.outcome.is_success());
    parts.faults.pass("dispatcher.before_record", &update_id);
    ended.report = Some(report);
}

fn signing_secrets(store: &Store, encrypted: &EncryptedSecrets) -> Result<SigningSecrets, SecretsError> {
    let stored = store.decrypt_secrets(encrypted)?;
    let parsed = |(secret, until): &(String, DateTime<Utc>)| Ok((WebhookSecret::parse(secret)?, *until));
    let previous = stored.previous.iter().map(parsed).collect::<Result<_, SecretError>>()?;
    Ok(SigningSecrets { current: WebhookSecret::parse(&stored.current)?, previous })
}

/// The report of a delivery that is given back without an attempt, or cut off.
pub(super) fn cancelled(started_at: DateTime<Utc>) -> AttemptReport {
    AttemptReport::unanswered(Outcome::Cancelled, started_at)
}
