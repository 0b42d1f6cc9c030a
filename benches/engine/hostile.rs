//! What another customer feels while a hostile page, receiver or reader is at work: `cargo bench -- hostile`.
//!
//! The real program on SQLite; the hostile hosts are on loopback, in a thread of this program. For each case one
//! customer creates and lists radars, one request after the other, while an attacker lets the service meet the case
//! again and again. Nothing may die, no request of the customer may take a second, the program's memory may not grow by
//! 300 MiB, and liveness must hold, because the actors do live.

mod cases;
mod host;

use std::cell::Cell;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::{Duration, Instant};

use clock::Clock;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::load::{self, Connection};
use crate::server::Server;
use crate::support::test_database::TestDatabase;
use crate::{goal, stage};
use cases::{CASES, Case, Means};
use host::Host;

/// How long each case goes on.
const CASE: Duration = Duration::from_secs(12);
/// Sites that the attacker has watched, all of them hostile.
const SITES: usize = 12;
/// Connections of readers that never read.
const READERS: usize = 200;
/// Requests that each of them sends at once.
const PIPELINED: usize = 100;
const SLOWEST_MS: f64 = 1_000.0;
const GROWTH_MIB: f64 = 300.0;
const CUSTOMER: u128 = 1;
const ATTACKER: u128 = 2;
/// What the customer's radars are served by, so that nothing is fetched for them.
const PROVIDER: &str = r#"
format_version = 1
id = "provider"
kind = "push"
radar_types = ["company_reviews"]
"#;

/// Runs every case, or those whose names hold the argument after `hostile`.
pub fn run() {
    let wanted: Option<String> = std::env::args().skip_while(|argument| argument != "hostile").nth(1);
    for case in CASES.iter().filter(|case| wanted.as_ref().is_none_or(|wanted| case.name.contains(wanted))) {
        actix_rt::System::new().block_on(measure(case));
    }
}

async fn measure(case: &Case) {
    let host = Host::start(case.means);
    let database = TestDatabase::sqlite();
    stage_accounts(database.url()).await;
    let sources = tempfile::tempdir().expect("a folder");
    std::fs::write(sources.path().join("provider.toml"), PROVIDER).expect("a source");
    let service = Server::service(database.url(), &settings(&host, sources.path()));
    let before = service.memory_mib();
    let held = Rc::new(Cell::new(0));
    let attacking = actix_rt::spawn(attack(case.means, service.address(), host.address(), held.clone()));
    let peak = Cell::new(before);
    let until = Instant::now() + CASE;
    let (slowest, missed) = futures_util::future::join(customer(&service, until), look(&service, until, &peak)).await;
    attacking.abort();
    let met = host.answered() + held.get();
    goal::at_least(&format!("{}: hostile answers and connections", case.name), met as f64, 1.0);
    goal::at_most(&format!("{}: slowest request in ms", case.name), slowest.as_secs_f64() * 1e3, SLOWEST_MS);
    goal::at_most(&format!("{}: growth of memory in MiB", case.name), peak.get() - before, GROWTH_MIB);
    goal::at_most(&format!("{}: liveness checks without an answer", case.name), missed, 0.0);
}

fn settings(host: &Host, sources: &std::path::Path) -> String {
    let rewrite =
        |number: usize| format!("\"https://evil{number}.com/\" = \"http://{}/evil{number}.com/\"\n", host.address());
    format!(
        "[sources]\ndir = \"{}\"\npoll_interval = \"1s\"\n[outbound]\nallow_private = [\"127.0.0.0/8\"]\n[outbound.rewrite]\n{}",
        sources.display(),
        (0..SITES).map(rewrite).collect::<String>()
    )
}

async fn stage_accounts(url: &str) {
    let clock = Clock::system();
    let store = stage::open(url, clock.clone()).await;
    for number in [CUSTOMER, ATTACKER] {
        stage::account(&store, &clock, number).await;
    }
    store.close().await;
}

/// How long the slowest of the customer's requests took.
async fn customer(service: &Server, until: Instant) -> Duration {
    let key = stage::key(CUSTOMER);
    let mut connection = Connection::open(service.address()).await;
    let mut slowest = Duration::ZERO;
    for number in 0.. {
        if Instant::now() >= until {
            break;
        }
        let body = format!(r#"{{"domain":"company{number}.com","radar_type":"company_reviews"}}"#);
        for request in [
            load::request("POST", "/v1/radars/companies", key.expose(), &body),
            load::request("GET", "/v1/radars?limit=20", key.expose(), ""),
        ] {
            let asked_at = Instant::now();
            connection.ask(&request).await;
            slowest = slowest.max(asked_at.elapsed());
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    slowest
}

/// Asks for liveness, and notes the memory; returns how often there was no answer.
async fn look(service: &Server, until: Instant, peak: &Cell<f64>) -> f64 {
    let mut missed = 0.0;
    while Instant::now() < until {
        let request = load::request("GET", "/health/live", "none", "");
        let asking = async { Connection::open(service.operator_address()).await.ask(&request).await.len() };
        if tokio::time::timeout(Duration::from_secs(2), asking).await.is_err() {
            missed += 1.0;
        }
        peak.set(peak.get().max(service.memory_mib()));
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    missed
}

/// Lets the service meet the case until this is dropped; counts the connections that are `held` and never read.
async fn attack(means: Means, service: SocketAddr, host: SocketAddr, held: Rc<Cell<usize>>) {
    let key = stage::key(ATTACKER);
    match means {
        Means::Reader => {
            let mut streams = Vec::new();
            for _ in 0..READERS {
                let mut stream = TcpStream::connect(service).await.expect("a connection");
                let request = load::request("GET", "/openapi.json", "none", "").repeat(PIPELINED);
                // The service may refuse to take more.
                if stream.write_all(&request).await.is_ok() {
                    held.set(held.get() + 1);
                }
                streams.push(stream);
            }
            std::future::pending::<()>().await;
        }
        Means::Receiver(_) => {
            let body = format!(r#"{{"webhook_url":"http://{host}/hook","radar_type":"company_job_openings"}}"#);
            let request = load::request("POST", "/v1/webhooks/test", key.expose(), &body);
            let sending = (0..SITES).map(|_| async {
                loop {
                    let mut stream = TcpStream::connect(service).await.expect("a connection");
                    stream.write_all(&request).await.ok();
                    tokio::time::sleep(Duration::from_millis(500)).await;
                }
            });
            futures_util::future::join_all(sending).await;
        }
        Means::Site(_) => {
            let mut connection = Connection::open(service).await;
            for number in 0..SITES {
                let body = format!(r#"{{"domain":"evil{number}.com","radar_type":"company_job_openings"}}"#);
                connection.ask(&load::request("POST", "/v1/radars/companies", key.expose(), &body)).await;
            }
            std::future::pending::<()>().await;
        }
    }
}
