//! The operator API, asked with the key of the operator who is signed in.

use std::rc::Rc;

use actix_web::http::Method;
use bytes::Bytes;
use futures_util::future::LocalBoxFuture;
use serde_json::Value;
use url::form_urlencoded;

use crate::record::Record;

/// The operator API as a function: method, path with query, key, body; answers the status and the body.
pub type Ask = Rc<dyn Fn(Method, String, String, Option<Value>) -> LocalBoxFuture<'static, (u16, Bytes)>>;

/// The operator API with a key.
#[derive(Clone)]
pub(crate) struct Api {
    ask: Ask,
    key: String,
}

/// The operator API did not do what it was asked.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub(crate) struct Refused {
    pub(crate) status: u16,
    pub(crate) message: String,
}

impl Api {
    pub(crate) fn new(ask: Ask, key: String) -> Self {
        Self { ask, key }
    }

    /// What is answered at `path`.
    pub(crate) async fn get(&self, path: &str) -> Result<Record, Refused> {
        self.send(Method::GET, path, None).await
    }

    /// The same of a part that a page can do without: nothing where it is refused.
    pub(crate) async fn get_or_nothing(&self, path: &str) -> Record {
        self.get(path).await.unwrap_or_default()
    }

    pub(crate) async fn send(&self, method: Method, path: &str, body: Option<Value>) -> Result<Record, Refused> {
        let (status, body) = (self.ask)(method, path.to_owned(), self.key.clone(), body).await;
        let answer = Record(serde_json::from_slice(&body).unwrap_or_default());
        if (200..300).contains(&status) {
            return Ok(answer);
        }
        let reasons = answer.list("errors");
        let reasons: Vec<String> =
            reasons.iter().map(|error| format!("{}: {}", error.text("field"), error.text("reason"))).collect();
        let message = if reasons.is_empty() { answer.text("message") } else { reasons.join("; ") };
        Err(Refused { status, message })
    }
}

/// A path with a query of those values that are not empty.
pub(crate) fn with_query(path: &str, values: &[(&str, &str)]) -> String {
    let given = values.iter().filter(|(_, value)| !value.trim().is_empty());
    let query: Vec<String> = given.map(|(name, value)| format!("{name}={}", segment(value.trim()))).collect();
    if query.is_empty() { path.to_owned() } else { format!("{path}?{}", query.join("&")) }
}

/// A text as a part of a path or as a value of a query.
pub(crate) fn segment(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20")
}

#[cfg(test)]
mod tests {
    use super::with_query;

    #[test]
    fn only_values_that_are_there_are_asked_for_and_none_can_add_another() {
        assert_eq!(with_query("/radars", &[("a", " "), ("b", "")]), "/radars");
        assert_eq!(with_query("/radars", &[("a", "x y&b=1"), ("c", "/../?")]), "/radars?a=x%20y%26b%3D1&c=%2F..%2F%3F");
    }
}
