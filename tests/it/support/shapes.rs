//! What every answer looks like (Spec 4, 7), and a way to prove many rows on one running service.

use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::Value;
use uuid::Uuid;

use super::client::Answer;

/// Proves rows one after the other on one world, saying each row's name first, so that a failure shows whose it is.
macro_rules! prove {
    ($world:expr; $($row:ident),* $(,)?) => {
        $(
            println!("  {}", stringify!($row));
            $row($world).await;
        )*
    };
}
pub(crate) use prove;

/// The instant in the one form of the wire: RFC 3339, UTC, `Z`, six fractional digits (decision 1.7).
#[track_caller]
pub fn instant(value: &Value) -> DateTime<Utc> {
    let text = value.as_str().unwrap_or_else(|| panic!("{value} is no instant"));
    let instant: DateTime<Utc> = text.parse().unwrap_or_else(|_| panic!("{text} is no instant"));
    assert_eq!(instant.to_rfc3339_opts(SecondsFormat::Micros, true), text);
    instant
}

/// The identifier, in the hyphenated lower-case form.
#[track_caller]
pub fn uuid(value: &Value) -> Uuid {
    let text = value.as_str().unwrap_or_else(|| panic!("{value} is no UUID"));
    let uuid = Uuid::try_parse(text).unwrap_or_else(|_| panic!("{text} is no UUID"));
    assert_eq!(uuid.to_string(), text);
    uuid
}

/// The names of an object's keys, in order of the alphabet.
#[track_caller]
pub fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> =
        value.as_object().unwrap_or_else(|| panic!("{value} is no object")).keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

/// Checks the common fields of a success, and that beside them there are just the endpoint's `own`.
#[track_caller]
pub fn assert_success(answer: &Answer, own: &[&str]) {
    assert_eq!(answer.status, 200, "{}", answer.json);
    let content_type = answer.headers.get("content-type").and_then(|value| value.to_str().ok());
    assert_eq!(content_type, Some("application/json"));
    assert_eq!(answer.json["status"], "success");
    assert_eq!(answer.json["code"], 200);
    assert!(answer.json["message"].as_str().is_some_and(|message| !message.is_empty()), "{}", answer.json);
    instant(&answer.json["timestamp"]);
    let mut wanted = [&["status", "code", "message", "timestamp"], own].concat();
    wanted.sort_unstable();
    assert_eq!(keys(&answer.json), wanted);
}

/// Checks a rejection: its status, its error body, and that exactly `fields` are named.
#[track_caller]
pub fn assert_refused(row: &str, answer: &Answer, status: u16, fields: &[&str]) {
    assert_eq!(answer.status, status, "{row}: {}", answer.json);
    assert_eq!(keys(&answer.json), ["code", "error_id", "errors", "message", "status", "timestamp"], "{row}");
    assert_eq!(answer.json["status"], "error", "{row}");
    assert_eq!(answer.json["code"], status, "{row}");
    assert!(answer.json["message"].is_string(), "{row}");
    uuid(&answer.json["error_id"]);
    instant(&answer.json["timestamp"]);
    let errors = answer.json["errors"].as_array().expect("a list");
    let named: Vec<&str> = errors.iter().map(|error| error["field"].as_str().expect("a field")).collect();
    assert_eq!(named, fields, "{row}: {}", answer.json);
    assert!(errors.iter().all(|error| error["reason"].as_str().is_some_and(|reason| !reason.is_empty())), "{row}");
}
