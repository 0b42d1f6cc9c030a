//! Reads request bodies (decision 2.6): JSON, within a bound of size and of time.

use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::http::header::CONTENT_LENGTH;
use actix_web::{HttpMessage, HttpRequest};
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt;
use serde_json::Value;

use super::connection::Exchange;
use super::errors::Failure;
use clock::Clock;

/// The longest that a body may take to arrive.
const ARRIVAL_MAX: Duration = Duration::from_secs(30);

/// The bytes of a body whose content type is JSON, at most `bytes_max`.
///
/// # Errors
/// A 400 of the field `body`.
pub(crate) async fn bytes(
    request: &HttpRequest,
    payload: Payload,
    clock: &Clock,
    bytes_max: usize,
) -> Result<Bytes, Failure> {
    bytes_of("application/json", request, payload, clock, bytes_max).await
}

/// The same of another content type.
pub(crate) async fn bytes_of(
    content_type: &str,
    request: &HttpRequest,
    payload: Payload,
    clock: &Clock,
    bytes_max: usize,
) -> Result<Bytes, Failure> {
    if !request.content_type().eq_ignore_ascii_case(content_type) {
        return Err(refused(format_args!("must be sent with Content-Type: {content_type}")));
    }
    let declared = request.headers().get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    if declared.is_some_and(|length| length > bytes_max) {
        return Err(too_large(bytes_max));
    }
    let _reading = request.conn_data::<Exchange>().map(Exchange::read_body);
    let arrived = clock.real_timeout(ARRIVAL_MAX, arriving(payload, bytes_max)).await;
    arrived.unwrap_or_else(|| Err(refused("did not arrive in time")))
}

/// The JSON in a body.
///
/// # Errors
/// A 400 of the field `body`.
pub(crate) fn json(body: &[u8]) -> Result<Value, Failure> {
    wire::json::parse(body).map_err(refused)
}

async fn arriving(mut payload: Payload, bytes_max: usize) -> Result<Bytes, Failure> {
    let mut body = BytesMut::new();
    while let Some(chunk) = payload.next().await {
        let chunk = chunk.map_err(|_| refused("did not arrive whole"))?;
        if body.len() + chunk.len() > bytes_max {
            return Err(too_large(bytes_max));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body.freeze())
}

fn refused(reason: impl ToString) -> Failure {
    Failure::invalid("body", reason)
}

fn too_large(bytes_max: usize) -> Failure {
    refused(format!("must be at most {bytes_max} bytes"))
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::bytes;
    use clock::Clock;
    use domain::field_limits::BODY_BYTES_MAX;

    async fn length(content_type: Option<&str>, body: String) -> Option<usize> {
        let mut request = TestRequest::post().set_payload(body);
        if let Some(content_type) = content_type {
            request = request.insert_header(("content-type", content_type));
        }
        let (request, payload) = request.to_http_parts();
        bytes(&request, payload, &Clock::system(), BODY_BYTES_MAX).await.ok().map(|body| body.len())
    }

    #[actix_web::test]
    async fn spec_8_2_only_json_of_at_most_a_megabyte_is_read() {
        assert_eq!(length(Some("application/json"), "{}".into()).await, Some(2));
        assert_eq!(length(Some("Application/JSON; charset=utf-8"), "{}".into()).await, Some(2));
        assert_eq!(length(Some("text/plain"), "{}".into()).await, None);
        assert_eq!(length(None, "{}".into()).await, None);
        let most = " ".repeat(BODY_BYTES_MAX);
        assert_eq!(length(Some("application/json"), most.clone()).await, Some(BODY_BYTES_MAX));
        assert_eq!(length(Some("application/json"), most + " ").await, None);
    }
}
