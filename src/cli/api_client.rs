//! A client of a running service's own APIs, for `radar admin` and `radar demo`.
//!
//! Duty: one request, one answer, and the error body in one line. It is no way to fetch targets or webhooks: those
//! go through the guarded client of `outbound`.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use actix_web::http::Method;
use awc::ClientResponse;
use awc::error::SendRequestError;
use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use serde_json::Value;

use domain::idempotency_key;

/// The longest that an answer may take. Moving a simulated clock by months takes a while.
const TIMEOUT: Duration = Duration::from_secs(600);
/// The largest answer that is read, in bytes.
const ANSWER_SIZE_MAX: usize = 64 * 1024 * 1024;

/// One API of a running service.
#[derive(Clone)]
pub struct ApiClient {
    http: awc::Client,
    base_url: String,
    /// The header of the key, and the key.
    key: (&'static str, String),
}

/// What the service answered, whatever its status.
#[derive(Debug)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The body as it came.
    pub body: Bytes,
}

/// Why there is no good answer.
#[derive(Debug, thiserror::Error)]
pub enum ApiError {
    /// Nothing usable came back.
    #[error("{url}: {problem}")]
    Unreachable {
        /// What was asked.
        url: String,
        /// What went wrong.
        problem: String,
    },
    /// The service refused.
    #[error("{line}")]
    Rejected {
        /// Its error body in one line.
        line: String,
        /// Its error body; null where it was no JSON.
        body: Value,
    },
}

impl ApiClient {
    /// The operator API at `base_url`.
    pub fn operator(base_url: String, key: String) -> Self {
        Self::new(base_url, ("x-operator-key", key))
    }

    /// The public API at `base_url`.
    pub fn public(base_url: String, key: String) -> Self {
        Self::new(base_url, ("x-api-key", key))
    }

    fn new(base_url: String, key: (&'static str, String)) -> Self {
        let http = awc::Client::builder().timeout(TIMEOUT).disable_redirects().finish();
        Self { http, base_url: base_url.trim_end_matches('/').to_owned(), key }
    }

    /// Sends one request and returns whatever is answered.
    ///
    /// # Errors
    /// [`ApiError::Unreachable`] when there is no whole answer.
    pub async fn send(&self, method: Method, path: &str, body: Option<&Value>) -> Result<Answer, ApiError> {
        self.send_once(method, path, body, None).await
    }

    /// The same of a request that is done once, however often it is sent with the same `Idempotency-Key`.
    ///
    /// # Errors
    /// As those of [`Self::send`].
    pub async fn send_once(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
        idempotency_key: Option<&str>,
    ) -> Result<Answer, ApiError> {
        let url = format!("{}{path}", self.base_url);
        whole(&url, &mut self.begin(method, &url, body, idempotency_key).await?).await
    }

    /// The body of a 2xx, piece by piece, however long it is.
    ///
    /// # Errors
    /// [`ApiError`] when the service refused or there is no answer; a piece is one when the answer breaks off.
    pub async fn download(&self, path: &str) -> Result<impl Stream<Item = Result<Bytes, ApiError>> + use<>, ApiError> {
        let url = format!("{}{path}", self.base_url);
        let mut response = self.begin(Method::GET, &url, None, None).await?;
        if !response.status().is_success() {
            whole(&url, &mut response).await?.accepted()?;
        }
        Ok(response.map(move |piece| piece.map_err(|error| ApiError::unreachable(&url, error))))
    }

    async fn begin(
        &self,
        method: Method,
        url: &str,
        body: Option<&Value>,
        idempotency_key: Option<&str>,
    ) -> Result<ClientResponse, ApiError> {
        let mut request = self.http.request(method, url).insert_header((self.key.0, self.key.1.as_str()));
        if let Some(key) = idempotency_key {
            request = request.insert_header((idempotency_key::FIELD, key));
        }
        let sent = match body {
            Some(body) => request.send_json(body),
            None => request.send(),
        };
        sent.await.map_err(|error| match error {
            SendRequestError::Connect(error) => {
                ApiError::unreachable(url, format!("{error}; does the service run there? `radar serve` starts it"))
            }
            error => ApiError::unreachable(url, error),
        })
    }

    /// Sends one request; only a 2xx with a JSON body is an answer.
    ///
    /// # Errors
    /// [`ApiError`] when there is no answer or the service refused.
    pub async fn call(&self, method: Method, path: &str, body: Option<&Value>) -> Result<Value, ApiError> {
        self.send(method, path, body).await?.accepted()
    }
}

async fn whole(url: &str, response: &mut ClientResponse) -> Result<Answer, ApiError> {
    let body = response.body().limit(ANSWER_SIZE_MAX).await.map_err(|error| ApiError::unreachable(url, error))?;
    Ok(Answer { status: response.status().as_u16(), body })
}

impl ApiError {
    fn unreachable(url: &str, problem: impl fmt::Display) -> Self {
        Self::Unreachable { url: url.to_owned(), problem: problem.to_string() }
    }
}

impl Answer {
    /// The body of a 2xx as JSON.
    ///
    /// # Errors
    /// [`ApiError::Rejected`] for any other status.
    pub fn accepted(&self) -> Result<Value, ApiError> {
        let body = serde_json::from_slice(&self.body).unwrap_or(Value::Null);
        if (200..300).contains(&self.status) {
            Ok(body)
        } else {
            Err(ApiError::Rejected { line: rejection(self.status, &body), body })
        }
    }
}

/// An error body of the service (Spec 7) in one line; `null` stands for what is no JSON.
fn rejection(status: u16, body: &Value) -> String {
    let errors = body["errors"].as_array().into_iter().flatten();
    let reason = |error: &Value| Some(format!("{}: {}", error["field"].as_str()?, error["reason"].as_str()?));
    let reasons: Vec<String> = errors.filter_map(reason).collect();
    let message = body["message"].as_str().unwrap_or("no reason given");
    let why = if reasons.is_empty() { format!("service: {message}") } else { reasons.join("; ") };
    let error_id = body["error_id"].as_str().map(|id| format!(", error_id {id}")).unwrap_or_default();
    format!("{why} ({status}{error_id})")
}

/// Where a client on this machine reaches a listener: one that listens everywhere is reached over loopback.
pub fn local_url(listen: SocketAddr) -> String {
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    format!("http://{}", SocketAddr::new(ip, listen.port()))
}

#[cfg(test)]
mod tests {
    use super::{Answer, ApiError, local_url};

    #[test]
    fn a_rejection_is_printed_with_its_fields() {
        for (status, body, line) in [
            (
                400,
                r#"{"status":"error","message":"bad","errors":[{"field":"name","reason":"too long"},{"field":"limits","reason":"unknown"}],"error_id":"e1"}"#,
                "name: too long; limits: unknown (400, error_id e1)",
            ),
            (404, r#"{"status":"error","message":"no such account","errors":[]}"#, "service: no such account (404)"),
            (502, "<html>", "service: no reason given (502)"),
        ] {
            let answer = Answer { status, body: bytes::Bytes::from_static(body.as_bytes()) };
            let error = answer.accepted().expect_err("refused");
            assert!(matches!(error, ApiError::Rejected { .. }));
            assert_eq!(error.to_string(), line);
        }
    }

    #[test]
    fn a_listener_everywhere_is_reached_over_loopback() {
        for (listen, url) in [
            ("0.0.0.0:8081", "http://127.0.0.1:8081"),
            ("[::]:8081", "http://[::1]:8081"),
            ("192.0.2.1:80", "http://192.0.2.1:80"),
        ] {
            assert_eq!(local_url(listen.parse().expect(listen)), url);
        }
    }
}
