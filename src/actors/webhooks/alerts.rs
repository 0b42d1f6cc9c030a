//! Sends the alerts about endpoints that are due (decision 5.6), whenever the table is read.

use chrono::{DateTime, Utc};

use super::DispatcherParts;
use domain::EndpointAlert;
use wire::public::webhooks::alerts;

/// Sends what is due; answers when the next alert is due, as far as that is known.
pub(super) async fn send_endpoint_alerts(parts: &DispatcherParts) -> Option<DateTime<Utc>> {
    match parts.store.all_send_endpoint_alerts(parts.clock.now(), alerts::endpoint_body).await {
        Ok(alerts) => {
            alerts.due.iter().for_each(|(alert, is_told)| log(alert, *is_told));
            alerts.next_at
        }
        Err(error) => {
            tracing::warn!(%error, "the alerts about endpoints could not be sent");
            None
        }
    }
}

fn log(alert: &EndpointAlert, is_told: bool) {
    let EndpointAlert { account_id, endpoint_id, alert_type, reason, consecutive_failures, .. } = alert;
    let (alert_type, reason) = (alert_type.as_str(), reason.map(|reason| reason.as_str()));
    tracing::warn!(
        %account_id,
        %endpoint_id,
        alert_type,
        reason,
        consecutive_failures,
        is_told,
        "a webhook endpoint needs attention"
    );
}
