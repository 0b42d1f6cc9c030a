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

/// One page of records; stands beside the common fields.
#[derive(Debug, Serialize)]
pub struct Page<T> {
    data: Vec<T>,
    has_more: bool,
    next_cursor: Option<String>,
}

impl<T> Page<T> {
    /// The page of `data`; `next` is what to pass as `cursor` for the next page, `None` on the last one.
    pub fn of(data: Vec<T>, next: Option<String>) -> Self {
        Self { data, has_more: next.is_some(), next_cursor: next }
    }

    /// What to pass as `cursor` for the next page; `None` on the last one.
    pub fn next_cursor(&self) -> Option<String> {
        self.next_cursor.clone()
    }

    /// The page of the first `limit` of `found`; one more than `limit` was asked for. `cursor` says where the next page begins.
    pub fn cut<F>(mut found: Vec<F>, limit: u32, cursor: impl Fn(&F) -> String, record: impl FnMut(F) -> T) -> Self {
        let has_more = found.len() > limit as usize;
        found.truncate(limit as usize);
        let next = found.last().filter(|_| has_more).map(cursor);
        Self::of(found.into_iter().map(record).collect(), next)
    }
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
    use crate::money::Usd;
    use domain::MicroUsd;

    #[test]
    fn spec_4_common_fields_come_first() {
        let answer = data(201, "radar created", DateTime::UNIX_EPOCH, Usd(MicroUsd::from_micros(1)));
        assert_eq!(
            serde_json::to_string(&answer).expect("JSON"),
            r#"{"status":"success","code":201,"message":"radar created","timestamp":"1970-01-01T00:00:00.000000Z","data":0.000001}"#
        );
    }
}
