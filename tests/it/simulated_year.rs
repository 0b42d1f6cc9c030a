//! A year of a thousand subscriptions, moved by the operator's clock (Spec 2.5, 3; decision 4.5).

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::support::customer::Customer;
use crate::support::databases::{TestDatabase, on_both_databases};
use crate::support::process::Service;

const DAY_SECONDS: i64 = 24 * 60 * 60;
const START: &str = "2026-01-01T00:00:00Z";

/// What happened, in order: what, which radar (by the order of creation), when, when due, how much.
type Trace = Vec<(String, Option<usize>, String, String, String)>;

#[actix_web::test]
async fn twelve_charges_each_after_the_first_on_the_30_day_grid() {
    on_both_databases(|database| async move {
        live_a_year(&database, 1_000).await;
    })
    .await;
}

#[actix_web::test]
async fn the_same_year_leaves_the_same_trace() {
    let (first, second) = (TestDatabase::sqlite(), TestDatabase::sqlite());
    let traces = (live_a_year(&first, 100).await, live_a_year(&second, 100).await);
    assert_eq!(traces.0, traces.1);
}

async fn live_a_year(database: &TestDatabase, radars: usize) -> Trace {
    let folder = tempfile::tempdir().expect("a folder");
    let source = "format_version = 1\nid = \"reviews_inc\"\nkind = \"push\"\nradar_types = [\"company_reviews\"]\n";
    std::fs::write(folder.path().join("reviews_inc.toml"), source).expect("a source file");
    let sources = folder.path().display().to_string();
    let settings = [("CLOCK__MODE", "simulated"), ("CLOCK__START", START), ("SOURCES__DIR", sources.as_str())];
    let service = Service::start_with(database.url(), &settings, "");
    let customer = Customer::create(&service).await;
    customer.price(&service, "company_reviews", "subscription", "0.5").await;
    customer.top_up(&service, "first", "100000").await;

    let mut ids = Vec::new();
    for first in (0..radars).step_by(100) {
        let items: Vec<Value> = (first..first + 100)
            .map(|number| json!({"domain": format!("year-{number}.com"), "radar_type": "company_reviews"}))
            .collect();
        let made = customer.api(&service).post("/v1/radars/bulk", &json!({"radars": items})).await.expect_status(201);
        for result in made.json["results"].as_array().expect("results") {
            ids.push(result["data"]["radar_id"].as_str().expect("an id").to_owned());
        }
        // Not all in the same instant.
        advance(&service, 60).await;
    }
    advance(&service, 365 * DAY_SECONDS).await;

    let actors = service.operator().get("/operator/v1/actors").await.expect_status(200);
    let is_radars = |kind: &&Value| kind["kind"] == "radar_actor";
    let alive = actors.json["data"].as_array().expect("kinds").iter().find(is_radars).expect("radars");
    assert_eq!(alive["resident"], json!(0), "none is due soon: {alive}");

    let places: BTreeMap<&str, usize> = ids.iter().map(String::as_str).zip(0..).collect();
    let ledger = customer.ledger(&service).await;
    let mut charges: BTreeMap<usize, Vec<(String, String)>> = BTreeMap::new();
    let mut trace = Vec::new();
    for entry in &ledger {
        let text = |name: &str| entry[name].as_str().map(str::to_owned).unwrap_or_else(|| entry[name].to_string());
        let radar = entry["radar_id"].as_str().map(|id| places[id]);
        if text("kind") == "subscription" {
            let radar = radar.expect("a radar");
            charges.entry(radar).or_default().push((text("due_at"), text("amount_usd")));
        }
        trace.push((text("kind"), radar, text("at"), text("due_at"), text("amount_usd")));
    }
    assert_eq!(charges.len(), radars);
    for (radar, charged) in &charges {
        assert_eq!(charged.len(), 13, "radar {radar}: {charged:?}");
        let created_at = instant(&charged[0].0);
        for (period, (due_at, amount)) in (0..).zip(charged) {
            assert_eq!(instant(due_at) - created_at, chrono::Duration::days(30 * period), "radar {radar}");
            assert_eq!(amount, "-0.5");
        }
        let record = customer.api(&service).get(&format!("/v1/radars/{}", ids[*radar])).await.expect_status(200);
        assert_eq!(record.text("/data/radar_status"), "active");
        let next_charge_at = instant(record.text("/data/next_charge_at"));
        assert_eq!(next_charge_at - instant(record.text("/data/created_at")), chrono::Duration::days(30 * 13));
    }
    service.assert_ledger_adds_up();
    trace
}

async fn advance(service: &Service, seconds: i64) {
    service.operator().post("/operator/v1/clock/advance", &json!({"seconds": seconds})).await.expect_status(200);
}

fn instant(text: &str) -> chrono::DateTime<chrono::Utc> {
    text.parse().expect("an instant")
}
