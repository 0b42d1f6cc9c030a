//! Alerts about a balance that runs low, and a cap on what a month may cost.

use serde_json::{Value, json};

use crate::support::customer::{Customer, eventually, parse, text};
use crate::support::databases::on_both_databases;
use crate::support::process::Service;
use crate::support::push_source::PushSource;
use crate::support::receiver::{Receiver, verify};

#[actix_web::test]
async fn a_balance_that_falls_below_a_threshold_is_told_by_signed_webhook() {
    on_both_databases(|database| async move {
        let mut receiver = Receiver::start();
        let service = Service::start(database.url(), &[]);
        let customer = Customer::create(&service).await;
        customer.price(&service, "company_job_openings", "subscription", "4").await;
        customer.top_up(&service, "first", "10").await;
        let path = format!("/operator/v1/accounts/{}/balance-alerts", customer.account_id);
        let settings = json!({"webhook_url": receiver.url("/alerts"), "thresholds_usd": ["5", 2.5]});
        let set = service.operator().put(&path, &settings).await.expect_status(200);
        assert_eq!(set.json["data"]["thresholds_usd"], json!([5, 2.5]));
        let refused = service.operator().put(&path, &json!({"webhook_url": "ftp://x", "thresholds_usd": [-1]})).await;
        let refused = refused.expect_status(400);
        assert_eq!(fields(&refused.json), ["webhook_url", "thresholds_usd"]);

        let create = |domain: &str| json!({"domain": domain, "radar_type": "company_job_openings"});
        let bulk = json!({"radars": [create("one.example.com"), create("two.example.com")]});
        customer.api(&service).post("/v1/radars/bulk", &bulk).await.expect_status(201);
        let mut alerts = Vec::new();
        for _ in 0..2 {
            let pushed = receiver.next().await;
            verify(&pushed, &customer.webhook_secret);
            let alert = parse(text(&pushed.body));
            assert_eq!(alert["alert_type"], "balance_below_threshold");
            alerts.push((alert["threshold_usd"].clone(), alert["balance_usd"].clone()));
        }
        alerts.sort_by_key(|(threshold, _)| threshold.to_string());
        assert_eq!(alerts, [(json!(2.5), json!(2)), (json!(5), json!(2))]);
        let shown = service.operator().get(&path).await.expect_status(200);
        assert_eq!(shown.json["data"]["last_alerts"].as_array().map(Vec::len), Some(2), "{}", shown.json);

        let removed = service.operator().delete(&path).await.expect_status(200);
        assert_eq!(removed.json["data"]["webhook_url"], json!(null));
        let audit = service.command(&["ledger", "verify"]).output().expect("an audit");
        assert!(audit.status.success(), "an alert adds up: {}", String::from_utf8_lossy(&audit.stdout));
    })
    .await;
}

#[actix_web::test]
async fn a_cap_on_the_month_holds_findings_like_an_empty_balance() {
    on_both_databases(|database| async move {
        let provider = PushSource::of(&["company_reviews"]);
        let sources = provider.dir();
        let settings = [
            ("CLOCK__MODE", "simulated"),
            ("CLOCK__START", "2026-01-30T12:00:00Z"),
            ("SOURCES__DIR", sources.as_str()),
        ];
        let service = Service::start(database.url(), &settings);
        let customer = Customer::create(&service).await;
        customer.price(&service, "company_reviews", "update_based", "1").await;
        customer.top_up(&service, "first", "100").await;
        let path = format!("/operator/v1/accounts/{}/spend-cap", customer.account_id);
        service.operator().put(&path, &json!({"amount_usd": "2.5"})).await.expect_status(200);

        let wanted = json!({"domain": "example.com", "radar_type": "company_reviews"});
        let created = customer.api(&service).post("/v1/radars/companies", &wanted).await.expect_status(201);
        let radar_id = created.text("/data/radar_id").to_owned();
        customer.settled(&service, &radar_id).await;
        for (native_id, outcome) in [("1", "published"), ("2", "published"), ("3", "held"), ("4", "held")] {
            assert_eq!(provider.review(&service, &radar_id, native_id).await, outcome, "{native_id}");
        }
        let paused = customer.api(&service).get(&format!("/v1/radars/{radar_id}")).await.expect_status(200);
        assert!(paused.json["data"]["paused_since"].is_string(), "{}", paused.json);
        let shown = service.operator().get(&path).await.expect_status(200);
        assert_eq!(shown.json["data"], json!({"amount_usd": 2.5, "month": "2026-01", "spent_usd": 2}));

        service.operator().put(&path, &json!({"amount_usd": "3"})).await.expect_status(200);
        eventually("the raised cap releases one", || async {
            Some(customer.updates(&service).await).filter(|updates| updates.len() == 3)
        })
        .await;
        let advance = json!({"seconds": 3 * 24 * 60 * 60});
        service.operator().post("/operator/v1/clock/advance", &advance).await.expect_status(200);
        assert_eq!(customer.updates(&service).await.len(), 4, "the new month releases the other");
        assert_eq!(customer.account(&service).await["balance_remaining_usd"], json!(96));
    })
    .await;
}

fn fields(body: &Value) -> Vec<&str> {
    body["errors"].as_array().expect("errors").iter().filter_map(|error| error["field"].as_str()).collect()
}
