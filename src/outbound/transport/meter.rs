//! What comes over the wire during one exchange, counted byte by byte.
//!
//! A body may be wrapped in any amount of what is no body: extensions of chunks, trailers, interim answers. The client
//! takes all of that off before anybody can count, so it is counted where it arrives.

use std::cell::Cell;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use actix_rt::net::{ActixStream, Ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// What may come beside a body and its wrapping: a handshake and the headers.
const HEAD_BYTES_MAX: usize = 256 * 1024;

tokio::task_local! {
    /// The meter of the exchange that runs now: a connection serves many, one after the other.
    static METER: Meter;
}

/// How much more one exchange may read.
#[derive(Clone, Debug)]
pub struct Meter {
    left: Rc<Cell<usize>>,
}

impl Meter {
    /// Enough for a body of `body_bytes_max`, in whatever chunks a sensible host sends it.
    pub fn for_body(body_bytes_max: usize) -> Self {
        Self { left: Rc::new(Cell::new(body_bytes_max.saturating_mul(2).saturating_add(HEAD_BYTES_MAX))) }
    }

    /// Counts what is read while `exchange` runs.
    pub async fn count<F: Future>(&self, exchange: F) -> F::Output {
        METER.scope(self.clone(), exchange).await
    }

    /// Whether more came than may.
    pub fn is_spent(&self) -> bool {
        self.left.get() == 0
    }

    fn take(&self, bytes: usize) -> io::Result<()> {
        self.left.set(self.left.get().saturating_sub(bytes));
        if self.is_spent() { Err(io::Error::other("more came than may")) } else { Ok(()) }
    }
}

/// A connection whose reading is counted.
#[derive(Debug)]
pub struct Metered<S>(pub S);

impl<S: AsyncRead + Unpin> AsyncRead for Metered<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.0).poll_read(context, buffer);
        let bytes = buffer.filled().len() - before;
        // Outside of an exchange a connection is only asked whether it still stands.
        match METER.try_with(|meter| meter.take(bytes)) {
            Ok(Err(error)) => Poll::Ready(Err(error)),
            Ok(Ok(())) | Err(_) => polled,
        }
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Metered<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.0.is_write_vectored()
    }
}

impl<S: ActixStream> ActixStream for Metered<S> {
    fn poll_read_ready(&self, context: &mut Context<'_>) -> Poll<io::Result<Ready>> {
        self.0.poll_read_ready(context)
    }

    fn poll_write_ready(&self, context: &mut Context<'_>) -> Poll<io::Result<Ready>> {
        self.0.poll_write_ready(context)
    }
}
