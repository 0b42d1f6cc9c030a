//! Deliveries, from the finding to the recorded attempt: `cargo bench -- webhooks`.
//!
//! Payloads of about 700 bytes to a receiver beside the service, on the same SQLite file and on the same PostgreSQL: in
//! batches, one by one, a backlog for a thousand endpoints, and five a second. CPU time is that of the service and of
//! PostgreSQL, without the receiver's.

use crate::commit_all::commit_all;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ::webhooks::attempt::Sender;
use actors::ledger::{self, LedgerFigures, LedgerHandle, LedgerParts};
use actors::runtime::metrics::ActorMetrics;
use actors::webhooks::{self, DispatchFigures, DispatcherHandle, DispatcherParts};
use clock::Clock;
use domain::account::{Command, Finding, Origin, RENEWALS_MAX, Report};
use domain::delivery::Outcome;
use futures_util::{StreamExt, stream};
use outbound::address_guard::AddressGuard;
use outbound::transport::{HeaderValue, Transport};
use prometheus::Registry;
use store::faults::Faults;
use store::{Dispatch, Store, Submission};
use uuid::Uuid;

use crate::cpu::{self, Cpu};
use crate::goal;
use crate::plain_receiver::PlainReceiver;
use crate::retry_schedule::retry_schedule;
use crate::stage::{self, Watcher};
use crate::support::test_database::TestDatabase;

/// Findings of each measurement under load.
const FINDINGS: usize = 30_000;
/// Findings that come together in a batch.
const BATCH: usize = 100;
/// Accounts, each with a radar and an endpoint.
const ACCOUNTS: u128 = 64;
/// What is waiting when a backlog is drained, and for how many endpoints.
const BACKLOG: usize = 100_000;
const BACKLOG_ENDPOINTS: u128 = 1_000;
/// Deliveries at light load, five a second.
const LIGHT: usize = 100;
/// Together with what surrounds it, a payload has about 700 bytes.
const TEXT_BYTES: usize = 230;

/// A database with accounts, and a receiver.
pub struct Bench {
    pub store: Arc<Store>,
    pub clock: Clock,
    watchers: Vec<Watcher>,
    pub receiver: PlainReceiver,
}

/// Measures on SQLite, and on PostgreSQL where there is a server.
pub fn run() {
    actix_rt::System::new().block_on(stage::on_each_database(|database| async move { measure(&database).await }));
}

async fn measure(database: &TestDatabase) {
    let name = stage::database_name(database);
    let partitions = if name == "SQLite" { 1 } else { 4 };
    let mut bench = Bench::open(database, ACCOUNTS).await;
    let (port, clock) = (bench.receiver.port(), &bench.clock);
    bench.watchers = stage::radars_with_receivers(&bench.store, clock, ACCOUNTS, 0..ACCOUNTS, port).await;
    backlog(name, &bench).await;
    let (dispatcher, ledger) = bench.start(partitions);
    load(name, "in batches", &bench, &dispatcher, &ledger, BATCH, (5_000.0, 0.35)).await;
    load(name, "one by one", &bench, &dispatcher, &ledger, 1, (2_500.0, 1.0)).await;
    light(name, &bench, &ledger).await;
    dispatcher.drain().await;
    bench.store.close().await;
}

impl Bench {
    /// Opens a database and makes so many accounts.
    pub async fn open(database: &TestDatabase, accounts: u128) -> Self {
        let clock = Clock::system();
        let store = Arc::new(stage::open(database.url(), clock.clone()).await);
        for number in 1..=accounts {
            stage::account(&store, &clock, number).await;
        }
        Self { store, clock, watchers: Vec::new(), receiver: PlainReceiver::start() }
    }

    fn dispatcher(&self) -> DispatcherHandle {
        let guard = AddressGuard::new(vec!["127.0.0.0/8".parse().expect("a range")]);
        let transport = Transport::new(guard, self.clock.clone());
        let user_agent = HeaderValue::from_static("radar");
        let parts = DispatcherParts {
            store: self.store.clone(),
            clock: self.clock.clone(),
            sender: Sender::new(transport, self.clock.clone(), user_agent, Duration::from_secs(15)),
            schedule: retry_schedule(),
            concurrency: 256,
            figures: DispatchFigures::new(&Registry::new()).expect("figures"),
            faults: Faults::default(),
        };
        webhooks::start(&parts, &ActorMetrics::new(self.clock.clone()))
    }

    /// Starts a dispatcher, and a ledger of so many partitions that hands over to it.
    pub fn start(&self, partitions: usize) -> (DispatcherHandle, LedgerHandle) {
        let dispatcher = self.dispatcher();
        let dispatch: Rc<dyn Dispatch> = Rc::new(dispatcher.clone());
        let parts = LedgerParts {
            on_commit: Rc::new(|_, _, _| {}),
            store: self.store.clone(),
            clock: self.clock.clone(),
            faults: Faults::default(),
            partitions,
            renewals_max: RENEWALS_MAX,
            dispatch,
            on_resumed: Rc::new(|| {}),
            on_exceeded: Rc::new(|_, _| {}),
            figures: LedgerFigures::new(partitions, &Registry::new()).expect("figures"),
        };
        (dispatcher, ledger::start(&parts, &ActorMetrics::new(self.clock.clone()), 8_192))
    }

    fn report(&self, watcher: &Watcher, count: usize) -> Command {
        let finding = |_| Finding {
            record_id: Uuid::now_v7(),
            content: format!(r#"{{"review_content":"{}"}}"#, "x".repeat(TEXT_BYTES)),
            detected_at: self.clock.now(),
            origin: Origin::Pushed,
            event: None,
            provenance: None,
        };
        Command::Report(Report {
            radar_id: watcher.radar_id,
            findings: (0..count).map(finding).collect(),
            cursor: None,
        })
    }
}

fn delivered(dispatcher: &DispatcherHandle) -> u64 {
    let outcomes = dispatcher.figures().outcomes();
    outcomes.filter(|(outcome, _)| *outcome == Outcome::Ok).map(|(_, count)| count).sum()
}

async fn until_delivered(dispatcher: &DispatcherHandle, count: u64) {
    while delivered(dispatcher) < count {
        actix_rt::time::sleep(Duration::from_millis(2)).await;
    }
}

async fn load(
    name: &str,
    how: &str,
    bench: &Bench,
    dispatcher: &DispatcherHandle,
    ledger: &LedgerHandle,
    batch: usize,
    (goal_rate, goal_cpu): (f64, f64),
) {
    let (before, cpu, began_at) = (delivered(dispatcher), Cpu::now(&bench.receiver), Instant::now());
    stream::iter(0..FINDINGS / batch)
        .for_each_concurrent(if batch == 1 { 512 } else { 16 }, |number| async move {
            let watcher = &bench.watchers[number % bench.watchers.len()];
            let command = bench.report(watcher, batch);
            ledger.ask(watcher.account_id, command).await.expect("a decision").expect("no rejection");
        })
        .await;
    until_delivered(dispatcher, before + FINDINGS as u64).await;
    let rate = FINDINGS as f64 / began_at.elapsed().as_secs_f64();
    let cpu_each = cpu.elapsed(&bench.receiver) * 1_000.0 / FINDINGS as f64;
    println!("{name}: {rate:.0} deliveries/s {how}, {cpu_each:.2} CPU s per 1,000");
    goal::at_least(&format!("{name}: deliveries/s {how}"), rate, goal_rate);
    goal::at_most(&format!("{name}: CPU s per 1,000 deliveries {how}"), cpu_each, goal_cpu);
}

/// Drains what a process left that had died long ago.
async fn backlog(name: &str, bench: &Bench) {
    let (numbers, port) = (10_000..10_000 + BACKLOG_ENDPOINTS, bench.receiver.port());
    let endpoints = stage::radars_with_receivers(&bench.store, &bench.clock, ACCOUNTS, numbers, port).await;
    for chunk in endpoints.chunks(50) {
        let intents: Vec<Submission> = chunk
            .iter()
            .map(|watcher| Submission::of(watcher.account_id, bench.report(watcher, BACKLOG / endpoints.len())))
            .collect();
        let decisions = commit_all(&bench.store, &intents, bench.clock.now()).await;
        assert!(decisions.expect("a commit").iter().all(Result::is_ok));
    }
    let (memory, cpu, began_at) = (cpu::resident_bytes(), Cpu::now(&bench.receiver), Instant::now());
    let dispatcher = bench.dispatcher();
    until_delivered(&dispatcher, BACKLOG as u64).await;
    let rate = BACKLOG as f64 / began_at.elapsed().as_secs_f64();
    let cpu_each = cpu.elapsed(&bench.receiver) * 1_000.0 / BACKLOG as f64;
    let grown = cpu::resident_bytes().saturating_sub(memory) as f64 / 1_048_576.0;
    println!("{name}: a backlog drains at {rate:.0} deliveries/s, {cpu_each:.2} CPU s per 1,000, {grown:.0} MiB more");
    goal::at_least(&format!("{name}: backlog, deliveries/s"), rate, 10_000.0);
    dispatcher.drain().await;
}

/// From the answer of the commit to the arrival, five times a second.
async fn light(name: &str, bench: &Bench, ledger: &LedgerHandle) {
    let mut waits = Vec::new();
    for number in 0..LIGHT {
        actix_rt::time::sleep(Duration::from_millis(200)).await;
        let watcher = &bench.watchers[number % 4];
        let arrivals = bench.receiver.arrivals();
        let command = bench.report(watcher, 1);
        ledger.ask(watcher.account_id, command).await.expect("a decision").expect("no rejection");
        let committed_at = Instant::now();
        while bench.receiver.arrivals() == arrivals {
            actix_rt::time::sleep(Duration::from_micros(200)).await;
        }
        let arrived_at = bench.receiver.last_arrival();
        waits.push(arrived_at.saturating_duration_since(committed_at));
    }
    waits.sort_unstable();
    let milliseconds = |share: f64| waits[(waits.len() as f64 * share) as usize].as_secs_f64() * 1_000.0;
    let (median, late) = (milliseconds(0.5), milliseconds(0.95));
    println!("{name}: commit to arrival at light load: p50 {median:.2} ms, p95 {late:.2} ms");
    goal::at_most(&format!("{name}: commit to arrival, p50 in ms"), median, 1.0);
    goal::at_most(&format!("{name}: commit to arrival, p95 in ms"), late, 2.0);
}
