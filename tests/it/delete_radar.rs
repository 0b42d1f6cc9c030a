//! `DELETE /v1/radars/{id}` (Spec 3, 4.8; decisions 1.1, 1.10).

use futures_util::future::join_all;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::client::Client;
use crate::support::customer::Customer;
use crate::support::databases::on_both_databases;
use crate::support::process::Service;
use crate::support::provider::{advance, push, start_standing_still};
use crate::support::shapes::{assert_refused, assert_success, instant, prove};

const DAY: i64 = 24 * 60 * 60;

#[actix_web::test]
async fn spec_4_8_and_decision_1_10_the_end_of_a_radar() {
    on_both_databases(|database| async move {
        let (service, _source, _sites) = start_standing_still(database.url());
        prove!(&service;
            spec_4_8_a_radar_is_deactivated_and_its_record_kept,
            decision_1_10_a_second_delete_answers_the_same_record,
            decision_1_10_deletes_at_the_same_time_end_a_radar_once,
            spec_4_8_the_id_is_a_uuid_of_a_radar_of_the_account,
            spec_3_deactivation_is_irreversible_and_stops_charges,
            spec_3_a_failed_radar_is_answered_as_it_is,
            spec_4_8_updates_of_a_deactivated_radar_stay_readable,
        );
    })
    .await;
}

async fn spec_4_8_a_radar_is_deactivated_and_its_record_kept(service: &Service) {
    let (customer, api) = customer(service).await;
    let created = create(&api, "acme.com").await;
    let path = path(&created);
    advance(service, 60).await;
    let deleted = api.delete(&path).await;
    assert_success(&deleted, &["data"]);
    let record = &deleted.json["data"];
    let deactivated_at = instant(&record["deactivated_at"]);
    assert_eq!(deactivated_at - instant(&created["created_at"]), chrono::Duration::seconds(60));
    let mut wanted = created.clone();
    wanted["radar_status"] = json!("inactive");
    wanted["status_reason"] = json!("user_deactivated");
    wanted["deactivated_at"] = record["deactivated_at"].clone();
    wanted["next_charge_at"] = json!(null);
    assert_eq!(*record, wanted, "nothing else changes");
    assert_eq!(api.get(&path).await.expect_status(200).json["data"], wanted);
    let listed = api.get("/v1/radars?radar_status=inactive").await.expect_status(200);
    assert_eq!(listed.json["data"], json!([wanted]));
    let account = customer.account(service).await;
    assert_eq!(account["usage"]["radars_deactivated"], json!(1));
    assert_eq!(account["account"]["inactive_radars"], json!(1));
    assert!(customer.updates(service).await.is_empty(), "a DELETE is no failure");
}

async fn decision_1_10_a_second_delete_answers_the_same_record(service: &Service) {
    let (customer, api) = customer(service).await;
    let path = path(&create(&api, "acme.com").await);
    let first = api.delete(&path).await.expect_status(200);
    for seconds in [0, 3600, 40 * DAY] {
        advance(service, seconds).await;
        let again = api.delete(&path).await;
        assert_success(&again, &["data"]);
        assert_eq!(again.json["data"], first.json["data"], "after {seconds} s");
    }
    let clock = service.operator().get("/operator/v1/clock").await.expect_status(200);
    assert!(instant(&clock.json["data"]["now"]) > instant(&first.json["data"]["deactivated_at"]));
    let month = &first.text("/data/deactivated_at")[..7];
    let counted = api.get(&format!("/v1/account?month={month}")).await.expect_status(200);
    assert_eq!(counted.json["data"]["usage"]["radars_deactivated"], json!(1));
    assert_eq!(customer.account(service).await["account"]["inactive_radars"], json!(1));
}

async fn decision_1_10_deletes_at_the_same_time_end_a_radar_once(service: &Service) {
    let (customer, api) = customer(service).await;
    let path = path(&create(&api, "acme.com").await);
    let answers = join_all((0..20).map(|_| api.delete(&path))).await;
    for answer in &answers {
        assert_eq!(answer.status, 200, "{}", answer.json);
        assert_eq!(answer.json["data"], answers[0].json["data"]);
    }
    assert_eq!(customer.account(service).await["usage"]["radars_deactivated"], json!(1));
}

async fn spec_4_8_the_id_is_a_uuid_of_a_radar_of_the_account(service: &Service) {
    let (_, api) = customer(service).await;
    let (_, other) = customer(service).await;
    let path = path(&create(&api, "acme.com").await);
    assert_refused("unknown", &api.delete(&format!("/v1/radars/{}", Uuid::now_v7())).await, 404, &["id"]);
    assert_refused("foreign", &other.delete(&path).await, 404, &["id"]);
    assert_refused("malformed", &api.delete("/v1/radars/7").await, 400, &["id"]);
    assert_refused("no hyphens", &api.delete(&path.replace('-', "")).await, 400, &["id"]);
    assert_refused("parameters", &api.delete(&format!("{path}?force=true")).await, 400, &["force"]);
    assert_eq!(api.get(&path).await.expect_status(200).text("/data/radar_status"), "active");
}

async fn spec_3_deactivation_is_irreversible_and_stops_charges(service: &Service) {
    let (customer, api) = customer(service).await;
    let first = create(&api, "acme.com").await;
    let duplicate = api.post("/v1/radars/companies", &body("acme.com")).await.expect_status(409);
    assert_eq!(duplicate.json["errors"][0]["reason"], first["radar_id"]);
    let deleted = api.delete(&path(&first)).await.expect_status(200);
    // Monitoring resumes only by creating a new radar, and its target is free for that at once (decision 1.5).
    let second = create(&api, "acme.com").await;
    assert_ne!(second["radar_id"], first["radar_id"]);
    assert_eq!(api.get(&path(&first)).await.expect_status(200).json["data"], deleted.json["data"]);
    api.delete(&path(&second)).await.expect_status(200);
    assert_eq!(customer.account(service).await["balance_remaining_usd"], json!(98));
    advance(service, 65 * DAY).await;
    assert_eq!(customer.account(service).await["balance_remaining_usd"], json!(98));
    let charges = customer.ledger(service).await.iter().filter(|entry| entry["kind"] == "subscription").count();
    assert_eq!(charges, 2, "the two creations");
    let outcome = push(service, second["radar_id"].as_str().expect("an id"), "late", &json!({})).await;
    assert_ne!(outcome.json["data"][0]["outcome"], "published", "{}", outcome.json);
    assert!(customer.updates(service).await.is_empty());
}

async fn spec_3_a_failed_radar_is_answered_as_it_is(service: &Service) {
    let (customer, api) = customer(service).await;
    let body = json!({"domain": "no-jobs.com", "radar_type": "company_job_openings"});
    let created = api.post("/v1/radars/companies", &body).await.expect_status(201).json["data"].clone();
    customer.settled(service, created["radar_id"].as_str().expect("an id")).await;
    let failed = api.get(&path(&created)).await.expect_status(200).json["data"].clone();
    assert_eq!(failed["status_reason"], "missing_prerequisites");
    assert_eq!(failed["next_charge_at"], json!(null));
    advance(service, 60).await;
    assert_eq!(api.delete(&path(&created)).await.expect_status(200).json["data"], failed);
    let account = customer.account(service).await;
    assert_eq!(account["account"]["failed_radars"], json!(1));
    assert_eq!(account["usage"]["radars_deactivated"], json!(0));
}

async fn spec_4_8_updates_of_a_deactivated_radar_stay_readable(service: &Service) {
    let (customer, api) = customer(service).await;
    let created = create(&api, "acme.com").await;
    push(service, created["radar_id"].as_str().expect("an id"), "one", &json!({"review_content": "Fine."})).await;
    let before = customer.updates(service).await;
    assert_eq!(before.len(), 1);
    api.delete(&path(&created)).await.expect_status(200);
    assert_eq!(customer.updates(service).await, before, "byte for byte");
    let query = format!("radar_id={}&domain=acme.com", created["radar_id"].as_str().expect("an id"));
    let found = api.get(&format!("/v1/updates?{query}")).await.expect_status(200);
    assert_eq!(found.json["updates"].as_array().map(Vec::len), Some(1));
}

/// A customer with 100 USD, who pays 1 USD a month for a radar.
async fn customer(service: &Service) -> (Customer, Client) {
    let customer = Customer::create(service).await;
    customer.top_up(service, "first", "100").await;
    customer.price(service, "company_reviews", "subscription", "1").await;
    let api = customer.api(service);
    (customer, api)
}

fn body(domain: &str) -> Value {
    json!({"domain": domain, "radar_type": "company_reviews"})
}

async fn create(api: &Client, domain: &str) -> Value {
    api.post("/v1/radars/companies", &body(domain)).await.expect_status(201).json["data"].clone()
}

fn path(record: &Value) -> String {
    format!("/v1/radars/{}", record["radar_id"].as_str().expect("an id"))
}
