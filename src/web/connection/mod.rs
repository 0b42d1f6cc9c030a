//! The layer between an accepted socket and the HTTP of actix: it bounds connections, time and memory.
//!
//! Duty: a client that sends slowly, reads slowly or not at all, asks far ahead, or opens many connections costs a fixed
//! amount for a fixed time. Never here: what a request means.
//!
//! One connection holds at most the head of one request, 8 KiB that were read ahead, and 48 KiB of an answer on its way
//! out; the kernel holds twice [`SOCKET_BUFFER_BYTES`] in each direction. Beyond that it costs the answer itself, which
//! is held once; all connections share the documents. Over HTTP/2 (`http.http2`) none of that holds but the deadlines of the socket.

mod descriptors;
mod exchange;
mod gate;
mod head_end;
mod pieces;
mod rejection;
mod socket;
mod stream;
mod tls;

use std::fmt;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use actix_http::error::DispatchError;
use actix_http::{HttpServiceBuilder, KeepAlive, Request, Response};
use actix_server::Server;
use actix_service::{IntoServiceFactory, Service, ServiceFactory, ServiceFactoryExt, fn_service, map_config};
use actix_web::body::MessageBody;
use actix_web::dev::AppConfig;
use actix_web::rt::net::TcpStream;
use rustix::net::{SendFlags, sockopt};
use tokio_rustls::TlsAcceptor;

pub(crate) use descriptors::listener_limits;
pub(crate) use exchange::Exchange;
pub(crate) use pieces::answer_in_turn;
pub use tls::TlsError;
pub(crate) use tls::acceptor;

use crate::web::headers::request_id::RequestId;
use clock::Clock;
use domain::Rejection;
use gate::{Gate, OpenConnection};
use socket::Socket;
use stream::GuardedStream;

/// What the kernel may hold of one connection in each direction, in bytes; it doubles the number for its own needs.
const SOCKET_BUFFER_BYTES: usize = 128 * 1024;
/// Connections that wait in the kernel until they are taken up.
const BACKLOG: i32 = 1024;
/// How long an orderly stop waits for requests under way, in seconds.
const STOP_WAIT_S: u64 = 10;

/// The bounds of one listener.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionLimits {
    /// Connections in all. Further ones wait in the kernel until one ends.
    pub connections: usize,
    /// Connections of one address, or of one IPv6 network of 64 bits. Further ones are refused.
    pub per_address: usize,
    /// How long a connection may stay without a request, and how long the head of a request may take to arrive.
    pub idle_timeout: Duration,
    /// How long a client may leave an answer unread.
    pub write_timeout: Duration,
}

/// The bounds of both listeners.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListenerLimits {
    /// The public API.
    pub public: ConnectionLimits,
    /// The operator API.
    pub operator: ConnectionLimits,
}

/// A server of `app` on `listener`, not yet running: await it, or spawn it. It leaves signals to the process.
pub(crate) fn serve<F, I, S, B>(
    app: F,
    listener: TcpListener,
    workers: usize,
    limits: ConnectionLimits,
    tls: Option<TlsAcceptor>,
    clock: &Clock,
) -> io::Result<Server>
where
    F: Fn() -> I + Send + Clone + 'static,
    I: IntoServiceFactory<S, Request>,
    S: ServiceFactory<Request, Config = AppConfig> + 'static,
    S::Error: Into<actix_web::Error> + 'static,
    S::InitError: fmt::Debug,
    S::Response: Into<Response<B>> + 'static,
    S::Service: 'static,
    <S::Service as Service<Request>>::Future: 'static,
    B: MessageBody + 'static,
{
    bound_sockets(&listener, limits.write_timeout)?;
    let (gate, clock) = (Arc::new(Gate::new(limits.per_address)), clock.clone());
    let builder = Server::build();
    let stopping = builder.graceful_shutdown_signal();
    let pipeline = move || {
        let (gate, clock, stopping, tls) = (gate.clone(), clock.clone(), stopping.clone(), tls.clone());
        let service = app().into_factory().map_err(|error| error.into().error_response());
        // The stream has deadlines of its own, which hold for every request and not only for the first.
        let http = HttpServiceBuilder::default()
            .keep_alive(KeepAlive::Os)
            .client_request_timeout(Duration::ZERO)
            .client_disconnect_timeout(Duration::from_secs(1))
            .graceful_shutdown_signal(move || {
                let stopping = stopping.clone();
                async move { stopping.notified().await }
            })
            .on_connect_ext(|stream: &GuardedStream, data| {
                stream.exchange().map(|exchange| data.insert(exchange));
            })
            .finish(map_config(service, |()| AppConfig::default()));
        fn_service(move |socket| {
            let admitted = admit(socket, &gate, &clock);
            let (tls, clock) = (tls.clone(), clock.clone());
            async move {
                let Admitted { socket, peer, open } = admitted?;
                let socket = secured(socket, tls, &clock, limits).await?;
                let stream = GuardedStream::new(socket, peer.ip(), open, clock, limits);
                let protocol = stream.protocol();
                Ok((stream, protocol, Some(peer)))
            }
        })
        .and_then(http)
    };
    let builder = builder
        .workers(workers)
        .max_concurrent_connections(limits.connections.div_ceil(workers))
        .shutdown_timeout(STOP_WAIT_S)
        .disable_signals();
    Ok(builder.listen("http", listener, pipeline)?.run())
}

/// Sets options that connections inherit from their listener. They bound what the kernel holds for a peer that does not
/// read, even after the connection is closed.
fn bound_sockets(listener: &TcpListener, write_timeout: Duration) -> io::Result<()> {
    sockopt::set_socket_send_buffer_size(listener, SOCKET_BUFFER_BYTES)?;
    sockopt::set_socket_recv_buffer_size(listener, SOCKET_BUFFER_BYTES)?;
    rustix::net::listen(listener, BACKLOG)?;
    // The stream closes a slow connection first; this bounds what the kernel still holds after that.
    let unread_ms = u32::try_from(2 * write_timeout.as_millis()).unwrap_or(u32::MAX);
    Ok(sockopt::set_tcp_user_timeout(listener, unread_ms)?)
}

/// A connection that is counted.
struct Admitted {
    socket: TcpStream,
    peer: SocketAddr,
    open: OpenConnection,
}

/// Admits a connection, or answers 503 and closes it when its address has too many.
fn admit(socket: TcpStream, gate: &Arc<Gate>, clock: &Clock) -> Result<Admitted, DispatchError> {
    let peer = socket.peer_addr()?;
    socket.set_nodelay(true)?;
    let Some(open) = Gate::admit(gate, peer.ip()) else {
        let request_id = RequestId::new();
        let client = peer.ip();
        tracing::debug!(%client, %request_id, "a connection is refused: its address has as many as it may have");
        let answer = rejection::last_answer(&Rejection::Overloaded, &request_id, clock.now());
        // A client that cannot take the answer at once does not get it.
        rustix::net::send(&socket, &answer, SendFlags::DONTWAIT | SendFlags::NOSIGNAL).ok();
        return Err(DispatchError::Io(io::ErrorKind::ConnectionRefused.into()));
    };
    Ok(Admitted { socket, peer, open })
}

/// The connection, with TLS where it is offered. A client has as long for that as for a request.
async fn secured(
    socket: TcpStream,
    tls: Option<TlsAcceptor>,
    clock: &Clock,
    limits: ConnectionLimits,
) -> Result<Socket, DispatchError> {
    let Some(tls) = tls else { return Ok(Socket::Left(socket)) };
    let accepted = clock.real_timeout(limits.idle_timeout, tls.accept(socket)).await;
    let accepted = accepted.unwrap_or_else(|| Err(io::ErrorKind::TimedOut.into()));
    let stream = accepted.inspect_err(|error| tracing::debug!(%error, "a client does not get along with TLS"))?;
    Ok(Socket::Right(Box::new(stream)))
}
