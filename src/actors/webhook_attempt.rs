//! The task of one attempt: sign, send, record, and say that it ended, however it did (decisions 5.2, 5.3).
//!
//! Never claims, never decides what an outcome changes: `domain::delivery` does, under the store's transaction.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};
use tokio::sync::watch;

use super::mailbox::Mailbox;
use super::webhook_dispatcher::{DispatcherParts, WebhookDispatcher};
use crate::domain::delivery::{AttemptReport, DeliveryState, Outcome};
use crate::domain::ids::EndpointId;
use crate::store::{ClaimedDelivery, SealedSecrets, Store, StoreError};
use crate::webhooks::attempt::{Parcel, Sealing};
use crate::webhooks::secret::{SecretError, WebhookSecret};
use crate::webhooks::signature::SigningSecrets;

/// Why an account's deliveries cannot be signed.
#[derive(Debug, thiserror::Error)]
enum SecretsError {
    /// They do not open.
    #[error(transparent)]
    Sealed(#[from] StoreError),
    /// They are no secrets.
    #[error(transparent)]
    Malformed(#[from] SecretError),
}

/// The waits between tries to record an attempt; together well below [`LEASE_MARGIN`].
const RECORD_WAITS: [Duration; 4] =
    [Duration::from_secs(1), Duration::from_secs(2), Duration::from_secs(4), Duration::from_secs(8)];

/// An attempt's task has ended.
pub struct Ended {
    pub(super) life: u64,
    pub(super) endpoint_id: EndpointId,
    pub(super) outcome: Option<Outcome>,
}

#[derive(Default)]
pub(super) struct Counters {
    pub in_flight: AtomicUsize,
    pub outcomes: [AtomicU64; Outcome::ALL.len()],
    pub fenced: AtomicU64,
}

/// What the dispatcher has done since the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DispatchFigures {
    /// Attempts under way.
    pub in_flight: usize,
    /// Attempts by what became of them.
    pub outcomes: Vec<(Outcome, u64)>,
    /// Results that came after their lease had gone to somebody else.
    pub fenced: u64,
}

impl Counters {
    pub fn figures(&self) -> DispatchFigures {
        let count = |(&outcome, counter): (&Outcome, &AtomicU64)| (outcome, counter.load(Relaxed));
        DispatchFigures {
            in_flight: self.in_flight.load(Relaxed),
            outcomes: Outcome::ALL.iter().zip(&self.outcomes).map(count).collect(),
            fenced: self.fenced.load(Relaxed),
        }
    }
}

/// Tells the dispatcher that an attempt's task ended, however it did.
pub(super) struct Ending {
    pub mailbox: Mailbox<WebhookDispatcher>,
    pub ended: Option<Ended>,
}

impl Drop for Ending {
    fn drop(&mut self) {
        if let Some(ended) = self.ended.take() {
            self.mailbox.notify(ended);
        }
    }
}

/// One attempt from the parcel to the record.
pub(super) async fn attempt(
    parts: DispatcherParts,
    claimed: ClaimedDelivery,
    mut hurry: watch::Receiver<bool>,
    counters: Arc<Counters>,
    mut ending: Ending,
) {
    let secrets = match signing_secrets(&parts.store, &claimed.secrets) {
        Ok(secrets) => secrets,
        Err(error) => {
            tracing::error!(%error, account_id = %claimed.account_id, "an account's webhook secret cannot be read");
            return;
        }
    };
    let parcel = Parcel {
        url: claimed.url.clone(),
        update_id: claimed.delivery.update_id,
        body: Bytes::from(claimed.body.clone()),
        delivery: Some(Sealing { sequence: claimed.sequence, secrets }),
    };
    let started_at = parts.clock.now();
    parts.faults.pass("dispatcher.before_send", &claimed.delivery.update_id);
    let report = tokio::select! {
        biased;
        _ = hurry.wait_for(|&is_hasty| is_hasty) => cancelled(started_at),
        report = parts.sender.send(parcel) => report,
    };
    parts.faults.pass("dispatcher.before_record", &claimed.delivery.update_id);
    record(&parts, &claimed, &report, &counters).await;
    if let Some(ended) = &mut ending.ended {
        ended.outcome = Some(report.outcome);
    }
}

async fn record(parts: &DispatcherParts, claimed: &ClaimedDelivery, report: &AttemptReport, counters: &Counters) {
    let update_id = claimed.delivery.update_id;
    let mut waits = RECORD_WAITS.into_iter();
    loop {
        let now = parts.clock.now();
        match parts.store.record_attempt(claimed.account_id, claimed, report, &parts.schedule, now).await {
            Ok(Some(decision)) => {
                if let Some(counter) = counters.outcomes.get(report.outcome as usize) {
                    counter.fetch_add(1, Relaxed);
                }
                if decision.delivery.state == DeliveryState::Exhausted {
                    tracing::warn!(%update_id, "a delivery has used up its attempts");
                }
                if let Some((reason, at)) = decision.health.disabled.filter(|(_, at)| *at == now) {
                    let endpoint_id = claimed.endpoint_id;
                    tracing::warn!(%endpoint_id, reason = reason.as_str(), %at, "a webhook endpoint is disabled");
                }
                return;
            }
            Ok(None) => {
                counters.fenced.fetch_add(1, Relaxed);
                tracing::warn!(%update_id, "an attempt ended after its lease had gone to somebody else");
                return;
            }
            Err(error) => match waits.next() {
                Some(wait) => {
                    tracing::warn!(%error, %update_id, "an attempt is not recorded yet");
                    parts.clock.sleep(wait).await;
                }
                None => {
                    tracing::error!(%error, %update_id, "an attempt cannot be recorded and will be repeated");
                    return;
                }
            },
        }
    }
}

fn signing_secrets(store: &Store, sealed: &SealedSecrets) -> Result<SigningSecrets, SecretsError> {
    let stored = store.open_secrets(sealed)?;
    let previous = match &stored.previous {
        Some((secret, until)) => Some((WebhookSecret::parse(secret)?, *until)),
        None => None,
    };
    Ok(SigningSecrets { current: WebhookSecret::parse(&stored.current)?, previous })
}

fn cancelled(started_at: DateTime<Utc>) -> AttemptReport {
    AttemptReport {
        outcome: Outcome::Cancelled,
        status: None,
        retry_after: None,
        started_at,
        duration: TimeDelta::zero(),
        remote: None,
        response: None,
        response_truncated: false,
    }
}
