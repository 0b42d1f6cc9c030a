//! `traceparent` of a request: the trace and the span of its client (W3C Trace Context).

use actix_web::http::header::HeaderMap;

use domain::TraceParent;

/// What the client has sent, if it is well-formed.
pub(crate) fn of(headers: &HeaderMap) -> Option<TraceParent> {
    headers.get("traceparent")?.to_str().ok()?.parse().ok()
}
