//! The security headers of every answer.
//!
//! The API is for programs, but a browser may be led to it: it must not take JSON for a page, and no cache on the way
//! may keep an answer that holds a secret.

use actix_web::http::header::{CACHE_CONTROL, X_CONTENT_TYPE_OPTIONS};
use actix_web::middleware::DefaultHeaders;

/// What adds the headers. An answer may be cached only if its endpoint says so.
pub(crate) fn added() -> DefaultHeaders {
    DefaultHeaders::new().add((X_CONTENT_TYPE_OPTIONS, "nosniff")).add((CACHE_CONTROL, "no-store"))
}
