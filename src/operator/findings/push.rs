//! `POST /operator/v1/findings`: private providers hand findings in (decision 7.1).
//!
//! A finding goes to every active radar that watches the target; each says what became of it. The same `native_id` of
//! the same source again is a duplicate everywhere, so that a push that was cut off can simply be repeated.

use futures_util::{StreamExt, TryStreamExt, stream};
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

use crate::domain::account::{Finding, ReportOutcome};
use crate::domain::content_size;
use crate::domain::ids::{RadarId, record_id};
use crate::domain::radar::Radar;
use crate::domain::radar::filter::Position;
use crate::domain::radar::radar_type::RadarType;
use crate::domain::rejection::{FieldError, Missing, Rejection};
use crate::domain::targets::free_text;
use crate::domain::targets::{DomainName, Email, ProfileUrl};
use crate::operator::call::Call;
use crate::sources::position_of;
use crate::store::WatchedTarget;
use crate::web::call::Answer;
use crate::web::errors::Failure;
use crate::wire::content;
use crate::wire::fields::Fields;
use crate::wire::operator::values::label;
use crate::wire::parameters::uuid_text;

/// How many radars are told of a finding at the same time: enough for the ledger to commit them together.
const TELL_AT_ONCE: usize = 64;

/// A finding that is handed in.
#[derive(Debug, PartialEq)]
struct Push {
    target: WatchedTarget,
    native_id: String,
    source: String,
    content: Value,
}

/// What became of a finding at one radar; stands beside the common fields of the envelope.
#[derive(Debug, Serialize)]
struct PushRecord {
    record_id: Uuid,
    data: Vec<RadarOutcome>,
}

#[derive(Debug, Serialize)]
struct RadarOutcome {
    radar_id: Uuid,
    account_id: Uuid,
    outcome: &'static str,
    update_id: Option<Uuid>,
}

/// Hands a finding in.
pub(crate) async fn push(mut call: Call) -> Answer {
    let body = call.body().await?.value;
    let Push { target, native_id, source, content } = parse(&body)?;
    let radars = call.state.shared.store.sweep_watchers(&target).await?;
    let radar_type = match (target.radar_type(), radars.first()) {
        (Some(radar_type), _) => radar_type,
        (None, Some(radar)) => radar.wanted.radar_type,
        (None, None) => return Err(Rejection::NotFound(Missing::Radar).into()),
    };
    let has_source = call.state.shared.catalog.push_source(&source, radar_type).is_some();
    let content = checked(has_source, radar_type, &content)?;
    let record_id = record_id(&source, &native_id);
    let finding = Finding { record_id, content: content.text, detected_at: call.now() };
    let told = radars.iter().map(|radar| tell(&call, radar, &finding, &content.position));
    let data = stream::iter(told).buffered(TELL_AT_ONCE).try_collect().await?;
    call.fields(202, "Finding taken", PushRecord { record_id, data })
}

/// Content in the form in which findings carry it, and the position that it is about.
struct Checked {
    text: String,
    position: Position,
}

fn checked(has_source: bool, radar_type: RadarType, content: &Value) -> Result<Checked, Vec<FieldError>> {
    let mut errors = Vec::new();
    if !has_source {
        errors.push(FieldError::new("source", format!("is not an enabled push source of {radar_type}")));
    }
    let position = content::title(radar_type, content).map(|title| position_of(title, &[])).unwrap_or_default();
    match content::read(radar_type, content) {
        Ok(text) if errors.is_empty() => return Ok(Checked { text: content_size::bounded(text), position }),
        Ok(_) => {}
        Err(more) => errors.extend(more),
    }
    Err(errors)
}

async fn tell(call: &Call, radar: &Radar, finding: &Finding, position: &Position) -> Result<RadarOutcome, Failure> {
    let findings = vec![(finding.clone(), position.clone())];
    let report = call.state.shared.shards.ingest(radar.account_id, radar.radar_id, findings).await??;
    Ok(RadarOutcome {
        radar_id: radar.radar_id.0,
        account_id: radar.account_id.0,
        outcome: outcome(&report),
        update_id: report.published.first().map(|update_id| update_id.0),
    })
}

/// The word for what became of the one finding of a report; a report of none means that the filter took it away.
pub(super) fn outcome(report: &ReportOutcome) -> &'static str {
    match report {
        ReportOutcome { published, .. } if !published.is_empty() => "published",
        ReportOutcome { held: 1.., .. } => "held",
        ReportOutcome { pending: 1.., .. } => "pending",
        ReportOutcome { duplicates: 1.., .. } => "duplicate",
        ReportOutcome { dropped: 1.., .. } => "dropped",
        _ => "filtered",
    }
}

fn parse(body: &Value) -> Result<Push, Vec<FieldError>> {
    let mut fields = Fields::of(body)?;
    fields.refuse_unknown(&["radar_id", "radar_type", "target", "native_id", "source", "content"]);
    let target = target(&mut fields);
    let native_id = fields.required("native_id", label);
    let source = fields.required("source", label);
    let content = fields.get("content").cloned();
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
    let make = read.map_err(|reason| fields.refuse(&format!("target.{name}"), reason)).ok()?;
    radar_type.map(make)
}

/// What a radar of some type has to watch for a finding about this.
fn watched(name: &str, text: &str) -> Result<impl FnOnce(RadarType) -> WatchedTarget + use<>, String> {
    let (make, text): (fn(RadarType, String) -> WatchedTarget, String) = match name {
        "domain" => {
            let domain = DomainName::parse(text).map_err(|error| error.to_string())?;
            (WatchedTarget::Domain, domain.as_str().to_owned())
        }
        "profile_url" => {
            let profile_url = ProfileUrl::parse(text).map_err(|error| error.to_string())?;
            (WatchedTarget::ProfileUrl, profile_url.as_str().to_owned())
        }
        "email" => {
            let email = Email::parse(text).map_err(|error| error.to_string())?;
            (WatchedTarget::Email, email.as_str().to_owned())
        }
        "keyword" => (WatchedTarget::Keyword, free_text::keyword(text).map_err(|error| error.to_string())?),
        _ => return Err("is not a known field".to_owned()),
    };
    Ok(move |radar_type| make(radar_type, text))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use uuid::Uuid;

    use super::{checked, outcome, parse};
    use crate::domain::account::ReportOutcome;
    use crate::domain::ids::{RadarId, UpdateId};
    use crate::domain::radar::radar_type::RadarType::{CompanyReviews, IndustryMentions};
    use crate::store::WatchedTarget;

    fn offending(body: &Value) -> Vec<String> {
        parse(body).expect_err("a refusal").into_iter().map(|error| error.field).collect()
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
        let radar_id = Uuid::from_u128(7);
        assert_eq!(target(json!({"radar_id": radar_id})), Ok(WatchedTarget::Radar(RadarId(radar_id))));
        assert_eq!(
            target(json!({"radar_type": "company_reviews", "target": {"domain": "https://WWW.Acme.com/x"}})),
            Ok(WatchedTarget::Domain(CompanyReviews, "acme.com".into()))
        );
        assert_eq!(
            target(json!({"radar_type": "industry_mentions", "target": {"keyword": "steel", "email": null}})),
            Ok(WatchedTarget::Keyword(IndustryMentions, "steel".into()))
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

    #[test]
    fn source_and_content_are_judged_together() {
        let errors = checked(false, CompanyReviews, &json!({"stars": 5})).err().expect("a refusal");
        let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["source", "content.stars"]);
    }

    #[test]
    fn every_report_has_its_word() {
        let none = ReportOutcome::default;
        for (report, word) in [
            (ReportOutcome { published: vec![UpdateId(Uuid::from_u128(1))], ..none() }, "published"),
            (ReportOutcome { held: 1, ..none() }, "held"),
            (ReportOutcome { duplicates: 1, ..none() }, "duplicate"),
            (ReportOutcome { dropped: 1, ..none() }, "dropped"),
            (none(), "filtered"),
        ] {
            assert_eq!(outcome(&report), word);
        }
    }
}
