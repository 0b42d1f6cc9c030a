//! The `data` of `GET /v1/webhooks/schema` (Spec 4.11, decision 3.10).

use serde::{Serialize, Serializer};
use utoipa::openapi::{RefOr, Schema};

use super::payload;
use domain::{RadarType, UpdateType};

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// The schemas of whole payloads: one per radar type, and that of failures.
pub struct PayloadSchemas {
    by_name: Vec<(&'static str, PayloadSchema)>,
}

#[derive(Serialize)]
struct PayloadSchema {
    #[serde(rename = "$schema")]
    dialect: &'static str,
    title: &'static str,
    #[serde(flatten)]
    schema: RefOr<Schema>,
}

impl PayloadSchemas {
    /// Those of findings of `radar_types`, or of all when there are none, and that of failures.
    pub fn of(radar_types: &[RadarType]) -> Self {
        let wanted = if radar_types.is_empty() { RadarType::ALL } else { radar_types };
        let findings = wanted.iter().map(|radar_type| (radar_type.as_str(), payload::finding(*radar_type)));
        let failure = (UpdateType::Failure.as_str(), payload::failure());
        let schemas = findings.chain([failure]);
        let named = schemas.map(|(name, schema)| (name, PayloadSchema { dialect: DIALECT, title: name, schema }));
        Self { by_name: named.collect() }
    }
}

impl Serialize for PayloadSchemas {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.by_name.iter().map(|(name, schema)| (name, schema)))
    }
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Duration};
    use jsonschema::Validator;
    use proptest::prelude::*;
    use serde_json::{Map, Value, json};
    use uuid::Uuid;

    use super::PayloadSchemas;
    use crate::content;
    use crate::public::update;
    use crate::sample_radar::radar;
    use domain::content::{ContentLayout, Key, Shape};
    use domain::{
        Category, Content, DomainName, Email, FailureReason, MicroUsd, ProfileUrl, Publication, Radar, RadarType,
        Target, UpdateId, WebhookFormat,
    };

    fn schemas(radar_types: &[RadarType]) -> Value {
        serde_json::to_value(PayloadSchemas::of(radar_types)).expect("JSON")
    }

    /// Leaves no room for fields that a schema does not name.
    fn close(schema: &mut Value) {
        if let Value::Object(keywords) = schema {
            keywords.values_mut().for_each(close);
            if keywords.get("properties").is_some_and(Value::is_object) {
                keywords.entry("additionalProperties").or_insert(json!(false));
            }
        }
    }

    fn validator(name: &str) -> Validator {
        let mut schema = schemas(&[])[name].take();
        close(&mut schema);
        jsonschema::options().should_validate_formats(true).build(&schema).expect("a schema")
    }

    fn of_type(radar_type: RadarType) -> Radar {
        let domain = || DomainName::from_stored("example.com".into());
        let target = match radar_type.category() {
            Category::Company => Target::Company { domain: domain() },
            Category::Contact => Target::Contact {
                domain: (radar_type == RadarType::ContactJobChanges).then(domain),
                profile_url: Some(ProfileUrl::from_stored("https://x.com/ada".into())),
                email: Some(Email::from_stored("ada@example.com".into())),
                full_name: Some("Ada".into()),
            },
            Category::Industry => Target::Industry { keyword: Some("steel".into()), countries: Vec::new() },
        };
        radar(radar_type, target)
    }

    fn payload(radar: &Radar, content: &Content, record_id: Option<Uuid>) -> Value {
        let (update_id, discovered_at) = (UpdateId(Uuid::from_u128(3)), DateTime::UNIX_EPOCH + Duration::days(1));
        let format = WebhookFormat::Standard;
        let publication = Publication { update_id, record_id, discovered_at, radar, content, format };
        serde_json::from_str(&update::body(&publication)).expect("JSON")
    }

    /// A value for every key.
    fn full(keys: impl IntoIterator<Item = &'static Key>) -> Value {
        let value = |key: &Key| match key.shape {
            Shape::Text => json!("text"),
            Shape::Number => json!(1.5),
            Shape::Date => json!("2026-01-31"),
            Shape::Instant => json!("2026-01-31T12:00:00+02:00"),
            Shape::Texts => json!(["one", "two"]),
            Shape::Word(words) => json!(words[0]),
            Shape::Object(keys) | Shape::Always(keys) => full(keys),
        };
        let fields = keys.into_iter().map(|key| (key.name.to_owned(), value(key)));
        Value::Object(fields.collect::<Map<_, _>>())
    }

    fn assert_fits(schema: &Validator, payload: &Value) {
        let errors: Vec<String> =
            schema.iter_errors(payload).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(errors.is_empty(), "{errors:?} in {payload}");
    }

    #[test]
    fn whatever_is_written_fits_its_schema() {
        for radar_type in RadarType::ALL {
            let schema = validator(radar_type.as_str());
            let mut radar = of_type(*radar_type);
            for given in [full(ContentLayout::of(*radar_type).keys()), json!({})] {
                let content = Content::Finding(content::read(*radar_type, &given).expect("content"));
                assert_fits(&schema, &payload(&radar, &content, Some(Uuid::from_u128(4))));
            }
            radar.next_charge_at = None;
            for reason in FailureReason::ALL {
                let refund = MicroUsd::from_micros(100_001);
                let content = Content::Failure { reason: *reason, refund, message: "It ended.".into() };
                assert_fits(&validator("radar_failure"), &payload(&radar, &content, None));
                assert!(!schema.is_valid(&payload(&radar, &content, None)), "{radar_type}: a failure is no finding");
            }
        }
    }

    #[test]
    fn no_key_may_be_missing_or_of_another_shape() {
        for radar_type in RadarType::ALL {
            let schema = validator(radar_type.as_str());
            let content = content::read(*radar_type, &full(ContentLayout::of(*radar_type).keys())).expect("content");
            let whole = payload(&of_type(*radar_type), &Content::Finding(content), None);
            for part in ["", "/data", "/content"] {
                for name in whole.pointer(part).and_then(Value::as_object).expect("an object").keys() {
                    let mut broken = whole.clone();
                    let object = broken.pointer_mut(part).and_then(Value::as_object_mut).expect("an object");
                    object.remove(name);
                    assert!(!schema.is_valid(&broken), "{radar_type} without {part}/{name}");
                    broken.pointer_mut(part).expect("an object")[name] = json!([[]]);
                    assert!(!schema.is_valid(&broken), "{radar_type} with a broken {part}/{name}");
                }
            }
        }
    }

    #[test]
    fn decision_3_10_a_filter_keeps_the_failure() {
        let names = |radar_types: &[RadarType]| -> Vec<String> {
            schemas(radar_types).as_object().expect("an object").keys().cloned().collect()
        };
        assert_eq!(names(&[]).len(), 16);
        assert_eq!(names(&[RadarType::CompanyReviews]), ["company_reviews", "radar_failure"]);
    }

    #[test]
    fn every_field_says_what_it_means() {
        fn check(place: &str, schema: &Value) {
            assert!(schema["description"].as_str().is_some_and(|text| !text.is_empty()), "{place}");
            for (name, field) in schema["properties"].as_object().into_iter().flatten() {
                check(&format!("{place}/{name}"), field);
            }
        }
        schemas(&[]).as_object().expect("an object").iter().for_each(|(name, schema)| check(name, schema));
    }

    proptest! {
        #[test]
        fn any_labels_fit(fields in prop::collection::btree_map("[^\0]{1,50}", "[^\0]{0,500}", 0..20)) {
            let mut radar = of_type(RadarType::CompanyReviews);
            radar.wanted.custom_fields = fields;
            let content = Content::Finding(content::read(RadarType::CompanyReviews, &json!({})).expect("content"));
            assert_fits(&validator("company_reviews"), &payload(&radar, &content, None));
        }
    }
}
