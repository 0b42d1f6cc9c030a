//! What receivers that misbehave do to the others: `cargo bench -- isolation`.
//!
//! A hundred endpoints. In every second round five of them hang, drip a byte a second, send a body without end, send a
//! compressed bomb and reset connections; the others must not notice, and the memory must not grow.

use std::time::{Duration, Instant};

use actors::ledger::LedgerHandle;
use clock::Clock;
use domain::account::{Command, Finding, Origin, Report};
use uuid::Uuid;

use crate::bad_receiver::{BadReceiver, WAYS};
use crate::stage::{self, Watcher};
use crate::support::test_database::TestDatabase;
use crate::webhooks::Bench;
use crate::{cpu, goal};

const ACCOUNTS: u128 = 20;
const HEALTHY: u128 = 95;
/// Rounds of each kind.
const ROUNDS: usize = 3;
/// Deliveries to healthy receivers in a round, and how many of them a second.
const DELIVERIES: usize = 2_000;
const PER_SECOND: u32 = 200;
/// After so many deliveries to healthy receivers each of the others gets one.
const BAD_EVERY: usize = 10;
const RATIO_MAX: f64 = 1.2;
const GROWTH_MIB: f64 = 16.0;

/// Measures on SQLite: the database has no part in this.
pub fn run() {
    actix_rt::System::new().block_on(async { measure(&TestDatabase::sqlite()).await });
}

async fn measure(database: &TestDatabase) {
    let bench = Bench::open(database, ACCOUNTS).await;
    let (clock, store) = (&bench.clock, &bench.store);
    let bad_receiver = BadReceiver::start();
    let healthy = stage::radars_with_receivers(store, clock, ACCOUNTS, 0..HEALTHY, bench.receiver.port()).await;
    let bad_numbers = HEALTHY..HEALTHY + WAYS.len() as u128;
    let bad = stage::radars_with_receivers(store, clock, ACCOUNTS, bad_numbers, bad_receiver.port()).await;
    let (dispatcher, ledger) = bench.start(1);
    // What is learnt of an endpoint at the first deliveries is no part of the measurement.
    round(&bench, &ledger, &healthy, &[]).await;
    let (mut alone, mut together) = (Vec::new(), Vec::new());
    // What every delivery leaves in the caches of the database is no part of it either.
    let (mut grown_alone, mut grown_together) = (0.0, 0.0);
    for _ in 0..ROUNDS {
        let before = mebibytes();
        alone.push(round(&bench, &ledger, &healthy, &[]).await);
        let between = mebibytes();
        together.push(round(&bench, &ledger, &healthy, &bad).await);
        grown_alone += between - before;
        grown_together += mebibytes() - between;
    }
    let best = |rounds: &[Duration]| rounds.iter().min().map_or(0.0, Duration::as_secs_f64) * 1_000.0;
    let (alone, together) = (best(&alone), best(&together));
    println!("p99 of healthy receivers: {alone:.2} ms alone, {together:.2} ms beside bad ones");
    println!("memory: {grown_alone:.0} MiB more alone, {grown_together:.0} MiB more beside bad ones");
    println!("{} requests to bad receivers", bad_receiver.requests());
    assert!(bad_receiver.requests() > 0, "the bad receivers were asked");
    goal::at_most("isolation: p99 beside bad receivers, times that without", together / alone, RATIO_MAX);
    goal::at_most("isolation: MiB more beside bad ones than alone", grown_together - grown_alone, GROWTH_MIB);
    dispatcher.cancel().await;
    bench.store.close().await;
}

fn mebibytes() -> f64 {
    cpu::resident_bytes() as f64 / 1_048_576.0
}

/// Sends at a steady pace; the p99 from the answer of the commit to the arrival at healthy receivers.
async fn round(bench: &Bench, ledger: &LedgerHandle, healthy: &[Watcher], bad: &[Watcher]) -> Duration {
    let (began_at, pause) = (Instant::now(), Duration::from_secs(1) / PER_SECOND);
    let mut committed = Vec::with_capacity(DELIVERIES);
    bench.receiver.note_arrivals();
    for number in 0..DELIVERIES {
        let due_at = began_at + pause * u32::try_from(number).expect("small");
        actix_rt::time::sleep(due_at.saturating_duration_since(Instant::now())).await;
        if number % BAD_EVERY == 0 {
            for watcher in bad {
                ask(ledger, watcher, report(&bench.clock, watcher, "bad")).await;
            }
        }
        let watcher = &healthy[number % healthy.len()];
        ask(ledger, watcher, report(&bench.clock, watcher, &format!("#{number:08}#"))).await;
        committed.push(Instant::now());
    }
    let arrived = bench.receiver.arrivals_noted(DELIVERIES).await;
    let mut waits: Vec<Duration> =
        committed.iter().zip(arrived).map(|(from, to)| to.saturating_duration_since(*from)).collect();
    waits.sort_unstable();
    waits[waits.len() * 99 / 100]
}

async fn ask(ledger: &LedgerHandle, watcher: &Watcher, command: Command) {
    ledger.ask(watcher.account_id, command).await.expect("a decision").expect("no refusal");
}

fn report(clock: &Clock, watcher: &Watcher, text: &str) -> Command {
    let finding = Finding {
        record_id: Uuid::now_v7(),
        content: format!(r#"{{"review_content":"{text}"}}"#),
        detected_at: clock.now(),
        origin: Origin::Web,
        event: None,
        provenance: None,
    };
    Command::Report(Report { radar_id: watcher.radar_id, findings: vec![finding], cursor: None })
}
