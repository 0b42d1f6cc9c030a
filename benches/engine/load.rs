//! A load generator: keep-alive connections, one request after the other on each.

use std::net::SocketAddr;
use std::ops::Range;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// What came of a load.
pub struct Figures {
    pub requests_per_second: f64,
    /// How long each request took, sorted.
    latencies: Vec<Duration>,
}

impl Figures {
    /// The latency that half of the requests stay below.
    pub fn median(&self) -> Duration {
        self.latencies[self.latencies.len() / 2]
    }
}

/// Asks for as long as `next` has a request for the connection of that number.
pub async fn run(address: SocketAddr, connections: usize, next: impl Fn(usize) -> Option<Vec<u8>>) -> Figures {
    let mut open = Vec::new();
    for _ in 0..connections {
        open.push(Connection::open(address).await);
    }
    let began_at = Instant::now();
    let asking = open.into_iter().enumerate().map(|(number, mut connection)| {
        let next = &next;
        async move {
            let mut latencies = Vec::new();
            while let Some(request) = next(number) {
                let asked_at = Instant::now();
                connection.ask(&request).await;
                latencies.push(asked_at.elapsed());
            }
            latencies
        }
    });
    let mut latencies = join_all(asking).await.concat();
    let requests_per_second = latencies.len() as f64 / began_at.elapsed().as_secs_f64();
    latencies.sort_unstable();
    Figures { requests_per_second, latencies }
}

/// Asks for `duration` whatever `request` makes for the connection of that number.
pub async fn run_for(
    address: SocketAddr,
    connections: usize,
    duration: Duration,
    request: impl Fn(usize) -> Vec<u8>,
) -> Figures {
    let began_at = Instant::now();
    run(address, connections, |number| (began_at.elapsed() < duration).then(|| request(number))).await
}

/// A request as bytes.
pub fn request(method: &str, path: &str, api_key: &str, body: &str) -> Vec<u8> {
    let length = match body.len() {
        0 => String::new(),
        length => format!("content-type: application/json\r\ncontent-length: {length}\r\n"),
    };
    format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\nx-api-key: {api_key}\r\n{length}\r\n{body}").into_bytes()
}

/// A keep-alive connection.
pub struct Connection {
    stream: TcpStream,
    received: Vec<u8>,
}

impl Connection {
    /// Connects.
    pub async fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).await.expect("a connection");
        stream.set_nodelay(true).expect("an option");
        Self { stream, received: Vec::new() }
    }

    /// Sends a request and answers the body of its answer, which must be a success.
    pub async fn ask(&mut self, request: &[u8]) -> &[u8] {
        self.stream.write_all(request).await.expect("sent");
        self.received.clear();
        loop {
            let read = self.stream.read_buf(&mut self.received).await.expect("received");
            assert!(read > 0, "the server hung up");
            let Some(body) = body(&self.received) else { continue };
            if self.received.len() >= body.end {
                return &self.received[body];
            }
        }
    }
}

/// Where the body of an answer stands, once its head is whole.
fn body(received: &[u8]) -> Option<Range<usize>> {
    const LENGTH: &str = "content-length: ";
    let from = received.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
    let head = std::str::from_utf8(&received[..from]).expect("text");
    assert!(head.starts_with("HTTP/1.1 20"), "{}", String::from_utf8_lossy(received));
    let length = head.lines().find_map(|line| line.strip_prefix(LENGTH)).expect("a length");
    Some(from..from + length.parse::<usize>().expect("a number"))
}
