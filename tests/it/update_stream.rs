//! `GET /v1/updates/stream`: nothing is lost and nothing comes twice, whatever is cut; what bounds a stream and what ends it.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::pin::Pin;
use std::time::Duration;

use awc::Client;
use bytes::Bytes;
use futures_util::future::join_all;
use futures_util::stream::{self, Stream, StreamExt};
use serde_json::{Value, json};

use crate::support::customer::{Customer, eventually};
use crate::support::databases::on_both_databases;
use crate::support::dice::Dice;
use crate::support::process::Service;
use crate::support::provider::{push, start};

const READERS: u64 = 4;
const UPDATES: usize = 120;
/// Of each update: all of them do not fit into the buffers between the service and a reader who takes their time.
const REVIEW_BYTES: usize = 30_000;
/// How long the slowest reader rests after an event.
const REST: Duration = Duration::from_millis(25);
/// Streams that have nothing to tell, and the memory that they may take more, in MiB.
const IDLE_STREAMS: usize = 2_000;
const IDLE_MIB_MAX: u64 = 60;
/// What may wait for its turn, for longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(60);

#[actix_web::test]
async fn decision_3_4_a_stream_loses_nothing_and_doubles_nothing_under_cuts_and_kills_and_for_slow_readers() {
    on_both_databases(async |database| {
        let (mut service, _provider) = start(database.url(), &[], "");
        let (customer, radar_id) = customer(&service).await;
        let url = service.public_url("/v1/updates/stream");
        let readers: Vec<_> = (0..READERS)
            .map(|number| {
                let reader = Reader::new(&url, &customer.api_key);
                let rest = if number == 0 { REST } else { Duration::ZERO };
                actix_web::rt::spawn(reader.read_all(UPDATES, Dice::new(number), rest))
            })
            .collect();
        let review = json!({"review_content": "x".repeat(REVIEW_BYTES)});
        for number in 0..UPDATES / 2 {
            push(&service, &radar_id, &number.to_string(), &review).await;
        }
        service.kill();
        service.restart();
        for number in UPDATES / 2..UPDATES {
            push(&service, &radar_id, &number.to_string(), &review).await;
        }
        let all = customer.updates(&service).await;
        assert_eq!(all.len(), UPDATES);
        for seen in join_all(readers).await {
            assert!(seen.expect("a reader") == all, "a reader saw other updates, or in another order");
        }
    })
    .await;
}

#[actix_web::test]
async fn a_stream_tells_that_it_is_alive_and_ends_with_its_key_its_account_and_the_service() {
    on_both_databases(async |database| {
        let (mut service, _provider) = start(database.url(), &[], "");
        let (customer, radar_id) = customer(&service).await;
        let url = service.public_url("/v1/updates/stream");
        let account = format!("/operator/v1/accounts/{}", customer.account_id);

        let mut idle = Reader::new(&url, &customer.api_key);
        idle.connect().await.expect("a stream");
        assert_eq!(idle.part().await.as_deref(), Some("retry: 2000"));
        assert_eq!(idle.part().await.as_deref(), Some(":"), "a sign of life");
        push(&service, &radar_id, "one", &json!({})).await;
        assert!(idle.part().await.is_some_and(|part| part.contains("data: {")));

        let made = service.operator().post(&format!("{account}/api-keys"), &json!({})).await.expect_status(201);
        let mut revoked = Reader::new(&url, made.text("/data/api_key"));
        revoked.connect().await.expect("a stream");
        let key = format!("{account}/api-keys/{}", made.text("/data/key_id"));
        service.operator().delete(&key).await.expect_status(200);
        revoked.ends().await;
        assert_eq!(revoked.connect().await, Err(401));

        let soon = (chrono::Utc::now() + chrono::Duration::seconds(2)).to_rfc3339();
        let body = json!({"expires_at": soon});
        let made = service.operator().post(&format!("{account}/api-keys"), &body).await.expect_status(201);
        let mut expiring = Reader::new(&url, made.text("/data/api_key"));
        expiring.connect().await.expect("a stream");
        expiring.ends().await;
        assert_eq!(expiring.connect().await, Err(401));

        service.operator().patch(&account, &json!({"status": "inactive"})).await.expect_status(200);
        idle.ends().await;
        service.operator().patch(&account, &json!({"status": "active"})).await.expect_status(200);
        let mut last = Reader::new(&url, &customer.api_key);
        last.connect().await.expect("a stream");
        let status = service.terminate();
        assert_eq!(status.code(), Some(0));
        last.ends().await;
        assert!(!service.log().contains("took too long"), "{}", service.log());
    })
    .await;
}

#[actix_web::test]
async fn the_streams_of_a_key_are_counted_and_its_parameters_are_read() {
    on_both_databases(async |database| {
        let (service, _provider) = start(database.url(), &[], "");
        let (customer, radar_id) = customer(&service).await;
        let api = customer.api(&service);
        let url = service.public_url("/v1/updates/stream");
        let mut open: Vec<Reader> = (0..10).map(|_| Reader::new(&url, &customer.api_key)).collect();
        for reader in &mut open {
            reader.connect().await.expect("a stream");
        }
        let refused = api.get("/v1/updates/stream").await.expect_status(409);
        assert_eq!(refused.text("/errors/0/field"), "stream");
        drop(open);
        // The service notices that a client is gone when it writes to it.
        push(&service, &radar_id, "one", &json!({})).await;
        let again = || async { Reader::new(&url, &customer.api_key).connect().await.ok() };
        eventually("a place is free", again).await;
        for query in ["?limit=5", "?cursor=7", "?colour=red"] {
            api.get(&format!("/v1/updates/stream{query}")).await.expect_status(400);
        }
        let stranger = api.with_header("last-event-id", "7");
        let refused = stranger.get("/v1/updates/stream").await.expect_status(400);
        assert_eq!(refused.text("/errors/0/field"), "last-event-id");
    })
    .await;
}

#[actix_web::test]
async fn two_thousand_idle_streams_take_little_memory() {
    on_both_databases(async |database| {
        let settings = [("HTTP__MAX_CONNECTIONS_PER_ADDRESS", "4096")];
        let (service, _provider) = start(database.url(), &settings, "");
        let customers: Vec<Customer> =
            stream::iter(0..IDLE_STREAMS / 10).map(|_| Customer::create(&service)).buffered(8).collect().await;
        let first = idle_stream(&service, &customers[0].api_key);
        let before = service.memory_mib();
        let rest = customers.iter().flat_map(|customer| (0..10).map(|_| customer.api_key.as_str())).skip(1);
        let streams: Vec<TcpStream> = [first].into_iter().chain(rest.map(|key| idle_stream(&service, key))).collect();
        let after = service.memory_mib();
        println!("  {} idle streams take {} MiB more than one", streams.len(), after.saturating_sub(before));
        assert!(after - before <= IDLE_MIB_MAX, "{before} MiB became {after} MiB");
        customers[0].api(&service).get("/v1/updates").await.expect_status(200);
    })
    .await;
}

async fn customer(service: &Service) -> (Customer, String) {
    let customer = Customer::create(service).await;
    customer.top_up(service, "first", "100").await;
    let body = json!({"domain": "acme.com", "radar_type": "company_reviews"});
    let made = customer.api(service).post("/v1/radars/companies", &body).await.expect_status(201);
    let radar_id = made.text("/data/radar_id").to_owned();
    customer.settled(service, &radar_id).await;
    (customer, radar_id)
}

/// A connection on which a stream has begun.
fn idle_stream(service: &Service, api_key: &str) -> TcpStream {
    let mut socket = TcpStream::connect(("127.0.0.1", service.public_port())).expect("a connection");
    socket.set_read_timeout(Some(PATIENCE)).expect("a time-out");
    let request = format!("GET /v1/updates/stream HTTP/1.1\r\nhost: a\r\nx-api-key: {api_key}\r\n\r\n");
    socket.write_all(request.as_bytes()).expect("sent");
    let mut head = Vec::new();
    while !head.ends_with(b"retry: 2000\n\n\r\n") {
        let mut byte = [0];
        socket.read_exact(&mut byte).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&head)));
        head.push(byte[0]);
    }
    socket
}

type Body = Pin<Box<dyn Stream<Item = Option<Bytes>>>>;

/// A client of the stream, as a library for server-sent events is one.
struct Reader {
    http: Client,
    url: String,
    api_key: String,
    last_event_id: Option<String>,
    body: Option<Body>,
    unread: String,
}

impl Reader {
    fn new(url: &str, api_key: &str) -> Self {
        let http = Client::builder().disable_timeout().finish();
        let (url, api_key) = (url.to_owned(), api_key.to_owned());
        Self { http, url, api_key, last_event_id: None, body: None, unread: String::new() }
    }

    /// Begins where it stands; otherwise the status, 0 when there was no answer.
    async fn connect(&mut self) -> Result<(), u16> {
        let mut request = self.http.get(&self.url).insert_header(("x-api-key", self.api_key.as_str()));
        if let Some(id) = &self.last_event_id {
            request = request.insert_header(("last-event-id", id.as_str()));
        }
        let response = request.send().await.map_err(|_| 0_u16)?;
        let status = response.status().as_u16();
        if status != 200 {
            return Err(status);
        }
        assert_eq!(response.headers().get("content-type").expect("a type"), "text/event-stream");
        self.unread.clear();
        self.body = Some(Box::pin(response.map(Result::ok)));
        Ok(())
    }

    /// The next part up to an empty line; `None` when the stream has ended or is cut.
    async fn part(&mut self) -> Option<String> {
        loop {
            if let Some((part, rest)) = self.unread.split_once("\n\n") {
                let (part, rest) = (part.to_owned(), rest.to_owned());
                self.unread = rest;
                return Some(part);
            }
            let piece = tokio::time::timeout(PATIENCE, self.body.as_mut()?.next()).await.expect("a sign of life")??;
            self.unread += std::str::from_utf8(&piece).expect("text");
        }
    }

    /// Reads to the end, which has to come.
    async fn ends(&mut self) {
        while self.part().await.is_some() {}
    }

    /// The payloads of all events, with cuts in between and a rest after each.
    async fn read_all(mut self, count: usize, mut dice: Dice, rest: Duration) -> Vec<String> {
        let mut seen = Vec::new();
        while seen.len() < count {
            let until_cut = 1 + dice.below(30);
            if self.connect().await.is_err() {
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
            let mut read = 0;
            while read < until_cut && seen.len() < count {
                let Some(part) = self.part().await else { break };
                let Some((id, data)) = part.strip_prefix("id: ").and_then(|event| event.split_once("\ndata: ")) else {
                    continue;
                };
                assert!(serde_json::from_str::<Value>(data).is_ok(), "{data}");
                self.last_event_id = Some(id.to_owned());
                seen.push(data.to_owned());
                read += 1;
                tokio::time::sleep(rest).await;
            }
            self.body = None;
        }
        seen
    }
}
