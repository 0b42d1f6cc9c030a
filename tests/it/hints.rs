//! Hints between processes that something has become due: none is needed, and one that comes is heard by the others alone.

use std::time::Duration;

use futures_util::future::join_all;
use store::{DueTable, Store};

use crate::commit::connect;
use crate::support::databases::{TestDatabase, on_both_databases};
use crate::support::postgres::Server;

/// What is heard of others, for as long as `until` takes.
async fn heard_until(store: &Store, until: impl Future<Output = ()>) -> Vec<Vec<DueTable>> {
    let mut hints = store.listen().await.expect("an answer").expect("hints come");
    let mut heard = Vec::new();
    let mut until = std::pin::pin!(until);
    loop {
        tokio::select! {
            biased;
            tables = hints.next() => heard.push(tables.expect("a hint")),
            () = &mut until => return heard,
        }
    }
}

#[actix_web::test]
async fn a_hint_is_heard_by_other_processes_and_many_at_a_time_are_few() {
    let Some(server) = Server::shared() else { return };
    let url = server.create_database().await;
    let database = TestDatabase::at(&url);
    let (one, two) = (connect(&database).await, connect(&database).await);
    for (store, name) in [(&one, "one"), (&two, "two"), (&one, "one"), (&two, "two")] {
        if store.membership().node_id().is_none() {
            store.join(name, "1").await.expect("joined");
        }
        store.heartbeat(name, "1").await.expect("a heartbeat");
    }
    let talk = async {
        join_all((0..40).map(|_| one.hint(DueTable::Feeds))).await;
        two.hint(DueTable::Deliveries).await;
        one.hint(DueTable::Deliveries).await;
        actix_web::rt::time::sleep(Duration::from_millis(500)).await;
    };
    let heard = heard_until(&two, talk).await;
    assert!((2..=5).contains(&heard.len()), "{heard:?}");
    assert_eq!((heard.first(), heard.last()), (Some(&vec![DueTable::Feeds]), Some(&vec![DueTable::Deliveries])));
    one.close().await;
    two.close().await;
    server.drop_database(&url).await;
}

#[actix_web::test]
async fn one_that_is_alone_gives_no_hints_and_on_a_file_hears_none() {
    on_both_databases(|database| async move {
        let store = connect(&database).await;
        store.join("one", "1").await.expect("joined");
        store.hint(DueTable::Feeds).await;
        assert_eq!(store.listen().await.expect("an answer").is_some(), store.is_shared());
        store.close().await;
    })
    .await;
}
