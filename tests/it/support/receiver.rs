//! A webhook receiver on loopback that records what it gets and answers as a test wants.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use actix_web::dev::ServerHandle;
use actix_web::http::StatusCode;
use actix_web::http::header::HeaderMap;
use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
use bytes::Bytes;
use tokio::sync::mpsc;

use super::contract;

/// One request as it came.
#[derive(Clone, Debug)]
pub struct Received {
    pub path: String,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Received {
    /// The same, held against the OpenAPI document if it is an update.
    #[track_caller]
    fn checked(self) -> Self {
        if self.headers.contains_key("webhook-id") {
            // Alerts are the operator's affair, other forms those of their makers; the document tells of updates.
            let others: [&[u8]; 4] = [b"{\"alert_id\"", b"{\"specversion\"", b"{\"blocks\"", b"{\"attachments\""];
            if !others.iter().any(|other| self.body.starts_with(other)) {
                contract::check_push(&self.headers, &self.body);
            }
        }
        self
    }
}

/// How a request is answered.
#[derive(Clone, Debug)]
pub enum Answer {
    /// A status with headers and a body.
    Status { status: u16, headers: Vec<(&'static str, String)>, body: String },
    /// No answer for as long as the receiver lives.
    Hang,
}

impl Answer {
    /// A bare status.
    pub fn status(status: u16) -> Self {
        Self::Status { status, headers: Vec::new(), body: String::new() }
    }
}

/// The receiver; it answers 200 until a test sets something else.
pub struct Receiver {
    address: SocketAddr,
    answers: Arc<Mutex<Answers>>,
    received: mpsc::UnboundedReceiver<Received>,
    server: ServerHandle,
}

struct Answers {
    next: VecDeque<Answer>,
    otherwise: Answer,
}

#[derive(Clone)]
struct Shared {
    answers: Arc<Mutex<Answers>>,
    received: mpsc::UnboundedSender<Received>,
}

impl Receiver {
    /// Listens on a free port.
    pub fn start() -> Self {
        let answers = Arc::new(Mutex::new(Answers { next: VecDeque::new(), otherwise: Answer::status(200) }));
        let (sender, received) = mpsc::unbounded_channel();
        let shared = Shared { answers: answers.clone(), received: sender };
        let server = HttpServer::new(move || {
            App::new().app_data(web::Data::new(shared.clone())).default_service(web::to(receive))
        })
        .workers(1)
        .disable_signals()
        .bind(("127.0.0.1", 0))
        .expect("a port");
        let address = server.addrs()[0];
        let server = server.run();
        let handle = server.handle();
        actix_web::rt::spawn(server);
        Self { address, answers, received, server: handle }
    }

    /// The address of `path` here.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The answers to the next requests, one each.
    pub fn answer_next(&self, answers: impl IntoIterator<Item = Answer>) {
        self.answers.lock().expect("unpoisoned").next.extend(answers);
    }

    /// The answer to every request after those.
    pub fn answer_otherwise(&self, answer: Answer) {
        self.answers.lock().expect("unpoisoned").otherwise = answer;
    }

    /// The next request, waited for.
    pub async fn next(&mut self) -> Received {
        self.received.recv().await.expect("the receiver lives").checked()
    }

    /// The requests that have come by now.
    pub fn drain(&mut self) -> Vec<Received> {
        std::iter::from_fn(|| self.received.try_recv().ok()).map(Received::checked).collect()
    }

    /// Closes the port; connections are refused from then on.
    pub async fn stop(self) {
        self.server.stop(false).await;
    }
}

async fn receive(request: HttpRequest, body: Bytes, shared: web::Data<Shared>) -> HttpResponse {
    let headers = request.headers().clone();
    shared.received.send(Received { path: request.path().to_owned(), headers, body }).expect("the test lives");
    let answer = {
        let mut answers = shared.answers.lock().expect("unpoisoned");
        answers.next.pop_front().unwrap_or_else(|| answers.otherwise.clone())
    };
    match answer {
        Answer::Hang => std::future::pending().await,
        Answer::Status { status, headers, body } => {
            let mut response = HttpResponse::build(StatusCode::from_u16(status).expect("a status"));
            for (name, value) in headers {
                response.insert_header((name, value));
            }
            response.body(body)
        }
    }
}

/// Checks a signature as an independent library sees it.
#[track_caller]
pub fn verify(pushed: &Received, webhook_secret: &str) {
    let webhook = standardwebhooks::Webhook::new(webhook_secret).expect("a secret");
    let mut headers = http_1::HeaderMap::new();
    for name in ["webhook-id", "webhook-timestamp", "webhook-signature"] {
        let value = pushed.headers.get(name).expect("a header").to_str().expect("text");
        headers.insert(name, http_1::HeaderValue::from_str(value).expect("a value"));
    }
    webhook.verify(&pushed.body, &headers).expect("a good signature");
}
