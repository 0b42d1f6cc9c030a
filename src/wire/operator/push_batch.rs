//! Batches of findings that private providers push, and the result of each.

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

use super::push::{PushRecord, TAKEN};
use crate::envelope::{self, Envelope};
use crate::error::{self, ErrorBody};
use crate::object;
use domain::field_limits::PUSH_BATCH_MAX;
use domain::{FieldError, Fields, Rejection};

/// What a push of the finding by itself would have answered.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum ResultBody {
    Taken(Envelope<PushRecord>),
    Rejected {
        retryable: bool,
        #[serde(flatten)]
        error: ErrorBody,
    },
}

/// Reads the findings of a batch, which may be wrong each by itself.
///
/// # Errors
/// Every offending field beside the findings.
pub fn parse(body: &Value) -> Result<&[Value], Vec<FieldError>> {
    let mut fields = Fields::of(body)?;
    fields.refuse_unknown(&["findings"]);
    let findings = fields.items("findings", PUSH_BATCH_MAX);
    fields.finish(findings)
}

/// The answer to a batch; `error_id` is what the log quotes for all of it.
pub fn answer(
    results: Vec<Result<PushRecord, Rejection>>,
    error_id: Uuid,
    now: DateTime<Utc>,
) -> Envelope<impl Serialize> {
    let failed = results.iter().filter(|result| result.is_err()).count();
    let is_retryable = |result: &&Result<_, Rejection>| result.as_ref().is_err_and(Rejection::retryable);
    let retryable = results.iter().filter(is_retryable).count();
    let total = results.len();
    let taken = results.len() - failed;
    let summary = object! { total, taken, failed, retryable };
    let body = |result| match result {
        Ok(record) => ResultBody::Taken(envelope::success(202, TAKEN, now, record)),
        Err(rejection) => {
            let (_, error) = error::answer(&rejection, error_id, now);
            ResultBody::Rejected { retryable: rejection.retryable(), error }
        }
    };
    let result = |(index, result)| object! { index, #[serde(flatten)] body: body(result) };
    let results: Vec<_> = results.into_iter().enumerate().map(result).collect();
    let batch = object! { summary, results };
    Envelope { status: "partial_success", ..envelope::success(207, "Batch taken", now, batch) }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use serde_json::{Value, json};
    use uuid::Uuid;

    use super::{answer, parse};
    use crate::operator::push::{PushRecord, RadarOutcome};
    use domain::Rejection;

    #[test]
    fn the_envelope_is_checked_before_the_findings() {
        for (body, reasons) in [
            (json!({}), vec!["findings: is required"]),
            (json!({"findings": 7}), vec!["findings: must be an array"]),
            (json!({"findings": []}), vec!["findings: must have 1 to 1000 items"]),
            (json!({"findings": vec![1; 1_001]}), vec!["findings: must have 1 to 1000 items"]),
            (json!({"findings": [1], "source": "s"}), vec!["source: is not a known field; allowed are: findings"]),
            (json!([]), vec!["body: must be a JSON object"]),
        ] {
            let errors = parse(&body).expect_err("a rejection");
            let read: Vec<_> = errors.iter().map(|error| format!("{}: {}", error.field, error.reason)).collect();
            assert_eq!(read, reasons);
        }
        assert_eq!(parse(&json!({"findings": vec![1; 1_000]})).map(<[Value]>::len), Ok(1_000));
    }

    #[test]
    fn each_result_is_what_a_single_push_would_have_answered() {
        let id = Uuid::from_u128;
        let outcome = RadarOutcome { radar_id: id(2), account_id: id(3), outcome: "published", update_id: Some(id(4)) };
        let results = vec![
            Ok(PushRecord { record_id: id(1), data: vec![outcome] }),
            Err(Rejection::invalid("content", "is required")),
            Err(Rejection::Overloaded),
        ];
        let body = serde_json::to_value(answer(results, id(9), DateTime::UNIX_EPOCH)).expect("JSON");
        let timestamp = "1970-01-01T00:00:00.000000Z";
        assert_eq!(
            body,
            json!({
                "status": "partial_success", "code": 207, "message": "Batch taken", "timestamp": timestamp,
                "summary": {"total": 3, "taken": 1, "failed": 2, "retryable": 1},
                "results": [
                    {
                        "index": 0, "status": "success", "code": 202, "message": "Finding taken",
                        "timestamp": timestamp, "record_id": id(1), "data": [
                            {"radar_id": id(2), "account_id": id(3), "outcome": "published", "update_id": id(4)},
                        ],
                    },
                    {
                        "index": 1, "status": "error", "code": 400, "message": "Validation failed",
                        "retryable": false, "errors": [{"field": "content", "reason": "is required"}],
                        "error_id": id(9), "timestamp": timestamp,
                    },
                    {
                        "index": 2, "status": "error", "code": 503, "message": "Service overloaded",
                        "retryable": true, "errors": [], "error_id": id(9), "timestamp": timestamp,
                    },
                ],
            })
        );
    }
}
