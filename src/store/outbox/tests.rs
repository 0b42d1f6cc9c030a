//! What the databases make of the statements that every delivery, every look into the log and every duty depends on: they
//! go along an index, however much is stored.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use entity::{attempt, delivery, endpoint, endpoint_health, job, radar_update};
use sea_orm::{ConnectionTrait, DbBackend, Statement, Value};
use uuid::Uuid;

use super::deliveries::due;
use super::delivery_log::{few_pending_page, page};
use super::outlook::OUTLOOK;
use super::recoveries::{RecoveryStep, counting, following};
use super::waiting_endpoints::WAITING;
use super::{counts, endpoint_alerts};
use crate::database::bulk::{execute_all, insertions};
use crate::database::{IfPresent, LeaseNow};
use crate::feeds::set_ups;
use crate::reminders::retention::old_updates;
use crate::{DatabaseSettings, Store, StoreRules};
use clock::Clock;
use domain::account::Settings;
use domain::{
    AccountId, DeliveryFilter, DeliveryState, EncryptionKey, EndpointClaim, EndpointId, JobId, KeyRing, RadarId,
    RecoveryRange, RedeliveryLimits, UpdateId,
};
use migration::partitions::WIDTH_MICROS;

/// The databases of the integration tests.
#[path = "../../../tests/it/support"]
pub mod support {
    pub mod databases;
    pub mod ports;
    pub mod postgres;
    pub mod test_database;
}

const DELIVERIES: u128 = 12_000;
const ACCOUNTS: u128 = 40;
const ENDPOINTS: u128 = 200;

pub fn at(seconds: u128) -> DateTime<Utc> {
    DateTime::from_timestamp(1_700_000_000 + i64::try_from(seconds).expect("small"), 0).expect("an instant")
}

/// Apart from one another, so that no two kinds of rows share identifiers.
pub fn id(kind: u128, number: u128) -> Uuid {
    Uuid::from_u128(kind << 64 | number)
}

pub fn account(number: u128) -> AccountId {
    AccountId(id(1, number % ACCOUNTS))
}

pub async fn open(url: &str) -> Store {
    let rules = StoreRules {
        default_prices: Arc::default(),
        render: |_| String::new(),
        render_alert: |_| String::new(),
        money: Settings::default(),
        redeliveries: RedeliveryLimits::default(),
        secret_keys: Arc::new(KeyRing::of_one(EncryptionKey::from_bytes([7; 32]))),
    };
    let settings = DatabaseSettings { url: url.to_owned(), max_connections: 4 };
    let store = Store::open(&settings, rules, Clock::system()).await.expect("a database");
    store.make_partitions(at(0)).await.expect("partitions");
    store
}

/// What PostgreSQL calls an index of a partition.
fn of_partition(index: &str) -> String {
    let columns = match index {
        "delivery_log" => "delivery_20231020_account_id_created_at_update_id",
        "delivery_created" => "delivery_20231020_created_at_update_id",
        "delivery_endpoint_due" => "delivery_20231020_endpoint_id_due_at_sequence",
        "delivery_failed" => "state_created_at_update_id",
        "delivery_held" => "delivery_20231020_endpoint_id",
        "radar_update_time" => "radar_update_default_account_id_discovered_at",
        whole => return whole.to_owned(),
    };
    format!("{columns}_idx")
}

/// One delivery in a hundred is exhausted, one held, one due and one waits for a retry; all others have arrived.
pub fn rows(number: u128) -> (delivery::Model, radar_update::Model) {
    let micros = at(number).timestamp_micros();
    let (state, due_at) = match number % 100 {
        0 => ("exhausted", None),
        1 => ("held", None),
        2 => ("pending", Some(micros)),
        3 => ("pending", Some(at(number + 1_000_000).timestamp_micros())),
        _ => ("delivered", None),
    };
    let sequence = i64::try_from(number).expect("small");
    let delivery = delivery::Model {
        update_id: id(3, number),
        account_id: account(number).0,
        update_seq: sequence,
        endpoint_id: id(2, number % ENDPOINTS),
        sequence,
        state: state.to_owned(),
        attempts: 1,
        due_at,
        lease_until: None,
        lease_no: 1,
        claimed_by: None,
        created_at: micros,
        finished_at: None,
        format: None,
        body: None,
        trace: None,
        published_at: micros,
    };
    let update = radar_update::Model {
        account_id: account(number).0,
        update_seq: sequence,
        update_id: id(3, number),
        radar_id: id(4, number % 1_000),
        radar_type: "company_reviews".to_owned(),
        domain: None,
        update_type: "radar_finding".to_owned(),
        discovered_at: micros,
        detected_at: micros,
        tx_seq: None,
        body: "{}".to_owned(),
    };
    (delivery, update)
}

/// The first attempt of a delivery, which has arrived.
pub fn arrived(delivery: &delivery::Model) -> attempt::Model {
    attempt::Model {
        update_id: delivery.update_id,
        attempt_no: 1,
        account_id: delivery.account_id,
        endpoint_id: delivery.endpoint_id,
        started_at: delivery.published_at,
        duration_ms: 1,
        outcome: "ok".to_owned(),
        status: Some(200),
        remote: None,
        response: None,
        response_truncated: 0,
        published_at: delivery.published_at,
    }
}

async fn fill(store: &Store) {
    let transaction = store.begin().await.expect("a transaction");
    let backend = transaction.get_database_backend();
    let (deliveries, mut updates): (Vec<_>, Vec<_>) = (0..DELIVERIES).map(rows).unzip();
    // Some are so old that they lie in no partition.
    updates.extend((DELIVERIES..2 * DELIVERIES).map(|number| {
        let (_, update) = rows(number);
        radar_update::Model { discovered_at: update.discovered_at - WIDTH_MICROS, ..update }
    }));
    execute_all(&transaction, insertions(backend, deliveries, IfPresent::fail())).await.expect("deliveries");
    execute_all(&transaction, insertions(backend, updates, IfPresent::fail())).await.expect("updates");
    transaction.commit().await.expect("a commit");
    if backend == DbBackend::Postgres {
        store.write.execute_unprepared("analyze").await.expect("statistics");
    }
}

/// The plan of a statement, line by line.
async fn plan(store: &Store, statement: Statement) -> Vec<String> {
    let (explain, column) = match statement.db_backend {
        DbBackend::Sqlite => ("explain query plan", "detail"),
        _ => ("explain", "QUERY PLAN"),
    };
    let explaining = Statement { sql: format!("{explain} {}", statement.sql), ..statement };
    let rows = store.read.query_all_raw(explaining).await.expect("a plan");
    rows.iter().map(|row| row.try_get("", column).expect("a line")).collect()
}

/// Each statement with the index that it has to use, or those of which it has to use one.
fn statements(connection: &impl ConnectionTrait) -> Vec<(&'static str, Statement, &'static str)> {
    let backend = connection.get_database_backend();
    let (one, now) = (account(7), at(DELIVERIES));
    let old = at(DELIVERIES + 100) - TimeDelta::microseconds(WIDTH_MICROS);
    let log = |filter: DeliveryFilter| page(connection, &filter, 50).finish();
    let of_account = DeliveryFilter { account_id: Some(one), ..DeliveryFilter::default() };
    let pending = DeliveryFilter { state: Some(DeliveryState::Pending), ..DeliveryFilter::default() };
    let few_pending = few_pending_page(connection, &pending, 50).finish();
    let held = DeliveryFilter { state: Some(DeliveryState::Held), ..DeliveryFilter::default() };
    let range = RecoveryRange {
        account_id: None,
        since: at(2_000),
        until: at(11_000),
        radar_type: None,
        with_delivered: false,
    };
    let recovery = |account_id: Option<AccountId>| job::Model {
        job_id: id(5, 1),
        account_id: account_id.map(|account_id| account_id.0),
        since: range.since.timestamp_micros(),
        until: range.until.timestamp_micros(),
        radar_type: None,
        with_delivered: 0,
        search: None,
        created_at: 0,
        found: 0,
        done: 0,
        cursor_at: at(9_000).timestamp_micros(),
        cursor_id: Some(id(3, 9_000)),
        advanced_at: 0,
        finished_at: None,
        resumes_at: None,
        is_stopped: 0,
    };
    let share =
        |number| EndpointClaim { endpoint_id: EndpointId(id(2, number)), account_id: one, count: 8, probe_since: None };
    let claim =
        due(backend, &[share(2), share(102)], now, LeaseNow::Micros(now.timestamp_micros())).expect("a statement");
    vec![
        ("the log of an account", log(of_account), "delivery_log"),
        ("those that wait, where they are few", few_pending, "delivery_endpoint_due"),
        (
            "the log of an account since an instant",
            log(DeliveryFilter { since: Some(now - TimeDelta::hours(1)), ..of_account }),
            "delivery_log",
        ),
        (
            "the second page",
            log(DeliveryFilter { before: Some((at(9_000), UpdateId(id(3, 9_000)))), ..of_account }),
            "delivery_log",
        ),
        ("what failed of an account", log(DeliveryFilter { state: held.state, ..of_account }), "delivery_failed"),
        ("the log of all accounts", log(DeliveryFilter::default()), "delivery_created"),
        ("what failed of all accounts", log(held), "delivery_failed|delivery_held"),
        (
            "what failed of a radar",
            log(DeliveryFilter { radar_id: Some(RadarId(id(4, 7))), state: held.state, ..of_account }),
            "delivery_failed",
        ),
        ("a claim", claim, "delivery_endpoint_due"),
        ("what is to be done", Statement::from_string(backend, OUTLOOK), "delivery_endpoint_due"),
        ("which endpoints wait", Statement::from_string(backend, WAITING), "delivery_endpoint_due"),
        ("a step of a recovery of all", following(backend, &recovery(None)).finish(), "delivery_created"),
        ("a step of a recovery of an account", following(backend, &recovery(Some(one))).finish(), "delivery_log"),
        ("a count for all accounts", counting(backend, &range, now, now).finish(), "delivery_failed"),
        (
            "a count for all accounts of what waits",
            counting(backend, &range, now, now).finish(),
            "delivery_endpoint_due",
        ),
        (
            "a count for an account",
            counting(backend, &RecoveryRange { account_id: Some(one), ..range }, now, now).finish(),
            "delivery_failed",
        ),
        ("how much is held", Statement::from_string(backend, counts::statement()), "delivery_held|delivery_failed"),
        ("how much is exhausted", Statement::from_string(backend, counts::statement()), "delivery_failed"),
        (
            "the next alert about an endpoint",
            Statement::from_string(backend, endpoint_alerts::NEXT),
            "endpoint_alert_due",
        ),
        ("what retention removes", old_updates(backend, old, None, 250).finish(), "radar_update_time"),
    ]
}

#[actix_web::test]
async fn what_is_done_with_deliveries_goes_along_an_index() {
    support::databases::on_both_databases(|database| async move {
        let store = open(database.url()).await;
        fill(&store).await;
        for (what, statement, index) in statements(&store.read) {
            let plan = plan(&store, statement).await;
            let is_postgres = store.read.get_database_backend() == DbBackend::Postgres;
            let name = |index: &str| if is_postgres { of_partition(index) } else { index.to_owned() };
            let has_index = index.split('|').any(|index| plan.iter().any(|line| line.contains(&name(index))));
            // PostgreSQL reads tables of a page or two as a whole, and so it should.
            let is_scan = |line: &String| {
                line.contains("Seq Scan on delivery_20231020")
                    || line.contains("Seq Scan on radar_update_20231020")
                    || (line.contains("SCAN delivery") || line.contains("SCAN radar_update")) && !line.contains("USING")
            };
            let is_small = index == "endpoint_alert_due" && store.read.get_database_backend() == DbBackend::Postgres;
            assert!(has_index || is_small, "{what} does not use {index}:\n{}", plan.join("\n"));
            assert!(!plan.iter().any(is_scan), "{what} reads a table as a whole:\n{}", plan.join("\n"));
        }
        store.close().await;
    })
    .await;
}

/// PostgreSQL does not know the size of a new table, and keeps the plans that it makes meanwhile.
#[actix_web::test]
async fn a_new_database_is_read_along_indexes() {
    support::databases::on_both_databases(|database| async move {
        let store = open(database.url()).await;
        let pairs = (0..64).map(|number| -> [Value; 2] { [account(number).0.into(), number.to_string().into()] });
        let mut targets = store.sql("with wanted (one, other) as (values ");
        targets.bind_rows(pairs).push(") select found.* from wanted");
        targets.look_up("radar", "account_id = wanted.one and target_key = wanted.other and status = 'active'");
        let mut waiting = store.sql_with(set_ups::WAITING, 1_i64);
        for (sql, index) in [(&mut targets, "radar_target"), (&mut waiting, "set_up_waiting")] {
            let plan = plan(&store, sql.finish()).await;
            let is_used = plan.iter().any(|line| line.contains(index));
            let reads_all = |line: &String| ["Scan on radar", "Scan on set_up"].iter().any(|all| line.contains(all));
            let is_whole = plan.iter().any(|line| line.contains("Seq") && reads_all(line));
            let looks_up = plan.iter().any(|line| line.contains("Index Cond") || line.contains("SEARCH"));
            assert!(is_used && looks_up && !is_whole, "{index} is not what is read:\n{}", plan.join("\n"));
        }
        store.close().await;
    })
    .await;
}

#[actix_web::test]
async fn decision_5_6_a_broken_row_does_not_stop_the_alerts() {
    support::databases::on_both_databases(|database| async move {
        let store = open(database.url()).await;
        let of_nobody = endpoint_health::Model {
            endpoint_id: id(2, 1),
            account_id: account(1).0,
            disabled_reason: None,
            disabled_at: None,
            consecutive_failures: 9,
            attempts_since_success: 9,
            failing_since: Some(at(1).timestamp_micros()),
            last_success_at: None,
            breaker_open_until: None,
            breaker_opens: 1,
            next_allowed_at: None,
            alert_at: Some(at(2).timestamp_micros()),
        };
        let backend = store.write.get_database_backend();
        let transaction = store.begin().await.expect("a transaction");
        execute_all(&transaction, insertions(backend, vec![of_nobody], IfPresent::fail())).await.expect("a row");
        transaction.commit().await.expect("a commit");
        let alerts = store.all_send_endpoint_alerts(at(3), |_| String::new()).await.expect("a look");
        assert_eq!((alerts.due.len(), alerts.next_at), (0, None), "no alert, and no look without a pause");
        store.close().await;
    })
    .await;
}

/// A delivery to one of two hosts that was given up.
fn given_up(number: u128, endpoint: u128) -> delivery::Model {
    let (delivery, _) = rows(number);
    let endpoint_id = id(2, endpoint);
    delivery::Model {
        account_id: account(endpoint).0,
        endpoint_id,
        state: "exhausted".into(),
        due_at: None,
        ..delivery
    }
}

#[actix_web::test]
async fn decision_5_8_a_recovery_goes_past_a_host_without_a_free_turn_and_comes_back_for_what_it_left() {
    support::databases::on_both_databases(|database| async move {
        const BUSY: u128 = 450;
        let store = open(database.url()).await;
        let transaction = store.begin().await.expect("a transaction");
        let backend = transaction.get_database_backend();
        let deliveries = (0..BUSY).map(|no| given_up(no, 1)).chain((BUSY..BUSY + 5).map(|no| given_up(no, 2)));
        execute_all(&transaction, insertions(backend, deliveries.collect(), IfPresent::fail()))
            .await
            .expect("deliveries");
        let endpoint = |no: u128| endpoint::Model {
            endpoint_id: id(2, no),
            account_id: account(no).0,
            url: format!("https://host{no}.example/hook"),
            head_sequence: 0,
            created_at: 0,
        };
        execute_all(&transaction, insertions(backend, vec![endpoint(1), endpoint(2)], IfPresent::fail()))
            .await
            .expect("endpoints");
        transaction.commit().await.expect("a commit");

        let mut now = at(1_000_000);
        let begun = now;
        let (since, until) = (at(0), at(1_000));
        let range = RecoveryRange { account_id: None, since, until, radar_type: None, with_delivered: false };
        store.begin_recovery(JobId(id(5, 1)), range, now).await.expect("an answer").expect("a recovery");
        let step = async |now| match store.advance_recovery(now).await.expect("a step") {
            RecoveryStep::Made(recovery) => recovery,
            other => panic!("{other:?}"),
        };
        let resent = [step(now).await.done, step(now).await.done, step(now).await.done];
        assert_eq!(resent, [101, 101, 106], "the other host's are not kept waiting");
        assert_eq!(store.forget_redelivery_hosts(now + TimeDelta::days(2)).await.expect("an answer"), 1);
        // One of those that were left has arrived meanwhile.
        let arrived = "update delivery set state = 'delivered' where sequence = 449";
        store.write.execute_unprepared(arrived).await.expect("an update");
        let mut steps = 0;
        let last = loop {
            let RecoveryStep::Pause { resumes_at } = store.advance_recovery(now).await.expect("a look") else {
                panic!("nothing can be done at {now}")
            };
            now = resumes_at;
            let recovery = step(now).await;
            steps += 1;
            if recovery.finished_at.is_some() || steps > 20 {
                break recovery;
            }
        };
        assert_eq!((last.done, last.finished_at), (454, Some(now)));
        assert!(now - begun <= TimeDelta::seconds(45), "its host did not stand idle");
        let mut turns = store.sql("select due_at from delivery where due_at is not null and endpoint_id = ");
        let mut turns: Vec<i64> = turns.bind(id(2, 1)).all(&store.read).await.expect("turns");
        turns.sort_unstable();
        assert!(turns.windows(2).all(|pair| pair[1] - pair[0] >= 100_000), "ten in a second");
        store.close().await;
    })
    .await;
}
