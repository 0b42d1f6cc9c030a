//! A socket with deadlines, read one request at a time; over HTTP/2 whatever there is.

use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use actix_http::Protocol;
use bytes::{Buf, Bytes, BytesMut};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::ConnectionLimits;
use super::exchange::{Exchange, Phase};
use super::gate::OpenConnection;
use super::head_end::HeadEnd;
use super::rejection;
use super::socket::{Socket, forget_unread, poll_more, protocol};
use crate::web::headers::request_id::RequestId;
use clock::{Clock, RealTimer};

/// Bytes that are read at once, and the most that is read ahead of the request that is answered.
const READ_BYTES_MAX: usize = 8 * 1024;
/// A client that reads at least so many bytes per second of an answer may take as long as it needs.
const WRITE_BYTES_PER_S: u64 = 16 * 1024;

/// An accepted connection.
pub(super) struct GuardedStream {
    socket: Socket,
    protocol: Protocol,
    peer: IpAddr,
    exchange: Exchange,
    /// What was read behind the end of a head.
    ahead: BytesMut,
    head_end: HeadEnd,
    /// Whether something was handed over since the server last had to wait: it decodes between two pieces.
    is_handed_over: bool,
    waiting: Option<Waiting>,
    unread: Option<Unread>,
    rejection: Option<RejectionAnswer>,
    clock: Clock,
    limits: ConnectionLimits,
    _open: OpenConnection,
}

/// The wait for a request.
struct Waiting {
    /// Requests that came before it.
    count: u64,
    has_begun: bool,
    timer: RealTimer,
}

/// An answer that the client does not read as quickly as it is written.
struct Unread {
    timer: RealTimer,
    /// Bytes that were taken since the timer was started.
    taken: u64,
}

/// The answer to bytes that are not a request, on its way out.
struct RejectionAnswer {
    rest: Bytes,
    /// Bytes of the library's own answer that it replaces.
    replaces: usize,
}

impl GuardedStream {
    pub(super) fn new(
        socket: Socket,
        peer: IpAddr,
        open: OpenConnection,
        clock: Clock,
        limits: ConnectionLimits,
    ) -> Self {
        Self {
            protocol: protocol(&socket),
            socket,
            peer,
            exchange: Exchange::default(),
            ahead: BytesMut::new(),
            head_end: HeadEnd::default(),
            is_handed_over: false,
            waiting: None,
            unread: None,
            rejection: None,
            clock,
            limits,
            _open: open,
        }
    }

    /// What is spoken.
    pub(super) fn protocol(&self) -> Protocol {
        self.protocol
    }

    /// The exchange on this connection; `None` where there may be many at a time.
    pub(super) fn exchange(&self) -> Option<Exchange> {
        (self.protocol == Protocol::Http1).then(|| self.exchange.clone())
    }

    /// Hands over frames; a connection on which nothing moves for long is at its end.
    fn poll_frames(&mut self, context: &mut Context<'_>, out: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let read = Pin::new(&mut self.socket).poll_read(context, out);
        if read.is_ready() {
            self.note_movement();
        } else if self.is_overdue(context) {
            return Poll::Ready(Ok(()));
        }
        read
    }

    /// Frames that go either way restart the timer of a connection that has many requests.
    fn note_movement(&mut self) {
        if let Some(waiting) = self.waiting.as_mut().filter(|_| self.protocol == Protocol::Http2) {
            waiting.timer.restart(self.limits.idle_timeout);
        }
    }

    /// Hands over the next piece: at most up to the end of a head.
    fn poll_piece(&mut self, context: &mut Context<'_>, out: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if self.is_handed_over {
            if self.ahead.is_empty() {
                ready!(poll_more(&mut self.socket, context, &mut self.ahead))?;
            }
            self.is_handed_over = false;
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let before = out.filled().len();
        if self.ahead.is_empty() {
            let room = out.remaining().min(READ_BYTES_MAX);
            let mut part = ReadBuf::new(out.initialize_unfilled_to(room));
            ready!(Pin::new(&mut self.socket).poll_read(context, &mut part))?;
            let length = part.filled().len();
            out.advance(length);
        } else {
            let length = self.ahead.len().min(out.remaining());
            out.put_slice(&self.ahead[..length]);
            self.ahead.advance(length);
        }
        if let Some(end) = self.head_end.find(&out.filled()[before..])
            && self.exchange.phase() == Phase::Head
        {
            let behind = &out.filled()[before + end..];
            let rest = std::mem::take(&mut self.ahead);
            self.ahead.extend_from_slice(behind);
            self.ahead.extend_from_slice(&rest);
            out.set_filled(before + end);
        }
        self.is_handed_over = out.filled().len() > before;
        Poll::Ready(Ok(()))
    }

    /// Whether the client has had its time: to send a request, or the rest of one that it has begun.
    fn is_overdue(&mut self, context: &mut Context<'_>) -> bool {
        let (count, limit) = (self.exchange.count(), self.limits.idle_timeout);
        let waiting = self.waiting.get_or_insert_with(|| Waiting {
            count,
            has_begun: false,
            timer: self.clock.real_timer(limit),
        });
        if waiting.count != count {
            waiting.timer.restart(limit);
            (waiting.count, waiting.has_begun) = (count, false);
        }
        Pin::new(&mut waiting.timer).poll(context).is_ready()
    }

    /// The first bytes of a request restart its timer once.
    fn note_begun(&mut self) {
        let count = self.exchange.count();
        if let Some(waiting) = self.waiting.as_mut().filter(|waiting| waiting.count == count && !waiting.has_begun) {
            waiting.has_begun = true;
            waiting.timer.restart(self.limits.idle_timeout);
        }
    }

    /// Writes to the socket, within the client's time.
    fn poll_socket(&mut self, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.socket).poll_write(context, bytes);
        if written.is_ready() {
            self.note_movement();
        }
        match (&written, &mut self.unread) {
            (Poll::Pending, _) => return self.poll_unread(context),
            (Poll::Ready(Ok(length)), Some(unread)) => unread.taken += *length as u64,
            _ => {}
        }
        written
    }

    /// Writes an answer in the place of the server's own.
    fn poll_rejection(&mut self, context: &mut Context<'_>, mut rejection: RejectionAnswer) -> Poll<io::Result<usize>> {
        while !rejection.rest.is_empty() {
            match self.poll_socket(context, &rejection.rest) {
                Poll::Ready(Ok(length)) => rejection.rest.advance(length),
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Pending => {
                    self.rejection = Some(rejection);
                    return Poll::Pending;
                }
            }
        }
        Poll::Ready(Ok(rejection.replaces))
    }

    /// Waits for a client that does not read, but not for ever.
    fn poll_unread(&mut self, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        let limit = self.limits.write_timeout;
        let start = || Unread { timer: self.clock.real_timer(limit), taken: 0 };
        let unread = self.unread.get_or_insert_with(start);
        while Pin::new(&mut unread.timer).poll(context).is_ready() {
            if !is_quick_enough(unread.taken, limit) {
                // Answers are not kept for a client that does not read them.
                forget_unread(&self.socket);
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
            unread.taken = 0;
            unread.timer.restart(limit);
        }
        Poll::Pending
    }
}

impl AsyncRead for GuardedStream {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, out: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if this.protocol == Protocol::Http2 {
            return this.poll_frames(context, out);
        }
        match this.exchange.phase() {
            Phase::Answer => {
                this.exchange.wake_on_change(context);
                Poll::Pending
            }
            Phase::Body => this.poll_piece(context, out),
            // Reading goes on once the previous answer is written out.
            Phase::Head if this.unread.is_some() => Poll::Pending,
            Phase::Head => match this.poll_piece(context, out) {
                Poll::Ready(result) => {
                    this.note_begun();
                    Poll::Ready(result)
                }
                // To the server this is a client that has closed its side.
                Poll::Pending if this.is_overdue(context) => Poll::Ready(Ok(())),
                Poll::Pending => Poll::Pending,
            },
        }
    }
}

impl AsyncWrite for GuardedStream {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let begin = |rejection| {
            let (request_id, client) = (RequestId::new(), this.peer);
            tracing::info!(%client, %request_id, ?rejection, "what a client sent is no request");
            let rest = Bytes::from(rejection::last_answer(&rejection, &request_id, this.clock.now()));
            RejectionAnswer { rest, replaces: bytes.len() }
        };
        let rejection = match this.rejection.take() {
            None if this.protocol == Protocol::Http1 && this.exchange.phase() == Phase::Head => {
                rejection::unreadable(bytes).map(begin)
            }
            begun => begun,
        };
        match rejection {
            Some(rejection) => this.poll_rejection(context, rejection),
            None => this.poll_socket(context, bytes),
        }
    }

    /// The server flushes when the socket has taken everything.
    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if this.unread.take().is_some() {
            context.waker().wake_by_ref();
        }
        Pin::new(&mut this.socket).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().socket).poll_shutdown(context)
    }
}

fn is_quick_enough(taken: u64, within: Duration) -> bool {
    taken >= within.as_secs().max(1) * WRITE_BYTES_PER_S
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::is_quick_enough;

    #[test]
    fn who_reads_quickly_enough_may_read_long() {
        assert!(is_quick_enough(480 * 1024, Duration::from_secs(30)));
        assert!(!is_quick_enough(480 * 1024 - 1, Duration::from_secs(30)));
        assert!(!is_quick_enough(0, Duration::from_millis(1)));
    }
}
