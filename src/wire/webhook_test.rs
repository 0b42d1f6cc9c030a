//! The body and the answer of `POST /v1/webhooks/test` (Spec 4.10, decision 3.9).

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::fields::Fields;
use crate::domain::radar_type::RadarType;
use crate::domain::rejection::FieldError;
use crate::domain::update::UpdateType;
use crate::domain::webhook_url::{self, IsForbidden};

/// A request to send a sample payload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookTest {
    /// Where to send it, normalised.
    pub webhook_url: String,
    /// The type whose payload is sent.
    pub radar_type: RadarType,
    /// Whether it is a finding or a failure.
    pub update_type: UpdateType,
}

/// What was sent, and where.
#[derive(Debug, Serialize)]
pub struct WebhookTestSent {
    /// The address, normalised.
    pub webhook_url: String,
    /// The type whose payload is sent.
    pub radar_type: &'static str,
    /// `radar_finding` or `radar_failure`.
    pub update_type: &'static str,
    /// The payload, byte for byte.
    pub payload: Box<RawValue>,
}

/// Reads the body.
///
/// # Errors
/// Every offending field.
pub fn parse(body: &Value, is_forbidden: IsForbidden<'_>) -> Result<WebhookTest, Vec<FieldError>> {
    let mut fields = Fields::of(body)?;
    for name in fields.names() {
        if !["webhook_url", "radar_type", "update_type"].contains(&name) {
            fields.refuse(name, "is not a known field");
        }
    }
    let webhook_url = fields.required("webhook_url", |text| webhook_url::parse(text, is_forbidden));
    let radar_type = fields.required("radar_type", str::parse::<RadarType>);
    let update_type = fields
        .parsed("update_type", |text| {
            UpdateType::from_stored(text).ok_or("must be one of radar_finding, radar_failure")
        })
        .unwrap_or(UpdateType::Finding);
    let request = webhook_url.zip(radar_type);
    fields.finish(request.map(|(webhook_url, radar_type)| WebhookTest { webhook_url, radar_type, update_type }))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{WebhookTest, parse};
    use crate::domain::radar_type::RadarType;
    use crate::domain::update::UpdateType;

    #[test]
    fn reads_the_body_and_lists_what_is_wrong() {
        let body = json!({"webhook_url": "https://hooks.example.com", "radar_type": "company_reviews"});
        let wanted = WebhookTest {
            webhook_url: "https://hooks.example.com/".into(),
            radar_type: RadarType::CompanyReviews,
            update_type: UpdateType::Finding,
        };
        assert_eq!(parse(&body, &|_| true), Ok(wanted));
        let body = json!({"webhook_url": "http://10.0.0.1/", "update_type": "radar_created", "x": 1});
        let errors = parse(&body, &|_| true).expect_err("a refusal");
        let offending: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(offending, ["x", "webhook_url", "radar_type", "update_type"]);
    }
}
