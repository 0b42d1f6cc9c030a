//! Alerts to an account about an endpoint of its own: that it is disabled, or that it still fails an hour after its
//! breaker opened (decision 5.6). Each is sent once until the endpoint is well again.

use chrono::{DateTime, Utc};

use super::endpoint_health::{DisabledReason, EndpointHealth};
use crate::closed;
use crate::ids::{AccountId, EndpointId, UpdateId};

closed! {
    /// What an alert is about.
    EndpointAlertType {
        /// It is disabled: what is due for it is held until it is enabled.
        Disabled = "endpoint_disabled",
        /// Its breaker has been open for [`ALERT_AFTER`](super::endpoint_health::ALERT_AFTER).
        Failing = "endpoint_failing",
    }
}

/// An alert to an account about one of its endpoints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndpointAlert {
    /// What receivers deduplicate on; an alert is delivered like an update.
    pub alert_id: UpdateId,
    /// Whose endpoint it is.
    pub account_id: AccountId,
    /// The endpoint.
    pub endpoint_id: EndpointId,
    /// Its address.
    pub url: String,
    /// What it is about.
    pub alert_type: EndpointAlertType,
    /// Why it is disabled; `None` while it is not.
    pub reason: Option<DisabledReason>,
    /// Since when it is disabled, or else fails.
    pub since: DateTime<Utc>,
    /// Failures since the last success.
    pub consecutive_failures: u32,
    /// The last success, if there was one.
    pub last_success_at: Option<DateTime<Utc>>,
    /// When it is made.
    pub created_at: DateTime<Utc>,
}

impl EndpointAlert {
    /// The alert that is due at `now` about the endpoint at `url`, if any.
    pub fn due(
        account_id: AccountId,
        (endpoint_id, url): (EndpointId, &str),
        health: &EndpointHealth,
        now: DateTime<Utc>,
    ) -> Option<Self> {
        health.alert_at.filter(|alert_at| *alert_at <= now)?;
        let (alert_type, reason, since) = match health.disabled {
            Some((reason, since)) => (EndpointAlertType::Disabled, Some(reason), since),
            None => (EndpointAlertType::Failing, None, health.failing_since?),
        };
        Some(Self {
            alert_id: UpdateId::of_endpoint_alert(endpoint_id, alert_type.as_str(), since),
            account_id,
            endpoint_id,
            url: url.to_owned(),
            alert_type,
            reason,
            since,
            consecutive_failures: health.consecutive_failures,
            last_success_at: health.last_success_at,
            created_at: now,
        })
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use uuid::Uuid;

    use super::*;
    use crate::delivery::Outcome;
    use crate::delivery::endpoint_health::{ALERT_AFTER, Observation};

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_700_000_000 + seconds, 0).expect("an instant")
    }

    fn after(health: EndpointHealth, outcome: Outcome, now: DateTime<Utc>) -> EndpointHealth {
        health.after(Observation { outcome, retry_after: None, was_probe: false }, now)
    }

    fn failing() -> EndpointHealth {
        (0..5).fold(EndpointHealth::default(), |health, second| after(health, Outcome::Http5xx, at(second)))
    }

    fn due(health: &EndpointHealth, now: DateTime<Utc>) -> Option<EndpointAlert> {
        let id = |number| Uuid::from_u128(number);
        EndpointAlert::due(AccountId(id(1)), (EndpointId(id(2)), "https://receiver.example/"), health, now)
    }

    #[test]
    fn a_breaker_is_told_of_once_it_has_been_open_for_an_hour_and_only_once() {
        let health = failing();
        let told_at = at(4) + ALERT_AFTER;
        assert_eq!(due(&health, told_at - TimeDelta::seconds(1)), None);
        let alert = due(&health, told_at).expect("an alert");
        assert_eq!((alert.alert_type, alert.since, alert.reason), (EndpointAlertType::Failing, at(0), None));
        assert_eq!(alert.consecutive_failures, 5);
        let probe = Observation { outcome: Outcome::Timeout, retry_after: None, was_probe: true };
        let alerted = health.clone().alerted().after(probe, told_at);
        assert_eq!(due(&alerted, told_at + ALERT_AFTER * 100), None, "the same incident");
        let well = after(alerted, Outcome::Ok, at(9_000));
        assert_eq!(due(&well, at(90_000)), None);
        let again = (0..5).fold(well, |health, second| after(health, Outcome::Http5xx, at(10_000 + second)));
        let next = due(&again, at(10_004) + ALERT_AFTER).expect("another incident");
        assert_ne!(next.alert_id, alert.alert_id);
    }

    #[test]
    fn an_endpoint_that_is_disabled_is_told_of_at_once_also_after_it_was_failing() {
        let gone = after(failing().alerted(), Outcome::Http410, at(9));
        let alert = due(&gone, at(9)).expect("an alert");
        assert_eq!((alert.alert_type, alert.reason), (EndpointAlertType::Disabled, Some(DisabledReason::Gone)));
        assert_eq!(alert.since, at(9));
        let late_success = after(gone.clone(), Outcome::Ok, at(10));
        assert!(due(&late_success, at(10)).is_some(), "it stays disabled, whatever was under way");
        assert_eq!(due(&gone.clone().alerted(), at(99)), None);
        assert_eq!(due(&gone.enabled(), at(99)), None);
        assert_eq!(due(&failing().enabled(), at(99_999)), None);
    }
}
