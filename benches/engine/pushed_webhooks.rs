//! Webhooks as a provider and a customer see them, from a push over HTTP to the recorded delivery:
//! `cargo bench -- pushed_webhooks`.
//!
//! The real program, alone on SQLite, and one, two and three processes on one PostgreSQL. CPU time is that of the program and
//! of PostgreSQL, without the receiver's and the load generator's. `FINDINGS` changes how many are pushed, `PROCESSES` runs one
//! count of them alone.

use std::cell::Cell;
use std::time::{Duration, Instant};

use clock::Clock;
use entity::delivery;
use futures_util::future::join_all;
use sea_orm::{ColumnTrait, Database, DatabaseConnection, EntityTrait, PaginatorTrait, QueryFilter};

use crate::ingest::{OPERATOR_KEY, PROVIDER, finding, request};
use crate::plain_receiver::PlainReceiver;
use crate::server::Server;
use crate::support::test_database::TestDatabase;
use crate::{cpu, goal, load, stage};

const ACCOUNTS: u128 = 16;
const RADARS: u128 = 1_024;
const FINDINGS: usize = 20_000;
/// Of all processes together.
const CONNECTIONS: usize = 96;
/// Pushes at light load, five a second.
const LIGHT: usize = 50;
/// Until processes have shared the work among themselves.
const SHARED_AFTER: Duration = Duration::from_secs(6);

/// Measures on SQLite, and on PostgreSQL where there is a server.
pub fn run() {
    actix_rt::System::new().block_on(stage::on_each_database(|database| async move { measure(&database).await }));
}

async fn measure(database: &TestDatabase) {
    let name = stage::database_name(database);
    let findings = std::env::var("FINDINGS").ok().and_then(|text| text.parse().ok()).unwrap_or(FINDINGS);
    let receiver = PlainReceiver::start();
    stage_radars(database.url(), receiver.port()).await;
    let connection = Database::connect(database.url()).await.expect("a connection");
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("provider.toml"), PROVIDER).expect("a source");
    let settings = format!(
        "[sources]\ndir = \"{}\"\n[operator]\nkey = \"{OPERATOR_KEY}\"\n[outbound]\nallow_private = [\"127.0.0.0/8\"]\n",
        folder.path().display()
    );
    let pushed = Cell::new(0);
    let mut rate_of_one = 0.0;
    let only = std::env::var("PROCESSES").ok().and_then(|text| text.parse().ok());
    let counts = if name == "SQLite" { 1..=1 } else { only.map_or(1..=3, |only| only..=only) };
    for processes in counts {
        let services: Vec<Server> = (0..processes).map(|_| Server::service(database.url(), &settings)).collect();
        actix_rt::time::sleep(SHARED_AFTER).await;
        let bench = Bench { connection: &connection, receiver: &receiver, services: &services, pushed: &pushed };
        let rate = bench.load(&format!("{name}, {processes} processes"), findings).await;
        if processes == 1 {
            rate_of_one = rate;
            goal::at_least(&format!("{name}: pushed and delivered/s"), rate, 2_500.0);
            bench.light(name).await;
        } else if rate_of_one > 0.0 {
            goal::at_least(&format!("{name}: {processes} processes to one"), rate / rate_of_one, 1.0);
        }
    }
    connection.close().await.expect("closed");
}

/// What is measured, and what has been pushed so far.
struct Bench<'a> {
    connection: &'a DatabaseConnection,
    receiver: &'a PlainReceiver,
    services: &'a [Server],
    pushed: &'a Cell<usize>,
}

impl Bench<'_> {
    /// Pushes `count` findings one by one, and answers how many are delivered each second.
    async fn load(&self, what: &str, count: usize) -> f64 {
        let until = self.pushed.get() + count;
        let cpu_before = self.cpu_seconds();
        let began_at = Instant::now();
        let next = |_| {
            let number = self.pushed.get();
            (number < until).then(|| {
                self.pushed.set(number + 1);
                push(number)
            })
        };
        let connections = CONNECTIONS / self.services.len();
        let loads = self.services.iter().map(|service| load::run(service.operator_address(), connections, next));
        let figures = join_all(loads).await;
        let pushing = began_at.elapsed().as_secs_f64();
        while self.pending().await > 0 {
            actix_rt::time::sleep(Duration::from_millis(10)).await;
        }
        let rate = count as f64 / began_at.elapsed().as_secs_f64();
        let service: Vec<f64> = self.cpu_seconds().iter().zip(cpu_before).map(|(now, before)| now - before).collect();
        let [service, postgres] = [service[0], service[1]].map(|seconds| seconds * 1_000.0 / count as f64);
        let median_ms = figures[0].median().as_secs_f64() * 1e3;
        println!(
            "{what}: {rate:.0} pushed and delivered/s ({:.0}/s pushed, median {median_ms:.1} ms), \
             CPU s per 1,000: {service:.2} of the program, {postgres:.2} of the database",
            count as f64 / pushing
        );
        goal::at_most(&format!("{what}: CPU s per 1,000 in all"), service + postgres, 0.6);
        rate
    }

    /// Deliveries that are due or under way.
    async fn pending(&self) -> u64 {
        let pending = delivery::Entity::find().filter(delivery::Column::DueAt.is_not_null());
        pending.count(self.connection).await.expect("a count")
    }

    /// From the answer to a push to the arrival of its webhook.
    async fn light(&self, name: &str) {
        let mut connection = load::Connection::open(self.services[0].operator_address()).await;
        let mut waits = Vec::new();
        for _ in 0..LIGHT {
            actix_rt::time::sleep(Duration::from_millis(200)).await;
            let arrivals = self.receiver.arrivals();
            let number = self.pushed.replace(self.pushed.get() + 1);
            connection.ask(&push(number)).await;
            let answered_at = Instant::now();
            while self.receiver.arrivals() == arrivals {
                actix_rt::time::sleep(Duration::from_micros(200)).await;
            }
            waits.push(self.receiver.last_arrival().saturating_duration_since(answered_at).as_secs_f64() * 1e3);
        }
        waits.sort_by(f64::total_cmp);
        goal::at_most(&format!("{name}: answer to arrival at light load, p50 in ms"), waits[LIGHT / 2], 1.0);
    }

    /// Of the programs, and of PostgreSQL.
    fn cpu_seconds(&self) -> [f64; 2] {
        [self.services.iter().map(Server::cpu_seconds).sum(), cpu::postgres()]
    }
}

async fn stage_radars(url: &str, port: u16) {
    let clock = Clock::system();
    let store = stage::open(url, clock.clone()).await;
    for number in 1..=ACCOUNTS {
        stage::account(&store, &clock, number).await;
    }
    stage::radars_with_receivers(&store, &clock, ACCOUNTS, 0..RADARS, port).await;
    store.close().await;
}

fn push(number: usize) -> Vec<u8> {
    let number = number as u128;
    request("/operator/v1/findings", &finding(number, number % RADARS))
}
