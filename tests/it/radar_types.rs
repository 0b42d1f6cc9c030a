//! `GET /v1/radar-types` (Spec 2.1; decisions 4.2, 7.5).

use serde_json::{Value, json};

use crate::support::customer::Customer;
use crate::support::databases::on_both_databases;
use crate::support::process::Service;
use crate::support::provider::start;
use crate::support::push_source;
use crate::support::shapes::{assert_refused, assert_success, prove};

#[actix_web::test]
async fn spec_2_1_and_decision_4_2_radar_types() {
    on_both_databases(|database| async move {
        let (service, _source) = start(database.url(), &[("SOURCES__BUILTIN", "true")], "");
        prove!(&service;
            decision_7_5_each_type_says_whether_it_is_served_and_by_which_sources,
            decision_4_2_the_price_is_that_of_the_account_now,
            decision_2_5_no_parameters_are_known,
        );
    })
    .await;
}

async fn record(service: &Service, customer: &Customer, radar_type: &str) -> Value {
    let answer = customer.api(service).get("/v1/radar-types").await.expect_status(200);
    assert_success(&answer, &["data"]);
    let records = answer.json["data"].as_array().expect("a list").clone();
    assert_eq!(records.len(), 15);
    records.into_iter().find(|record| record["radar_type"] == radar_type).expect("the type")
}

/// A radar of a type that is not served fails, and one that is served does not, as the list says.
async fn decision_7_5_each_type_says_whether_it_is_served_and_by_which_sources(service: &Service) {
    let customer = Customer::create(service).await;
    let pushed = record(service, &customer, "company_reviews").await;
    assert_eq!((&pushed["served"], &pushed["category"]), (&json!(true), &json!("company")));
    let ids: Vec<&Value> = pushed["sources"].as_array().expect("a list").iter().map(|one| &one["source_id"]).collect();
    assert!(ids.contains(&&json!(push_source::ID)), "{pushed}");
    let jobs = record(service, &customer, "company_job_openings").await;
    assert_eq!(jobs["filterable"], json!(true));
    assert!(
        jobs["sources"].as_array().is_some_and(|sources| sources.iter().any(|one| one["source_id"] == "greenhouse"))
    );
    let industry = record(service, &customer, "industry_new_companies").await;
    assert_eq!(industry["category"], "industry");
    assert_eq!(industry["served"], json!(!industry["sources"].as_array().expect("a list").is_empty()));
}

async fn decision_4_2_the_price_is_that_of_the_account_now(service: &Service) {
    let (own, other) = (Customer::create(service).await, Customer::create(service).await);
    let before = record(service, &other, "company_reviews").await["price"].clone();
    own.price(service, "company_reviews", "update_based", "0.07").await;
    let price = json!({"model": "update_based", "rate_usd": 0.07, "grace_period": "none", "findings_per_day": 200});
    assert_eq!(record(service, &own, "company_reviews").await["price"], price);
    assert_eq!(record(service, &other, "company_reviews").await["price"], before);
}

async fn decision_2_5_no_parameters_are_known(service: &Service) {
    let customer = Customer::create(service).await;
    let answer = customer.api(service).get("/v1/radar-types?served=true").await;
    assert_refused("unknown parameter", &answer, 400, &["served"]);
}
