//! What a connection is read from and written to: a socket as it is, or TLS on it.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use actix_http::Protocol;
use actix_web::rt::net::TcpStream;
use bytes::BytesMut;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_rustls::server::TlsStream;

use super::tls::HTTP_2;

/// Bytes that are decrypted at once.
const PIECE_BYTES: usize = 4 * 1024;

/// An open connection.
pub(super) enum Socket {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

impl Socket {
    /// Waits until there is more to read. Whether TLS has something is only known by reading, so that goes to `ahead`.
    pub(super) fn poll_more(&mut self, context: &mut Context<'_>, ahead: &mut BytesMut) -> Poll<io::Result<()>> {
        match self {
            Self::Plain(socket) => socket.poll_read_ready(context),
            Self::Tls(stream) => {
                let mut room = [0; PIECE_BYTES];
                let mut piece = ReadBuf::new(&mut room);
                ready!(Pin::new(stream).poll_read(context, &mut piece))?;
                ahead.extend_from_slice(piece.filled());
                Poll::Ready(Ok(()))
            }
        }
    }

    /// What both sides have agreed on.
    pub(super) fn protocol(&self) -> Protocol {
        match self {
            Self::Tls(stream) if stream.get_ref().1.alpn_protocol() == Some(HTTP_2) => Protocol::Http2,
            _ => Protocol::Http1,
        }
    }

    /// Lets the kernel forget what was not taken when the connection is closed.
    pub(super) fn forget_unread(&self) {
        let socket = match self {
            Self::Plain(socket) => socket,
            Self::Tls(stream) => stream.get_ref().0,
        };
        drop(socket.set_zero_linger());
    }
}

impl AsyncRead for Socket {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, out: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(socket) => Pin::new(socket).poll_read(context, out),
            Self::Tls(stream) => Pin::new(stream).poll_read(context, out),
        }
    }
}

impl AsyncWrite for Socket {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Plain(socket) => Pin::new(socket).poll_write(context, bytes),
            Self::Tls(stream) => Pin::new(stream).poll_write(context, bytes),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(socket) => Pin::new(socket).poll_flush(context),
            Self::Tls(stream) => Pin::new(stream).poll_flush(context),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(socket) => Pin::new(socket).poll_shutdown(context),
            Self::Tls(stream) => Pin::new(stream).poll_shutdown(context),
        }
    }
}
