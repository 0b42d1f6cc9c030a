//! Retention takes what is over and nothing else, on both databases; partitions are there in time, and a database that was
//! made without them keeps every row.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use entity::{attempt, delivery, radar_update};
use migration::partitions::{WIDTH_MICROS, start_of};
use migration::{Migrator, MigratorTrait};
use parking_lot::Mutex;
use sea_orm::{ConnectionTrait, Database, DbBackend, Statement, TransactionTrait};

use crate::database::bulk::insert;
use crate::database::{IfPresent, Run, Statements};
use crate::faults::{Faults, InjectedFault};
use crate::outbox::tests::support::databases::on_both_databases;
use crate::outbox::tests::{account, arrived, at, id, open, rows};
use crate::{Store, StoreError};
use domain::{UpdateFilter, UpdateId};

/// Updates with their deliveries, attempts and feedback.
const TABLES: [&str; 4] = ["radar_update", "delivery", "attempt", "update_feedback"];

/// The beginning of the partition before that of `at(0)`, and of some more.
fn starts() -> [DateTime<Utc>; 4] {
    let first = start_of(at(0).timestamp_micros()) - WIDTH_MICROS;
    [0, 1, 2, 3].map(|no| DateTime::from_timestamp_micros(first + no * WIDTH_MICROS).expect("an instant"))
}

fn row(number: u128, instant: DateTime<Utc>, state: &str) -> (radar_update::Model, delivery::Model, attempt::Model) {
    let (delivery, update) = rows(number);
    let micros = instant.timestamp_micros();
    let due_at = (state == "pending").then_some(micros);
    let delivery = delivery::Model { published_at: micros, state: state.to_owned(), due_at, ..delivery };
    // Days later, which must not matter.
    let attempt = attempt::Model { started_at: micros + WIDTH_MICROS, ..arrived(&delivery) };
    (radar_update::Model { discovered_at: micros, ..update }, delivery, attempt)
}

/// Writes an update with all that goes with it.
async fn publish(store: &Store, number: u128, instant: DateTime<Utc>, state: &str) {
    let (update, delivery, attempt) = row(number, instant, state);
    let transaction = store.begin().await.expect("a transaction");
    let feedback = "insert into update_feedback (update_id, account_id, radar_type, useful, given_at)
        values (?, ?, 'company_reviews', 1, ?)";
    transaction.run(feedback, (update.update_id, update.account_id, instant)).await.expect("feedback");
    let account =
        "insert into account (name, status, approval, created_at, balance_micros, tx_seq, update_seq, hold_seq, lot_no,
        active_radars, ended_radars, purged_radars, last_at, account_id, head_hash)
        values ('a', 'active', 'auto', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ";
    let mut account = transaction.sql(account);
    account.bind(update.account_id).push(", ").bind(vec![0_u8; 32]).push(") on conflict (account_id) do nothing");
    account.run(&transaction).await.expect("an account");
    insert(&transaction, vec![update], IfPresent::fail()).await.expect("an update");
    insert(&transaction, vec![delivery], IfPresent::fail()).await.expect("a delivery");
    insert(&transaction, vec![attempt], IfPresent::fail()).await.expect("an attempt");
    transaction.commit().await.expect("a commit");
}

/// The numbers of the updates of which there are rows; of each there are all rows, or none.
async fn kept(store: &Store) -> Vec<u128> {
    let mut kept: Vec<Vec<u128>> = Vec::new();
    for table in TABLES {
        let ids = format!("select update_id from {table} order by update_id");
        let ids: Vec<UpdateId> = store.all(&ids, ()).await.expect("rows");
        kept.push(ids.into_iter().map(|update_id| update_id.0.as_u128() & u128::from(u64::MAX)).collect());
    }
    assert!(kept.iter().all(|of_table| *of_table == kept[0]), "{kept:?}");
    kept.remove(0)
}

/// What the duty does.
async fn retain(store: &Store, before: DateTime<Utc>) {
    store.give_up_over(before, at(0), 100).await.expect("given up");
    while store.purge_updates(before, None, 2).await.expect("a step").removed > 0 {}
    store.drop_partitions(before).await.expect("dropped");
}

fn is_postgres(store: &Store) -> bool {
    store.read.get_database_backend() == DbBackend::Postgres
}

/// How many updates lie in no partition.
async fn left(store: &Store) -> i64 {
    store.first("select count(*) from radar_update_default", ()).await.expect("a count").expect("a row")
}

#[actix_web::test]
async fn spec_6_4_retention_takes_what_is_over_and_nothing_that_is_kept() {
    on_both_databases(|database| async move {
        let store = open(database.url()).await;
        let [first, second, third, _] = starts();
        store.make_partitions(first).await.expect("partitions");
        let hour = TimeDelta::hours(1);
        for (number, instant, state) in [
            (1, first - hour, "delivered"),
            (2, first, "delivered"),
            (3, second - hour, "held"),
            (4, second - TimeDelta::microseconds(1), "pending"),
            (5, second, "pending"),
            (6, third + hour, "held"),
        ] {
            publish(&store, number, instant, state).await;
        }
        retain(&store, first).await;
        assert_eq!(kept(&store).await, [2, 3, 4, 5, 6], "what lies in no partition goes row by row");
        retain(&store, second - TimeDelta::microseconds(1)).await;
        if is_postgres(&store) {
            assert_eq!(kept(&store).await, [2, 3, 4, 5, 6], "one of the partition is kept");
            let states = "select state from delivery order by update_seq";
            let states: Vec<String> = store.all(states, ()).await.expect("states");
            let expected = ["delivered", "exhausted", "pending", "pending", "held"];
            assert_eq!(states, expected, "what is over is sent no more");
        }
        retain(&store, second).await;
        assert_eq!(kept(&store).await, [5, 6]);
        retain(&store, third).await;
        assert_eq!(kept(&store).await, [6]);
        store.close().await;
    })
    .await;
}

#[actix_web::test]
async fn spec_6_4_a_partition_is_dropped_as_a_whole_or_not_at_all() {
    on_both_databases(|database| async move {
        let cut_off: Arc<Mutex<Vec<String>>> = Arc::default();
        let noted = cut_off.clone();
        let faults = Faults::failing(move |point, table| {
            let mut noted = noted.lock();
            // At each table once.
            if noted.iter().any(|known| known == table) {
                return Ok(());
            }
            noted.push(table.to_owned());
            Err(InjectedFault { point })
        });
        let store = open(database.url()).await.with_faults(faults);
        let [first, second, ..] = starts();
        store.make_partitions(first).await.expect("partitions");
        publish(&store, 1, first, "delivered").await;
        publish(&store, 2, second, "delivered").await;
        let mut failures = 0;
        while store.drop_partitions(second).await.is_err() {
            failures += 1;
            assert_eq!(kept(&store).await, [1, 2], "cut off at {:?}", cut_off.lock().last());
        }
        if is_postgres(&store) {
            assert_eq!((failures, kept(&store).await), (3, vec![2]));
        }
        store.close().await;
    })
    .await;
}

#[actix_web::test]
async fn partitions_are_there_before_anything_lies_in_them() {
    on_both_databases(|database| async move {
        let store = open(database.url()).await;
        if !is_postgres(&store) {
            assert_eq!(store.make_partitions(at(0)).await.expect("an answer"), 0);
            return store.close().await;
        }
        // Day by day for a year, as a clock goes: each time before something is published.
        let day = |no: i32| starts()[0] + TimeDelta::days(no.into());
        let mut made = 0;
        for no in 0..365_u16 {
            made += store.make_partitions(day(no.into())).await.expect("partitions");
            publish(&store, no.into(), day(no.into()) + TimeDelta::hours(23), "delivered").await;
        }
        assert_eq!((made, left(&store).await), (12, 0), "thirteen and one ahead, less the two that were there");
        // Years go by, and something is published before anybody has looked.
        let later = day(2_000);
        publish(&store, 1_000, later, "delivered").await;
        assert_eq!(store.make_partitions(later).await.expect("partitions"), 1, "the next one alone");
        publish(&store, 1_001, later + TimeDelta::days(30), "delivered").await;
        assert_eq!(left(&store).await, 1);
        retain(&store, later + TimeDelta::hours(1)).await;
        assert_eq!((kept(&store).await, left(&store).await), (vec![1_001], 0));
        assert_eq!(store.make_partitions(later).await.expect("partitions"), 1, "now there is room for it");
        store.close().await;
    })
    .await;
}

#[actix_web::test]
async fn who_holds_the_tables_keeps_partitions_from_being_dropped_and_not_for_long() {
    on_both_databases(|database| async move {
        let store = open(database.url()).await;
        let [first, second, ..] = starts();
        store.make_partitions(first).await.expect("partitions");
        publish(&store, 1, first, "delivered").await;
        let transaction = store.begin().await.expect("a transaction");
        let held = "update delivery set attempts = 2 where update_id = ?";
        transaction.run(held, id(3, 1)).await.expect("a lock");
        if is_postgres(&store) {
            let refused = store.drop_partitions(second).await.expect_err("it is held");
            assert!(matches!(refused, StoreError::Unavailable(_)), "{refused}");
        }
        transaction.commit().await.expect("it still can");
        assert_eq!(kept(&store).await, [1]);
        retain(&store, second).await;
        assert_eq!(kept(&store).await, [0_u128; 0]);
        store.close().await;
    })
    .await;
}

#[actix_web::test]
async fn a_pull_reads_the_partitions_of_its_time_alone() {
    on_both_databases(|database| async move {
        let mut store = open(database.url()).await;
        let [first, second, third, _] = starts();
        for (number, instant) in [(40, first), (80, second), (120, third), (160, third + TimeDelta::hours(1))] {
            store.make_partitions(instant).await.expect("partitions");
            publish(&store, number, instant, "delivered").await;
        }
        let asked: Arc<Mutex<Vec<Statement>>> = Arc::default();
        let noted = asked.clone();
        store.read.set_metric_callback(move |query| noted.lock().push(query.statement.clone()));
        let filter = UpdateFilter { since: Some(third), ..UpdateFilter::default() };
        let (updates, _) = store.updates(account(0), &filter, 10).await.expect("updates");
        assert_eq!(updates.iter().map(|update| update.update_seq).collect::<Vec<_>>(), [160]);
        let asked = asked.lock().pop().expect("a statement");
        if is_postgres(&store) {
            let explained = Statement { sql: format!("explain (analyze) {}", asked.sql), ..asked };
            let plan = store.read.query_all_raw(explained).await.expect("a plan");
            let plan: Vec<String> = plan.iter().map(|row| row.try_get("", "QUERY PLAN").expect("a line")).collect();
            // The other look-up is the one that finds where the page begins.
            let page: Vec<&String> = plan.iter().filter(|line| line.contains(" found")).collect();
            let names = |day: DateTime<Utc>| format!("radar_update_{}", day.format("%Y%m%d"));
            assert!(page.iter().any(|line| line.contains(&names(third))), "{}", plan.join("\n"));
            let others = [names(first), names(second)];
            assert!(!page.iter().any(|line| others.iter().any(|other| line.contains(other))), "{}", plan.join("\n"));
        }
        store.close().await;
    })
    .await;
}

#[actix_web::test]
async fn a_database_without_partitions_gets_them_and_keeps_every_row() {
    const ROWS: i32 = 200;
    on_both_databases(|database| async move {
        let is_file = database.url().starts_with("sqlite");
        let url = format!("{}{}", database.url(), if is_file { "?mode=rwc" } else { "" });
        let connection = Database::connect(url).await.expect("a connection");
        let migrations = Migrator::migrations();
        let before = migrations.iter().position(|one| one.name().ends_with("_partitions")).expect("it is there");
        Migrator::up(&connection, Some(u32::try_from(before).expect("few"))).await.expect("a schema");
        let transaction = connection.begin().await.expect("a transaction");
        for number in 0..ROWS {
            // Seven hours apart, over two months; deliveries were written at another time.
            let published = starts()[0] + TimeDelta::hours(7) * number;
            let (update_id, micros, nobody) =
                (id(3, number.unsigned_abs().into()), published.timestamp_micros(), id(1, 0));
            let of = |words: &str| transaction.sql(words);
            let mut update = of("insert into radar_update (account_id, update_seq, update_id, radar_id, radar_type,
                update_type, discovered_at, detected_at, body) values (");
            update.bind(nobody).push(", ").bind(i64::from(number)).push(", ").bind(update_id).push(", ").bind(nobody);
            update.push(", 'company_reviews', 'radar_finding', ").bind(micros).push(", 0, ").bind(number.to_string());
            update.push(")").run(&transaction).await.expect("an update");
            let delivery =
                "insert into delivery (update_id, account_id, update_seq, endpoint_id, sequence, state, attempts,
                lease_no, created_at) values (?, ?, 0, ?, ?, 'delivered', 1, 1, ?)";
            let delivered = (update_id, nobody, nobody, i64::from(number), 1_i64);
            transaction.run(delivery, delivered).await.expect("a delivery");
            let attempt =
                "insert into attempt (update_id, attempt_no, account_id, endpoint_id, started_at, duration_ms,
                outcome, response_truncated) values (?, 1, ?, ?, ?, 1, 'ok', 0)";
            transaction.run(attempt, (update_id, nobody, nobody, micros + WIDTH_MICROS)).await.expect("an attempt");
        }
        transaction.commit().await.expect("a commit");
        connection.close().await.expect("closed");

        let store = open(database.url()).await;
        let whole = "select count(*) from radar_update u
            join delivery d on d.update_id = u.update_id and d.published_at = u.discovered_at and d.created_at = 1
            join attempt a on a.update_id = u.update_id and a.published_at = u.discovered_at
            where u.discovered_at = ? + u.update_seq * ? and u.body = cast(u.update_seq as text)
            and a.started_at = u.discovered_at + ?";
        let hours = TimeDelta::hours(7).num_microseconds().expect("few");
        let whole: Option<i64> = store.first(whole, (starts()[0], hours, WIDTH_MICROS)).await.expect("a count");
        assert_eq!(whole, Some(ROWS.into()), "each with what belongs to it");
        if is_postgres(&store) {
            assert_eq!(left(&store).await, 0);
            // They are the partitions of all others: each guards what the whole table has guarded.
            let [first, ..] = starts();
            let twice = row(0, first + TimeDelta::hours(1), "delivered").0;
            let transaction = store.begin().await.expect("a transaction");
            let refused = insert(&transaction, vec![twice], IfPresent::fail()).await.expect_err("it is there");
            assert!(matches!(refused, StoreError::Conflict(_)), "{refused}");
            drop(transaction);
            store.drop_partitions(starts()[1]).await.expect("dropped");
            let kept: Option<i64> = store.first("select count(*) from attempt", ()).await.expect("a count");
            assert_eq!(kept, Some(i64::from(ROWS) - 30 * 24 / 7 - 1));
        }
        store.close().await;
    })
    .await;
}
