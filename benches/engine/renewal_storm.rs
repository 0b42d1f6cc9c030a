//! A hundred thousand renewals due in one instant, and what creations notice of them.
//!
//! `cargo bench -- renewal_storm`. `RADARS` changes the number, `ACCOUNTS` picks the storms of so many accounts. The rows
//! are written with plain statements; then the service runs on them with the machine's clock. A load generator asks for
//! creations at a steady rate, whether or not the last one is answered, half of them in an account that has no renewal
//! due and half in one that has: first at rest, then from the instant at which all renewals are due until the last one
//! is decided.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use ::radar::app::{self, App};
use chrono::{DateTime, TimeDelta, Utc};
use clock::Clock;
use config::Config;
use domain::ids::{AccountId, RadarId};
use domain::radar_type::RadarType;
use entity::{account, ledger_entry, ledger_tx, lot, radar};
use sea_orm::sea_query::Expr;
use sea_orm::{
    ColumnTrait, ConnectionTrait, Database, DatabaseConnection, DbBackend, EntityTrait, IntoActiveModel, QueryFilter,
};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::test_database::TestDatabase;
use crate::{goal, stage};

/// Between two creations that are asked for.
const EVERY: Duration = Duration::from_millis(20);
/// How long creations are watched before the storm, after the service has settled.
const REST: Duration = Duration::from_secs(20);
const SETTLE: Duration = Duration::from_secs(5);
/// The largest ratio of the latencies that is accepted.
const GOAL: f64 = 5.0;
/// Rows in one statement.
const ROWS: usize = 500;
/// A provider that pushes reviews, so that no set-up fetches anything.
const PROVIDER: &str = "format_version = 1\nid = \"provider\"\nkind = \"push\"\nradar_types = [\"company_reviews\"]\n";

/// Whose renewals are due.
#[derive(Clone, Copy)]
struct Shape {
    name: &'static str,
    accounts: usize,
    has_money: bool,
}

const SHAPES: [Shape; 3] = [
    Shape { name: "of one account", accounts: 1, has_money: true },
    Shape { name: "of 10,000 accounts", accounts: 10_000, has_money: true },
    Shape { name: "of one account without money", accounts: 1, has_money: false },
];

/// A creation: when it was to be asked for, how long after that it was answered, and whether in an account in the storm.
type Creation = (Instant, Duration, bool);

/// Measures on SQLite, and on PostgreSQL where there is a server.
pub fn run() {
    let radars: usize = std::env::var("RADARS").ok().and_then(|text| text.parse().ok()).unwrap_or(100_000);
    let accounts: Option<usize> = std::env::var("ACCOUNTS").ok().and_then(|text| text.parse().ok());
    for shape in SHAPES.into_iter().filter(|shape| accounts.is_none_or(|accounts| accounts == shape.accounts)) {
        actix_rt::System::new().block_on(stage::on_each_database(|database| async move {
            // The service wants a thread, and a runtime, of its own.
            let measured = thread::spawn(move || {
                measure(&database, shape, radars);
                database
            });
            drop(measured.join().expect("a measurement"));
        }));
    }
}

fn measure(database: &TestDatabase, shape: Shape, radars: usize) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("provider.toml"), PROVIDER).expect("a source");
    let mut config = Config::built_in().expect("settings");
    config.http.listen.set_port(0);
    config.operator.listen.set_port(0);
    config.operator.key = Some("key of the benchmark".into());
    config.database.url = database.url().to_owned();
    config.secrets.key = Some(stage::encryption_key());
    config.sources.dir = Some(folder.path().into());
    let due_at = actix_rt::System::new().block_on(fill(database.url(), shape, radars));
    let name = stage::database_name(database);
    println!("{name}, {radars} renewals {}:", shape.name);
    app::run(&config, |clock| storm(config.clone(), clock, due_at, radars)).expect("a runtime");
}

async fn storm(config: Config, clock: Clock, due_at: DateTime<Utc>, radars: usize) {
    let app = App::start(config, clock.clone()).await.expect("a start");
    let figures = app.ledger().figures().clone();
    let is_over = Arc::new(AtomicBool::new(false));
    let (done, created) = mpsc::channel();
    let (api, operator, watched) = (app.api_address(), app.operator_address(), is_over.clone());
    thread::spawn(move || done.send(actix_rt::System::new().block_on(generate_load(api, operator, watched))));
    clock.sleep_until(due_at - TimeDelta::from_std(REST).expect("short")).await;
    let rest_from = Instant::now();
    clock.sleep_until(due_at).await;
    let (storm_from, commits) = (Instant::now(), figures.commits());
    while figures.renewals() < radars as u64 {
        clock.sleep(Duration::from_millis(20)).await;
    }
    let took = storm_from.elapsed();
    let commits = figures.commits() - commits;
    is_over.store(true, Relaxed);
    let created = loop {
        match created.try_recv() {
            Ok(created) => break created,
            Err(_) => clock.sleep(Duration::from_millis(20)).await,
        }
    };
    app.stop().await;
    println!("  {took:.1?}, {:.0} renewals/s, {commits} transactions", radars as f64 / took.as_secs_f64());
    let (storm_until, is_any) = (storm_from + took, |_: &Creation| true);
    let rest = p99(&created, rest_from, storm_from, is_any);
    let elsewhere = p99(&created, storm_from, storm_until, |creation| !creation.2);
    let there = p99(&created, storm_from, storm_until, |creation| creation.2);
    let all = p99(&created, storm_from, storm_until, is_any);
    println!(
        "  creations, p99: {rest:.1?} at rest, {all:.1?} in the storm ({there:.1?} where it is, {elsewhere:.1?} elsewhere)"
    );
    let [median, most] = [500, 900]
        .map(|of_1000| percentile(&created, of_1000, |creation| (storm_from..storm_until).contains(&creation.0)));
    println!("  in the storm half of them took {median:.1?} at most, nine of ten {most:.1?}");
    let ratio = all.as_secs_f64() / rest.as_secs_f64();
    goal::at_most("  a creation in the storm to one at rest", ratio, GOAL);
}

/// The latency that 99 of 100 creations of a time stayed below.
fn p99(created: &[Creation], from: Instant, until: Instant, is_wanted: impl Fn(&Creation) -> bool) -> Duration {
    percentile(created, 990, |creation| (from..until).contains(&creation.0) && is_wanted(creation))
}

fn percentile(created: &[Creation], of_1000: usize, is_wanted: impl Fn(&Creation) -> bool) -> Duration {
    let mut latencies: Vec<Duration> =
        created.iter().filter(|creation| is_wanted(creation)).map(|creation| creation.1).collect();
    latencies.sort_unstable();
    let slower = latencies.len() * (1000 - of_1000) / 1000;
    latencies.get(latencies.len().saturating_sub(1 + slower)).copied().unwrap_or_default()
}

/// Asks for creations until it is over; answers all of them.
async fn generate_load(api: SocketAddr, operator: SocketAddr, is_over: Arc<AtomicBool>) -> Vec<Creation> {
    let keys = [stormed_key(operator).await, bystander_key(operator).await];
    actix_rt::time::sleep(SETTLE).await;
    let connector = awc::Connector::new().conn_keep_alive(Duration::from_secs(2)).limit(0);
    let client = awc::Client::builder().connector(connector).disable_timeout().finish();
    let (mut asked, failed) = (Vec::new(), Arc::new(AtomicUsize::new(0)));
    let began_at = Instant::now();
    while !is_over.load(Relaxed) {
        let number = asked.len();
        let asked_at = began_at + EVERY * u32::try_from(number).expect("small");
        actix_rt::time::sleep_until(asked_at.into()).await;
        let body = json!({"domain": format!("load{number}.com"), "radar_type": "company_reviews"});
        let request = client
            .post(format!("http://{api}/v1/radars/companies"))
            .insert_header(("x-api-key", keys[number % 2].as_str()))
            .send_json(&body);
        let failed = failed.clone();
        asked.push(actix_rt::spawn(async move {
            let mut answer = request.await.expect("an answer");
            answer.body().await.expect("a body");
            failed.fetch_add(usize::from(answer.status() != 201), Relaxed);
            (asked_at, asked_at.elapsed(), number % 2 == 0)
        }));
    }
    let mut created = Vec::new();
    for creation in asked {
        created.push(creation.await.expect("a creation"));
    }
    let failed = failed.load(Relaxed);
    if failed > 0 {
        println!("  {failed} of {} creations were refused", created.len());
    }
    created
}

/// A key of the first account in the storm, which is not rate limited.
async fn stormed_key(operator: SocketAddr) -> String {
    let account_id = account_id(1).0;
    let limits = json!({"limits": limits()});
    ask(operator, "PATCH", &format!("accounts/{account_id}"), &limits).await;
    let made = ask(operator, "POST", &format!("accounts/{account_id}/api-keys"), &json!({})).await;
    made["data"]["api_key"].as_str().expect("a key").to_owned()
}

/// The key of an account that has nothing to do with the storm.
async fn bystander_key(operator: SocketAddr) -> String {
    let made = ask(operator, "POST", "accounts", &json!({"name": "Bystander", "limits": limits()})).await;
    let account_id = made["data"]["account_id"].as_str().expect("an id");
    let top_up = json!({"amount_usd": "1000000", "payment_ref": "first"});
    ask(operator, "POST", &format!("accounts/{account_id}/top-ups"), &top_up).await;
    made["data"]["api_key"].as_str().expect("a key").to_owned()
}

fn limits() -> Value {
    json!({"write_per_minute": 1_000_000, "read_per_minute": 1_000_000, "per_second": 1_000_000})
}

async fn ask(operator: SocketAddr, method: &str, path: &str, body: &Value) -> Value {
    let url = format!("http://{operator}/operator/v1/{path}");
    let request = awc::Client::default().request(method.parse().expect("a method"), url);
    let mut answer =
        request.insert_header(("x-operator-key", "key of the benchmark")).send_json(body).await.expect("an answer");
    let answered: Value = answer.json().await.expect("JSON");
    assert!(answer.status().is_success(), "{answered}");
    answered
}

fn account_id(number: usize) -> AccountId {
    AccountId(Uuid::from_u128(number as u128))
}

/// Writes accounts and radars; answers when all of the radars are due.
async fn fill(url: &str, shape: Shape, radars: usize) -> DateTime<Utc> {
    let clock = Clock::system();
    let store = stage::open(url, clock.clone()).await;
    stage::account(&store, &clock, 1).await;
    let commands = stage::radar_commands(RadarId(Uuid::now_v7()), RadarType::CompanyReviews, 1);
    stage::commit(&store, &clock, account_id(1), commands.to_vec()).await;
    store.close().await;

    let connection = Database::connect(url).await.expect("a connection");
    let template = Template::read(&connection).await;
    if !shape.has_money {
        account::Entity::update_many()
            .col_expr(account::Column::BalanceMicros, Expr::value(0_i64))
            .exec(&connection)
            .await
            .expect("poor");
        lot::Entity::update_many()
            .col_expr(lot::Column::RemainingMicros, Expr::value(0_i64))
            .exec(&connection)
            .await
            .expect("poor");
    }
    template.write_accounts(&connection, shape.accounts).await;
    template.write_radars(&connection, shape.accounts, radars).await;
    let active_radars = i64::try_from(radars.div_ceil(shape.accounts) + 1).expect("small");
    account::Entity::update_many()
        .col_expr(account::Column::ActiveRadars, Expr::value(active_radars))
        .exec(&connection)
        .await
        .expect("counted");
    note_checks(&connection).await;
    let due_at = Utc::now() + TimeDelta::from_std(SETTLE + SETTLE + REST).expect("short");
    let created_at = due_at - TimeDelta::days(30);
    radar::Entity::update_many()
        .col_expr(radar::Column::CreatedAt, Expr::value(created_at.timestamp_micros()))
        .col_expr(radar::Column::NextChargeAt, Expr::value(due_at.timestamp_micros()))
        .col_expr(radar::Column::WakeAt, Expr::value(due_at.timestamp_micros()))
        .filter(radar::Column::NextChargeAt.is_not_null())
        .exec(&connection)
        .await
        .expect("due");
    if connection.get_database_backend() == DbBackend::Postgres {
        // As it is where rows came one by one; else the server would begin to in the middle of the storm.
        connection.execute_unprepared("vacuum analyze").await.expect("vacuumed");
    }
    connection.close().await.expect("closed");
    due_at
}

/// Notes that all accounts were checked: rows that nobody paid for would stop them.
async fn note_checks(connection: &DatabaseConnection) {
    let noting = "insert into ledger_check (account_id, tx_seq, update_seq, checked_at)
        select account_id, tx_seq, update_seq, 0 from account";
    connection.execute_unprepared(noting).await.expect("checks");
}

/// The rows of an account with money and of a radar of it, as the service has written them.
struct Template {
    account: account::Model,
    lot: lot::Model,
    tx: ledger_tx::Model,
    entries: Vec<ledger_entry::Model>,
    radar: radar::Model,
}

impl Template {
    async fn read(connection: &DatabaseConnection) -> Self {
        Self {
            account: account::Entity::find().one(connection).await.expect("read").expect("an account"),
            lot: lot::Entity::find().one(connection).await.expect("read").expect("a lot"),
            tx: ledger_tx::Entity::find().one(connection).await.expect("read").expect("a ledger transaction"),
            entries: ledger_entry::Entity::find().all(connection).await.expect("read"),
            radar: radar::Entity::find().one(connection).await.expect("read").expect("a radar"),
        }
    }

    /// All accounts but the first, which exists.
    async fn write_accounts(&self, connection: &DatabaseConnection, accounts: usize) {
        let numbers: Vec<usize> = (2..=accounts).collect();
        for numbers in numbers.chunks(ROWS) {
            let ids: Vec<Uuid> = numbers.iter().map(|&number| account_id(number).0).collect();
            let of = |id: Uuid| account::Model { account_id: id, ..self.account.clone() }.into_active_model();
            let rows = ids.iter().map(|&id| of(id));
            account::Entity::insert_many(rows).exec_without_returning(connection).await.expect("accounts");
            let rows = ids.iter().map(|&id| lot::Model { account_id: id, ..self.lot.clone() }.into_active_model());
            lot::Entity::insert_many(rows).exec_without_returning(connection).await.expect("lots");
            let of = |id: Uuid| ledger_tx::Model { account_id: id, ..self.tx.clone() }.into_active_model();
            let rows = ids.iter().map(|&id| of(id));
            ledger_tx::Entity::insert_many(rows).exec_without_returning(connection).await.expect("ledger transactions");
            let entry = |id: Uuid, entry: &ledger_entry::Model| ledger_entry::Model { account_id: id, ..entry.clone() };
            let rows =
                ids.iter().flat_map(|&id| self.entries.iter().map(move |row| entry(id, row).into_active_model()));
            ledger_entry::Entity::insert_many(rows).exec_without_returning(connection).await.expect("entries");
        }
    }

    /// Subscriptions that are set up, spread evenly over the accounts; the template's own stays without a renewal.
    async fn write_radars(&self, connection: &DatabaseConnection, accounts: usize, radars: usize) {
        let numbers: Vec<usize> = (1..=radars).collect();
        for numbers in numbers.chunks(ROWS) {
            let rows = numbers.iter().map(|&number| {
                let id = account_id(1 + number % accounts);
                let row = radar::Model {
                    radar_id: Uuid::now_v7(),
                    account_id: id.0,
                    shard: i64::from(id.0.as_bytes()[15]),
                    target_key: format!("storm {number}"),
                    domain: Some(format!("storm{number}.com")),
                    model: "subscription".to_owned(),
                    next_charge_at: Some(0),
                    ..self.radar.clone()
                };
                row.into_active_model()
            });
            radar::Entity::insert_many(rows).exec_without_returning(connection).await.expect("radars");
        }
    }
}
