//! An answer in pieces, so that what is written out is copied piece by piece as the client takes it.

use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Version;
use actix_web::http::header::{HOST, HeaderValue};
use actix_web::middleware::Next;
use bytes::Bytes;

use super::exchange::{Answering, Exchange};

/// Bytes of one piece.
const PIECE_BYTES: usize = 16 * 1024;

/// A body that is handed over in pieces.
pub(crate) struct Pieces {
    body: BoxBody,
    /// Taken out of the body, but not handed over yet.
    rest: Bytes,
    /// The request is answered once this is dropped.
    _answering: Option<Answering>,
}

impl Pieces {
    pub(super) fn new(body: BoxBody, answering: Option<Answering>) -> Self {
        Self { body, rest: Bytes::new(), _answering: answering }
    }
}

impl MessageBody for Pieces {
    type Error = Box<dyn std::error::Error>;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        let this = self.get_mut();
        if this.rest.is_empty() {
            match Pin::new(&mut this.body).poll_next(context) {
                Poll::Ready(Some(Ok(bytes))) => this.rest = bytes,
                other => return other,
            }
        }
        let length = this.rest.len().min(PIECE_BYTES);
        Poll::Ready(Some(Ok(this.rest.split_to(length))))
    }
}

/// Marks a request as being answered until its answer is handed over, which happens in pieces. What HTTP/2 calls the authority of a
/// request is its `Host`.
pub(crate) async fn answer_in_turn(
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<Pieces>, actix_web::Error> {
    let answering = request.conn_data::<Exchange>().map(Exchange::answer);
    if request.version() == Version::HTTP_2
        && let Some(host) = request.uri().authority().and_then(|host| HeaderValue::from_str(host.as_str()).ok())
    {
        request.headers_mut().insert(HOST, host);
    }
    let response = next.call(request).await?;
    Ok(response.map_body(|_, body| Pieces::new(body.boxed(), answering)))
}

#[cfg(test)]
mod tests {
    use actix_web::body::{self, BodySize, BoxBody, MessageBody};
    use bytes::Bytes;
    use futures_util::future::poll_fn;
    use std::pin::Pin;

    use super::{PIECE_BYTES, Pieces};

    #[actix_web::test]
    async fn a_long_answer_comes_in_pieces_that_are_not_copied() {
        let whole = Bytes::from(vec![7; 2 * PIECE_BYTES + 1]);
        let pieces = || Pieces::new(BoxBody::new(whole.clone()), None);
        assert!(body::to_bytes(pieces()).await.is_ok_and(|bytes| bytes == whole));
        let mut pieces = pieces();
        assert_eq!(pieces.size(), BodySize::Sized(whole.len() as u64));
        let first = poll_fn(|context| Pin::new(&mut pieces).poll_next(context)).await;
        let first = first.expect("a piece").expect("bytes");
        assert_eq!((first.len(), first.as_ptr()), (PIECE_BYTES, whole.as_ptr()));
    }
}
