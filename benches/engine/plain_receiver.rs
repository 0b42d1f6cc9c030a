//! A receiver of webhooks that costs little: one thread, keep-alive, a fixed answer.

use std::collections::HashMap;
use std::net::TcpListener;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// The receiver; it lives as long as the program.
pub struct PlainReceiver {
    port: u16,
    shared: Arc<Shared>,
}

struct Shared {
    arrivals: AtomicU64,
    last: Mutex<Instant>,
    thread_id: AtomicU32,
    /// When each numbered delivery came, while they are noted.
    noted: Mutex<Option<HashMap<usize, Instant>>>,
}

impl PlainReceiver {
    /// Listens on a free port.
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let shared = Arc::new(Shared {
            arrivals: AtomicU64::new(0),
            last: Mutex::new(Instant::now()),
            thread_id: AtomicU32::new(0),
            noted: Mutex::new(None),
        });
        let serving = shared.clone();
        let (ready, is_ready) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            serving.thread_id.store(own_thread_id(), SeqCst);
            ready.send(()).expect("somebody waits");
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(serve(listener, serving));
        });
        is_ready.recv().expect("the thread lives");
        Self { port, shared }
    }

    /// Its port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The system's number of its thread.
    pub fn thread_id(&self) -> u32 {
        self.shared.thread_id.load(SeqCst)
    }

    /// Requests that have come.
    pub fn arrivals(&self) -> u64 {
        self.shared.arrivals.load(SeqCst)
    }

    /// Begins to note when deliveries come whose payload holds a number such as `#00000007#`.
    pub fn note_arrivals(&self) {
        *self.shared.noted.lock().expect("unpoisoned") = Some(HashMap::new());
    }

    /// When the deliveries of the numbers below `count` came, once all of them have.
    pub async fn arrivals_noted(&self, count: usize) -> Vec<Instant> {
        loop {
            if let Some(noted) = self.shared.noted.lock().expect("unpoisoned").as_ref()
                && noted.len() >= count
            {
                return (0..count).map(|number| noted[&number]).collect();
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// When the last one came.
    pub fn last_arrival(&self) -> Instant {
        *self.shared.last.lock().expect("unpoisoned")
    }
}

impl Shared {
    fn note(&self, request: &[u8]) {
        let mut noted = self.noted.lock().expect("unpoisoned");
        let Some(noted) = noted.as_mut() else { return };
        let from = request.iter().position(|byte| *byte == b'#').map_or(request.len(), |at| at + 1);
        let digits = request.get(from..from + 8).and_then(|digits| std::str::from_utf8(digits).ok());
        if let Some(number) = digits.and_then(|digits| digits.parse().ok()) {
            noted.entry(number).or_insert_with(Instant::now);
        }
    }
}

fn own_thread_id() -> u32 {
    let path = std::fs::read_link("/proc/thread-self").expect("a thread");
    path.file_name().and_then(|name| name.to_str()?.parse().ok()).expect("a number")
}

async fn serve(listener: TcpListener, shared: Arc<Shared>) {
    listener.set_nonblocking(true).expect("an option");
    let listener = tokio::net::TcpListener::from_std(listener).expect("a listener");
    loop {
        let (stream, _) = listener.accept().await.expect("a connection");
        tokio::spawn(answer(stream, shared.clone()));
    }
}

async fn answer(mut stream: TcpStream, shared: Arc<Shared>) {
    stream.set_nodelay(true).expect("an option");
    let mut received = Vec::with_capacity(4_096);
    while stream.read_buf(&mut received).await.is_ok_and(|read| read > 0) {
        while let Some(length) = request_length(&received) {
            shared.note(&received[..length]);
            received.drain(..length);
            *shared.last.lock().expect("unpoisoned") = Instant::now();
            shared.arrivals.fetch_add(1, SeqCst);
            if stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await.is_err() {
                return;
            }
        }
    }
}

/// The length of the request at the beginning, once it is whole.
fn request_length(received: &[u8]) -> Option<usize> {
    const LENGTH: &[u8] = b"content-length: ";
    let head = received.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
    let at =
        received[..head].windows(LENGTH.len()).position(|window| window.eq_ignore_ascii_case(LENGTH))? + LENGTH.len();
    let digits = received[at..].iter().take_while(|byte| byte.is_ascii_digit());
    let body = digits.fold(0, |length, digit| length * 10 + usize::from(digit - b'0'));
    (received.len() >= head + body).then_some(head + body)
}
