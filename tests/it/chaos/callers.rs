//! Asking a fleet: one process after the other until somebody answers, and a note of every doubt.

use std::time::{Duration, Instant};

use actix_web::http::Method;
use serde_json::Value;

use super::Progress;
use super::fleet::Fleet;
use super::history::Account;
use crate::support::client::{Answer, Client};
use crate::support::dice::Dice;

/// How long a caller waits for an answer before it asks another process, and at most.
const ANSWER_WITHIN: Duration = Duration::from_secs(5);
const WAIT_MAX: Duration = Duration::from_secs(150);
/// The pause after an answer that did not come.
const PAUSE: Duration = Duration::from_millis(50);

/// Somebody with an account's key, and the operator's.
pub struct Caller<'a> {
    fleet: &'a Fleet,
    pub progress: &'a Progress,
    /// The public API of each process.
    public: Vec<Client>,
}

/// An answer that settles a request, and how often the same request had been sent without an answer.
pub struct Reply {
    pub answer: Answer,
    pub doubts: u32,
}

/// A request.
pub struct Request<'r> {
    pub method: Method,
    pub path: &'r str,
    pub body: Option<&'r Value>,
    /// The `Idempotency-Key`.
    pub key: Option<&'r str>,
}

impl<'r> Request<'r> {
    pub fn get(path: &'r str) -> Self {
        Self { method: Method::GET, path, body: None, key: None }
    }

    pub fn post(path: &'r str, body: &'r Value) -> Self {
        Self { method: Method::POST, path, body: Some(body), key: None }
    }
}

impl<'a> Caller<'a> {
    pub fn new(fleet: &'a Fleet, progress: &'a Progress, account: &Account) -> Self {
        let public = fleet.public().map(|client| client.clone().with_header("x-api-key", &account.customer.api_key));
        Self { fleet, progress, public: public.collect() }
    }

    /// Asks the public API until there is an answer that settles the request.
    pub async fn ask(&self, dice: &mut Dice, request: &Request<'_>) -> Reply {
        self.insist(dice, request, |process| self.public[process].clone()).await
    }

    /// The same with the operator API.
    pub async fn operate(&self, dice: &mut Dice, request: &Request<'_>) -> Reply {
        self.insist(dice, request, |process| self.fleet.operator(process).clone()).await
    }

    /// Asks the public API of one process, which must answer.
    pub async fn ask_process(&self, process: usize, request: &Request<'_>) -> Answer {
        let body = request.body.map(Value::to_string);
        self.public[process].send(request.method.clone(), request.path, body).await
    }

    /// How a request with another key is answered.
    pub async fn status_with(&self, api_key: &str, path: &str) -> u16 {
        let public = self.fleet.public().next().expect("a process").clone();
        public.with_header("x-api-key", api_key).get(path).await.status
    }

    /// Notes that doubts about a change are settled: repeating it led to an answer.
    pub fn settled(&self, doubts: u32) {
        if doubts > 0 {
            self.progress.count("settled by repeating", false);
        }
    }

    async fn insist(&self, dice: &mut Dice, request: &Request<'_>, client: impl Fn(usize) -> Client) -> Reply {
        let mut waited = Duration::ZERO;
        let mut doubts = 0;
        loop {
            let process = self.fleet.somebody(dice).await;
            let mut client = client(process);
            if let Some(key) = request.key {
                client = client.with_header("idempotency-key", key);
            }
            let body = request.body.map(Value::to_string);
            let asked_at = Instant::now();
            let sending = client.try_send(request.method.clone(), request.path, body);
            let answer = tokio::time::timeout(ANSWER_WITHIN, sending).await;
            let kind = match answer {
                Ok(Some(answer)) if answer.status == 503 => "doubt: 503",
                Ok(Some(answer)) => {
                    assert_ne!(answer.status, 500, "{} {}: {}", request.method, request.path, answer.json);
                    return Reply { answer, doubts };
                }
                Ok(None) => "doubt: connection lost",
                Err(_) => "doubt: no answer in time",
            };
            self.progress.count(kind, false);
            doubts += 1;
            // A machine that stood still itself is not held against the service.
            waited += asked_at.elapsed().min(ANSWER_WITHIN) + PAUSE;
            assert!(waited < WAIT_MAX, "{} {} was not answered in {waited:?}: {kind}", request.method, request.path);
            tokio::time::sleep(PAUSE).await;
        }
    }
}
