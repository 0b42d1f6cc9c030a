//! The part of `GET /metrics` that is about webhooks.

use chrono::{DateTime, Utc};
use prometheus::Registry;

use actors::runtime::registered::{gauge, set};
use domain::DeliveryState;
use domain::delivery::waiting_endpoints::oldest_due;
use store::{OutboxCounts, Store, StoreError};

/// What the database knows of the outbox.
pub(super) struct Outbox {
    counts: OutboxCounts,
    /// How long the oldest delivery that nothing but the service keeps waiting has been due, in seconds.
    oldest_due_age_s: f64,
}

impl Outbox {
    /// The outbox at `now`.
    pub(super) async fn look(store: &Store, now: DateTime<Utc>) -> Result<Self, StoreError> {
        let counts = store.all_outbox_counts().await?;
        let waiting = store.all_waiting_endpoints().await?;
        let oldest_due_age_s = oldest_due(&waiting, now).map_or(0.0, |due_at| (now - due_at).as_seconds_f64());
        Ok(Self { counts, oldest_due_age_s })
    }
}

/// Adds what the database holds. Delivered ones are not counted: they are nearly all there are.
pub(super) fn add_outbox(registry: &Registry, outbox: &Outbox) -> prometheus::Result<()> {
    let Outbox { counts, oldest_due_age_s } = outbox;
    let help = "Deliveries that have not arrived, counted up to 100,000 of each state";
    let deliveries = gauge(registry, "radar_webhook_deliveries", help, "state")?;
    for (state, count) in [
        (DeliveryState::Pending, counts.pending),
        (DeliveryState::Held, counts.held),
        (DeliveryState::Exhausted, counts.exhausted),
    ] {
        deliveries.with_label_values(&[state.as_str()]).set(i64::try_from(count).unwrap_or(i64::MAX));
    }
    let (open, disabled) = (counts.open_breakers as f64, counts.disabled_endpoints as f64);
    set(registry, "radar_webhook_breakers_open", "Endpoints whose breaker is open", open)?;
    set(registry, "radar_webhook_endpoints_disabled", "Endpoints that are disabled", disabled)?;
    let help = "How long the oldest delivery is due that may be attempted now";
    set(registry, "radar_webhook_oldest_due_age_seconds", help, *oldest_due_age_s)
}
