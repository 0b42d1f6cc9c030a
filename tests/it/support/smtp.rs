//! A mail server on loopback that keeps what it takes and answers as a test wants.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

/// How a mail is answered.
#[derive(Clone, Copy, Debug)]
pub enum Mood {
    Take,
    /// 451 to the recipient.
    Busy,
    /// 550 to the recipient.
    Refuse,
    /// The connection ends within the answer to the mail, which was read.
    Cut,
}

/// The server; it takes what it is not told to answer otherwise.
pub struct MailServer {
    address: SocketAddr,
    moods: Arc<Mutex<VecDeque<Mood>>>,
    read: mpsc::UnboundedReceiver<String>,
}

impl MailServer {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let moods: Arc<Mutex<VecDeque<Mood>>> = Arc::default();
        let (sender, read) = mpsc::unbounded_channel();
        let next = moods.clone();
        actix_web::rt::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let mood = next.lock().expect("a lock").pop_front().unwrap_or(Mood::Take);
                // Who hangs up in the middle is of no interest here.
                talk(stream, mood, &sender).await.ok();
            }
        });
        Self { address, moods, read }
    }

    pub fn url(&self) -> String {
        format!("smtp://radar:sesame-in-the-url@{}", self.address)
    }

    /// Answers the next mails so.
    pub fn answer_next(&self, moods: impl IntoIterator<Item = Mood>) {
        self.moods.lock().expect("a lock").extend(moods);
    }

    /// The next mail that was read to its end, its lines as they were before they were broken for the way.
    pub async fn next(&mut self) -> String {
        let next = tokio::time::timeout(std::time::Duration::from_secs(60), self.read.recv());
        next.await.expect("a mail in time").expect("a mail").replace("=\r\n", "").replace("=3D", "=")
    }

    /// Whether nothing more was read.
    pub fn is_silent(&mut self) -> bool {
        self.read.try_recv().is_err()
    }
}

async fn talk(stream: TcpStream, mood: Mood, read: &mpsc::UnboundedSender<String>) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream);
    stream.write_all(b"220 test ESMTP\r\n").await?;
    let mut line = String::new();
    loop {
        line.clear();
        if stream.read_line(&mut line).await? == 0 {
            return Ok(());
        }
        let verb = line.split([' ', '\r']).next().unwrap_or_default().to_uppercase();
        let answer = match (verb.as_str(), mood) {
            ("EHLO", _) => "250-test\r\n250 AUTH PLAIN\r\n",
            ("AUTH", _) => "235 welcome\r\n",
            ("RCPT", Mood::Busy) => "451 later\r\n",
            ("RCPT", Mood::Refuse) => "550 nobody here\r\n",
            ("DATA", _) => {
                stream.write_all(b"354 go on\r\n").await?;
                read.send(message(&mut stream).await?).ok();
                if matches!(mood, Mood::Cut) {
                    return stream.write_all(b"25").await;
                }
                "250 taken\r\n"
            }
            ("QUIT", _) => return stream.write_all(b"221 bye\r\n").await,
            _ => "250 well\r\n",
        };
        stream.write_all(answer.as_bytes()).await?;
    }
}

async fn message(stream: &mut BufReader<TcpStream>) -> std::io::Result<String> {
    let mut message = String::new();
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await? == 0 || line == ".\r\n" {
            return Ok(message);
        }
        message.push_str(&line);
    }
}
