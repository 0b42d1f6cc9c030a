//! Sample payloads (Spec 4.10, decision 3.9): what an update of each type looks like, with every key filled.
//!
//! The code that writes real payloads writes the samples too, so that they cannot differ in form. Their content is plainly
//! made up: it is about example.com, its radar has an identifier that no radar gets, and its custom fields say that it is a
//! sample. Nothing here sends or stores anything.

use std::collections::BTreeMap;

use chrono::{DateTime, Duration, Utc};
use serde_json::Value;
use uuid::Uuid;

use domain::content::ContentLayout;
use domain::ids::record_id;
use domain::{
    AccountId, Category, Content, DailyBound, DomainName, FailureReason, FieldError, Filter, GracePeriod, MicroUsd,
    NewRadar, PricingModel, Publication, Radar, RadarId, RadarType, SetUp, Status, StatusReason, Target, UpdateId,
    UpdateType, WebhookFormat,
};
use wire::content;
use wire::public::update;

/// In the form of a radar's identifier, at the beginning of time.
const SAMPLE_RADAR: RadarId = RadarId(Uuid::from_u128(0x7000_8000_0000_0000_0000));
const SAMPLE_DOMAIN: &str = "example.com";
const SAMPLE_REFUND: MicroUsd = MicroUsd::from_micros(250_000);

/// A payload as it would be pushed at `now`.
///
/// # Errors
/// The keys whose examples the table of `content` does not accept; a test makes sure that there are none.
pub fn payload(
    radar_type: RadarType,
    update_type: UpdateType,
    format: WebhookFormat,
    update_id: UpdateId,
    now: DateTime<Utc>,
) -> Result<String, Vec<FieldError>> {
    let (radar, record_id, content) = match update_type {
        UpdateType::Finding => {
            let content = content::read(radar_type, &Value::Object(ContentLayout::of(radar_type).example()))?;
            (active_radar(radar_type, now), Some(record_id("example", "1")), Content::Finding(content))
        }
        UpdateType::Failure => (failed_radar(radar_type, now), None, failure()),
    };
    let (radar, content) = (&radar, &content);
    Ok(update::body(&Publication { update_id, record_id, discovered_at: now, radar, content, format }))
}

fn active_radar(radar_type: RadarType, now: DateTime<Utc>) -> Radar {
    Radar {
        radar_id: SAMPLE_RADAR,
        account_id: AccountId(Uuid::nil()),
        wanted: NewRadar {
            radar_type,
            target: target(radar_type),
            filter: Filter::Everything,
            webhook_url: None,
            webhook_format: None,
            custom_fields: BTreeMap::from([("sample".to_owned(), "true".to_owned())]),
        },
        status: Status::Active,
        status_reason: None,
        set_up: SetUp::Ready,
        model: PricingModel::Subscription,
        grace_period: GracePeriod::None,
        created_at: now,
        deactivated_at: None,
        period_no: 0,
        next_charge_at: Some(now + Duration::days(30)),
        daily: DailyBound::default(),
    }
}

fn failed_radar(radar_type: RadarType, now: DateTime<Utc>) -> Radar {
    Radar {
        status: Status::Inactive,
        status_reason: Some(StatusReason::MissingPrerequisites),
        set_up: SetUp::Failed,
        deactivated_at: Some(now),
        next_charge_at: None,
        ..active_radar(radar_type, now)
    }
}

fn target(radar_type: RadarType) -> Target {
    let domain = || DomainName::from_stored(SAMPLE_DOMAIN.to_owned());
    match radar_type.category() {
        Category::Company => Target::Company { domain: domain() },
        Category::Contact => {
            let domain = (radar_type == RadarType::ContactJobChanges).then(domain);
            Target::Contact { domain, profile_url: None, email: None, full_name: None }
        }
        Category::Industry => Target::Industry { keyword: None, countries: Vec::new() },
    }
}

fn failure() -> Content {
    Content::Failure {
        reason: FailureReason::MissingPrerequisites,
        refund: SAMPLE_REFUND,
        message: "This is a sample: no radar has failed.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::*;
    use domain::content::Key;

    const AT: DateTime<Utc> = DateTime::UNIX_EPOCH;

    fn sample(radar_type: RadarType, update_type: UpdateType) -> Value {
        let text = payload(radar_type, update_type, WebhookFormat::Standard, UpdateId(Uuid::from_u128(9)), AT)
            .expect("a sample");
        serde_json::from_str(&text).expect("JSON")
    }

    fn assert_filled<'a>(value: &Value, keys: impl IntoIterator<Item = &'a Key>, place: &str) {
        let mut count = 0;
        for key in keys {
            let place = format!("{place}.{}", key.name);
            assert!(!value[key.name].is_null(), "{place} is null");
            if !key.nested().is_empty() {
                assert_filled(&value[key.name], key.nested(), &place);
            }
            count += 1;
        }
        assert_eq!(value.as_object().map(Map::len), Some(count), "{place}");
    }

    #[test]
    fn spec_4_10_a_sample_of_each_type_has_every_key_filled() {
        for radar_type in RadarType::ALL {
            let sample = sample(*radar_type, UpdateType::Finding);
            assert_filled(&sample["content"], ContentLayout::of(*radar_type).keys(), radar_type.as_str());
            assert_eq!(sample["update_type"], "radar_finding");
            assert_eq!(sample["data"]["radar_type"], radar_type.as_str());
            assert_eq!(sample["update_id"], "00000000-0000-0000-0000-000000000009");
            assert!(sample["record_id"].is_string() && sample["data"]["next_charge_at"].is_string());
            let has_domain =
                matches!(radar_type.category(), Category::Company) || *radar_type == RadarType::ContactJobChanges;
            assert_eq!(sample["data"].get("domain").is_some(), has_domain, "{radar_type}");
        }
    }

    #[test]
    fn spec_4_10_a_sample_of_a_failure_is_one_for_every_type() {
        for radar_type in RadarType::ALL {
            let sample = sample(*radar_type, UpdateType::Failure);
            let names: Vec<&str> =
                sample["content"].as_object().expect("an object").keys().map(String::as_str).collect();
            assert_eq!(names, ["failure_reason", "message", "refund_amount", "refund_amount_usd"]);
            assert_eq!(
                (&sample["update_type"], &sample["radar_type"]),
                (&json!("radar_failure"), &json!(radar_type.as_str()))
            );
            assert_eq!((&sample["record_id"], &sample["data"]["next_charge_at"]), (&Value::Null, &Value::Null));
        }
    }

    #[test]
    fn spec_4_10_a_sample_is_not_mistaken_for_an_update() {
        for radar_type in RadarType::ALL {
            let sample = sample(*radar_type, UpdateType::Finding);
            assert_eq!(sample["data"]["custom_fields"], json!({"sample": "true"}));
            assert_eq!(sample["data"]["radar_id"], "00000000-0000-7000-8000-000000000000");
        }
    }
}
