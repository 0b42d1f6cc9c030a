//! A client of the public API and of the operator API, as a customer or an operator would write it. Every answer of the
//! public API is held against the OpenAPI document.

use std::time::Duration;

use actix_web::http::Method;
use actix_web::http::header::HeaderMap;
use bytes::Bytes;
use serde_json::Value;

use super::contract::{self, Exchange};

/// The largest answer that a test reads, in bytes.
const ANSWER_SIZE_MAX: usize = 64 * 1024 * 1024;

/// One API with one key, or none.
#[derive(Clone)]
pub struct Client {
    http: awc::Client,
    base_url: String,
    headers: Vec<(String, String)>,
}

/// What was answered.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    /// The exact bytes.
    pub bytes: Bytes,
    /// The bytes as JSON, `null` when they are none.
    pub json: Value,
}

impl Client {
    /// Without a key.
    pub fn new(base_url: &str) -> Self {
        contract::contract();
        // The service closes what is idle for five seconds; a request must not meet a connection just then.
        let connector = awc::Connector::new().conn_keep_alive(Duration::from_secs(2));
        let http = awc::Client::builder().connector(connector).disable_redirects().disable_timeout().finish();
        Self { http, base_url: base_url.to_owned(), headers: Vec::new() }
    }

    /// The same with a header on every request, such as `x-api-key`.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, None).await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        self.send(Method::DELETE, path, None).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(Method::POST, path, Some(body.to_string())).await
    }

    pub async fn put(&self, path: &str, body: &Value) -> Answer {
        self.send(Method::PUT, path, Some(body.to_string())).await
    }

    pub async fn patch(&self, path: &str, body: &Value) -> Answer {
        self.send(Method::PATCH, path, Some(body.to_string())).await
    }

    /// The same as [`Client::get`] towards a service that may be killed meanwhile: `None` when no answer came.
    pub async fn try_get(&self, path: &str) -> Option<Answer> {
        self.try_send(Method::GET, path, None).await
    }

    /// The same as [`Client::post`] towards a service that may be killed meanwhile: `None` when no answer came.
    pub async fn try_post(&self, path: &str, body: &Value) -> Option<Answer> {
        self.try_send(Method::POST, path, Some(body.to_string())).await
    }

    /// Sends `body` as it is, as JSON.
    pub async fn send(&self, method: Method, path: &str, body: Option<String>) -> Answer {
        self.try_send(method, path, body).await.expect("an answer")
    }

    /// Posts `body` without saying what it is, unless a header of this client does.
    pub async fn send_untyped(&self, path: &str, body: &'static str) -> Answer {
        let answer = received(self.request(Method::POST, path).send_body(body)).await.expect("an answer");
        answer.check(&Method::POST, path, Some(body));
        answer
    }

    /// The status and the bytes of an answer that nobody has looked into: for those who ask very often.
    pub async fn get_unread(&self, path: &str) -> (u16, Bytes) {
        let mut request = self.http.get(format!("{}{path}", self.base_url));
        for (name, value) in &self.headers {
            request = request.insert_header((name.as_str(), value.as_str()));
        }
        let mut response = request.send().await.expect("an answer");
        let bytes = response.body().limit(ANSWER_SIZE_MAX).await.expect("a body");
        (response.status().as_u16(), bytes)
    }

    /// The same as [`Client::send`] towards a service that may be killed meanwhile: `None` when no answer came.
    pub async fn try_send(&self, method: Method, path: &str, body: Option<String>) -> Option<Answer> {
        let (request, asked) = (self.request(method.clone(), path), body.clone());
        let sent = match body {
            Some(body) => request.content_type("application/json").send_body(body),
            None => request.send(),
        };
        let answer = received(sent).await?;
        if answer.status == 408 && answer.bytes.is_empty() {
            // What the HTTP layer says of a request that it did not get to read, such as after a freeze of its process.
            return None;
        }
        answer.check(&method, path, asked.as_deref());
        Some(answer)
    }

    fn request(&self, method: Method, path: &str) -> awc::ClientRequest {
        let mut request = self.http.request(method, format!("{}{path}", self.base_url));
        for (name, value) in &self.headers {
            request = request.append_header((name.as_str(), value.as_str()));
        }
        request
    }
}

impl Answer {
    /// Holds the answer against the OpenAPI document.
    fn check(&self, method: &Method, path: &str, sent: Option<&str>) {
        let (status, headers, body) = (self.status, &self.headers, &self.json);
        contract::check(&Exchange { method: method.as_str(), path, sent, status, headers, body });
    }

    /// The answer, if its status is `status`; otherwise the test ends here with what was answered.
    #[track_caller]
    pub fn expect_status(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", String::from_utf8_lossy(&self.bytes));
        self
    }

    /// The text of a header, if it is there.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().expect("text"))
    }

    /// The text at a JSON pointer.
    #[track_caller]
    pub fn text(&self, pointer: &str) -> &str {
        let text = self.json.pointer(pointer).and_then(Value::as_str);
        text.unwrap_or_else(|| panic!("no text at {pointer} in {}", self.json))
    }
}

async fn received(sent: awc::SendClientRequest) -> Option<Answer> {
    let mut response = sent.await.ok()?;
    let bytes = response.body().limit(ANSWER_SIZE_MAX).await.ok()?;
    let json = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
    Some(Answer { status: response.status().as_u16(), headers: response.headers().clone(), bytes, json })
}
