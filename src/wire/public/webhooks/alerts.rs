//! The payloads of alerts: about a balance that runs low, about a radar that found more than the bound of its day, about an
//! endpoint that needs attention. Each is made once, in the transaction that writes it; the specification leaves their
//! shape open (Spec 6.3).

use crate::object::Object;
use crate::time;
use domain::account::Alert;
use domain::{BalanceAlert, BoundAlert, EndpointAlert};

/// The payload of an alert about an account or one of its radars.
pub fn body(alert: &Alert) -> String {
    match alert {
        Alert::Balance(alert) => balance_body(alert),
        Alert::Bound(alert) => bound_body(alert),
    }
}

fn balance_body(alert: &BalanceAlert) -> String {
    Object::new()
        .text("alert_id", &alert.alert_id.to_string())
        .text("alert_type", "balance_below_threshold")
        .text("account_id", &alert.account_id.to_string())
        .text("crossed_at", &time::text(alert.crossed_at))
        .raw("threshold_usd", &alert.threshold)
        .raw("balance_usd", &alert.balance)
        .finish()
}

fn bound_body(alert: &BoundAlert) -> String {
    Object::new()
        .text("alert_id", &alert.alert_id.to_string())
        .text("alert_type", "daily_bound_exceeded")
        .text("account_id", &alert.account_id.to_string())
        .text("radar_id", &alert.radar_id.to_string())
        .text("radar_type", alert.radar_type.as_str())
        .raw("findings_per_day", &alert.findings_per_day)
        .text("exceeded_at", &time::text(alert.exceeded_at))
        .text("release_at", &time::text(alert.release_at))
        .finish()
}

/// The payload of an alert about an endpoint.
pub fn endpoint_body(alert: &EndpointAlert) -> String {
    Object::new()
        .text("alert_id", &alert.alert_id.to_string())
        .text("alert_type", alert.alert_type.as_str())
        .text("account_id", &alert.account_id.to_string())
        .text("endpoint_id", &alert.endpoint_id.to_string())
        .text("webhook_url", &alert.url)
        .text_or_null("reason", alert.reason.map(|reason| reason.as_str()))
        .text("since", &time::text(alert.since))
        .raw("consecutive_failures", &alert.consecutive_failures)
        .text_or_null("last_success_at", alert.last_success_at.map(time::text).as_deref())
        .text("created_at", &time::text(alert.created_at))
        .finish()
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use uuid::Uuid;

    use super::{body, endpoint_body};
    use domain::account::Alert;
    use domain::{
        AccountId, BalanceAlert, BoundAlert, DisabledReason, EndpointAlert, EndpointAlertType, EndpointId, MicroUsd,
        RadarId, RadarType, UpdateId,
    };

    #[test]
    fn an_alert_names_the_threshold_and_the_balance() {
        let alert = BalanceAlert {
            alert_id: UpdateId(Uuid::from_u128(1)),
            account_id: AccountId(Uuid::from_u128(2)),
            tx_seq: 7,
            threshold: MicroUsd::from_micros(10_000_000),
            balance: MicroUsd::from_micros(9_999_999),
            crossed_at: DateTime::UNIX_EPOCH,
        };
        let expected = concat!(
            r#"{"alert_id":"00000000-0000-0000-0000-000000000001","alert_type":"balance_below_threshold","#,
            r#""account_id":"00000000-0000-0000-0000-000000000002","crossed_at":"1970-01-01T00:00:00.000000Z","#,
            r#""threshold_usd":10,"balance_usd":9.999999}"#
        );
        assert_eq!(body(&Alert::Balance(alert)), expected);
    }

    #[test]
    fn an_alert_names_the_radar_and_when_what_is_held_is_released() {
        let alert = BoundAlert {
            alert_id: UpdateId(Uuid::from_u128(1)),
            account_id: AccountId(Uuid::from_u128(2)),
            radar_id: RadarId(Uuid::from_u128(3)),
            radar_type: RadarType::IndustryMentions,
            findings_per_day: 5_000,
            exceeded_at: DateTime::UNIX_EPOCH,
            release_at: DateTime::from_timestamp(7_200, 0).expect("an instant"),
        };
        let expected = concat!(
            r#"{"alert_id":"00000000-0000-0000-0000-000000000001","alert_type":"daily_bound_exceeded","#,
            r#""account_id":"00000000-0000-0000-0000-000000000002","radar_id":"00000000-0000-0000-0000-000000000003","#,
            r#""radar_type":"industry_mentions","findings_per_day":5000,"exceeded_at":"1970-01-01T00:00:00.000000Z","#,
            r#""release_at":"1970-01-01T02:00:00.000000Z"}"#
        );
        assert_eq!(body(&Alert::Bound(alert)), expected);
    }

    #[test]
    fn an_alert_names_the_endpoint_and_what_is_wrong_with_it() {
        let alert = EndpointAlert {
            alert_id: UpdateId(Uuid::from_u128(1)),
            account_id: AccountId(Uuid::from_u128(2)),
            endpoint_id: EndpointId(Uuid::from_u128(3)),
            url: "https://receiver.example/hook".into(),
            alert_type: EndpointAlertType::Disabled,
            reason: Some(DisabledReason::Gone),
            since: DateTime::UNIX_EPOCH,
            consecutive_failures: 4,
            last_success_at: None,
            created_at: DateTime::UNIX_EPOCH,
        };
        let expected = concat!(
            r#"{"alert_id":"00000000-0000-0000-0000-000000000001","alert_type":"endpoint_disabled","#,
            r#""account_id":"00000000-0000-0000-0000-000000000002","#,
            r#""endpoint_id":"00000000-0000-0000-0000-000000000003","#,
            r#""webhook_url":"https://receiver.example/hook","reason":"gone","since":"1970-01-01T00:00:00.000000Z","#,
            r#""consecutive_failures":4,"last_success_at":null,"created_at":"1970-01-01T00:00:00.000000Z"}"#
        );
        assert_eq!(endpoint_body(&alert), expected);
    }
}
