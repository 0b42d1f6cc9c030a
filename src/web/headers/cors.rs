//! Which pages of other origins may call the API from a browser (`http.cors_origins`).
//!
//! A key is sent by the page itself, never by the browser, so no credentials are let through.

use std::sync::Arc;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, ALLOW, HeaderValue, ORIGIN,
    VARY,
};
use actix_web::middleware::Next;
use actix_web::web::Data;

/// The word that stands for every origin.
const ANY: &str = "*";
/// What a page may send, and what it may read of an answer.
const SENT: HeaderValue = HeaderValue::from_static(
    "content-type, x-api-key, idempotency-key, if-none-match, x-request-id, mcp-protocol-version, mcp-session-id",
);
const READ: HeaderValue = HeaderValue::from_static(
    "x-request-id, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset, retry-after, location, link, etag, \
     idempotent-replayed",
);
/// How long a browser may remember what it was told of a path, in seconds.
const REMEMBERED_S: HeaderValue = HeaderValue::from_static("600");
const BY_ORIGIN: HeaderValue = HeaderValue::from_static("origin");

/// The origins that are let through; none unless they are named.
#[derive(Clone, Debug, Default)]
pub struct Cors(Arc<[String]>);

impl Cors {
    /// These origins; `*` stands for all.
    pub fn new(origins: &[String]) -> Self {
        Self(origins.into())
    }

    /// Whether pages of this origin may call.
    pub(crate) fn lets_through(&self, origin: &HeaderValue) -> bool {
        self.0.iter().any(|allowed| allowed == ANY || allowed.as_bytes() == origin.as_bytes())
    }
}

/// Adds the headers that let a page of an origin that may call read the answer.
pub(crate) async fn add(
    cors: Data<Cors>,
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let origin = request.headers().get(ORIGIN).filter(|origin| cors.lets_through(origin)).cloned();
    let is_preflight = request.headers().contains_key(ACCESS_CONTROL_REQUEST_METHOD);
    let mut response = next.call(request).await?;
    let headers = response.headers_mut();
    if !cors.0.is_empty() {
        headers.append(VARY, BY_ORIGIN);
    }
    if let Some(origin) = origin {
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, READ);
        // The answer to OPTIONS, and that alone, tells a preflight which methods there are.
        if let Some(methods) = headers.get(ALLOW).filter(|_| is_preflight).cloned() {
            headers.insert(ACCESS_CONTROL_ALLOW_METHODS, methods);
            headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, SENT);
            headers.insert(ACCESS_CONTROL_MAX_AGE, REMEMBERED_S);
        }
    }
    Ok(response)
}
