//! What is over is gone: for its account at once, from the database by and by, and with everything that belongs to it
//! (Spec 6.4). On PostgreSQL it goes with its partition.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::customer::{Customer, eventually};
use crate::support::databases::on_both_databases;
use crate::support::postgres::Server;
use crate::support::process::Service;
use crate::support::provider;
use crate::support::push_source::PushSource;
use crate::support::receiver::Receiver;

const DAY_SECONDS: i64 = 24 * 60 * 60;
/// The pause between two looks.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// Partitions begin on 2025-12-08, 2026-01-07 and 2026-02-06.
const CLOCK: [(&str, &str); 2] = [("CLOCK__MODE", "simulated"), ("CLOCK__START", "2026-01-01T00:00:00Z")];

/// A service whose clock the test moves, with a customer whose radar pushes to `receiver`.
async fn stage(database_url: &str, receiver: &Receiver) -> (Service, PushSource, Customer, String) {
    let (service, provider) = provider::start(database_url, &CLOCK, "");
    let customer = Customer::create(&service).await;
    customer.price(&service, "company_reviews", "update_based", "0.5").await;
    customer.top_up(&service, "first", "10").await;
    let url = receiver.url("/hook");
    let created = customer.create_reviews_radar(&service, "acme.com", Some(&url)).await.expect_status(201);
    let radar_id = created.text("/data/radar_id").to_owned();
    (service, provider, customer, radar_id)
}

/// Publishes a finding and waits until it is delivered; answers its identifier.
async fn publish(service: &Service, receiver: &mut Receiver, radar_id: &str, native_id: &str) -> String {
    provider::push(service, radar_id, native_id, &json!({"review_content": native_id})).await;
    let received = receiver.next().await;
    let update_id = received.headers.get("webhook-id").expect("a header").to_str().expect("text").to_owned();
    let path = format!("/operator/v1/deliveries/{update_id}");
    eventually("it is recorded", || async {
        let found = service.operator().get(&path).await.expect_status(200).json;
        (found["data"]["state"] == "delivered").then_some(())
    })
    .await;
    update_id
}

async fn advance(service: &Service, days: i64) {
    let seconds = json!({"seconds": days * DAY_SECONDS});
    service.operator().post("/operator/v1/clock/advance", &seconds).await.expect_status(200);
}

/// The deliveries that are stored of all accounts.
async fn stored(service: &Service) -> Vec<Value> {
    let listed = service.operator().get("/operator/v1/deliveries").await.expect_status(200).json;
    listed["data"].as_array().expect("deliveries").iter().map(|delivery| delivery["update_id"].clone()).collect()
}

#[actix_web::test]
async fn spec_6_4_what_is_over_is_gone_with_all_that_belongs_to_it() {
    on_both_databases(|database| async move {
        let mut receiver = Receiver::start();
        let (service, _provider, customer, radar_id) = stage(database.url(), &receiver).await;
        let old = publish(&service, &mut receiver, &radar_id, "old").await;
        advance(&service, 40).await;
        let new = publish(&service, &mut receiver, &radar_id, "new").await;
        advance(&service, 22).await;

        let api = customer.api(&service);
        assert_eq!(customer.updates(&service).await.len(), 1);
        let listed = api.get("/v1/webhooks/deliveries").await.expect_status(200).json;
        assert_eq!((listed["data"].as_array().map(Vec::len), &listed["data"][0]["update_id"]), (Some(1), &json!(new)));
        let path = format!("/v1/webhooks/deliveries/{old}");
        api.get(&path).await.expect_status(404);
        api.post(&format!("{path}/resend"), &json!({})).await.expect_status(404);
        // Nor does anybody else send it.
        let range = json!({"since": "2000-01-01T00:00:00Z", "until": "2026-03-01T00:00:00Z",
            "include_delivered": true, "dry_run": true});
        let counted = api.post("/v1/webhooks/recover", &range).await.expect_status(200);
        assert_eq!(counted.json["data"]["count"], json!(1));
        drop(service.operator().post(&format!("/operator/v1/deliveries/{old}/resend"), &json!({})).await);
        service.assert_ledger_adds_up();

        advance(&service, 8).await;
        eventually("retention", || async { (stored(&service).await == [json!(new)]).then_some(()) }).await;
        let last = publish(&service, &mut receiver, &radar_id, "last").await;
        assert_eq!(stored(&service).await, [json!(last), json!(new)]);
        assert!(receiver.drain().is_empty(), "nothing was sent twice");
        service.assert_ledger_adds_up();
    })
    .await;
}

#[actix_web::test]
async fn spec_6_4_a_process_that_dies_in_the_middle_of_dropping_a_partition_has_dropped_nothing() {
    let Some(server) = Server::shared() else { return };
    let url = server.create_database().await;
    let mut receiver = Receiver::start();
    let (mut service, _provider, customer, radar_id) = stage(&url, &receiver).await;
    let old = publish(&service, &mut receiver, &radar_id, "old").await;
    advance(&service, 40).await;
    let new = publish(&service, &mut receiver, &radar_id, "new").await;
    advance(&service, 20).await;
    service.terminate();
    service.plan(Some("abort store.partition_dropped delivery_20251208"));
    assert!(service.try_restart(), "nothing is over yet");
    let days = json!({"seconds": 10 * DAY_SECONDS});
    drop(service.operator().try_post("/operator/v1/clock/advance", &days).await);
    while !service.has_ended() {
        actix_web::rt::time::sleep(LOOK_EVERY).await;
    }
    service.assert_ledger_adds_up();

    service.plan(None);
    service.restart();
    assert_eq!(stored(&service).await, [json!(new), json!(old)]);
    advance(&service, 10).await;
    assert_eq!(customer.updates(&service).await.len(), 1);
    eventually("retention", || async { (stored(&service).await == [json!(new)]).then_some(()) }).await;
    service.assert_ledger_adds_up();
    drop(service);
    server.drop_database(&url).await;
}
