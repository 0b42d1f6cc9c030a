//! Group commit against one transaction per finding, on the same SQLite file and on the same PostgreSQL.
//!
//! `cargo bench -- group_commit`. Prints findings per second: in groups, through the store one by one, and one by one by
//! plain writers, which know the rows in advance: one on SQLite, eight at a time on PostgreSQL, where pgbench does the
//! same.

use crate::commit_all::commit_all;
use std::collections::HashMap;
use std::rc::Rc;
use std::slice::from_ref;
use std::sync::Arc;
use std::time::Instant;

use crate::no_dispatch::NoDispatch;
use actors::ledger::{self, LedgerFigures, LedgerParts};
use actors::runtime::metrics::ActorMetrics;
use clock::Clock;
use domain::account::RENEWALS_MAX;
use entity::{account, finding_seen, ledger_entry, ledger_tx, lot, radar_update, usage_month};
use futures_util::future::join_all;
use futures_util::{StreamExt, stream};
use prometheus::Registry;
use sea_orm::{ConnectionTrait, DbBackend, EntityTrait, Statement};
use store::faults::Faults;
use store::{Store, Submission};
use uuid::Uuid;

use crate::pgbench;
use crate::plain_writer::{self, EmptyDatabase, PlainWriter, Texts};
use crate::support::test_database::TestDatabase;
use crate::{goal, stage};

/// Findings that are settled one transaction each.
const SINGLE: u128 = 1_000;
/// Findings that go through the ledger.
const GROUPED: u128 = 80_000;
/// Callers that wait at the same time.
const CALLERS: usize = 4_096;
/// Connections of plain writers where there may be several.
const PLAIN_WRITERS: usize = 8;
const GOAL: f64 = 3.0;

/// What settling one finding writes.
struct Rows {
    update: radar_update::Model,
    tx: ledger_tx::Model,
    entries: Vec<ledger_entry::Model>,
    seen: finding_seen::Model,
    account: account::Model,
    lot: lot::Model,
    usage: usage_month::Model,
}

/// Measures on SQLite, and on PostgreSQL where there is a server.
pub fn run() {
    actix_rt::System::new().block_on(stage::on_each_database(|database| async move { measure(&database).await }));
}

async fn measure(database: &TestDatabase) {
    let name = stage::database_name(database);
    let (backend, partitions, plain_writers) =
        if name == "SQLite" { (DbBackend::Sqlite, 1, 1) } else { (DbBackend::Postgres, 4, PLAIN_WRITERS) };
    let clock = Clock::system();
    let store = Arc::new(stage::open(database.url(), clock.clone()).await);
    let accounts = stage::accounts_with_radars(&store, &clock, 64).await;
    let single = one_transaction_each(&store, &clock, &accounts).await;
    let mut texts = Texts::new(backend);
    let transactions: Vec<_> = written(database.url()).await.iter().map(|rows| statements(&mut texts, rows)).collect();
    let empty = schema_like(database).await;
    let plain = plain_transaction_each(empty.url(), &transactions, plain_writers).await;
    empty.remove().await;

    let parts = LedgerParts {
        on_commit: Rc::new(|_, _, _| {}),
        store: store.clone(),
        clock: clock.clone(),
        faults: Faults::default(),
        partitions,
        renewals_max: RENEWALS_MAX,
        dispatch: Rc::new(NoDispatch),
        on_resumed: std::rc::Rc::new(|| {}),
        on_exceeded: std::rc::Rc::new(|_, _| {}),
        figures: LedgerFigures::new(partitions, &Registry::new()).expect("figures"),
    };
    let ledger = ledger::start(&parts, &ActorMetrics::new(clock.clone()), CALLERS * 2);
    let started_at = Instant::now();
    stream::iter(0..GROUPED)
        .for_each_concurrent(CALLERS, |number| {
            let (account_id, command) = stage::finding(&accounts, SINGLE + number, clock.now());
            let ledger = ledger.clone();
            async move {
                ledger.ask(account_id, command).await.expect("a decision").expect("no rejection");
            }
        })
        .await;
    let grouped = GROUPED as f64 / started_at.elapsed().as_secs_f64();
    println!(
        "{name}: {grouped:.0} findings/s in groups, {single:.0} findings/s one by one, \
        {plain:.0} findings/s one by one by {plain_writers} plain writer(s)"
    );
    goal::at_least(&format!("{name}: groups to plain writers"), grouped / plain, GOAL);
    store.close().await;
    if backend == DbBackend::Postgres {
        let empty = schema_like(database).await;
        match pgbench::transactions_per_second(empty.url(), &transactions, plain_writers) {
            Some(pgbench) => {
                println!("{name}: {pgbench:.0} findings/s one by one by pgbench, {plain_writers} clients");
                goal::at_least(&format!("{name}: groups to pgbench"), grouped / pgbench, GOAL);
            }
            None => println!("{name}: pgbench is not installed; nothing to compare with"),
        }
        empty.remove().await;
    }
}

/// An empty database of the same kind, with the schema.
async fn schema_like(database: &TestDatabase) -> EmptyDatabase {
    let empty = plain_writer::empty_like(database).await;
    stage::open(empty.url(), Clock::system()).await.close().await;
    empty
}

async fn one_transaction_each(store: &Store, clock: &Clock, accounts: &[stage::Watcher]) -> f64 {
    let started_at = Instant::now();
    for number in 0..SINGLE {
        let (account_id, command) = stage::finding(accounts, number, clock.now());
        let decisions = commit_all(store, &[Submission::of(account_id, command)], clock.now()).await.expect("a commit");
        decisions[0].as_ref().expect("no rejection");
    }
    SINGLE as f64 / started_at.elapsed().as_secs_f64()
}

/// The rows of all findings that were settled.
async fn written(url: &str) -> Vec<Rows> {
    let reader = PlainWriter::open(url).await;
    let connection = reader.connection();
    let accounts = account::Entity::find().all(connection).await.expect("rows");
    let lots = lot::Entity::find().all(connection).await.expect("rows");
    let usage = usage_month::Entity::find().all(connection).await.expect("rows");
    let seen = finding_seen::Entity::find().all(connection).await.expect("rows");
    let mut seen: HashMap<Uuid, _> = seen.into_iter().map(|row| (row.update_id, row)).collect();
    let ledger_txs = ledger_tx::Entity::find().all(connection).await.expect("rows");
    let mut ledger_txs: HashMap<_, _> = ledger_txs.into_iter().map(|row| ((row.account_id, row.tx_seq), row)).collect();
    let mut entries: HashMap<_, Vec<_>> = HashMap::new();
    for entry in ledger_entry::Entity::find().all(connection).await.expect("rows") {
        entries.entry((entry.account_id, entry.tx_seq)).or_default().push(entry);
    }
    let updates = radar_update::Entity::find().all(connection).await.expect("rows");
    let rows_of = |update: radar_update::Model| {
        let owner = update.account_id;
        let place = (owner, update.tx_seq.expect("a charge"));
        Rows {
            tx: ledger_txs.remove(&place).expect("a ledger transaction"),
            entries: entries.remove(&place).expect("entries"),
            seen: seen.remove(&update.update_id).expect("a finding"),
            account: accounts.iter().find(|row| row.account_id == owner).expect("an account").clone(),
            lot: lots.iter().find(|row| row.account_id == owner).expect("a lot").clone(),
            usage: usage.iter().find(|row| row.account_id == owner).expect("usage").clone(),
            update,
        }
    };
    updates.into_iter().map(rows_of).collect()
}

/// Findings per second that `writers` commit, each its share and each finding by itself.
async fn plain_transaction_each(url: &str, transactions: &[Vec<Statement>], writers: usize) -> f64 {
    let mut open = Vec::new();
    for _ in 0..writers {
        open.push(PlainWriter::open(url).await);
    }
    let started_at = Instant::now();
    let writing = open.into_iter().enumerate().map(|(number, writer)| async move {
        for statements in transactions.iter().skip(number).step_by(writers) {
            let transaction = writer.begin().await;
            for statement in statements {
                transaction.execute_raw(statement.clone()).await.expect("inserted");
            }
            transaction.commit().await.expect("committed");
        }
    });
    join_all(writing).await;
    transactions.len() as f64 / started_at.elapsed().as_secs_f64()
}

/// What inserts the rows of a finding.
fn statements(texts: &mut Texts, rows: &Rows) -> Vec<Statement> {
    let account = "on conflict (account_id) do update set balance_micros = excluded.balance_micros,
        tx_seq = excluded.tx_seq, update_seq = excluded.update_seq, last_at = excluded.last_at";
    let lot = "on conflict (account_id, lot_no) do update set remaining_micros = excluded.remaining_micros";
    let usage = "on conflict (account_id, month) do update set updates_found = excluded.updates_found";
    let inserts = [
        texts.insert(from_ref(&rows.account), account),
        texts.insert(from_ref(&rows.tx), ""),
        texts.insert(&rows.entries, ""),
        texts.insert(from_ref(&rows.lot), lot),
        texts.insert(from_ref(&rows.update), ""),
        texts.insert(from_ref(&rows.seen), ""),
        texts.insert(from_ref(&rows.usage), usage),
    ];
    inserts.into_iter().flatten().collect()
}
