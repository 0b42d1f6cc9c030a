//! `POST /v1/radars/companies` of the real program against a plain writer of the same rows.
//!
//! `cargo bench -- create`. The program authenticates, checks, decides, charges, commits, answers and sets each radar
//! up, with the load generator on the same machine. The plain writer then writes the very rows that came of it, in
//! transactions of as many radars as the ledger put into one on average, to an empty database of the same kind.

use std::cell::Cell;
use std::collections::{BTreeSet, HashMap};
use std::time::Instant;

use clock::Clock;
use entity::{account, ledger_entry, ledger_tx, lot, radar, usage_month};
use sea_orm::{DatabaseConnection, EntityTrait, QueryOrder};
use uuid::Uuid;

use crate::plain_writer::{self, PlainWriter};
use crate::server::Server;
use crate::support::test_database::TestDatabase;
use crate::{goal, load, stage};

const ACCOUNTS: u128 = 16;
const CONNECTIONS: usize = 256;
const RADARS: u64 = 20_000;
const GOAL: f64 = 0.5;
/// One is a subscription, the other pays per finding.
const TYPES: [&str; 2] = ["company_reviews", "company_mentions"];
/// A provider that pushes both, so that nothing is fetched.
const PROVIDER: &str = r#"
format_version = 1
id = "provider"
kind = "push"
radar_types = ["company_reviews", "company_mentions"]
"#;

/// What the program wrote, table by table.
struct Written {
    accounts: Vec<account::Model>,
    lots: Vec<lot::Model>,
    usage: Vec<usage_month::Model>,
    radars: Vec<radar::Model>,
    ledger_txs: HashMap<Uuid, ledger_tx::Model>,
    entries: HashMap<(Uuid, i64), Vec<ledger_entry::Model>>,
}

/// Measures on SQLite, and on PostgreSQL where there is a server.
pub fn run() {
    actix_rt::System::new().block_on(stage::on_each_database(|database| async move { measure(&database).await }));
}

async fn measure(database: &TestDatabase) {
    let name = stage::database_name(database);
    let created = create(database.url()).await;
    let written = written(PlainWriter::open(database.url()).await.connection()).await;
    let commits: BTreeSet<i64> = written.radars.iter().map(|radar| radar.created_at).collect();
    let group = written.radars.len() / commits.len();
    let empty = plain_writer::empty_like(database).await;
    let plain = write(empty.url(), &written, group).await;
    empty.remove().await;
    println!("{name}: {created:.0} creates/s, plain writer {plain:.0} radars/s, both {group} to a commit");
    goal::at_least(&format!("{name}: create to plain writer"), created / plain, GOAL);
}

/// Creates per second that the program answers.
async fn create(url: &str) -> f64 {
    stage_accounts(url).await;
    let sources = tempfile::tempdir().expect("a folder");
    std::fs::write(sources.path().join("provider.toml"), PROVIDER).expect("a source");
    let service =
        Server::service(url, &format!("[sources]\nbuiltin = false\ndir = \"{}\"\n", sources.path().display()));
    let keys: Vec<_> = (1..=ACCOUNTS).map(stage::key).collect();
    let asked = Cell::new(0);
    let next = |connection: usize| {
        let number: u64 = asked.replace(asked.get() + 1);
        let radar_type = TYPES[usize::from(number.is_multiple_of(2))];
        let body = format!(r#"{{"domain":"company{number}.com","radar_type":"{radar_type}"}}"#);
        let key = &keys[connection % keys.len()];
        (number < RADARS).then(|| load::request("POST", "/v1/radars/companies", key.expose(), &body))
    };
    load::run(service.address(), CONNECTIONS, next).await.requests_per_second
}

/// Makes the schema and accounts with money.
async fn stage_accounts(url: &str) {
    let clock = Clock::system();
    let store = stage::open(url, clock.clone()).await;
    for number in 1..=ACCOUNTS {
        stage::account(&store, &clock, number).await;
    }
    store.close().await;
}

async fn written(connection: &DatabaseConnection) -> Written {
    let ledger_txs = ledger_tx::Entity::find().all(connection).await.expect("rows");
    let mut entries: HashMap<_, Vec<_>> = HashMap::new();
    for entry in ledger_entry::Entity::find().all(connection).await.expect("rows") {
        entries.entry((entry.account_id, entry.tx_seq)).or_default().push(entry);
    }
    let radars = radar::Entity::find().order_by_asc(radar::Column::CreatedAt);
    Written {
        accounts: account::Entity::find().all(connection).await.expect("rows"),
        lots: lot::Entity::find().all(connection).await.expect("rows"),
        usage: usage_month::Entity::find().all(connection).await.expect("rows"),
        radars: radars.all(connection).await.expect("rows"),
        ledger_txs: ledger_txs.into_iter().filter_map(|tx| Some((tx.radar_id?, tx))).collect(),
        entries,
    }
}

/// Radars per second that a plain writer commits.
async fn write(url: &str, written: &Written, group: usize) -> f64 {
    stage_accounts(url).await;
    let mut writer = PlainWriter::open(url).await;
    let began_at = Instant::now();
    for radars in written.radars.chunks(group) {
        let ledger_txs: Vec<_> =
            radars.iter().filter_map(|radar| written.ledger_txs.get(&radar.radar_id)).cloned().collect();
        let entries = ledger_txs.iter().filter_map(|row| written.entries.get(&(row.account_id, row.tx_seq)));
        let entries: Vec<_> = entries.flatten().cloned().collect();
        let touched: BTreeSet<Uuid> = radars.iter().map(|radar| radar.account_id).collect();
        let transaction = writer.begin().await;
        writer.insert(&transaction, &ledger_txs, "").await;
        writer.insert(&transaction, &entries, "").await;
        let lots: Vec<_> = written.lots.iter().filter(|lot| touched.contains(&lot.account_id)).cloned().collect();
        let on_conflict = "on conflict (account_id, lot_no) do update set remaining_micros = excluded.remaining_micros";
        writer.insert(&transaction, &lots, on_conflict).await;
        writer.insert(&transaction, radars, "").await;
        let usage: Vec<_> = written.usage.iter().filter(|row| touched.contains(&row.account_id)).cloned().collect();
        let on_conflict = "on conflict (account_id, month) do update set radars_activated = excluded.radars_activated";
        writer.insert(&transaction, &usage, on_conflict).await;
        let accounts: Vec<_> =
            written.accounts.iter().filter(|row| touched.contains(&row.account_id)).cloned().collect();
        let on_conflict = "on conflict (account_id) do update set balance_micros = excluded.balance_micros, \
            tx_seq = excluded.tx_seq, last_at = excluded.last_at";
        writer.insert(&transaction, &accounts, on_conflict).await;
        transaction.commit().await.expect("committed");
    }
    written.radars.len() as f64 / began_at.elapsed().as_secs_f64()
}
