//! What a connection is read from and written to: a socket as it is, or TLS on it.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use actix_http::Protocol;
use actix_web::rt::net::TcpStream;
use bytes::BytesMut;
use tokio::io::{AsyncRead, ReadBuf};
use tokio_rustls::server::TlsStream;
use tokio_util::either::Either;

use super::tls::HTTP_2;

/// Bytes that are decrypted at once.
const PIECE_BYTES: usize = 4 * 1024;

/// An open connection: plain on the left, with TLS on the right.
pub(super) type Socket = Either<TcpStream, Box<TlsStream<TcpStream>>>;

/// Waits until there is more to read. Whether TLS has something is only known by reading, so that goes to `ahead`.
pub(super) fn poll_more(socket: &mut Socket, context: &mut Context<'_>, ahead: &mut BytesMut) -> Poll<io::Result<()>> {
    match socket {
        Either::Left(socket) => socket.poll_read_ready(context),
        Either::Right(stream) => {
            let mut room = [0; PIECE_BYTES];
            let mut piece = ReadBuf::new(&mut room);
            ready!(Pin::new(stream).poll_read(context, &mut piece))?;
            ahead.extend_from_slice(piece.filled());
            Poll::Ready(Ok(()))
        }
    }
}

/// What both sides have agreed on.
pub(super) fn protocol(socket: &Socket) -> Protocol {
    match socket {
        Either::Right(stream) if stream.get_ref().1.alpn_protocol() == Some(HTTP_2) => Protocol::Http2,
        _ => Protocol::Http1,
    }
}

/// Lets the kernel forget what was not taken when the connection is closed.
pub(super) fn forget_unread(socket: &Socket) {
    let socket = match socket {
        Either::Left(socket) => socket,
        Either::Right(stream) => stream.get_ref().0,
    };
    drop(socket.set_zero_linger());
}
