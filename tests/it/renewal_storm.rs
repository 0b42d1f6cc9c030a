//! Thousands of renewals in one minute, decided in bulk, account by account, while customers go on (Spec 2.5, 3;
//! decisions 4.5, 4.6, 4.9).

use std::collections::BTreeMap;

use futures_util::future::join;
use serde_json::{Value, json};

use crate::support::client::Answer;
use crate::support::customer::Customer;
use crate::support::databases::on_both_databases;
use crate::support::process::Service;
use crate::support::push_source::PushSource;

const PERIOD_SECONDS: i64 = 30 * 24 * 60 * 60;
const LARGE: usize = 2_000;
const SMALL_ACCOUNTS: usize = 100;
const SMALL: usize = 2;
/// Radars of an account whose money is enough for half of them.
const POOR: usize = 300;
/// Creations while the storm is on.
const CREATIONS: usize = 40;

#[actix_web::test]
async fn decision_4_6_all_renewals_of_a_minute_are_decided_once_each_in_few_transactions() {
    on_both_databases(|database| async move {
        let source = PushSource::of(&["company_reviews"]);
        let dir = source.dir();
        let start = "2026-01-01T00:00:00Z";
        let settings = [("CLOCK__MODE", "simulated"), ("CLOCK__START", start), ("SOURCES__DIR", dir.as_str())];
        let service = Service::start(database.url(), &settings);
        storm(&service).await;
    })
    .await;
}

async fn storm(service: &Service) {
    let large = customer_with_radars(service, LARGE, "100000").await;
    let poor = customer_with_radars(service, POOR, &format!("{}", POOR as f64 * 1.5 * 0.5)).await;
    let mut small = Vec::new();
    for number in 0..SMALL_ACCOUNTS {
        if number % 10 == 0 {
            advance(service, 1).await;
        }
        small.push(customer_with_radars(service, SMALL, "100").await);
    }
    advance(service, 60).await;
    let bystander = customer_with_radars(service, 1, "1000").await;
    // To shortly before the minute in which all of them but the last are due.
    advance(service, PERIOD_SECONDS - 75).await;
    let before = metrics(service).await;
    assert_eq!(before["radar_renewal_lateness_seconds_count"], 0.0);

    let (_, created) = join(advance(service, 60), create(service, &[&large, &bystander])).await;
    assert!(created.iter().all(|answer| answer.status == 201), "{created:?}");

    let after = metrics(service).await;
    let renewals = LARGE + POOR + SMALL_ACCOUNTS * SMALL;
    assert_eq!(after["radar_renewal_lateness_seconds_count"], renewals as f64, "each is decided once");
    assert_eq!(after["radar_renewal_lateness_seconds_sum"], 0.0, "and at once, as simulated time goes");
    assert_eq!((after["radar_renewals_overdue"], after["radar_renewal_due_lag_seconds"]), (0.0, 0.0));
    assert_eq!((after["radar_ledger_commands_queued"], after["radar_ledger_accounts_queued"]), (0.0, 0.0));
    let commits = after["radar_ledger_commit_renewals_count"] - before["radar_ledger_commit_renewals_count"];
    // A creation takes a transaction, and another one for its set-up; the rest is for the renewals.
    let bound = (CREATIONS * 2 + renewals / 8) as f64;
    assert!(commits <= bound, "{commits} transactions, {bound} are enough");

    is_on_the_grid(service, &large, LARGE).await;
    for customer in &small {
        is_on_the_grid(service, customer, SMALL).await;
    }
    half_of_them_ended(service, &poor).await;
}

/// Every radar was charged at its creation and once more, one period later to the microsecond.
async fn is_on_the_grid(service: &Service, customer: &Customer, radars: usize) {
    let mut charges: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    for entry in customer.ledger(service).await.iter().filter(|entry| entry["kind"] == "subscription") {
        let radar_id = entry["radar_id"].as_str().expect("a radar").to_owned();
        charges.entry(radar_id).or_default().push(micros(&entry["due_at"]));
    }
    let renewed: Vec<_> = charges.values().filter(|due_at| due_at.len() == 2).collect();
    assert_eq!(renewed.len(), radars, "the others were created meanwhile");
    assert!(renewed.iter().all(|due_at| due_at[1] - due_at[0] == PERIOD_SECONDS * 1_000_000));
}

/// The balance covers the first half, in order; each of the others ended and says so.
async fn half_of_them_ended(service: &Service, poor: &Customer) {
    let account = poor.account(service).await;
    assert_eq!(account["account"]["active_radars"], json!(POOR / 2), "{account}");
    let charged = poor.ledger(service).await.iter().filter(|entry| entry["kind"] == "subscription").count();
    assert_eq!(charged, POOR + POOR / 2);
    let updates = poor.updates(service).await;
    assert_eq!(updates.len(), POOR - POOR / 2);
    assert!(updates.iter().all(|update| update.contains("insufficient_funds")));
    let mut created_at: Vec<(i64, String, bool)> = Vec::new();
    let page = poor.api(service).get("/v1/radars?limit=1000").await.expect_status(200);
    for radar in page.json["data"].as_array().expect("radars") {
        let is_active = radar["radar_status"] == "active";
        created_at.push((micros(&radar["created_at"]), radar["radar_id"].to_string(), is_active));
    }
    created_at.sort();
    let survivors: Vec<bool> = created_at.into_iter().map(|(_, _, is_active)| is_active).collect();
    assert!(survivors.is_sorted_by(|earlier, later| earlier >= later), "the oldest renewals got the money");
}

async fn create(service: &Service, customers: &[&Customer]) -> Vec<Answer> {
    let mut answers = Vec::new();
    for number in 0..CREATIONS {
        let customer = customers[number % customers.len()];
        answers.push(customer.create_reviews_radar(service, &format!("meanwhile-{number}.com"), None).await);
    }
    answers
}

async fn customer_with_radars(service: &Service, radars: usize, amount_usd: &str) -> Customer {
    let customer = Customer::create(service).await;
    customer.price(service, "company_reviews", "subscription", "0.5").await;
    customer.top_up(service, "first", amount_usd).await;
    for first in (0..radars).step_by(100) {
        let items: Vec<Value> = (first..radars.min(first + 100))
            .map(|number| json!({"domain": format!("storm-{number}.com"), "radar_type": "company_reviews"}))
            .collect();
        customer.api(service).post("/v1/radars/bulk", &json!({"radars": items})).await.expect_status(201);
    }
    customer
}

/// The metrics without labels.
async fn metrics(service: &Service) -> BTreeMap<String, f64> {
    let page = service.operator().get("/metrics").await.expect_status(200);
    let text = String::from_utf8(page.bytes.to_vec()).expect("text");
    let figures = text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let (name, figure) = line.split_once(' ')?;
        Some((name.to_owned(), figure.parse().ok()?))
    });
    figures.collect()
}

async fn advance(service: &Service, seconds: i64) {
    service.operator().post("/operator/v1/clock/advance", &json!({"seconds": seconds})).await.expect_status(200);
}

fn micros(instant: &Value) -> i64 {
    let instant: chrono::DateTime<chrono::Utc> = instant.as_str().expect("an instant").parse().expect("an instant");
    instant.timestamp_micros()
}
