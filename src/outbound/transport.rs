//! One HTTP exchange with a host that is not ours: one time-out over all of it, the vetted address pinned, no redirect
//! followed, nothing decompressed, no more read than asked for (decisions 5.3, 5.4, 5.9).
//!
//! Only the normalised form of a URL is ever sent. What an answer means is for the caller to say.

mod body;
mod body_budget;
mod error;
mod meter;
mod resolve;
mod tls;

use std::net::SocketAddr;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use actix_service::ServiceExt;
use actix_tls::connect::{self, Connection};
use awc::error::{ConnectError, PayloadError, SendRequestError};
pub use awc::http::Method;
use awc::http::Uri;
pub use awc::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use awc::{Client, ClientResponse, Connector};
use bytes::Bytes;
use futures_util::Stream;
use url::{Position, Url};

use body::{has_unread_body, read_body};
pub(super) use body_budget::Room;
use body_budget::{BodyBudget, Waits};
pub use error::TransportError;
use error::{is_tls_error, send_error};
use meter::{Meter, Metered};
use resolve::{resolve, vet};

use super::address_guard::AddressGuard;
use clock::Clock;

/// How many of a host's addresses are tried when connections are refused.
const ADDRESSES_TRIED_MAX: usize = 3;
/// A connection is not used for longer than this, so that no address stays pinned for longer either.
const CONNECTION_LIFETIME: Duration = Duration::from_secs(60);
/// awc's own time-outs each cover a part of an exchange; the one over the whole of it is shorter than this.
const PART_TIMEOUT: Duration = Duration::from_secs(60 * 60);

/// The way out. Cheap to clone; belongs to one thread.
#[derive(Clone)]
pub struct Transport {
    shared: Rc<TransportParts>,
}

/// What to send, and how much may come back.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// The request's method.
    pub method: Method,
    /// An absolute http or https URL without user information.
    pub url: Url,
    /// Headers, beside `Host` and `Content-Length`, which are added.
    pub headers: Vec<(HeaderName, HeaderValue)>,
    /// The body; empty for none.
    pub body: Bytes,
    /// From the look-up of the name to the last byte of the answer, in real time.
    pub timeout: Duration,
    /// Bytes of the answer's body that are kept; where more follow, the connection is dropped.
    pub body_bytes_max: usize,
}

/// What came back.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body as it came, still compressed if it was, at most `body_bytes_max`.
    pub body: Vec<u8>,
    /// Whether `body` is not known to be all of it: it was longer than what is kept, or its length was not given.
    pub truncated: bool,
    /// The vetted address that was dialled for this name.
    pub remote: SocketAddr,
    /// What the body takes of the room that all bodies share; given back when the last copy is dropped.
    pub(super) room: Arc<Room>,
}

struct TransportParts {
    guard: AddressGuard,
    clock: Clock,
    client: Client,
    budget: BodyBudget,
}

impl Transport {
    /// A way out through `guard`. A simulated `clock` stands still while an exchange is under way.
    pub fn new(guard: AddressGuard, clock: Clock) -> Self {
        Self::with(guard, clock, BodyBudget::of_process(), tls::roots_of_the_web())
    }

    fn with(guard: AddressGuard, clock: Clock, budget: BodyBudget, roots: rustls::RootCertStore) -> Self {
        let metered = connect::Connector::default().service().map(|connection: Connection<Uri, _>| {
            let (stream, uri) = connection.into_parts();
            Connection::new(uri, Metered(stream))
        });
        let connector = Connector::new()
            .connector(metered)
            .limit(0)
            .timeout(PART_TIMEOUT)
            .handshake_timeout(PART_TIMEOUT)
            .conn_lifetime(CONNECTION_LIFETIME);
        let connector = match tls::config(roots) {
            Ok(config) => connector.rustls_0_23(Arc::new(config)),
            Err(error) => {
                tracing::error!(%error, "no secure connections can be made");
                connector
            }
        };
        let client = Client::builder().connector(connector).disable_redirects().disable_timeout().finish();
        Self { shared: Rc::new(TransportParts { guard, clock, client, budget }) }
    }

    /// Sends one request and reads the answer. Where all bodies that are held leave no room, reading waits; that time is
    /// not the host's.
    ///
    /// # Errors
    /// See [`TransportError`]. After `Connect`, `Timeout` and `Body` the host may have seen the request.
    pub async fn exchange(&self, request: Exchange) -> Result<Answer, TransportError> {
        let timeout = request.timeout;
        let meter = Meter::for_body(request.body_bytes_max);
        let waits: Arc<Waits> = Arc::default();
        let room = self.shared.budget.for_body(waits.clone());
        let mut exchange = std::pin::pin!(meter.count(self.exchange_untimed(request, &meter, room)));
        let timed = async {
            loop {
                match tokio::time::timeout(timeout, &mut exchange).await {
                    Ok(answer) => return answer,
                    Err(_) if waits.excuse() => {}
                    Err(_) => return Err(TransportError::Timeout),
                }
            }
        };
        self.shared.clock.io(timed).await
    }

    async fn exchange_untimed(
        &self,
        request: Exchange,
        meter: &Meter,
        mut room: Room,
    ) -> Result<Answer, TransportError> {
        let uri = request_uri(&request.url)?;
        let addresses = vet(&self.shared.guard, resolve(&request.url).await?)?;
        let mut last_error = TransportError::Dns;
        for remote in addresses.into_iter().take(ADDRESSES_TRIED_MAX) {
            match self.send(&request, uri.clone(), remote).await {
                Ok(mut response) => {
                    let (body, is_cut) =
                        read_body(&request.method, &mut response, request.body_bytes_max, meter, &mut room).await?;
                    let truncated = is_cut || has_unread_body(&request.method, &response);
                    let status = response.status().as_u16();
                    let headers = response.headers().clone();
                    return Ok(Answer { status, headers, body, truncated, remote, room: Arc::new(room) });
                }
                // Only where no connection came about has the host certainly not seen the request.
                Err(SendRequestError::Connect(ConnectError::Io(error))) if !is_tls_error(&error) => {
                    last_error = TransportError::Connect;
                }
                Err(_) if meter.is_spent() => return Err(TransportError::Body),
                Err(error) => return Err(send_error(&error)),
            }
        }
        Err(last_error)
    }

    async fn send(
        &self,
        request: &Exchange,
        uri: Uri,
        remote: SocketAddr,
    ) -> Result<ClientResponse<impl Stream<Item = Result<Bytes, PayloadError>> + Unpin + use<>>, SendRequestError> {
        // awc leaves out the ports 80 and 443 whatever the scheme; a URL shows its port exactly when it is not the
        // default.
        let host = &request.url[Position::BeforeHost..Position::AfterPort];
        let outgoing = self.shared.client.request(request.method.clone(), uri).address(remote).no_decompress();
        let mut outgoing = outgoing.insert_header((header::HOST, host));
        for (name, value) in &request.headers {
            outgoing = outgoing.append_header((name.clone(), value.clone()));
        }
        if request.body.is_empty() && request.method != Method::POST {
            outgoing.send().await
        } else {
            outgoing.send_body(request.body.clone()).await
        }
    }
}

/// The form of `url` that goes out: normalised and without its fragment, so that what was vetted is what is sent.
fn request_uri(url: &Url) -> Result<Uri, TransportError> {
    let is_web = matches!(url.scheme(), "http" | "https");
    if !is_web || !url.username().is_empty() || url.password().is_some() {
        return Err(TransportError::BadTarget);
    }
    let mut url = url.clone();
    url.set_fragment(None);
    url.as_str().parse().map_err(|_| TransportError::BadTarget)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "these tests run in real time")]

    use std::cell::{Cell, RefCell};
    use std::time::Instant;

    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::{TcpListener, TcpStream};

    use super::*;

    const LONG: Duration = Duration::from_secs(20);

    fn open_transport() -> Transport {
        let guard = AddressGuard::new(vec!["127.0.0.0/8".parse().unwrap(), "::1/128".parse().unwrap()]);
        Transport::new(guard, Clock::system())
    }

    fn exchange(method: Method, url: &str) -> Exchange {
        let url = Url::parse(url).unwrap();
        Exchange { method, url, headers: Vec::new(), body: Bytes::new(), timeout: LONG, body_bytes_max: 1024 }
    }

    /// Answers every connection with `answer`, which gets the stream after the request's head and body were read.
    async fn serve<F, A>(answer: F) -> (u16, Rc<RefCell<Vec<String>>>)
    where
        F: Fn(TcpStream) -> A + 'static,
        A: Future<Output = ()> + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let requests = Rc::new(RefCell::new(Vec::new()));
        let seen = requests.clone();
        actix_rt::spawn(async move {
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                let request = read_request(&mut stream).await;
                seen.borrow_mut().push(request);
                actix_rt::spawn(answer(stream));
            }
        });
        (port, requests)
    }

    async fn read_request(stream: &mut TcpStream) -> String {
        let mut request = Vec::new();
        loop {
            let text = String::from_utf8_lossy(&request).to_ascii_lowercase();
            if let Some((head, body)) = text.split_once("\r\n\r\n") {
                let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
                if body.len() >= length.map_or(0, |length| length.parse().unwrap()) {
                    return String::from_utf8(request).unwrap();
                }
            }
            let mut chunk = [0; 4096];
            let read = stream.read(&mut chunk).await.unwrap();
            assert!(read > 0, "the request ended early");
            request.extend_from_slice(&chunk[..read]);
        }
    }

    async fn serve_text(text: &'static str) -> (u16, Rc<RefCell<Vec<String>>>) {
        serve(move |mut stream| async move {
            stream.write_all(text.as_bytes()).await.unwrap();
            stream.shutdown().await.ok();
        })
        .await
    }

    #[actix_web::test]
    async fn a_fetch_waits_for_room_however_long_and_does_not_fail() {
        let (port, _) = serve_text("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello").await;
        let guard = AddressGuard::new(vec!["127.0.0.0/8".parse().unwrap()]);
        let budget = BodyBudget::new(64 * 1024);
        let transport = Transport::with(guard, Clock::system(), budget.clone(), tls::roots_of_the_web());
        let mut others = [budget.for_body(Arc::default()), budget.for_body(Arc::default())];
        for other in &mut others {
            other.grow_to(5).await;
        }
        let mut request = exchange(Method::GET, &format!("http://127.0.0.1:{port}/"));
        request.timeout = Duration::from_millis(300);
        let mut fetching = std::pin::pin!(transport.exchange(request));
        assert!(tokio::time::timeout(Duration::from_millis(1_500), &mut fetching).await.is_err(), "there is no room");
        drop(others);
        assert_eq!(fetching.await.unwrap().body, b"hello");
    }

    #[actix_web::test]
    async fn sends_what_it_is_given_and_hands_back_the_answer() {
        let (port, requests) =
            serve_text("HTTP/1.1 202 Accepted\r\nContent-Length: 2\r\nRetry-After: 7\r\n\r\nok").await;
        let mut request = exchange(Method::POST, &format!("http://127.0.0.1:{port}/a%20b/../c?x={{1}}#part"));
        request.headers.push((header::USER_AGENT, HeaderValue::from_static("radar")));
        request.body = Bytes::from_static(b"{\"a\":1}");
        let answer = open_transport().exchange(request).await.unwrap();
        assert_eq!((answer.status, answer.body.as_slice(), answer.truncated), (202, b"ok".as_slice(), false));
        assert_eq!(answer.headers.get("retry-after").unwrap(), "7");
        assert_eq!(answer.remote.port(), port);
        let request = requests.borrow()[0].clone();
        assert!(request.starts_with("POST /c?x={1} HTTP/1.1\r\n"), "{request}");
        assert!(request.contains(&format!("host: 127.0.0.1:{port}\r\n")), "{request}");
        assert!(request.contains("user-agent: radar\r\n"), "{request}");
        assert!(request.ends_with("\r\n\r\n{\"a\":1}"), "{request}");
        assert!(!request.to_ascii_lowercase().contains("accept-encoding"), "{request}");
    }

    #[actix_web::test]
    async fn a_literal_loopback_address_is_blocked_before_any_connection() {
        let (port, requests) = serve_text("HTTP/1.1 200 OK\r\n\r\n").await;
        let transport = Transport::new(AddressGuard::default(), Clock::system());
        for host in ["127.0.0.1", "0x7f.1", "2130706433", "[::ffff:127.0.0.1]", "localhost"] {
            let outcome = transport.exchange(exchange(Method::GET, &format!("http://{host}:{port}/"))).await;
            assert_eq!(outcome.unwrap_err(), TransportError::Blocked, "{host}");
        }
        assert!(requests.borrow().is_empty());
    }

    #[actix_web::test]
    async fn a_name_is_dialled_at_an_address_that_answers() {
        let (port, requests) = serve_text("HTTP/1.1 204 No Content\r\n\r\n").await;
        let answer =
            open_transport().exchange(exchange(Method::GET, &format!("http://localhost:{port}/"))).await.unwrap();
        assert_eq!((answer.status, answer.remote.to_string()), (204, format!("127.0.0.1:{port}")));
        assert!(requests.borrow()[0].contains(&format!("host: localhost:{port}\r\n")));
    }

    #[actix_web::test]
    async fn decision_5_4_a_redirect_is_an_answer_and_is_not_followed() {
        let (port, requests) = serve_text("HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n").await;
        let answer =
            open_transport().exchange(exchange(Method::GET, &format!("http://127.0.0.1:{port}/a"))).await.unwrap();
        assert_eq!((answer.status, requests.borrow().len()), (302, 1));
    }

    #[actix_web::test]
    async fn what_comes_beside_the_body_counts_as_well() {
        for (head, endless, outcome) in [
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;", "x", Ok(true)),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1;xxxxxxxxxxxxxxxxxxxx\r\ny\r\n", Ok(true)),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", "x", Ok(true)),
            ("HTTP/1.1 200 OK\r\n", "a: b\r\n", Err(TransportError::Body)),
            ("", "HTTP/1.1 100 Continue\r\n\r\n", Ok(true)),
        ] {
            let (port, _) = serve(move |mut stream| async move {
                stream.write_all(head.as_bytes()).await.unwrap();
                while stream.write_all(endless.repeat(1_000).as_bytes()).await.is_ok() {}
            })
            .await;
            let answer = open_transport().exchange(exchange(Method::GET, &format!("http://127.0.0.1:{port}/"))).await;
            assert_eq!(answer.map(|answer| answer.truncated), outcome, "{endless}");
        }
    }

    #[actix_web::test]
    async fn one_time_out_is_over_all_of_an_answer_that_drips() {
        for head in ["HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"] {
            let (port, _) = serve(move |mut stream| async move {
                stream.write_all(head.as_bytes()).await.unwrap();
                while stream.write_all(b"x").await.is_ok() {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
            })
            .await;
            let mut request = exchange(Method::GET, &format!("http://127.0.0.1:{port}/"));
            request.timeout = Duration::from_millis(200);
            assert_eq!(open_transport().exchange(request).await.unwrap_err(), TransportError::Timeout);
        }
    }

    #[actix_web::test]
    async fn an_endless_body_is_cut() {
        let (port, _) = serve(|mut stream| async move {
            stream.write_all(b"HTTP/1.0 200 OK\r\n\r\n").await.unwrap();
            while stream.write_all(&[b'x'; 1000]).await.is_ok() {}
        })
        .await;
        let answer =
            open_transport().exchange(exchange(Method::GET, &format!("http://127.0.0.1:{port}/"))).await.unwrap();
        assert_eq!((answer.body.len(), answer.truncated), (1024, true));
    }

    #[actix_web::test]
    async fn a_body_of_just_the_permitted_length_is_whole() {
        let (port, _) = serve_text("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfour").await;
        let mut request = exchange(Method::GET, &format!("http://127.0.0.1:{port}/"));
        request.body_bytes_max = 4;
        let answer = open_transport().exchange(request.clone()).await.unwrap();
        assert_eq!((answer.body.as_slice(), answer.truncated), (b"four".as_slice(), false));
        request.body_bytes_max = 3;
        let answer = open_transport().exchange(request).await.unwrap();
        assert_eq!((answer.body.as_slice(), answer.truncated), (b"fou".as_slice(), true));
    }

    #[actix_web::test]
    async fn a_body_without_a_length_is_marked_as_not_whole() {
        let (port, _) = serve_text("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nlost").await;
        let request = exchange(Method::GET, &format!("http://127.0.0.1:{port}/"));
        let answer = open_transport().exchange(request).await.unwrap();
        assert_eq!((answer.status, answer.truncated), (200, true));
    }

    #[actix_web::test]
    async fn hanging_and_dripping_hosts_meet_the_one_timeout() {
        let (hanging, _) = serve(|stream| async move {
            std::future::pending::<()>().await;
            drop(stream);
        })
        .await;
        let (dripping, _) = serve(|mut stream| async move {
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n").await.unwrap();
            while stream.write_all(b"x").await.is_ok() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        })
        .await;
        for port in [hanging, dripping] {
            let mut request = exchange(Method::POST, &format!("http://127.0.0.1:{port}/"));
            request.timeout = Duration::from_millis(300);
            let began = Instant::now();
            assert_eq!(open_transport().exchange(request).await.unwrap_err(), TransportError::Timeout);
            assert!(began.elapsed() >= Duration::from_millis(300));
        }
    }

    #[actix_web::test]
    async fn every_failure_has_its_class() {
        let (closing, requests) = serve(|stream| async move { drop(stream) }).await;
        let (garbage, _) = serve_text("SSH-2.0-OpenSSH\r\n\r\n").await;
        let (empty, _) = serve_text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n").await;
        let (short, _) = serve_text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc").await;
        let unused = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
        let transport = open_transport();
        for (url, expected) in [
            (format!("http://127.0.0.1:{unused}/"), TransportError::Connect),
            (format!("http://127.0.0.1:{closing}/"), TransportError::Connect),
            (format!("http://127.0.0.1:{garbage}/"), TransportError::Body),
            (format!("http://127.0.0.1:{short}/"), TransportError::Body),
            (format!("http://127.0.0.1:{empty}/"), TransportError::Body),
            ("http://name.invalid/".to_owned(), TransportError::Dns),
            ("ftp://127.0.0.1/".to_owned(), TransportError::BadTarget),
            ("http://user@127.0.0.1/".to_owned(), TransportError::BadTarget),
            ("http://127.0.0.1:0/".to_owned(), TransportError::BadTarget),
        ] {
            let outcome = transport.exchange(exchange(Method::POST, &url)).await;
            assert_eq!(outcome.unwrap_err().outcome(), expected.outcome(), "{url}");
        }
        assert_eq!(requests.borrow().len(), 1, "a request that was seen is not sent again");
    }

    #[actix_web::test]
    async fn a_host_without_tls_is_a_tls_failure() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let connections = Rc::new(Cell::new(0));
        let counted = connections.clone();
        actix_rt::spawn(async move {
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                counted.set(counted.get() + 1);
                let mut hello = [0; 5];
                stream.read_exact(&mut hello).await.unwrap();
                stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await.ok();
            }
        });
        let outcome = open_transport().exchange(exchange(Method::GET, &format!("https://127.0.0.1:{port}/"))).await;
        assert_eq!((outcome.unwrap_err(), connections.get()), (TransportError::Tls, 1));
    }
}
