//! What surrounds every answer (Spec 4).

use chrono::{DateTime, Utc};
use serde::Serialize;

use super::time::Instant;

/// A success: the common fields, then those of the endpoint.
#[derive(Debug, Serialize)]
pub struct Envelope<T> {
    /// `success`, or `partial_success` for a 207.
    pub status: &'static str,
    /// The HTTP status.
    pub code: u16,
    /// One sentence for people.
    pub message: String,
    /// When the answer was made.
    pub timestamp: Instant,
    /// The endpoint's own fields, beside the common ones.
    #[serde(flatten)]
    pub body: T,
}

/// The body of endpoints that answer with `data`.
#[derive(Debug, Serialize)]
pub struct Data<T> {
    /// What the endpoint answers.
    pub data: T,
}

/// A success whose own fields stand beside the common ones.
pub fn success<T>(code: u16, message: impl Into<String>, now: DateTime<Utc>, body: T) -> Envelope<T> {
    Envelope { status: "success", code, message: message.into(), timestamp: Instant(now), body }
}

/// A success with `data`.
pub fn data<T>(code: u16, message: impl Into<String>, now: DateTime<Utc>, data: T) -> Envelope<Data<T>> {
    success(code, message, now, Data { data })
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::data;
    use crate::domain::money::MicroUsd;
    use crate::wire::money::Usd;

    #[test]
    fn spec_4_common_fields_come_first() {
        let answer = data(201, "radar created", DateTime::UNIX_EPOCH, Usd(MicroUsd::from_micros(1)));
        assert_eq!(
            serde_json::to_string(&answer).expect("JSON"),
            r#"{"status":"success","code":201,"message":"radar created","timestamp":"1970-01-01T00:00:00.000000Z","data":0.000001}"#
        );
    }
}
