//! Findings that private providers push, and the outcome at each radar.

use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

use super::radars::normal;
use super::values::label;
use crate::parameters::uuid_text;
use domain::{FieldError, Fields, RadarId, RadarType, SearchField, WatchedTarget};

/// The message of the answer to a finding that was taken.
pub const TAKEN: &str = "Finding taken";

/// A pushed finding.
#[derive(Debug, PartialEq)]
pub struct Push<'a> {
    pub target: WatchedTarget,
    pub native_id: String,
    pub source: String,
    pub content: &'a Value,
}

/// The outcomes of a push, beside the common fields of the envelope.
#[derive(Debug, Serialize)]
pub struct PushRecord {
    pub record_id: Uuid,
    pub data: Vec<RadarOutcome>,
}

#[derive(Debug, Serialize)]
pub struct RadarOutcome {
    pub radar_id: Uuid,
    pub account_id: Uuid,
    pub outcome: &'static str,
    pub update_id: Option<Uuid>,
}

/// Reads a push.
pub fn parse(body: &Value) -> Result<Push<'_>, Vec<FieldError>> {
    let mut fields = Fields::of(body)?;
    fields.refuse_unknown(&["radar_id", "radar_type", "target", "native_id", "source", "content"]);
    let target = target(&mut fields);
    let native_id = fields.required("native_id", label);
    let source = fields.required("source", label);
    let content = fields.get("content");
    if content.is_none() {
        fields.refuse("content", "is required");
    }
    let push = target.zip(native_id).zip(source.zip(content));
    fields.finish(push.map(|((target, native_id), (source, content))| Push { target, native_id, source, content }))
}

fn target(fields: &mut Fields<'_>) -> Option<WatchedTarget> {
    if fields.get("radar_id").is_some() {
        for name in ["radar_type", "target"] {
            if fields.get(name).is_some() {
                fields.refuse(name, "cannot be combined with radar_id");
            }
        }
        return fields.parsed("radar_id", uuid_text).map(|radar_id| WatchedTarget::Radar(RadarId(radar_id)));
    }
    let radar_type = fields.required("radar_type", str::parse::<RadarType>);
    let given = match fields.get("target") {
        Some(Value::Object(given)) => given,
        Some(_) => {
            fields.refuse("target", "must be an object");
            return None;
        }
        None => {
            fields.refuse("target", "is required unless there is a radar_id");
            return None;
        }
    };
    let mut named = given.iter().filter(|(_, value)| !value.is_null());
    let (Some((name, value)), None) = (named.next(), named.next()) else {
        fields.refuse("target", "must name one of domain, profile_url, email, keyword");
        return None;
    };
    let read = value.as_str().ok_or_else(|| "must be a string".to_owned()).and_then(|text| watched(name, text));
    let (field, text) = read.map_err(|reason| fields.refuse(&format!("target.{name}"), reason)).ok()?;
    radar_type.map(|radar_type| WatchedTarget::Value { radar_type, field, text })
}

/// The field and the value, in its normal form, that a radar must watch to get the finding.
fn watched(name: &str, text: &str) -> Result<(SearchField, String), String> {
    let field = match name {
        "domain" => SearchField::Domain,
        "profile_url" => SearchField::ProfileUrl,
        "email" => SearchField::Email,
        "keyword" => SearchField::Keyword,
        _ => return Err("is not a known field".to_owned()),
    };
    Ok((field, normal(field, text)?))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use uuid::Uuid;

    use super::parse;
    use domain::radar_type::RadarType::{CompanyReviews, IndustryMentions};
    use domain::{RadarId, SearchField, WatchedTarget};

    fn offending(body: &Value) -> Vec<String> {
        parse(body).expect_err("a rejection").into_iter().map(|error| error.field).collect()
    }

    #[test]
    fn a_finding_is_for_a_radar_or_for_all_that_watch_a_target() {
        let body = |mut more: Value| {
            more["native_id"] = json!("n");
            more["source"] = json!("s");
            more["content"] = json!({});
            more
        };
        let target = |more| parse(&body(more)).map(|push| push.target);
        let value = |radar_type, field, text: &str| Ok(WatchedTarget::Value { radar_type, field, text: text.into() });
        let radar_id = Uuid::from_u128(7);
        assert_eq!(target(json!({"radar_id": radar_id})), Ok(WatchedTarget::Radar(RadarId(radar_id))));
        assert_eq!(
            target(json!({"radar_type": "company_reviews", "target": {"domain": "https://WWW.Acme.com/x"}})),
            value(CompanyReviews, SearchField::Domain, "acme.com")
        );
        assert_eq!(
            target(json!({"radar_type": "industry_mentions", "target": {"keyword": "steel", "email": null}})),
            value(IndustryMentions, SearchField::Keyword, "steel")
        );
        for (more, wanted) in [
            (json!({}), ["radar_type", "target"].as_slice()),
            (json!({"radar_id": radar_id, "target": {}}), &["target"]),
            (json!({"radar_type": "company_reviews", "target": {}}), &["target"]),
            (json!({"radar_type": "company_reviews", "target": {"domain": "a.com", "keyword": "abc"}}), &["target"]),
            (json!({"radar_type": "company_reviews", "target": {"domain": "x"}}), &["target.domain"]),
            (json!({"radar_type": "company_reviews", "target": {"host": "x"}}), &["target.host"]),
        ] {
            assert_eq!(offending(&body(more.clone())), wanted, "{more}");
        }
        assert_eq!(offending(&json!({"radar_id": "x", "y": 1})), ["y", "radar_id", "native_id", "source", "content"]);
    }
}
