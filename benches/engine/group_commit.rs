//! Group commit against one transaction per finding, on the same SQLite file and on the same PostgreSQL.
//!
//! `cargo bench -- group_commit`. Prints findings per second of both and their ratio; only the ratio means much.

use std::sync::Arc;
use std::time::Instant;

use futures_util::StreamExt;
use futures_util::stream;
use radar::actors::balance_ledger::{self, LedgerParts};
use radar::actors::census::Census;
use radar::actors::faults::Faults;
use radar::clock::Clock;
use radar::store::{Intent, Store};

use crate::stage;
use crate::support::databases::{TestDatabase, on_both_databases};

/// Findings that are settled one transaction each.
const SINGLE: u128 = 1_000;
/// Findings that go through the ledger.
const GROUPED: u128 = 40_000;
/// Callers that wait at the same time.
const CALLERS: usize = 2_048;

/// Measures on SQLite, and on PostgreSQL where there is a server.
pub fn run() {
    actix_rt::System::new().block_on(on_both_databases(|database| async move { measure(&database).await }));
}

async fn measure(database: &TestDatabase) {
    let (name, lanes) = if database.url().starts_with("sqlite") { ("SQLite", 1) } else { ("PostgreSQL", 4) };
    let clock = Clock::system();
    let store = Arc::new(stage::open(database.url(), clock.clone()).await);
    let accounts = stage::accounts_with_radars(&store, &clock, 64).await;
    let single = one_transaction_each(&store, &clock, &accounts).await;

    let parts = LedgerParts {
        on_commit: Rc::new(|_, _, _| {}),
        store: store.clone(),
        clock: clock.clone(),
        faults: Faults::default(),
        lanes,
        on_deliveries: std::rc::Rc::new(|| {}),
        on_resumed: std::rc::Rc::new(|| {}),
    };
    let ledger = balance_ledger::start(&parts, &Census::new(clock.clone()), CALLERS * 2);
    let started_at = Instant::now();
    stream::iter(0..GROUPED)
        .for_each_concurrent(CALLERS, |number| {
            let (account_id, command) = stage::finding(&accounts, SINGLE + number, clock.now());
            let ledger = ledger.clone();
            async move {
                ledger.ask(account_id, command).await.expect("a decision").expect("no refusal");
            }
        })
        .await;
    let grouped = GROUPED as f64 / started_at.elapsed().as_secs_f64();
    println!(
        "{name}: {single:.0} findings/s one by one, {grouped:.0} findings/s in groups, ratio {:.1}",
        grouped / single
    );
    store.close().await;
}

async fn one_transaction_each(store: &Store, clock: &Clock, accounts: &[stage::Watcher]) -> f64 {
    let started_at = Instant::now();
    for number in 0..SINGLE {
        let (account_id, command) = stage::finding(accounts, number, clock.now());
        let committed = store.commit(&[Intent { account_id, command }], clock.now()).await.expect("a commit");
        committed.outcomes[0].as_ref().expect("no refusal");
    }
    SINGLE as f64 / started_at.elapsed().as_secs_f64()
}
