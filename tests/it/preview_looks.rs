//! Looks of previews that are under way in several processes, and those of processes that end (invariant 8).

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use domain::ids::AccountId;
use store::{PreviewLook, Store};
use uuid::Uuid;

use crate::commit::{connect, create_account, now};
use crate::support::databases::{TestDatabase, on_both_databases};

const ACCOUNT: AccountId = AccountId(Uuid::from_u128(1));

async fn begin(store: &Store, at: DateTime<Utc>) -> Option<PreviewLook> {
    let remembered_since = at - TimeDelta::hours(1);
    store.begin_preview_look(ACCOUNT, (at, remembered_since), Duration::from_secs(25)).await.expect("a look")
}

/// The store of a process that has joined.
async fn join(database: &TestDatabase) -> Store {
    let store = connect(database).await;
    store.join(&Uuid::new_v4().to_string(), "1").await.expect("joined");
    store
}

/// Closes the store of a process that is known to be dead.
async fn die(store: Store) {
    store.leave().await.expect("left");
    store.close().await;
}

#[actix_web::test]
async fn looks_of_several_processes_are_no_suspects_for_each_other_and_those_of_dead_ones_are() {
    on_both_databases(|database| async move {
        let store = join(&database).await;
        create_account(&store, ACCOUNT).await;
        let is_server = database.url().starts_with("postgres");
        let second = if is_server { Some(join(&database).await) } else { None };
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
        die(store).await;
        let next = join(&database).await;
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
        let dead = join(&database).await;
        create_account(&dead, ACCOUNT).await;
        for _ in 0..2 {
            begin(&dead, now()).await.expect("nobody is to blame");
        }
        die(dead).await;
        let next = join(&database).await;
        let look = begin(&next, now()).await.expect("two are too few");
        assert_eq!(look.open_looks, 2);
        next.end_preview_look(look).await.expect("an end");
        assert_eq!(begin(&next, now()).await.map(|look| look.open_looks), Some(0));
        next.close().await;
    })
    .await;
}
