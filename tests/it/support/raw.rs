//! A connection that sends bytes as they are, and reads on demand.

use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

/// How long anything may take.
const WAIT_MAX: Duration = Duration::from_secs(30);
/// The pause between two looks.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// One connection.
pub struct Raw(TcpStream);

/// One answer.
#[derive(Debug)]
pub struct RawAnswer {
    pub status: u16,
    /// The status line and the headers, in lower case.
    pub head: String,
    pub body: Vec<u8>,
}

impl Raw {
    pub fn connect(port: u16) -> Self {
        let stream = TcpStream::connect(("127.0.0.1", port)).expect("a connection");
        stream.set_read_timeout(Some(WAIT_MAX)).expect("a time-out");
        Self(stream)
    }

    /// Sends bytes, as many as the other side takes: it may have closed already.
    pub fn send(&mut self, bytes: &[u8]) {
        drop(self.0.write_all(bytes));
    }

    /// Sends what fits without waiting.
    pub fn send_what_fits(&mut self, bytes: &[u8]) {
        self.0.set_nonblocking(true).expect("a mode");
        drop(self.0.write_all(bytes));
        self.0.set_nonblocking(false).expect("a mode");
    }

    /// One answer, whose length it tells. An answer to HEAD has no body.
    pub fn answer(&mut self, method: &str) -> RawAnswer {
        let mut head = Vec::new();
        let mut byte = [0];
        while !head.ends_with(b"\r\n\r\n") {
            self.0.read_exact(&mut byte).unwrap_or_else(|error| panic!("{error} after {} bytes", head.len()));
            head.push(byte[0]);
        }
        let head = String::from_utf8(head).expect("text").to_lowercase();
        let length = head.split("content-length: ").nth(1).and_then(|rest| rest.split("\r\n").next()?.parse().ok());
        let mut body = vec![0; if method == "HEAD" { 0 } else { length.unwrap_or(0) }];
        self.0.read_exact(&mut body).expect("a body");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        RawAnswer { status, head, body }
    }

    /// Reads until the other side closes; whether it did so in time.
    pub fn is_closed_without_an_answer(&mut self) -> bool {
        match self.0.read(&mut [0]) {
            Ok(0) => true,
            Ok(_) => false,
            Err(error) => error.kind() == ErrorKind::ConnectionReset,
        }
    }

    /// Reads what comes until the other side closes.
    pub fn read_all(&mut self, out: &mut Vec<u8>) {
        drop(self.0.read_to_end(out));
    }

    /// Whether the other side cuts the connection, although nothing is read here.
    pub fn is_cut(&self) -> bool {
        within_patience(|| self.0.take_error().expect("an answer of the system").is_some())
    }
}

impl RawAnswer {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }

    #[track_caller]
    pub fn expect_status(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{} {}", self.head, String::from_utf8_lossy(&self.body));
        self
    }
}

/// Asks once on a connection of its own; the other side may refuse it.
pub fn ask(port: u16, request: &[u8]) -> io::Result<u16> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_read_timeout(Some(WAIT_MAX))?;
    stream.write_all(request)?;
    let mut status = [0; 12];
    stream.read_exact(&mut status)?;
    let status = std::str::from_utf8(&status[9..]).ok().and_then(|status| status.parse().ok());
    status.ok_or_else(|| ErrorKind::InvalidData.into())
}

/// Looks again and again until it is so.
pub fn within_patience(is_so: impl Fn() -> bool) -> bool {
    let began_at = Instant::now();
    while began_at.elapsed() < WAIT_MAX {
        if is_so() {
            return true;
        }
        thread::sleep(LOOK_EVERY);
    }
    false
}
