//! What the calls of both APIs have in common: a body that was read, and how answers are written.

use std::future::Future;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use bytes::Bytes;
use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;

use super::errors::Failure;
use crate::wire::envelope;

/// What an endpoint answers.
pub(crate) type Answer = Result<HttpResponse, Failure>;

/// A JSON body, as a value and as the very text.
pub(crate) struct Body {
    pub(crate) text: Bytes,
    pub(crate) value: Value,
}

/// Runs the work for a request to its end, even when the client hangs up meanwhile: what was decided must also be
/// followed up. A panic becomes a 500.
pub(crate) fn settled(work: impl Future<Output = Answer> + 'static) -> impl Future<Output = Answer> {
    let task = actix_web::rt::spawn(work);
    async { task.await.unwrap_or_else(|error| Err(Failure::internal(error))) }
}

/// An answer with `data` in the envelope.
pub(crate) fn with_data(code: u16, message: &str, now: DateTime<Utc>, data: impl Serialize) -> Answer {
    json(code, &envelope::data(code, message, now, data))
}

/// An answer with a whole body.
pub(crate) fn json(code: u16, body: &impl Serialize) -> Answer {
    text(code, serde_json::to_string(body).map_err(Failure::internal)?)
}

/// An answer whose JSON is written already.
pub(crate) fn text(code: u16, body: String) -> Answer {
    let status = StatusCode::from_u16(code).map_err(Failure::internal)?;
    Ok(HttpResponse::build(status).content_type("application/json").body(body))
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;
    use chrono::DateTime;

    use super::settled;

    #[actix_web::test]
    async fn spec_7_a_panic_is_an_internal_error() {
        let failure = settled(async { panic!("the endpoint is broken") }).await.expect_err("a failure");
        let response = failure.respond(&TestRequest::default().to_http_request(), DateTime::UNIX_EPOCH);
        assert_eq!(response.status().as_u16(), 500);
        let body = actix_web::body::to_bytes(response.into_body()).await.expect("a body");
        assert!(!String::from_utf8_lossy(&body).contains("broken"));
    }
}
