//! Answers where there is no request: to connections above the bound, and to bytes that are not HTTP.
//!
//! The HTTP library answers what it cannot read with a bare status. Here such an answer gets the usual error body
//! (Spec 7, decision 2.6).

use actix_web::http::StatusCode;
use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::web::headers::request_id::RequestId;
use domain::Rejection;
use wire::error;

/// A whole answer, after which the connection is closed.
pub(super) fn last_answer(rejection: &Rejection, request_id: &RequestId, now: DateTime<Utc>) -> Vec<u8> {
    let (code, body) = error::answer(rejection, Uuid::new_v4(), now);
    let reason = StatusCode::from_u16(code).ok().and_then(|status| status.canonical_reason()).unwrap_or_default();
    let body = serde_json::to_string(&body).unwrap_or_default();
    let retry_after = if rejection.retryable() { "retry-after: 1\r\n" } else { "" };
    format!(
        "HTTP/1.1 {code} {reason}\r\ncontent-type: application/json\r\nx-content-type-options: nosniff\r\n\
         cache-control: no-store\r\nx-request-id: {request_id}\r\n{retry_after}connection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// What is wrong with a request that the server could not read, if `written` is its answer to one.
pub(super) fn unreadable(written: &[u8]) -> Option<Rejection> {
    let head = std::str::from_utf8(written).ok()?.strip_suffix("\r\n\r\n")?;
    let mut lines = head.split("\r\n");
    let status = lines.next()?.strip_prefix("HTTP/1.1 ")?.get(..3)?;
    // Answers of the service itself have more headers, or a body.
    let is_bare = lines.all(|line| {
        let name = line.split(':').next().unwrap_or_default();
        ["content-length", "connection", "date"].iter().any(|known| name.eq_ignore_ascii_case(known))
    });
    match status {
        "400" if is_bare => Some(Rejection::invalid("request", "is not HTTP/1.1")),
        "431" if is_bare => Some(Rejection::invalid("request", "has a head that is too long")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use serde_json::{Value, json};

    use super::{RequestId, last_answer, unreadable};
    use domain::Rejection;

    fn fields(rejection: &Rejection) -> (String, Value) {
        let answer = String::from_utf8(last_answer(rejection, &RequestId::new(), DateTime::UNIX_EPOCH)).expect("text");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        assert!(head.contains(&format!("content-length: {}", body.len())) && head.contains("x-request-id: "));
        let body: Value = serde_json::from_str(body).expect("JSON");
        (head.lines().next().unwrap_or_default().to_owned(), body)
    }

    #[test]
    fn spec_7_who_is_refused_is_told_so() {
        let (status, body) = fields(&Rejection::Overloaded);
        assert_eq!((status.as_str(), &body["code"]), ("HTTP/1.1 503 Service Unavailable", &json!(503)));
        let (status, body) = fields(&Rejection::invalid("request", "is not HTTP/1.1"));
        assert_eq!((status.as_str(), &body["errors"][0]["field"]), ("HTTP/1.1 400 Bad Request", &json!("request")));
    }

    #[test]
    fn decision_2_6_only_the_bare_answers_of_the_server_are_replaced() {
        for (written, is_replaced) in [
            ("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\ndate: x\r\n\r\n", true),
            ("HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\n\r\n", true),
            ("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n", false),
            ("HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\ncontent-length: 0\r\n\r\n", false),
            ("HTTP/1.1 400 Bad Request\r\ncontent-length: 2\r\n\r\n{}", false),
            ("HTTP/1.1 400", false),
            ("", false),
        ] {
            assert_eq!(unreadable(written.as_bytes()).is_some(), is_replaced, "{written}");
        }
    }
}
