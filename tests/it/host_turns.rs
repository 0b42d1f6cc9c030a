//! Hosts that several processes ask: all of them together keep the manners that each would keep alone (decision 7.4).

use std::time::Duration;

use futures_util::future::join_all;
use sea_orm::{ConnectionTrait, Database};
use serde_json::json;
use store::Store;

use crate::commit::connect;
use crate::support::customer::{Customer, eventually};
use crate::support::databases::TestDatabase;
use crate::support::postgres::Server;
use crate::support::process::Service;
use crate::support::sites::{Job, Sites};

const HOST: &str = "https://acme.com";
const GAP: Duration = Duration::from_secs(10);

/// The turn that a process takes: its number, whether its instant is so many gaps away, and how many are open before it.
async fn take(store: &Store) -> (i64, u32, u64) {
    let taken = store.take_host_turn(HOST, GAP).await.expect("a turn");
    (taken.turn_no, taken.wait.div_duration_f64(GAP).round() as u32, taken.open_before)
}

#[actix_web::test]
async fn decision_7_4_turns_at_a_host_are_one_after_the_other_whoever_takes_them() {
    let Some(server) = Server::shared() else { return };
    let url = server.create_database().await;
    let (database, beside) = (TestDatabase::at(&url), Database::connect(&url).await.expect("a connection"));
    let (one, two) = (connect(&database).await, connect(&database).await);
    one.join("one", "1").await.expect("joined");
    one.heartbeat("one", "1").await.expect("a heartbeat");
    two.join("two", "1").await.expect("joined");
    assert!(!one.has_peers() && two.has_peers(), "one owns every shard");

    assert_eq!([take(&one).await, take(&two).await, take(&one).await], [(1, 0, 0), (2, 1, 1), (3, 2, 2)]);
    assert_eq!(two.take_host_turn("https://other.com", GAP).await.expect("a turn").open_before, 0);
    one.end_host_turn(HOST, 1).await.expect("ended");
    two.end_host_turn(HOST, 3).await.expect("no turn of its own");
    assert_eq!(one.open_host_turns_before(HOST, 3).await.expect("an answer"), 1);
    assert_eq!(one.open_host_turns_before(HOST, 4).await.expect("an answer"), 2);

    // What a process leaves behind is open until its lease has ended.
    let second = two.membership().node_id().expect("joined");
    let silence = format!("update node set expires_at = 0 where node_id = '{second}'");
    beside.execute_unprepared(&silence).await.expect("silent");
    assert_eq!(take(&one).await, (4, 3, 2));
    one.heartbeat("one", "1").await.expect("a heartbeat");
    assert_eq!(take(&one).await, (5, 4, 2), "the third and the fourth");

    // Nobody waits for a turn of which its taker never heard.
    beside.execute_unprepared("update host_turn set lost_at = 1 where turn_no < 5").await.expect("lost");
    assert_eq!(one.open_host_turns_before(HOST, 6).await.expect("an answer"), 1);
    let now = chrono::Utc::now();
    assert_eq!(one.forget_hosts(now, now).await.expect("forgotten"), 4, "of the host, the next turn is ahead");

    let taking = (0..8).map(|number| take([&one, &two][number % 2]));
    let mut taken = join_all(taking).await;
    taken.sort_unstable();
    assert_eq!(taken.iter().map(|(turn_no, ..)| *turn_no).collect::<Vec<_>>(), (6..14).collect::<Vec<_>>());
    one.close().await;
    two.close().await;
    beside.close().await.expect("closed");
    server.drop_database(&url).await;
}

#[actix_web::test]
async fn decision_7_4_previews_and_set_ups_of_three_processes_ask_a_host_two_times_at_once() {
    let Some(server) = Server::shared() else { return };
    let url = server.create_database().await;
    let sites = Sites::start_slow(&["acme.com", "boards-api.greenhouse.io"], Duration::from_millis(150));
    sites.put_greenhouse_company("acme.com", "acme", &[Job::new(1, "Engineer")]);
    let started: Vec<Service> = (0..3).map(|_| Service::start_with(&url, &[], &sites.settings())).collect();
    eventually("each has its share", || async {
        let nodes = started[0].operator().get("/operator/v1/nodes").await.expect_status(200).json;
        let shares: Vec<_> = nodes["data"].as_array()?.iter().filter_map(|node| node["shards"].as_u64()).collect();
        (shares.len() == 3 && shares.iter().all(|shards| *shards > 80)).then_some(())
    })
    .await;
    let wanted = json!({"domain": "acme.com", "radar_type": "company_job_openings"});
    join_all(started.iter().map(|service| async {
        let customer = Customer::create(service).await;
        customer.top_up(service, "first", "10").await;
        let created = customer.create_radar(service, "acme.com", None).await.expect_status(201);
        customer.api(service).post("/v1/radars/preview", &wanted).await.expect_status(200);
        customer.settled(service, created.text("/data/radar_id")).await;
    }))
    .await;
    for host in ["acme.com", "boards-api.greenhouse.io"] {
        assert!((1..=2).contains(&sites.most_at_once(host)), "{host}: {}", sites.most_at_once(host));
    }
    drop(started);
    server.drop_database(&url).await;
}
