//! Pages of an account that has much, against the same pages of one that has little.
//!
//! `cargo bench -- pages`. Two accounts have 1,000 and 1,000,000 updates, two others 1,000 and 100,000 radars; each page
//! is asked for by turns, over HTTP, from the real program. The pages hold as many records at both.

use chrono::{DateTime, Duration, SecondsFormat, Utc};
use clock::Clock;
use domain::radar_type::RadarType;
use sea_orm::{ConnectionTrait, DbBackend, TransactionTrait};
use uuid::Uuid;
use wire::cursor::{RadarCursor, UpdatesCursor};

use crate::load::{self, Connection};
use crate::plain_writer::PlainWriter;
use crate::server::Server;
use crate::support::test_database::TestDatabase;
use crate::{goal, stage};

/// Updates of the accounts 1 and 2.
const UPDATES: [i64; 2] = [1_000, 1_000_000];
/// Radars of the accounts 3 and 4.
const RADARS: [i64; 2] = [1_000, 100_000];
/// Radars that updates come from, one of each type of a company and each with its domain.
const SOURCES: i64 = 8;
/// Failures among the updates.
const FAILURES: i64 = 110;
/// The oldest radars are inactive and of a type of their own.
const RARE: i64 = 150;
const ROUNDS: usize = 200;
const GOAL: f64 = 1.5;

/// Measures on SQLite, and on PostgreSQL where there is a server.
pub fn run() {
    actix_rt::System::new().block_on(stage::on_each_database(|database| async move { measure(&database).await }));
}

async fn measure(database: &TestDatabase) {
    let name = stage::database_name(database);
    let begun_at = Clock::system().now() - Duration::days(1);
    fill(database.url(), begun_at).await;
    let service = Server::service(database.url(), "");
    let mut connection = Connection::open(service.address()).await;
    for (page, [few, many]) in update_pages(begun_at) {
        let ratio = compare(&mut connection, [(1, few), (2, many)]).await;
        goal::at_most(&format!("{name}: updates, {page}"), ratio, GOAL);
    }
    for (page, [few, many]) in radar_pages(begun_at) {
        let ratio = compare(&mut connection, [(3, few), (4, many)]).await;
        goal::at_most(&format!("{name}: radars, {page}"), ratio, GOAL);
    }
}

/// The median of the second page to that of the first.
async fn compare(connection: &mut Connection, pages: [(u128, String); 2]) -> f64 {
    let requests = pages.map(|(account, path)| load::request("GET", &path, stage::key(account).expose(), ""));
    let mut taken: [Vec<std::time::Duration>; 2] = Default::default();
    let mut lengths = [0; 2];
    for _ in 0..ROUNDS {
        for (index, request) in requests.iter().enumerate() {
            let asked_at = std::time::Instant::now();
            lengths[index] = connection.ask(request).await.len();
            taken[index].push(asked_at.elapsed());
        }
    }
    let [few, many] = taken.map(|mut taken| {
        taken.sort_unstable();
        taken[taken.len() / 2]
    });
    println!("{few:?} for {} bytes, {many:?} for {} bytes", lengths[0], lengths[1]);
    many.as_secs_f64() / few.as_secs_f64()
}

fn update_pages(begun_at: DateTime<Utc>) -> Vec<(&'static str, [String; 2])> {
    let each = |query: &dyn Fn(u128, i64) -> String| {
        [1, 2].map(|account| {
            let count = UPDATES[usize::try_from(account - 1).expect("small")];
            format!("/v1/updates?limit=100{}", query(account, count))
        })
    };
    let middle = |count: i64| UpdatesCursor { sequence: count / 2 }.encode();
    let near_the_end =
        |count| (begun_at + Duration::microseconds(count - 150)).to_rfc3339_opts(SecondsFormat::Micros, true);
    let failures = "&update_type=radar_failure";
    vec![
        ("first page", each(&|_, _| String::new())),
        ("middle page", each(&|_, count| format!("&cursor={}", middle(count)))),
        ("since near the end", each(&|_, count| format!("&since={}", near_the_end(count)))),
        ("of a radar", each(&|account, _| format!("&radar_id={}", identifier(account, 3)))),
        ("of a domain", each(&|_, _| "&domain=company3.com".to_owned())),
        ("of a type", each(&|_, _| "&radar_type=company_mentions".to_owned())),
        ("of three types", each(&|_, _| "&radar_type=company_mentions,company_reviews,company_new_hires".to_owned())),
        ("failures", each(&|_, _| failures.to_owned())),
        ("failures of a radar", each(&|account, _| format!("{failures}&radar_id={}", identifier(account, 3)))),
        ("of somebody else's radar", each(&|account, _| format!("&radar_id={}", identifier(3 - account, 3)))),
        (
            "of a radar of another type",
            each(&|account, _| format!("&radar_type=company_reviews&radar_id={}", identifier(account, 1))),
        ),
        (
            "of a domain that has no such type",
            each(&|_, _| "&radar_type=company_reviews&domain=company1.com".to_owned()),
        ),
    ]
}

fn radar_pages(begun_at: DateTime<Utc>) -> Vec<(&'static str, [String; 2])> {
    let each = |query: &dyn Fn(u128, i64) -> String| {
        [3, 4].map(|account| {
            let count = RADARS[usize::try_from(account - 3).expect("small")];
            format!("/v1/radars?limit=100{}", query(account, count))
        })
    };
    let middle = |account, count: i64| {
        let at = begun_at + Duration::microseconds(count / 2);
        RadarCursor { at, id: identifier(account, count / 2) }.encode()
    };
    vec![
        ("first page", each(&|_, _| String::new())),
        ("middle page", each(&|account, count| format!("&cursor={}", middle(account, count)))),
        ("inactive", each(&|_, _| "&radar_status=inactive".to_owned())),
        ("of a type", each(&|_, _| "&radar_type=company_reviews".to_owned())),
        ("inactive of a type", each(&|_, _| "&radar_status=inactive&radar_type=company_reviews".to_owned())),
        ("active of a type", each(&|_, _| "&radar_status=active&radar_type=company_reviews".to_owned())),
        ("one that is named", each(&|account, _| format!("&radar_id={}", identifier(account, 7)))),
    ]
}

/// What both databases make of `identifier(account, i)` in SQL.
fn identifier(account: u128, number: i64) -> Uuid {
    Uuid::from_u128((account << 96) | (7 << 76) | (8 << 60) | number.unsigned_abs() as u128)
}

/// Four accounts, and what they have by plain SQL.
async fn fill(url: &str, begun_at: DateTime<Utc>) {
    let clock = Clock::system();
    let store = stage::open(url, clock.clone()).await;
    for number in 1..=4 {
        stage::account(&store, &clock, number).await;
    }
    store.close().await;
    let writer = PlainWriter::open(url).await;
    let words = Words { is_sqlite: writer.connection().get_database_backend() == DbBackend::Sqlite, begun_at };
    let transaction = writer.connection().begin().await.expect("a transaction");
    for (account, count) in [1, 2].into_iter().zip(UPDATES) {
        transaction.execute_unprepared(&words.radars(account, SOURCES)).await.expect("radars");
        transaction.execute_unprepared(&words.updates(account, count)).await.expect("updates");
    }
    for (account, count) in [3, 4].into_iter().zip(RADARS) {
        transaction.execute_unprepared(&words.radars(account, count)).await.expect("radars");
    }
    transaction.commit().await.expect("committed");
    if !words.is_sqlite {
        writer.connection().execute_unprepared("analyze").await.expect("analysed");
    }
}

/// SQL in the words of a database.
struct Words {
    is_sqlite: bool,
    begun_at: DateTime<Utc>,
}

impl Words {
    /// A table `n` of the numbers from 1 to `count`.
    fn numbers(&self, count: i64) -> String {
        match self.is_sqlite {
            true => format!(
                "(with recursive n(i) as (select 1 union all select i + 1 from n where i < {count}) select i from n) n"
            ),
            false => format!("generate_series(1, {count}) as n(i)"),
        }
    }

    fn account(&self, account: i64) -> String {
        match self.is_sqlite {
            true => format!("unhex(printf('%032x', {account}))"),
            false => format!("lpad('{account}', 32, '0')::uuid"),
        }
    }

    fn identifier(&self, account: i64, number: &str) -> String {
        match self.is_sqlite {
            true => format!("unhex(printf('%08x000070008000%012x', {account}, {number}))"),
            false => format!("('0000000{account}000070008000' || lpad(to_hex({number}), 12, '0'))::uuid"),
        }
    }

    fn updates(&self, account: i64, count: i64) -> String {
        let (numbers, account_id) = (self.numbers(count), self.account(account));
        let (update_id, radar_id) =
            (self.identifier(account, "i"), self.identifier(account, &format!("i % {SOURCES} + 1")));
        let (begun_at, body) = (self.begun_at.timestamp_micros(), format!(r#"{{"text":"{}"}}"#, "x".repeat(600)));
        let every = count / FAILURES;
        format!(
            "insert into radar_update (account_id, update_seq, update_id, radar_id, radar_type, domain, update_type,
                discovered_at, detected_at, tx_seq, body)
            select {account_id}, i, {update_id}, {radar_id},
                {}, 'company' || (i % {SOURCES} + 1) || '.com',
                case when i % {every} = 0 then 'radar_failure' else 'radar_finding' end,
                {begun_at} + i, {begun_at} + i, null, '{body}' from {numbers}",
            type_of(&format!("i % {SOURCES} + 1"))
        )
    }

    fn radars(&self, account: i64, count: i64) -> String {
        let (numbers, account_id) = (self.numbers(count), self.account(account));
        let (radar_id, begun_at) = (self.identifier(account, "i"), self.begun_at.timestamp_micros());
        let (radar_type, rare) = match count {
            SOURCES => (type_of("i"), 0),
            _ => (format!("case when i <= {RARE} then 'company_reviews' else 'company_mentions' end"), RARE),
        };
        format!(
            "insert into radar (radar_id, account_id, shard, radar_type, target_key, domain, custom_fields, status,
                status_reason, set_up, model, grace_period, created_at, deactivated_at, period_no, crashes, day_charged,
                held_beyond_bound)
            select {radar_id}, {account_id}, 0, {radar_type}, 'target ' || i, 'company' || i || '.com', '{{}}',
                case when i <= {rare} then 'inactive' else 'active' end,
                case when i <= {rare} then 'user_deactivated' end, 'ready', 'update_based', 'none', {begun_at} + i,
                case when i <= {rare} then {begun_at} + i end, 0, 0, 0, 0 from {numbers}"
        )
    }
}

/// The type of the source of that number.
fn type_of(number: &str) -> String {
    let branch = |(source, radar_type): (i64, &RadarType)| format!(" when {source} then '{radar_type}'");
    let branches: String = (1..=SOURCES).zip(RadarType::ALL).map(branch).collect();
    format!("case {number}{branches} end")
}
