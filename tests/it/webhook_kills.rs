//! Processes that are killed or stopped while they deliver: every update arrives all the same, and the results of a
//! process whose claim has gone to another one change nothing (decision 5.1).

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::customer::{Customer, eventually, parse, text};
use crate::support::databases::{TestDatabase, on_both_databases};
use crate::support::postgres::Server;
use crate::support::process::Service;
use crate::support::provider;
use crate::support::push_source::ID;
use crate::support::receiver::{Answer, Receiver};

/// A short time-out makes short leases: another process takes over after half a minute.
const SETTINGS: [(&str, &str); 1] = [("WEBHOOKS__TIMEOUT", "1s")];
/// More than a fresh endpoint gets handed over in memory, so that some wait in the table.
const FINDINGS: usize = 40;

/// A radar whose findings go to `url`.
async fn radar(service: &Service, customer: &Customer, domain: &str, url: &str) -> String {
    let created = customer.create_reviews_radar(service, domain, Some(url)).await.expect_status(201);
    created.text("/data/radar_id").to_owned()
}

/// Hands all findings in at once.
async fn push_all(service: &Service, radar_id: &str) {
    let finding =
        |number: usize| json!({"radar_id": radar_id, "native_id": number.to_string(), "source": ID, "content": {}});
    let findings: Vec<Value> = (0..FINDINGS).map(finding).collect();
    for finding in findings {
        service.operator().post("/operator/v1/findings", &finding).await.expect_status(202);
    }
}

fn update_id(update: &str) -> String {
    parse(update)["update_id"].as_str().expect("an identifier").to_owned()
}

async fn published(service: &Service, customer: &Customer) -> BTreeSet<String> {
    customer.updates(service).await.iter().map(|update| update_id(update)).collect()
}

#[actix_web::test]
async fn every_update_arrives_after_a_kill_before_the_claim_after_it_after_the_send_and_before_the_record() {
    on_both_databases(|database| async move {
        let (mut service, _provider) = provider::start(database.url(), &SETTINGS, "");
        let customer = Customer::create(&service).await;
        customer.price(&service, "company_reviews", "update_based", "0").await;
        let (mut hanging, mut healthy) = (Receiver::start(), Receiver::start());
        hanging.answer_otherwise(Answer::Hang);
        let slow = radar(&service, &customer, "slow.com", &hanging.url("/hook")).await;
        push_all(&service, &slow).await;
        // One is sent, some are claimed, and the rest waits in the table.
        hanging.next().await;
        let quick = radar(&service, &customer, "quick.com", &healthy.url("/hook")).await;
        push_all(&service, &quick).await;
        let first = healthy.next().await;
        service.kill();

        let mut arrived: Vec<String> = healthy.drain().iter().map(|one| update_id(text(&one.body))).collect();
        arrived.push(update_id(text(&first.body)));
        hanging.drain();
        hanging.answer_otherwise(Answer::status(200));
        service.restart();
        let wanted = published(&service, &customer).await;
        assert_eq!(wanted.len(), 2 * FINDINGS);
        let mut seen: BTreeSet<String> = arrived.iter().cloned().collect();
        while seen.len() < wanted.len() {
            let received = tokio::select! {
                received = hanging.next() => received,
                received = healthy.next() => received,
            };
            let update_id = update_id(text(&received.body));
            let is_new = seen.insert(update_id.clone());
            assert!(is_new || arrived.contains(&update_id), "only what was under way at the kill arrives twice");
        }
        assert_eq!(seen, wanted);
    })
    .await;
}

#[actix_web::test]
async fn the_result_of_a_process_that_was_stopped_and_continued_changes_nothing() {
    let Some(server) = Server::shared() else { return };
    let url = server.create_database().await;
    let database = TestDatabase::at(&url);
    let (stopped, _provider) = provider::start(database.url(), &SETTINGS, "");
    let customer = Customer::create(&stopped).await;
    customer.price(&stopped, "company_reviews", "update_based", "0").await;
    let mut receiver = Receiver::start();
    receiver.answer_next([Answer::Hang]);
    let radar_id = radar(&stopped, &customer, "acme.com", &receiver.url("/hook")).await;
    provider::push(&stopped, &radar_id, "1", &json!({})).await;
    let first = receiver.next().await;
    stopped.signal("STOP");

    let (taking_over, _provider) = provider::start(database.url(), &SETTINGS, "");
    let second = receiver.next().await;
    assert_eq!((first.body, first.headers.get("webhook-id")), (second.body, second.headers.get("webhook-id")));
    stopped.signal("CONT");
    eventually("the late result is refused", || async {
        stopped.log().contains("another process had claimed its delivery").then_some(())
    })
    .await;
    assert!(receiver.drain().is_empty(), "it is delivered");
    drop((stopped, taking_over));
    server.drop_database(&url).await;
}
