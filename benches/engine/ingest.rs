//! Findings per second that private providers hand in over HTTP: `cargo bench -- ingest`.
//!
//! The real program on either database, with the load generator on the same machine: one by one over many connections,
//! in batches for one radar each, and in batches whose findings are each for several radars. `FINDINGS` changes how many.

use std::cell::Cell;
use std::ops::Range;
use std::time::Instant;

use clock::Clock;
use domain::ids::{AccountId, RadarId};
use domain::radar_type::RadarType;
use uuid::Uuid;

use crate::server::Server;
use crate::support::test_database::TestDatabase;
use crate::{goal, load, stage};

const ACCOUNTS: u128 = 16;
/// Radars, each on a domain of its own, in turn of the accounts.
const RADARS: u128 = 1_024;
/// Domains that several accounts watch, and how many.
const SHARED: u128 = 128;
const WATCHERS: u128 = 8;
const SINGLES: u128 = 10_000;
const SINGLE_CONNECTIONS: usize = 64;
const BATCHED: u128 = 200_000;
const BATCH: u128 = 1_000;
const BATCH_CONNECTIONS: usize = 4;
const GOAL: f64 = 10_000.0;
/// The key of the program that is measured.
pub const OPERATOR_KEY: &str = "operator-key-of-the-benchmark";
/// The source that findings are pushed by.
pub const PROVIDER: &str =
    "format_version = 1\nid = \"provider\"\nkind = \"push\"\nradar_types = [\"company_reviews\"]\n";

/// Measures on SQLite, and on PostgreSQL where there is a server.
pub fn run() {
    actix_rt::System::new().block_on(stage::on_each_database(|database| async move { measure(&database).await }));
}

async fn measure(database: &TestDatabase) {
    let name = stage::database_name(database);
    let batched = std::env::var("FINDINGS").ok().and_then(|text| text.parse().ok()).unwrap_or(BATCHED);
    stage_radars(database.url()).await;
    let sources = tempfile::tempdir().expect("a folder");
    std::fs::write(sources.path().join("provider.toml"), PROVIDER).expect("a source");
    let settings = format!("[sources]\ndir = \"{}\"\n[operator]\nkey = \"{OPERATOR_KEY}\"\n", sources.path().display());
    let service = Server::service(database.url(), &settings);

    let one = |number: u128| request("/operator/v1/findings", &finding(number, number % RADARS));
    let singles = (0..SINGLES).map(one).collect();
    let (singles, _) = send(&service, SINGLE_CONNECTIONS, singles).await;
    println!("{name}: {singles:.0} findings/s one by one over {SINGLE_CONNECTIONS} connections");

    let alone = batches(SINGLES..SINGLES + batched, |number| number % RADARS);
    let (alone, cpu_s) = send(&service, BATCH_CONNECTIONS, alone).await;
    let alone = alone * BATCH as f64;
    let cpu_us = cpu_s * 1e6 / batched as f64;
    println!("{name}: {cpu_us:.0} µs of the program's CPU for each finding of a batch");
    goal::at_least(&format!("{name}: findings/s in batches"), alone, GOAL);
    println!("{name}: batches to one by one: {:.1}", alone / singles);

    let fanned = SINGLES + batched..SINGLES + batched + batched / WATCHERS;
    let fanned = batches(fanned, |number| RADARS + number % SHARED);
    let (fanned, _) = send(&service, BATCH_CONNECTIONS, fanned).await;
    let outcomes = fanned * (BATCH * WATCHERS) as f64;
    println!("{name}: {outcomes:.0} outcomes/s of batches whose findings are for {WATCHERS} radars each");
}

/// Requests per second, and the CPU seconds of the program.
async fn send(service: &Server, connections: usize, requests: Vec<Vec<u8>>) -> (f64, f64) {
    let requests = Cell::new(requests.into_iter());
    let next = |_| {
        let mut left = requests.take();
        let request = left.next();
        requests.set(left);
        request
    };
    let (cpu_s, began_at) = (service.cpu_seconds(), Instant::now());
    let figures = load::run(service.operator_address(), connections, next).await;
    println!(
        "  median of a request: {:.1} ms, {:.1}s in all",
        figures.median().as_secs_f64() * 1e3,
        began_at.elapsed().as_secs_f64()
    );
    (figures.requests_per_second, service.cpu_seconds() - cpu_s)
}

/// Makes the schema, accounts with money, and radars.
async fn stage_radars(url: &str) {
    let clock = Clock::system();
    let store = stage::open(url, clock.clone()).await;
    for number in 1..=ACCOUNTS {
        stage::account(&store, &clock, number).await;
    }
    let alone = (0..RADARS).map(|domain| (domain, 1 + domain % ACCOUNTS));
    let shared = (RADARS..RADARS + SHARED).flat_map(|domain| (1..=WATCHERS).map(move |account| (domain, account)));
    for (domain, account) in alone.chain(shared) {
        let radar = stage::radar_commands(RadarId(Uuid::now_v7()), RadarType::CompanyReviews, domain);
        stage::commit(&store, &clock, AccountId(Uuid::from_u128(account)), radar.to_vec()).await;
    }
    store.close().await;
}

/// Requests with the findings of these numbers, each for the radars on the domain that `domain` says.
fn batches(numbers: Range<u128>, domain: impl Fn(u128) -> u128) -> Vec<Vec<u8>> {
    let numbers: Vec<u128> = numbers.collect();
    let batch = |numbers: &[u128]| {
        let findings: Vec<String> = numbers.iter().map(|number| finding(*number, domain(*number))).collect();
        request("/operator/v1/findings/batch", &format!(r#"{{"findings":[{}]}}"#, findings.join(",")))
    };
    numbers.chunks(usize::try_from(BATCH).expect("small")).map(batch).collect()
}

/// A finding of that number, for the radars on that domain.
pub fn finding(number: u128, domain: u128) -> String {
    format!(r#"{{"radar_type":"company_reviews","target":{{"domain":"company{domain}.com"}},"native_id":"{number}","#)
        + r#""source":"provider","content":{"review_content":"A good place to work, with patient colleagues and long lunches.","#
        + r#""review_url":"https://reviews.example/1","review_source":"Example","review_rating":4.5,"reviewed_at":"2026-11-20"}}"#
}

/// A request of the operator as bytes.
pub fn request(path: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\nx-operator-key: {OPERATOR_KEY}\r\n\
         content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}
