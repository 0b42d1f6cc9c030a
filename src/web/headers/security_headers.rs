//! The security headers of every answer.
//!
//! The API is for programs, but a browser may be led to it: it must not take JSON for a page, and no cache on the way
//! may keep an answer that holds a secret.

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{CACHE_CONTROL, HeaderValue, X_CONTENT_TYPE_OPTIONS};
use actix_web::middleware::Next;

const NOSNIFF: HeaderValue = HeaderValue::from_static("nosniff");
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// Adds the headers. An answer may be cached only if its endpoint says so.
pub(crate) async fn add(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let mut response = next.call(request).await?;
    let headers = response.headers_mut();
    headers.insert(X_CONTENT_TYPE_OPTIONS, NOSNIFF);
    if !headers.contains_key(CACHE_CONTROL) {
        headers.insert(CACHE_CONTROL, NO_STORE);
    }
    Ok(response)
}
