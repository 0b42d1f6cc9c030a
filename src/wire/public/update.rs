//! The payload of an update: made once, stored, pushed and pulled byte for byte (Spec 2.4, decisions 1.8, 3.6, 3.7).
//!
//! Keys stand in this order: `update_id`, `update_type`, `radar_type`, `record_id`, `discovered_at`, `data` (`radar_id`,
//! `radar_type`, `domain` where there is one, `custom_fields`, `next_charge_at`), `content`. That of a failure is
//! `failure_reason`, `refund_amount`, `refund_amount_usd`, `message`. E-mail address, profile and name of a contact are
//! not among them.

use serde_json::Value;

use crate::forms::summary::Summary;
use crate::forms::{cloudevents, slack, teams};
use crate::object::Object;
use crate::time;
use domain::{Content, DomainName, Publication, Radar, WebhookFormat};

/// The name of the schema that any update fits.
pub const UPDATE: &str = "Update";

/// The payload of `publication`, in the form that it asks for.
pub fn body(publication: &Publication<'_>) -> String {
    let body = standard(publication);
    match publication.format {
        WebhookFormat::Standard => body,
        WebhookFormat::CloudEvents => cloudevents::body(publication, &body),
        WebhookFormat::Slack => slack::body(&Summary::of(&body)),
        WebhookFormat::Teams => teams::body(&Summary::of(&body)),
    }
}

/// The content of a finding is embedded as it stands.
fn standard(publication: &Publication<'_>) -> String {
    let update_id = publication.update_id.to_string();
    let record_id = publication.record_id.map(|record_id| record_id.to_string());
    Object::new()
        .text("update_id", &update_id)
        .text("update_type", publication.content.update_type().as_str())
        .text("radar_type", publication.radar.wanted.radar_type.as_str())
        .text_or_null("record_id", record_id.as_deref())
        .text("discovered_at", &time::text(publication.discovered_at))
        .raw("data", &data(publication.radar))
        .raw("content", &content(publication.content))
        .finish()
}

fn data(radar: &Radar) -> String {
    let object = Object::new()
        .text("radar_id", &radar.radar_id.to_string())
        .text("radar_type", radar.wanted.radar_type.as_str());
    let object = match radar.wanted.target.domain().map(DomainName::as_str) {
        Some(domain) => object.text("domain", domain),
        None => object,
    };
    let custom_fields =
        radar.wanted.custom_fields.iter().map(|(key, value)| (key.clone(), Value::from(value.as_str())));
    let next_charge_at = radar.next_charge_at.map(time::text);
    object
        .raw("custom_fields", &Value::Object(custom_fields.collect()))
        .text_or_null("next_charge_at", next_charge_at.as_deref())
        .finish()
}

fn content(content: &Content) -> String {
    match content {
        Content::Finding(json) => json.clone(),
        Content::Failure { reason, refund, message } => Object::new()
            .text("failure_reason", reason.as_str())
            .raw("refund_amount", refund)
            .raw("refund_amount_usd", refund)
            .text("message", message)
            .finish(),
    }
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Duration};
    use proptest::prelude::*;
    use serde_json::{Value, json};
    use uuid::Uuid;

    use super::body;
    use crate::sample_radar::{company, radar};
    use domain::{
        Content, DomainName, Email, FailureReason, MicroUsd, ProfileUrl, Publication, Radar, RadarType, Target,
        UpdateId, WebhookFormat,
    };

    fn publication<'a>(radar: &'a Radar, content: &'a Content, record_id: Option<Uuid>) -> Publication<'a> {
        let discovered_at = DateTime::UNIX_EPOCH + Duration::microseconds(1);
        let format = WebhookFormat::Standard;
        Publication { update_id: UpdateId(Uuid::from_u128(3)), record_id, discovered_at, radar, content, format }
    }

    #[test]
    fn spec_2_4_and_decision_3_6_the_bytes_of_a_finding() {
        let mut radar = company();
        radar.wanted.custom_fields.insert("crm \"id\"".into(), "7".into());
        let content = Content::Finding(r#"{"job_title":"Baker", "salary":1.10}"#.into());
        let text = body(&publication(&radar, &content, Some(Uuid::from_u128(4))));
        assert_eq!(
            text,
            concat!(
                r#"{"update_id":"00000000-0000-0000-0000-000000000003","update_type":"radar_finding","#,
                r#""radar_type":"company_job_openings","record_id":"00000000-0000-0000-0000-000000000004","#,
                r#""discovered_at":"1970-01-01T00:00:00.000001Z","data":{"#,
                r#""radar_id":"00000000-0000-0000-0000-000000000007","radar_type":"company_job_openings","#,
                r#""domain":"example.com","custom_fields":{"crm \"id\"":"7"},"#,
                r#""next_charge_at":"1970-01-31T00:00:00.000000Z"},"content":{"job_title":"Baker", "salary":1.10}}"#
            )
        );
    }

    #[test]
    fn spec_2_4_the_bytes_of_a_failure() {
        let mut radar = radar(RadarType::IndustryMentions, Target::Industry { keyword: None, countries: Vec::new() });
        radar.next_charge_at = None;
        let content = Content::Failure {
            reason: FailureReason::MissingPrerequisites,
            refund: MicroUsd::from_micros(100_001),
            message: "No source.".into(),
        };
        let text = body(&publication(&radar, &content, None));
        assert!(text.contains(r#""update_type":"radar_failure","radar_type":"industry_mentions","record_id":null,"#));
        assert!(text.ends_with(concat!(
            r#""radar_type":"industry_mentions","custom_fields":{},"next_charge_at":null},"content":{"#,
            r#""failure_reason":"missing_prerequisites","refund_amount":0.100001,"refund_amount_usd":0.100001,"#,
            r#""message":"No source."}}"#
        )));
    }

    #[test]
    fn spec_2_4_identifiers_of_a_contact_do_not_travel() {
        let target = Target::Contact {
            domain: Some(DomainName::from_stored("example.com".into())),
            profile_url: Some(ProfileUrl::from_stored("https://x.com/secret-profile".into())),
            email: Some(Email::from_stored("secret@mail.example".into())),
            full_name: Some("Secret Name".into()),
        };
        let radar = radar(RadarType::ContactJobChanges, target);
        let text = body(&publication(&radar, &Content::Finding("{}".into()), None));
        assert!(!text.to_lowercase().contains("secret"));
        assert!(text.contains(r#""domain":"example.com""#));
    }

    proptest! {
        #[test]
        fn spec_2_4_is_always_json_that_says_what_went_in(
            fields in prop::collection::btree_map(".{0,10}", ".{0,20}", 0..5),
            message in ".{0,40}",
            refund in 0i64..10_000_000_000,
        ) {
            let mut radar = company();
            radar.wanted.custom_fields = fields.clone();
            let refund = MicroUsd::from_micros(refund);
            let content = Content::Failure { reason: FailureReason::SetupFailure, refund, message: message.clone() };
            let text = body(&publication(&radar, &content, None));
            let value: Value = serde_json::from_str(&text).expect("JSON");
            prop_assert_eq!(&value["data"]["custom_fields"], &json!(fields));
            prop_assert_eq!(&value["content"]["message"], &json!(message));
            let printed = format!("\"refund_amount\":{refund},");
            prop_assert!(text.contains(&printed));
        }
    }
}
