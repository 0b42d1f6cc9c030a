//! The identifier of a request, in `x-request-id` of its answer and in every log line about it.

use std::fmt;

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use actix_web::{HttpMessage, HttpRequest};
use uuid::Uuid;

/// The header, of requests and of answers.
pub(crate) const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// The longest identifier that is taken over, in bytes.
const LENGTH_MAX: usize = 128;

/// An identifier that can stand in a header and in a log line as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RequestId(String);

impl RequestId {
    /// The one that the client has sent, if it is well-formed and the only one; otherwise a new one.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let mut sent = headers.get_all(HEADER);
        match (sent.next().and_then(|value| value.to_str().ok()), sent.next()) {
            (Some(text), None) if is_well_formed(text) => Self(text.to_owned()),
            _ => Self::new(),
        }
    }

    /// A new one.
    pub(crate) fn new() -> Self {
        Self(Uuid::new_v4().to_string())
    }

    /// The value of the header.
    pub(crate) fn header(&self) -> Option<HeaderValue> {
        HeaderValue::from_str(&self.0).ok()
    }
}

/// The identifier of a request, as it was noted; one that came in the process has none.
pub(crate) fn noted(request: &HttpRequest) -> Option<RequestId> {
    request.extensions().get::<RequestId>().cloned()
}

impl fmt::Display for RequestId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// What proxies and tracers make: nothing that could be taken for another field, line or person.
fn is_well_formed(text: &str) -> bool {
    let is_fit = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:/+=".contains(&byte);
    (1..=LENGTH_MAX).contains(&text.len()) && text.bytes().all(is_fit)
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{HeaderMap, HeaderValue};
    use uuid::Uuid;

    use super::{HEADER, RequestId};

    fn of(sent: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        sent.iter().for_each(|text| headers.append(HEADER, HeaderValue::from_str(text).expect("a header")));
        RequestId::of(&headers).to_string()
    }

    #[test]
    fn only_a_well_formed_identifier_is_taken_over() {
        for kept in ["7", "req_01J:a/b+c=", "1-5759e988-bd862e3fe1be46a994272793", &"x".repeat(128)] {
            assert_eq!(of(&[kept]), kept);
        }
        for sent in [
            &[][..],
            &[""],
            &["a b"],
            &["a\"b"],
            &["a=1 account=2"],
            &["jane@acme.com"],
            &["a", "b"],
            &[&"x".repeat(129)],
        ] {
            assert!(Uuid::try_parse(&of(sent)).is_ok(), "{sent:?}");
        }
    }
}
