//! The body of an answer: no more of it than is asked for, and whether that is all.

use awc::ClientResponse;
use awc::error::PayloadError;
use awc::http::{Method, Version, header};
use bytes::Bytes;
use futures_util::{Stream, StreamExt};

use super::body_budget::Room;
use super::error::TransportError;
use super::meter::Meter;

/// At most `bytes_max` bytes of a body, and whether there were more.
///
/// awc ends a body quietly when the connection ends early, so its length is compared with the one announced.
pub(super) async fn read_body<S>(
    method: &Method,
    response: &mut ClientResponse<S>,
    bytes_max: usize,
    meter: &Meter,
    room: &mut Room,
) -> Result<(Vec<u8>, bool), TransportError>
where
    S: Stream<Item = Result<Bytes, PayloadError>> + Unpin,
{
    let mut body = Vec::new();
    while let Some(chunk) = response.next().await {
        let chunk = match chunk {
            Ok(chunk) => chunk,
            Err(_) if meter.is_spent() => return Ok((body, true)),
            Err(_) => return Err(TransportError::Body),
        };
        let kept = chunk.len().min(bytes_max - body.len());
        room.grow_to(body.len() + kept).await;
        body.extend_from_slice(&chunk[..kept]);
        if chunk.len() > kept {
            return Ok((body, true));
        }
    }
    room.shrink_to(body.len());
    let announced =
        response.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    let is_short = may_have_body(method, response) && announced.is_some_and(|length: usize| body.len() < length);
    if is_short { Err(TransportError::Body) } else { Ok((body, false)) }
}

/// Whether the end of the connection is the end of this answer's body: awc takes such an HTTP/1.1 body for empty.
pub(super) fn has_unread_body<S>(method: &Method, response: &ClientResponse<S>) -> bool {
    let headers = response.headers();
    let says_length = headers.contains_key(header::CONTENT_LENGTH) || headers.contains_key(header::TRANSFER_ENCODING);
    response.version() == Version::HTTP_11 && may_have_body(method, response) && !says_length
}

fn may_have_body<S>(method: &Method, response: &ClientResponse<S>) -> bool {
    method != Method::HEAD && !matches!(response.status().as_u16(), 204 | 304)
}
