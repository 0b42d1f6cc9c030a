//! A host that accepts every connection and sends nothing until the test makes it answer.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::watch;

/// The host. It runs as long as the test's runtime.
pub struct Silence {
    address: SocketAddr,
    asked: Arc<AtomicUsize>,
    answer: watch::Sender<Option<u16>>,
}

impl Silence {
    /// Listens on a free port.
    pub async fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let (asked, (answer, answered)) = (Arc::new(AtomicUsize::new(0)), watch::channel(None));
        let counter = asked.clone();
        actix_web::rt::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                counter.fetch_add(1, SeqCst);
                let mut answered = answered.clone();
                actix_web::rt::spawn(async move {
                    let mut request = [0; 4096];
                    let read = stream.read(&mut request).await;
                    let Ok(status) = answered.wait_for(Option::is_some).await.map(|status| *status) else { return };
                    let status = status.unwrap_or_default();
                    let head = format!("HTTP/1.1 {status} Said\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
                    // The client may be gone.
                    drop((read, stream.write_all(head.as_bytes()).await));
                });
            }
        });
        Self { address, asked, answer }
    }

    /// Settings that redirect every fetch of the domains to this host.
    pub fn settings<'a>(&self, domains: impl IntoIterator<Item = &'a str>) -> String {
        let rewrite = |domain: &str| {
            let to = |from: String| format!("\"{from}\" = \"http://{}/\"\n", self.address);
            ["https://", "https://www.", "http://", "http://www."].map(|start| to(format!("{start}{domain}/"))).concat()
        };
        format!("[outbound.rewrite]\n{}", domains.into_iter().map(rewrite).collect::<String>())
    }

    /// The number of connections that were accepted.
    pub fn asked(&self) -> usize {
        self.asked.load(SeqCst)
    }

    /// Answers the waiting requests, and all later ones, with this status and no body.
    pub fn answer(&self, status: u16) {
        self.answer.send(Some(status)).expect("somebody listens");
    }
}
