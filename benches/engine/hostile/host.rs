//! A host that does its visitors harm, on a thread of its own.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Mutex, oneshot};

use super::cases::{Answer, Means};

const DRIP_EVERY: Duration = Duration::from_millis(200);

/// The host; it ends when this is dropped.
pub struct Host {
    address: SocketAddr,
    answered: Arc<AtomicUsize>,
    _ends: oneshot::Sender<()>,
}

/// What is made once for each path, because it is large.
type Made = Rc<Mutex<HashMap<String, Rc<Answer>>>>;

impl Host {
    pub fn start(means: Means) -> Self {
        let (ends, ended) = oneshot::channel();
        let (send_address, address) = std::sync::mpsc::channel();
        let answered = Arc::new(AtomicUsize::new(0));
        let counting = answered.clone();
        std::thread::spawn(move || {
            actix_rt::System::new().block_on(async move {
                let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
                send_address.send(listener.local_addr().expect("an address")).expect("a receiver");
                let made = Made::default();
                let accepting = async {
                    while let Ok((stream, _)) = listener.accept().await {
                        actix_rt::spawn(serve(stream, means, made.clone(), counting.clone()));
                    }
                };
                tokio::select! {
                    () = accepting => {}
                    _ = ended => {}
                }
            });
        });
        Self { address: address.recv().expect("an address"), answered, _ends: ends }
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    pub fn answered(&self) -> usize {
        self.answered.load(Relaxed)
    }
}

async fn serve(mut stream: TcpStream, means: Means, made: Made, answered: Arc<AtomicUsize>) {
    let answer = match means {
        Means::Site(answer) | Means::Receiver(answer) => answer,
        Means::Reader => return,
    };
    while let Some(path) = path_asked_for(&mut stream).await {
        answered.fetch_add(1, Relaxed);
        // By what comes behind the host, which is the same for every site.
        let path = path.splitn(3, '/').nth(2).map_or_else(|| path.clone(), |rest| format!("/{rest}"));
        let answer = made.lock().await.entry(path.clone()).or_insert_with(|| Rc::new(answer(&path))).clone();
        if send(&mut stream, &answer).await.is_err() {
            return;
        }
    }
}

async fn send(stream: &mut TcpStream, answer: &Answer) -> std::io::Result<()> {
    match answer {
        Answer::Page(page) => stream.write_all(page.as_bytes()).await,
        Answer::Missing => stream.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n").await,
        Answer::Endless(head, piece) => {
            stream.write_all(head.as_bytes()).await?;
            loop {
                stream.write_all(piece.as_bytes()).await?;
            }
        }
        Answer::Drip(head) => {
            stream.write_all(head.as_bytes()).await?;
            loop {
                stream.write_all(b"x").await?;
                tokio::time::sleep(DRIP_EVERY).await;
            }
        }
    }
}

/// The path of the next request on the connection.
async fn path_asked_for(stream: &mut TcpStream) -> Option<String> {
    let mut request = Vec::new();
    while !request.windows(4).any(|window| window == b"\r\n\r\n") {
        let read = stream.read_buf(&mut request).await.ok()?;
        if read == 0 {
            return None;
        }
    }
    let head = String::from_utf8_lossy(&request).into_owned();
    head.split(' ').nth(1).map(str::to_owned)
}
