//! Processes that share a database: each owns its share of the shards, one that has fallen silent is taken over from, and
//! what it would have done meanwhile is refused.

use std::collections::BTreeSet;
use std::time::Instant;

use domain::account::{Command, SettleDue};
use domain::ids::AccountId;
use domain::scheduling::shards::{SHARDS, shard_of_host};
use futures_util::future::join_all;
use sea_orm::{ConnectionTrait, Database, DatabaseConnection, TransactionTrait};
use serde_json::{Value, json};
use store::{DueTable, Heartbeat, Store, StoreError, Submission};
use uuid::Uuid;

use crate::commit::{connect, create_account, now};
use crate::commit_all::commit_all;
use crate::support::customer::{Customer, eventually, parse, text};
use crate::support::databases::{TestDatabase, on_both_databases};
use crate::support::postgres::Server;
use crate::support::process::Service;
use crate::support::provider;
use crate::support::receiver::{Received, Receiver};

const ACCOUNT: AccountId = AccountId(Uuid::from_u128(1));

/// Runs a test with a database of its own on a server, and a connection beside the processes.
async fn on_a_server(test: impl AsyncFnOnce(&TestDatabase, &DatabaseConnection)) {
    let Some(server) = Server::shared() else { return };
    let url = server.create_database().await;
    let beside = Database::connect(&url).await.expect("a connection");
    test(&TestDatabase::at(&url), &beside).await;
    beside.close().await.expect("closed");
    server.drop_database(&url).await;
}

/// The store of a process that has joined.
async fn join(database: &TestDatabase, name: &str) -> Store {
    let store = connect(database).await;
    store.join(name, "1").await.expect("joined");
    store
}

async fn heartbeat(store: &Store) -> Heartbeat {
    store.heartbeat("again", "1").await.expect("a heartbeat")
}

fn owned(store: &Store) -> BTreeSet<i64> {
    (0..SHARDS).filter(|shard| store.membership().owns(*shard)).collect()
}

/// Has the lease of a process run out.
async fn silence(store: &Store, beside: &DatabaseConnection) {
    let node_id = store.membership().node_id().expect("joined");
    let text = format!("update node set expires_at = 0 where node_id = '{node_id}'");
    assert_eq!(beside.execute_unprepared(&text).await.expect("written").rows_affected(), 1);
}

async fn feed(store: &Store, host: &str) -> domain::ids::FeedId {
    store.ensure_feed("source", host, host, now()).await.expect("a feed")
}

#[actix_web::test]
async fn each_process_owns_its_share_and_no_shard_has_two_owners_or_none_for_long() {
    on_a_server(async |database, beside| {
        let one = join(database, "one").await;
        assert_eq!((heartbeat(&one).await.changed.len(), one.membership().shards_owned()), (256, 256));
        let two = join(database, "two").await;
        assert_eq!(heartbeat(&two).await, Heartbeat::default(), "none is free");
        assert_eq!(heartbeat(&one).await.changed.len(), 128);
        assert_eq!(heartbeat(&two).await.changed.len(), 128);
        let three = join(database, "three").await;
        for store in [&one, &two, &three] {
            heartbeat(store).await;
        }
        let shares: Vec<usize> = [&one, &two, &three].map(|store| owned(store).len()).into();
        assert_eq!((shares.iter().sum::<usize>(), shares.iter().max()), (256, Some(&86)), "{shares:?}");
        let all: BTreeSet<i64> = [&one, &two, &three].into_iter().flat_map(owned).collect();
        assert_eq!(all.len(), 256);

        // Given away at once: no shard is without an owner meanwhile.
        let second = two.membership().node_id().expect("joined");
        assert!(one.drain_node(second).await.expect("drained"));
        let shards: usize = one.all_nodes().await.expect("nodes").iter().map(|node| node.shards.len()).sum();
        assert_eq!(shards, 256);
        for store in [&two, &one, &three] {
            heartbeat(store).await;
        }
        assert_eq!([&one, &two, &three].map(|store| owned(store).len()), [128, 0, 128]);

        silence(&one, beside).await;
        let taken = heartbeat(&three).await;
        assert_eq!((taken.removed, taken.changed.len(), three.membership().shards_owned()), (1, 128, 256));
        assert!(heartbeat(&one).await.was_removed);
        assert_eq!(owned(&one).len(), 0);
        // A process that listens where another did takes its place at once.
        let again = join(database, "three").await;
        assert_eq!(heartbeat(&again).await.changed.len(), 128);
        assert!(heartbeat(&three).await.was_removed);
        for store in [one, two, three, again] {
            store.leave().await.expect("left");
            store.close().await;
        }
    })
    .await;
}

#[actix_web::test]
async fn a_process_that_was_given_up_commits_nothing_until_it_has_joined_anew() {
    on_a_server(async |database, beside| {
        let (one, two) = (join(database, "one").await, join(database, "two").await);
        create_account(&one, ACCOUNT).await;
        let settle = [Submission::of(ACCOUNT, Command::SettleDue(SettleDue { radar_id: None }))];
        commit_all(&one, &settle, now()).await.expect("alive");
        silence(&one, beside).await;

        // Who takes its place waits for a commit that is under way.
        let under_way = beside.begin().await.expect("a transaction");
        let node_id = one.membership().node_id().expect("joined");
        let held = format!("select 1 from node where node_id = '{node_id}' for key share");
        under_way.execute_unprepared(&held).await.expect("held");
        assert_eq!(heartbeat(&two).await.removed, 0);
        under_way.commit().await.expect("committed");
        assert_eq!(heartbeat(&two).await.removed, 1);

        let refused = commit_all(&one, &settle, now()).await;
        assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
        assert!(heartbeat(&one).await.was_removed);
        commit_all(&one, &settle, now()).await.expect("a new process");
        one.close().await;
        two.close().await;
    })
    .await;
}

#[actix_web::test]
async fn what_a_silent_process_has_claimed_is_free_at_once_and_its_result_is_refused() {
    on_a_server(async |database, beside| {
        let (one, two) = (join(database, "one").await, join(database, "two").await);
        let feed_id = feed(&one, "a.example").await;
        beside.execute_unprepared("update feed set next_poll_at = 1").await.expect("due");
        let claimed = one.claim_feed(feed_id).await.expect("an answer").expect("a claim");
        assert!(two.claim_feed(feed_id).await.expect("an answer").is_none(), "it is polled");
        silence(&one, beside).await;
        heartbeat(&two).await;
        assert_eq!(one.renew_claims(DueTable::Feeds, &[claimed.claim]).await.expect("an answer"), [feed_id.0]);
        assert!(two.claim_feed(feed_id).await.expect("an answer").is_some());
        one.close().await;
        two.close().await;
    })
    .await;
}

#[actix_web::test]
async fn a_host_is_asked_by_the_owner_of_its_shard_alone() {
    on_a_server(async |database, beside| {
        let (one, two) = (join(database, "one").await, join(database, "two").await);
        for store in [&one, &two, &one, &two] {
            heartbeat(store).await;
        }
        for number in 0..8 {
            let host = format!("{number}.example");
            beside.execute_unprepared("update feed set next_poll_at = null").await.expect("at rest");
            let feed_id = feed(&one, &host).await;
            let due = format!("update feed set next_poll_at = 1 where feed_id = '{}'", feed_id.0);
            beside.execute_unprepared(&due).await.expect("due");
            for store in [&one, &two] {
                let is_due = store.next_due(DueTable::Feeds).await.expect("an answer").has_unsuspected();
                assert_eq!(is_due, store.membership().owns(shard_of_host(&host)), "{host}");
            }
        }
        one.close().await;
        two.close().await;
    })
    .await;
}

#[actix_web::test]
async fn one_that_is_alone_owns_everything_and_needs_no_heartbeat() {
    on_both_databases(|database| async move {
        let store = connect(&database).await;
        assert_eq!(store.membership().shards_owned(), 256, "before it has joined");
        if store.is_shared() {
            return store.close().await;
        }
        store.join("one", "1").await.expect("joined");
        store.join("two", "1").await.expect("in its place");
        let nodes = store.all_nodes().await.expect("nodes");
        assert_eq!(
            nodes.iter().map(|node| (node.name.as_str(), node.shards.len())).collect::<Vec<_>>(),
            [("two", 256)]
        );
        store.hand_over().await.expect("nobody is there");
        assert_eq!(store.membership().shards_owned(), 256);
        store.leave().await.expect("left");
        assert_eq!(store.all_nodes().await.expect("none"), []);
        store.close().await;
    })
    .await;
}

/// The shards of each process, as one of them tells it.
async fn shards(service: &Service) -> Vec<(String, u64)> {
    let nodes = service.operator().get("/operator/v1/nodes").await.expect_status(200).json;
    let row = |node: &Value| Some((node["state"].as_str()?.to_owned(), node["shards"].as_u64()?));
    nodes["data"].as_array().expect("a list").iter().filter_map(row).collect()
}

async fn has_come_to(service: &Service, what: &str, wanted: &[(&str, u64)]) {
    let wanted: Vec<(String, u64)> = wanted.iter().map(|(state, shards)| ((*state).to_owned(), *shards)).collect();
    eventually(what, || async { (shards(service).await == wanted).then_some(()) }).await;
}

#[actix_web::test]
async fn shards_follow_processes_that_come_are_killed_drained_stopped_and_frozen() {
    let Some(server) = Server::shared() else { return };
    let url = server.create_database().await;
    let mut one = Service::start(&url, &[]);
    has_come_to(&one, "one is alone", &[("active", 256)]).await;
    let mut two = Service::start(&url, &[]);
    has_come_to(&one, "two has its share", &[("active", 128), ("active", 128)]).await;
    two.kill();
    has_come_to(&one, "the dead one is given up", &[("active", 256)]).await;
    two.restart();
    has_come_to(&two, "it is back", &[("active", 128), ("active", 128)]).await;

    let nodes = one.operator().get("/operator/v1/nodes").await.expect_status(200);
    let first = nodes.text("/data/0/node_id").to_owned();
    one.operator().post(&format!("/operator/v1/nodes/{first}/drain"), &json!({})).await.expect_status(200);
    has_come_to(&one, "the other has all", &[("draining", 0), ("active", 256)]).await;
    assert!(one.terminate().success());
    has_come_to(&two, "it has left", &[("active", 256)]).await;

    one.restart();
    has_come_to(&two, "it is back", &[("active", 128), ("active", 128)]).await;
    one.signal("STOP");
    has_come_to(&two, "the frozen one is given up", &[("active", 256)]).await;
    one.signal("CONT");
    has_come_to(&one, "it has joined anew", &[("active", 128), ("active", 128)]).await;
    let metrics =
        String::from_utf8(one.operator().get("/metrics").await.expect_status(200).bytes.to_vec()).expect("text");
    for line in ["radar_nodes 2", "radar_node_shards_owned 128", "radar_node_losses_total 1"] {
        assert!(metrics.lines().any(|given| given == line), "{line}\n{metrics}");
    }
    let unknown =
        one.operator().post("/operator/v1/nodes/00000000-0000-0000-0000-000000000000/drain", &json!({})).await;
    unknown.expect_status(404);
    drop((one, two));
    server.drop_database(&url).await;
}

#[actix_web::test]
async fn spec_8_1_a_budget_is_one_for_all_processes_and_so_is_a_revoked_key() {
    let Some(server) = Server::shared() else { return };
    let url = server.create_database().await;
    let services = [Service::start(&url, &[]), Service::start(&url, &[])];
    let limits = json!({"read_per_minute": 60, "per_second": 1_000});
    let customer = &Customer::create_with(&services[0], &limits).await;
    let began_at = Instant::now();
    let mut granted = 0;
    for _ in 0..20 {
        let together = |service| async move { customer.api(service).get("/v1/account").await.status };
        let answered = join_all(services.iter().cycle().take(6).map(together)).await;
        granted += answered.iter().filter(|status| **status == 200).count();
        assert!(answered.iter().all(|status| [200, 429].contains(status)), "{answered:?}");
    }
    let refilled = usize::try_from(began_at.elapsed().as_secs() + 1).expect("small");
    assert!((60..=60 + refilled).contains(&granted), "{granted} in {:?}", began_at.elapsed());

    let keys = format!("/operator/v1/accounts/{}/api-keys", customer.account_id);
    let key_id = services[0].operator().get(&keys).await.expect_status(200).text("/data/0/key_id").to_owned();
    services[0].operator().delete(&format!("{keys}/{key_id}")).await.expect_status(200);
    eventually("the other process knows it", || async {
        (customer.api(&services[1]).get("/v1/account").await.status == 401).then_some(())
    })
    .await;
    drop(services);
    server.drop_database(&url).await;
}

#[actix_web::test]
async fn processes_are_replaced_one_by_one_and_no_request_fails_and_nothing_comes_twice() {
    let Some(server) = Server::shared() else { return };
    let url = server.create_database().await;
    let mut started: Vec<_> = (0..3).map(|_| provider::start(&url, &[], "")).collect();
    let (first, _) = &started[0];
    let customer = Customer::create(first).await;
    customer.price(first, "company_reviews", "update_based", "0").await;
    let mut receiver = Receiver::start();
    let hook = receiver.url("/hook");
    let created = customer.create_reviews_radar(first, "acme.com", Some(&hook)).await.expect_status(201);
    let radar_id = created.text("/data/radar_id").to_owned();
    let mut pushed = 0;
    for replaced in 0..started.len() {
        let others: Vec<&Service> =
            started.iter().enumerate().filter(|(at, _)| *at != replaced).map(|(_, (service, _))| service).collect();
        let pushing = async {
            for number in 0..30 {
                let native_id = format!("{replaced} {number}");
                provider::push(others[number % others.len()], &radar_id, &native_id, &json!({})).await;
            }
        };
        // No request comes to it any more, as behind a load balancer that was told; what it has begun it finishes.
        started[replaced].0.signal("TERM");
        pushing.await;
        pushed += 30;
        let (service, _) = &mut started[replaced];
        eventually_ended(service).await;
        service.restart();
    }
    let mut arrived: Vec<String> = Vec::new();
    while arrived.len() < pushed {
        arrived.push(update_id(&receiver.next().await));
    }
    eventually("every delivery is recorded", || async {
        let outbox = customer.api(&started[0].0).get("/v1/webhooks/deliveries?state=pending").await.expect_status(200);
        outbox.json["data"].as_array().is_some_and(Vec::is_empty).then_some(())
    })
    .await;
    arrived.extend(receiver.drain().iter().map(update_id));
    assert_eq!(arrived.len(), pushed, "nothing came twice");
    assert_eq!(arrived.iter().collect::<BTreeSet<_>>().len(), pushed);
    started[0].0.assert_ledger_adds_up();
    drop(started);
    server.drop_database(&url).await;
}

fn update_id(received: &Received) -> String {
    parse(text(&received.body))["update_id"].as_str().expect("an identifier").to_owned()
}

async fn eventually_ended(service: &mut Service) {
    while !service.has_ended() {
        actix_web::rt::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}
