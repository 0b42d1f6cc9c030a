//! Looks of previews that are under way in several processes, and those of processes that end (invariant 8).

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use domain::ids::AccountId;
use sea_orm::{ConnectionTrait, Database, DbBackend, Statement};
use store::{PreviewLook, Store};
use uuid::Uuid;

use crate::commit::{connect, create_account, now};
use crate::support::customer::eventually;
use crate::support::databases::{TestDatabase, on_both_databases};

const ACCOUNT: AccountId = AccountId(Uuid::from_u128(1));

async fn begin(store: &Store, at: DateTime<Utc>) -> Option<PreviewLook> {
    let remembered_since = at - TimeDelta::hours(1);
    store.begin_preview_look(ACCOUNT, (at, remembered_since), Duration::from_secs(25)).await.expect("a look")
}

/// Closes the store of a process, and waits until the server has noticed.
async fn die(store: Store, database: &TestDatabase) {
    store.close().await;
    if !database.url().starts_with("postgres") {
        return;
    }
    let server = Database::connect(database.url()).await.expect("the server");
    let text = "select count(*) as n from pg_stat_activity where datname = current_database() \
                and application_name like 'radar %'";
    eventually("the connections have ended", || async {
        let counted = server.query_one_raw(Statement::from_string(DbBackend::Postgres, text)).await;
        let count = counted.expect("a count").expect("a row").try_get::<i64>("", "n").expect("a number");
        (count == 0).then_some(())
    })
    .await;
    server.close().await.expect("an end");
}

#[actix_web::test]
async fn looks_of_several_processes_are_no_suspects_for_each_other_and_those_of_dead_ones_are() {
    on_both_databases(|database| async move {
        let store = connect(&database).await;
        create_account(&store, ACCOUNT).await;
        let is_server = database.url().starts_with("postgres");
        let second = if is_server { Some(connect(&database).await) } else { None };
        let mut begun = Vec::new();
        for number in 0..5 {
            let at = second.as_ref().filter(|_| number % 2 == 1).unwrap_or(&store);
            let look = begin(at, now()).await.expect("nobody is to blame");
            assert_eq!(look.open_looks, 0, "look {number}: all of them are under way");
            begun.push(look);
        }
        // Those of the second process end well; the first dies with three of them.
        if let Some(second) = second {
            for number in [1, 3] {
                second.end_preview_look(begun[number]).await.expect("an end");
            }
            second.close().await;
        }
        die(store, &database).await;
        let next = connect(&database).await;
        assert_eq!(begin(&next, now()).await, None, "three did not end");
        let later = now() + TimeDelta::minutes(61);
        let look = begin(&next, later).await.expect("they are forgiven");
        assert_eq!(look.open_looks, 0);
        next.end_preview_look(look).await.expect("an end");
        next.close().await;
    })
    .await;
}

#[actix_web::test]
async fn a_look_that_ends_clears_those_before_it_that_did_not() {
    on_both_databases(|database| async move {
        let dead = connect(&database).await;
        create_account(&dead, ACCOUNT).await;
        for _ in 0..2 {
            begin(&dead, now()).await.expect("nobody is to blame");
        }
        die(dead, &database).await;
        let next = connect(&database).await;
        let look = begin(&next, now()).await.expect("two are too few");
        assert_eq!(look.open_looks, 2);
        next.end_preview_look(look).await.expect("an end");
        assert_eq!(begin(&next, now()).await.map(|look| look.open_looks), Some(0));
        next.close().await;
    })
    .await;
}
