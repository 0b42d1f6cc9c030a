//! One request of the operator API, and the parts that requests are made of.

use actix_web::http::Method;
use serde_json::Value;
use url::form_urlencoded::byte_serialize;

pub(super) const ACCOUNTS: &str = "/operator/v1/accounts";

/// One request of the operator API.
#[derive(Debug, PartialEq)]
pub(super) struct Request {
    pub(super) method: Method,
    pub(super) path: String,
    pub(super) body: Option<Value>,
    /// Whether the answer is a file, of any length.
    pub(super) is_download: bool,
}

impl Request {
    pub(super) fn get(path: String) -> Self {
        Self { method: Method::GET, path, body: None, is_download: false }
    }

    pub(super) fn delete(path: String) -> Self {
        Self { method: Method::DELETE, ..Self::get(path) }
    }

    pub(super) fn post(path: String, body: Value) -> Self {
        Self::with(Method::POST, path, body)
    }

    pub(super) fn with(method: Method, path: String, body: Value) -> Self {
        Self { method, path, body: Some(body), is_download: false }
    }
}

pub(super) fn account_path(account: &str, rest: &str) -> String {
    format!("{ACCOUNTS}/{}{rest}", segment(account))
}

/// The path with those parameters that have a value.
pub(super) fn with_query(path: String, parameters: &[(&str, &Option<String>)]) -> String {
    let given = parameters.iter().filter_map(|(name, value)| Some(format!("{name}={}", segment(value.as_deref()?))));
    match given.collect::<Vec<_>>().join("&") {
        query if query.is_empty() => path,
        query => format!("{path}?{query}"),
    }
}

/// A text that somebody typed, as a part of a path or a query.
pub(super) fn segment(text: &str) -> String {
    byte_serialize(text.as_bytes()).map(|part| part.replace('+', "%20")).collect()
}
