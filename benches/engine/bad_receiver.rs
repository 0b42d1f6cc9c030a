//! A receiver that misbehaves, on a thread of its own: in another way for each endpoint, by the number in its path.

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// The ways to misbehave.
pub const WAYS: [Way; 5] = [Way::Hang, Way::Drip, Way::Endless, Way::Bomb, Way::Reset];

#[derive(Clone, Copy)]
pub enum Way {
    /// Takes the request and never answers.
    Hang,
    /// A byte a second.
    Drip,
    /// A body without end.
    Endless,
    /// A small compressed body that is large when it is unpacked.
    Bomb,
    /// Ends the connection in the middle of the request.
    Reset,
}

/// The receiver; it lives as long as the program.
pub struct BadReceiver {
    port: u16,
    requests: Arc<AtomicU64>,
}

impl BadReceiver {
    /// Listens on a free port.
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let requests = Arc::new(AtomicU64::new(0));
        let counted = requests.clone();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(serve(listener, counted));
        });
        Self { port, requests }
    }

    /// Its port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Requests that have come.
    pub fn requests(&self) -> u64 {
        self.requests.load(Relaxed)
    }
}

async fn serve(listener: TcpListener, requests: Arc<AtomicU64>) {
    listener.set_nonblocking(true).expect("an option");
    let listener = tokio::net::TcpListener::from_std(listener).expect("a listener");
    loop {
        let (stream, _) = listener.accept().await.expect("a connection");
        tokio::spawn(misbehave(stream, requests.clone()));
    }
}

async fn misbehave(mut stream: TcpStream, requests: Arc<AtomicU64>) {
    let mut received = Vec::with_capacity(4_096);
    while !received.windows(4).any(|window| window == b"\r\n\r\n") {
        if !stream.read_buf(&mut received).await.is_ok_and(|read| read > 0) {
            return;
        }
    }
    requests.fetch_add(1, Relaxed);
    // The sender hangs up sooner or later.
    answer(&mut stream, way(&received)).await.ok();
}

/// The way of the endpoint whose number ends the path.
fn way(request: &[u8]) -> Way {
    let line = request.split(|byte| *byte == b'\r').next().unwrap_or_default();
    let path = String::from_utf8_lossy(line).split(' ').nth(1).unwrap_or_default().to_owned();
    let number: usize = path.rsplit('/').next().and_then(|number| number.parse().ok()).unwrap_or_default();
    WAYS[number % WAYS.len()]
}

async fn answer(stream: &mut TcpStream, way: Way) -> std::io::Result<()> {
    match way {
        Way::Hang => std::future::pending().await,
        Way::Drip => {
            for byte in b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello" {
                stream.write_all(&[*byte]).await?;
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
            Ok(())
        }
        Way::Endless => {
            stream.write_all(b"HTTP/1.1 500 Oops\r\ncontent-type: text/plain\r\n\r\n").await?;
            loop {
                stream.write_all(&[b'x'; 65_536]).await?;
            }
        }
        Way::Bomb => {
            // The sender does not unpack: what matters is that it does not try.
            let bomb = [0_u8; 10_240];
            let head = "HTTP/1.1 500 Oops\r\ncontent-encoding: gzip\r\ncontent-length: 10240\r\n\r\n";
            stream.write_all(head.as_bytes()).await?;
            stream.write_all(&bomb).await
        }
        Way::Reset => stream.set_zero_linger(),
    }
}
