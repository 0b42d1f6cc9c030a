//! `GET /metrics`, and the alert rules that are shipped for it.

use std::collections::BTreeSet;

use serde_json::json;

use crate::delivery_log::stage;
use crate::support::customer::eventually;
use crate::support::databases::on_both_databases;
use crate::support::process::Service;
use crate::support::provider;
use crate::support::receiver::{Answer, Receiver};

async fn text(service: &Service) -> String {
    let page = service.operator().get("/metrics").await.expect_status(200);
    String::from_utf8(page.bytes.to_vec()).expect("UTF-8")
}

/// The value of a metric, named with its labels.
fn value(text: &str, name: &str) -> Option<f64> {
    text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok())
}

/// Every name in `text` that begins as our metrics do.
fn names(text: &str) -> BTreeSet<String> {
    let is_in_name = |character: char| character.is_ascii_lowercase() || character == '_';
    let words = text.split(|character| !is_in_name(character)).filter(|word| word.starts_with("radar_"));
    words.map(str::to_owned).collect()
}

#[actix_web::test]
async fn what_is_sent_and_what_waits_is_counted_without_naming_anybody() {
    on_both_databases(|database| async move {
        let mut receiver = Receiver::start();
        receiver.answer_next([Answer::status(500), Answer::status(410)]);
        let (service, _provider, customer, radar_id) = stage(database.url(), &receiver).await;
        provider::push(&service, &radar_id, "1", &json!({})).await;
        receiver.next().await;
        provider::push(&service, &radar_id, "2", &json!({})).await;
        receiver.next().await;
        let text = eventually("both attempts are counted and recorded", || async {
            let text = text(&service).await;
            let is_counted = value(&text, "radar_webhook_attempts_total{outcome=\"http_410\"}") == Some(1.0);
            let is_recorded = value(&text, "radar_webhook_endpoints_disabled") == Some(1.0);
            (is_counted && is_recorded).then_some(text)
        })
        .await;
        for (name, expected) in [
            ("radar_webhook_attempts_total{outcome=\"http_5xx\"}", 1.0),
            ("radar_webhook_attempts_total{outcome=\"ok\"}", 0.0),
            ("radar_webhook_due_to_start_seconds_count", 2.0),
            ("radar_webhook_commit_to_success_seconds_count", 0.0),
            ("radar_webhook_deliveries{state=\"pending\"}", 1.0),
            ("radar_webhook_deliveries{state=\"held\"}", 1.0),
            ("radar_webhook_deliveries{state=\"exhausted\"}", 0.0),
            ("radar_webhook_endpoints_disabled", 1.0),
            ("radar_webhook_breakers_open", 0.0),
            ("radar_webhook_leases_expired_total", 0.0),
            ("radar_webhook_results_refused_total", 0.0),
            ("radar_webhook_oldest_due_age_seconds", 0.0),
        ] {
            assert_eq!(value(&text, name), Some(expected), "{name}\n{text}");
        }
        let port = receiver.url("").rsplit_once(':').map(|(_, port)| port.trim_end_matches('/').to_owned());
        for private in [customer.account_id.as_str(), radar_id.as_str(), &port.expect("a port")] {
            assert!(!text.contains(private), "{private} in {text}");
        }
    })
    .await;
}

#[actix_web::test]
async fn every_metric_that_an_alert_rule_or_the_dashboard_names_exists() {
    on_both_databases(|database| async move {
        let service = Service::start(database.url(), &[]);
        // Of requests the first look is the first one that is counted.
        text(&service).await;
        let text = text(&service).await;
        let shown: BTreeSet<&str> =
            text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next()).collect();
        // Those of a source come with its first feed.
        let of_sources = std::fs::read_to_string("src/operator/system/source_metrics.rs").expect("the source");
        for file in ["config/alerts.yml", "packaging/grafana/radar.json"] {
            let named = names(&std::fs::read_to_string(file).expect(file));
            assert!(named.len() > 10, "the names were not found in {file}: {named:?}");
            for name in &named {
                let is_shown = shown.contains(name.trim_end_matches("_bucket"));
                assert!(is_shown || of_sources.contains(&format!("\"{name}\"")), "{name} of {file} is not in\n{text}");
            }
        }
    })
    .await;
}
