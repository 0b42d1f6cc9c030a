//! The one mapping from a rejection to its HTTP status and error body (Spec 7).

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;

use super::record::records;
use super::time::Instant;
use domain::scheduling::rate::RejectedBy;
use domain::{FieldError, KeyHeader, Missing, Rejection};

/// The body of every error.
#[derive(Debug, Serialize)]
pub struct ErrorBody {
    /// Always `error`.
    pub status: &'static str,
    /// The HTTP status.
    pub code: u16,
    /// One sentence for people.
    pub message: &'static str,
    /// Every offending field.
    pub errors: Vec<FieldReason>,
    /// For quoting to support; absent when a rate limit is the only problem.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_id: Option<Uuid>,
    /// When the answer was made.
    pub timestamp: Instant,
}

/// The name of the schema of one entry of `errors`.
pub const FIELD_REASON: &str = "FieldReason";

records! {
    /// What is wrong with one field.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct FieldReason {
        /// The field, parameter or header; of a bulk's item with the prefix `radars[i].`.
        pub field: String,
        /// What is wrong, as the end of a sentence that begins with the field.
        pub reason: String,
    }
}

/// The HTTP status and the body that answer `rejection`; `error_id` is what the log quotes for the same request.
pub fn answer(rejection: &Rejection, error_id: Uuid, now: DateTime<Utc>) -> (u16, ErrorBody) {
    let (code, message, errors) = parts(rejection);
    let error_id = (code != 429).then_some(error_id);
    (code, ErrorBody { status: "error", code, message, errors, error_id, timestamp: Instant(now) })
}

/// The HTTP status of a rejection, the sentence for people, and the entries of `errors`; errors of the service have none.
pub fn parts(rejection: &Rejection) -> (u16, &'static str, Vec<FieldReason>) {
    let one = |field: &str, reason: &str| vec![FieldReason { field: field.to_owned(), reason: reason.to_owned() }];
    match rejection {
        Rejection::InvalidKey(KeyHeader::Api) => {
            (401, "Invalid or inactive API key", one("x-api-key", "API key is invalid or inactive"))
        }
        Rejection::InvalidKey(KeyHeader::Operator) => {
            (401, "Invalid operator key", one("x-operator-key", "operator key is invalid"))
        }
        Rejection::MissingScope(header, scope) => {
            let field = match header {
                KeyHeader::Api => "x-api-key",
                KeyHeader::Operator => "x-operator-key",
            };
            (403, "Not permitted with this key", one(field, &format!("lacks the scope {}", scope.as_str())))
        }
        Rejection::RateLimited(refused) => {
            let by = match refused.by {
                RejectedBy::Minute => "minute",
                RejectedBy::Burst => "burst",
            };
            (429, "Rate limit exceeded", one("rate_limit", by))
        }
        Rejection::RedeliveriesUsedUp { .. } => {
            (429, "Redeliveries of the day are used up", one("redeliveries", "are used up until the next day (UTC)"))
        }
        Rejection::BulkExceedsRateLimit => {
            (400, "Bulk exceeds the per-minute write budget", one("radars", "bulk_exceeds_rate_limit"))
        }
        Rejection::Invalid(errors) => (400, "Validation failed", errors.iter().map(FieldReason::from).collect()),
        Rejection::NotFound(missing) => {
            let (message, field) = not_found(*missing);
            (404, message, one(field, "does not exist"))
        }
        Rejection::MethodNotAllowed(allowed) => {
            (405, "Method not allowed", one("method", &format!("must be one of {allowed}")))
        }
        Rejection::RadarExists { field, radar_id } => (409, "Radar already exists", one(field, &radar_id.to_string())),
        Rejection::IdempotencyKeyReused => {
            let reason = "was used with another body";
            (409, "Idempotency key was used with another body", one("idempotency-key", reason))
        }
        Rejection::Conflict(error) => (409, "Conflict", vec![FieldReason::from(error)]),
        Rejection::InsufficientBalance => (402, "Insufficient balance", one("balance", "does not cover the charge")),
        Rejection::AccountFrozen => {
            (503, "Account frozen", one("account", "is frozen: it can be read, but not changed"))
        }
        Rejection::DatabaseUnavailable => (503, "Database unavailable", Vec::new()),
        Rejection::Overloaded => (503, "Service overloaded", Vec::new()),
        Rejection::Internal => (500, "Internal server error", Vec::new()),
    }
}

/// The sentence for people, and the field that names what is missing.
const fn not_found(missing: Missing) -> (&'static str, &'static str) {
    match missing {
        Missing::Path => ("Path not found", "path"),
        Missing::Radar => ("Radar not found", "id"),
        Missing::Account => ("Account not found", "id"),
        Missing::ApiKey => ("API key not found", "id"),
        Missing::Finding => ("Finding not found", "id"),
        Missing::Source => ("Source not found", "source"),
        Missing::Update => ("Update not found", "id"),
        Missing::Delivery => ("Delivery not found", "id"),
        Missing::Node => ("Node not found", "id"),
        Missing::Endpoint => ("Endpoint not found", "id"),
        Missing::Recovery => ("Recovery not found", "id"),
        Missing::Job => ("Job not found", "id"),
        Missing::FeedAddress => ("Feed address not found", "feed_id"),
    }
}

impl From<&FieldError> for FieldReason {
    fn from(error: &FieldError) -> Self {
        Self { field: error.field.clone(), reason: error.reason.clone() }
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use serde_json::{Value, json};
    use uuid::Uuid;

    use super::answer;
    use domain::scheduling::rate::{RateRejection, RejectedBy};
    use domain::{FieldError, KeyHeader, Missing, RadarId, Rejection, Scope};

    fn body(rejection: &Rejection) -> (u16, Value) {
        let (code, body) = answer(rejection, Uuid::nil(), DateTime::UNIX_EPOCH);
        (code, serde_json::to_value(body).expect("JSON"))
    }

    #[test]
    fn spec_7_and_decision_1_6_the_table_holds() {
        let refused = |by| Rejection::RateLimited(RateRejection { by, limit: 100, remaining: 0, retry_after_s: 1 });
        let radar_id = RadarId(Uuid::nil());
        let nil = "00000000-0000-0000-0000-000000000000";
        for (rejection, code, retryable, errors) in [
            (Rejection::invalid("domain", "is required"), 400, false, json!([["domain", "is required"]])),
            (Rejection::BulkExceedsRateLimit, 400, false, json!([["radars", "bulk_exceeds_rate_limit"]])),
            (
                Rejection::InvalidKey(KeyHeader::Api),
                401,
                false,
                json!([["x-api-key", "API key is invalid or inactive"]]),
            ),
            (
                Rejection::MissingScope(KeyHeader::Api, Scope::Write),
                403,
                false,
                json!([["x-api-key", "lacks the scope write"]]),
            ),
            (Rejection::InsufficientBalance, 402, true, json!([["balance", "does not cover the charge"]])),
            (Rejection::NotFound(Missing::Radar), 404, false, json!([["id", "does not exist"]])),
            (
                Rejection::MethodNotAllowed("GET, POST".to_owned()),
                405,
                false,
                json!([["method", "must be one of GET, POST"]]),
            ),
            (Rejection::RadarExists { field: "domain", radar_id }, 409, false, json!([["domain", nil]])),
            (Rejection::IdempotencyKeyReused, 409, false, json!([["idempotency-key", "was used with another body"]])),
            (Rejection::Conflict(FieldError::new("state", "is settled")), 409, false, json!([["state", "is settled"]])),
            (refused(RejectedBy::Minute), 429, true, json!([["rate_limit", "minute"]])),
            (refused(RejectedBy::Burst), 429, true, json!([["rate_limit", "burst"]])),
            (
                Rejection::RedeliveriesUsedUp { retry_after_s: 9 },
                429,
                true,
                json!([["redeliveries", "are used up until the next day (UTC)"]]),
            ),
            (Rejection::Internal, 500, true, json!([])),
            (Rejection::DatabaseUnavailable, 503, true, json!([])),
            (Rejection::Overloaded, 503, true, json!([])),
        ] {
            let (http_status, body) = body(&rejection);
            assert_eq!((http_status, rejection.retryable()), (code, retryable), "{rejection:?}");
            assert_eq!((&body["status"], &body["code"]), (&json!("error"), &json!(code)));
            let listed: Vec<Value> = body["errors"]
                .as_array()
                .expect("a list")
                .iter()
                .map(|error| json!([error["field"], error["reason"]]))
                .collect();
            assert_eq!(Value::from(listed), errors);
            assert_eq!(body.get("error_id").is_none(), code == 429, "{rejection:?}");
        }
    }
}
