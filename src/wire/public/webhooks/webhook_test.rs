//! The body and the answer of `POST /v1/webhooks/test` (Spec 4.10, decision 3.9).

use serde_json::Value;
use serde_json::value::RawValue;
use utoipa::openapi::schema::AnyOfBuilder;

use crate::public::update::UPDATE;
use crate::record::records;
use crate::shapes::{http_url, integer, named, object, or_null, word};
use domain::delivery::webhook_url;
use domain::{AttemptReport, FieldError, Fields, IsForbidden, Outcome, RadarType, UpdateType, WebhookFormat};

/// A request to send a sample payload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookTest {
    /// Where to send it, normalised.
    pub webhook_url: String,
    /// The type whose payload is sent.
    pub radar_type: RadarType,
    /// Whether it is a finding or a failure.
    pub update_type: UpdateType,
    /// In which form it is sent.
    pub format: WebhookFormat,
}

records! {
    /// What was sent.
    #[derive(Debug)]
    pub struct WebhookTestSent {
        /// Where to.
        pub webhook_url: String = http_url,
        /// Whose payload.
        pub radar_type: RadarType,
        /// The kind of update.
        pub update_type: UpdateType,
        /// The payload, byte for byte: an update, unless another form was asked for.
        pub payload: Box<RawValue> = sample,
        /// What became of it.
        pub result: WebhookTestResult,
    }

    /// How sending a sample payload ended.
    #[derive(Debug, PartialEq, Eq)]
    pub struct WebhookTestResult {
        /// Whether the receiver took it, or what was in the way.
        pub outcome: &'static str = |about| word(&OUTCOMES, about),
        /// The status that the receiver answered with; null without an answer.
        pub http_status: Option<u16> = |about| or_null(integer(about).minimum(Some(100)).maximum(Some(999))),
        /// How long it took, in milliseconds.
        pub duration_ms: i64,
    }
}

fn sample(about: &str) -> AnyOfBuilder {
    AnyOfBuilder::new().item(named(UPDATE)).item(object("The update in another form.")).description(Some(about))
}

/// What `outcome` may be.
pub const OUTCOMES: [&str; 11] = [
    Outcome::Ok.as_str(),
    Outcome::Http3xx.as_str(),
    Outcome::Http4xx.as_str(),
    Outcome::Http410.as_str(),
    Outcome::Http429.as_str(),
    Outcome::Http5xx.as_str(),
    Outcome::Connect.as_str(),
    Outcome::Tls.as_str(),
    Outcome::Timeout.as_str(),
    Outcome::BodyError.as_str(),
    UNREACHABLE,
];
/// The name cannot be resolved, or its address is not allowed. Telling them apart would reveal the network of the
/// service.
const UNREACHABLE: &str = "unreachable";

impl WebhookTestResult {
    /// The result as it is shown to the customer.
    pub fn of(report: &AttemptReport) -> Self {
        let outcome = match report.outcome {
            Outcome::Dns | Outcome::BlockedTarget | Outcome::BadTarget | Outcome::Cancelled => UNREACHABLE,
            other => other.as_str(),
        };
        Self { outcome, http_status: report.status, duration_ms: report.duration.num_milliseconds().max(0) }
    }
}

/// Reads the body.
pub fn parse(body: &Value, is_forbidden: IsForbidden<'_>) -> Result<WebhookTest, Vec<FieldError>> {
    let mut fields = Fields::of(body)?;
    for name in fields.names() {
        if !["webhook_url", "radar_type", "update_type", "webhook_format"].contains(&name) {
            fields.refuse(name, "is not a known field");
        }
    }
    let webhook_url = fields.required("webhook_url", |text| webhook_url::parse(text, is_forbidden));
    let radar_type = fields.required("radar_type", str::parse::<RadarType>);
    let update_type = fields.parsed("update_type", str::parse::<UpdateType>).unwrap_or(UpdateType::Finding);
    let format = fields.parsed("webhook_format", str::parse).unwrap_or(WebhookFormat::Standard);
    let request = webhook_url.zip(radar_type);
    fields.finish(request.map(|(webhook_url, radar_type)| WebhookTest { webhook_url, radar_type, update_type, format }))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use chrono::{DateTime, TimeDelta};

    use super::{OUTCOMES, UNREACHABLE, WebhookTest, WebhookTestResult, parse};
    use domain::delivery::Outcome;
    use domain::{AttemptReport, RadarType, UpdateType, WebhookFormat};

    #[test]
    fn decision_3_9_a_forbidden_address_looks_like_a_name_that_does_not_exist() {
        for outcome in Outcome::ALL {
            let report = AttemptReport {
                outcome: *outcome,
                status: None,
                retry_after: None,
                started_at: DateTime::UNIX_EPOCH,
                duration: TimeDelta::microseconds(1_999),
                remote: None,
                response: None,
                response_truncated: false,
            };
            let result = WebhookTestResult::of(&report);
            assert!(OUTCOMES.contains(&result.outcome), "{}", result.outcome);
            assert_eq!(result.duration_ms, 1);
            if matches!(outcome, Outcome::Dns | Outcome::BlockedTarget) {
                assert_eq!(result.outcome, UNREACHABLE);
            }
        }
    }

    #[test]
    fn reads_the_body_and_lists_what_is_wrong() {
        let body = json!({"webhook_url": "https://hooks.example.com", "radar_type": "company_reviews"});
        let wanted = WebhookTest {
            webhook_url: "https://hooks.example.com/".into(),
            radar_type: RadarType::CompanyReviews,
            update_type: UpdateType::Finding,
            format: WebhookFormat::Standard,
        };
        assert_eq!(parse(&body, &|host| host.address.is_some()), Ok(wanted));
        let body =
            json!({"webhook_url": "http://10.0.0.1/", "update_type": "radar_created", "webhook_format": "x", "x": 1});
        let errors = parse(&body, &|host| host.address.is_some()).expect_err("a rejection");
        let offending: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(offending, ["x", "webhook_url", "radar_type", "update_type", "webhook_format"]);
    }
}
