//! A year in which customers pay monthly and money expires (Spec 2.5, 3; decisions 4.3, 4.5, 4.6).
//!
//! `RADARS` sets the number of radars, 200 by itself. A year of ten thousand, and how long it takes:
//! `RADARS=10000 cargo test --release --test it -- --nocapture year_of_top_ups`

use std::time::Instant;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use crate::support::customer::Customer;
use crate::support::databases::on_both_databases;
use crate::support::process::Service;
use crate::support::push_source::PushSource;

const START: &str = "2026-01-01T00:00:00Z";
const ACCOUNTS: usize = 10;
const RATE_USD: f64 = 0.5;
/// From this payment on the first account pays no more.
const LAST_PAYMENT: i64 = 8;

#[actix_web::test]
async fn renewals_are_paid_from_money_that_has_not_expired() {
    on_both_databases(|database| async move {
        let radars: usize = std::env::var("RADARS").ok().and_then(|text| text.parse().ok()).unwrap_or(200);
        let source = PushSource::of(&["company_reviews"]);
        let dir = source.dir();
        let settings = [
            ("CLOCK__MODE", "simulated"),
            ("CLOCK__START", START),
            ("SOURCES__DIR", dir.as_str()),
            // What ended in the autumn is still reported at the end of the year.
            ("RETENTION__UPDATES", "365d"),
        ];
        let service = Service::start(database.url(), &settings);
        let mut customers = Vec::new();
        for _ in 0..ACCOUNTS {
            customers.push(customer(&service, radars / ACCOUNTS).await);
        }
        let began_at = Instant::now();
        live_a_year(&service, &customers, radars / ACCOUNTS).await;
        let took = began_at.elapsed();
        println!("{}: a year of {radars} radars took {took:.1?}", database.url().split(':').next().unwrap_or_default());
        check(&service, &customers, radars / ACCOUNTS).await;
    })
    .await;
}

/// Pays for two periods in advance and creates the radars, all in the same instant.
async fn customer(service: &Service, radars: usize) -> Customer {
    let customer = Customer::create(service).await;
    customer.price(service, "company_reviews", "subscription", &RATE_USD.to_string()).await;
    pay(service, &customer, "first", 2.0 * period_usd(radars), 45).await;
    for first in (0..radars).step_by(100) {
        let items: Vec<Value> = (first..radars.min(first + 100))
            .map(|number| json!({"domain": format!("year-{number}.com"), "radar_type": "company_reviews"}))
            .collect();
        customer.api(service).post("/v1/radars/bulk", &json!({"radars": items})).await.expect_status(201);
    }
    customer
}

/// Halfway through each period a quarter more than the next one costs comes in; it lives for forty days, so that every
/// time a quarter is left to expire.
async fn live_a_year(service: &Service, customers: &[Customer], radars: usize) {
    for payment in 0..12 {
        advance(service, 15).await;
        for (number, customer) in customers.iter().enumerate() {
            if number > 0 || payment < LAST_PAYMENT {
                pay(
                    service,
                    customer,
                    &format!("payment {payment}"),
                    1.25 * period_usd(radars),
                    15 + 30 * payment + 40,
                )
                .await;
            }
        }
        advance(service, 15).await;
    }
    advance(service, 5).await;
}

async fn check(service: &Service, customers: &[Customer], radars: usize) {
    let [lapsed, paying @ ..] = customers else { panic!("no customers") };
    for customer in paying {
        let summary = customer.account(service).await;
        assert_eq!(summary["account"]["active_radars"], json!(radars), "{summary}");
    }
    assert_eq!(
        kinds(service, &customers[1]).await,
        (13 * radars, 11),
        "thirteen periods each, and a lot every month from the second on"
    );

    // The last payment covers the ninth period, counted from the creation.
    let summary = lapsed.account(service).await;
    assert_eq!(summary["account"]["inactive_radars"], json!(radars), "{summary}");
    assert_eq!(kinds(service, lapsed).await, (9 * radars, 8));
    let updates = lapsed.updates(service).await;
    assert_eq!(updates.iter().filter(|update| update.contains("insufficient_funds")).count(), radars);

    service.assert_ledger_adds_up();
}

/// How many charges and how many expiries a customer's ledger has.
async fn kinds(service: &Service, customer: &Customer) -> (usize, usize) {
    let ledger = customer.ledger(service).await;
    let count = |kind: &str| ledger.iter().filter(|entry| entry["kind"] == kind).count();
    (count("subscription"), count("expiry"))
}

/// Money that lives until so many days after the start.
async fn pay(service: &Service, customer: &Customer, payment_ref: &str, amount_usd: f64, expires_after_days: i64) {
    let start: DateTime<Utc> = START.parse().expect("an instant");
    let body = json!({
        "amount_usd": format!("{amount_usd:.2}"),
        "payment_ref": payment_ref,
        "expires_at": (start + TimeDelta::days(expires_after_days)).to_rfc3339(),
    });
    let path = format!("/operator/v1/accounts/{}/top-ups", customer.account_id);
    service.operator().post(&path, &body).await.expect_status(201);
}

fn period_usd(radars: usize) -> f64 {
    radars as f64 * RATE_USD
}

async fn advance(service: &Service, days: i64) {
    let seconds = json!({"seconds": days * 24 * 60 * 60});
    service.operator().post("/operator/v1/clock/advance", &seconds).await.expect_status(200);
}
