//! The operator API, or the public one, asked with the key of the session.

use std::rc::Rc;

use actix_web::HttpRequest;
use actix_web::http::Method;
use bytes::Bytes;
use futures_util::future::LocalBoxFuture;
use serde_json::Value;
use url::form_urlencoded;

use crate::record::Record;

/// An API as a function: the request of the page, then method, path with query, key, body; answers the status and the body.
pub type Ask = Rc<dyn Fn(&HttpRequest, Method, String, String, Option<Value>) -> LocalBoxFuture<'static, (u16, Bytes)>>;

/// An API with a key, asked for a page.
pub(crate) struct Api {
    ask: Ask,
    page: HttpRequest,
    key: String,
}

/// The API did not do what it was asked.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub(crate) struct Refused {
    pub(crate) status: u16,
    pub(crate) message: String,
}

impl Api {
    pub(crate) fn new(ask: Ask, page: &HttpRequest, key: String) -> Self {
        Self { ask, page: page.clone(), key }
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
        let (status, body) = (self.ask)(&self.page, method, path.to_owned(), self.key.clone(), body).await;
        let answer = Record(serde_json::from_slice(&body).unwrap_or_default());
        if (200..300).contains(&status) {
            return Ok(answer);
        }
        Err(Refused { status, message: in_words(status, &answer) })
    }
}

/// What a visitor reads of a refusal.
fn in_words(status: u16, answer: &Record) -> String {
    match status {
        403 => "This session may look at everything and change nothing.".to_owned(),
        429 => "Too much was asked in a short time. Wait a moment, then try again.".to_owned(),
        503 => "The service cannot do this now. Try again in a minute.".to_owned(),
        500.. => format!("Something went wrong in the service, which noted it as {}.", answer.text("error_id")),
        _ => {
            let reason = |error: &Record| format!("{}: {}", error.text("field"), error.text("reason"));
            let reasons: Vec<String> = answer.list("errors").iter().map(reason).collect();
            if reasons.is_empty() { answer.text("message") } else { reasons.join("; ") }
        }
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
