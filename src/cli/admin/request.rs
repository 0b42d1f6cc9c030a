//! One request of the operator API.

use actix_web::http::Method;
use serde_json::Value;
use url::form_urlencoded::byte_serialize;

/// One request of the operator API.
#[derive(Debug, PartialEq)]
pub(super) struct Request {
    pub(super) method: Method,
    pub(super) path: String,
    pub(super) body: Option<Value>,
    /// Whether the answer is a file, of any length.
    pub(super) is_download: bool,
}

/// A text that somebody typed, as a part of a path or a query.
pub(super) fn segment(text: &str) -> String {
    byte_serialize(text.as_bytes()).map(|part| part.replace('+', "%20")).collect()
}
