//! `GET /metrics`, and the alert rules that are shipped for it.

use std::collections::BTreeSet;

use serde_json::json;

use crate::delivery_log::stage;
use crate::support::customer::{Customer, eventually};
use crate::support::databases::{TestDatabase, on_both_databases};
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
            ("radar_ledger_transactions_total{kind=\"finding\"}", 2.0),
            ("radar_ledger_transactions_total{kind=\"refund\"}", 0.0),
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

/// What `promtool check metrics` complains of.
#[actix_web::test]
async fn every_metric_is_named_as_prometheus_expects() {
    on_both_databases(|database| async move {
        let service = Service::start(database.url(), &[]);
        service.public().get("/v1/radars").await.expect_status(401);
        text(&service).await;
        let text = text(&service).await;
        let types: Vec<(&str, &str)> =
            text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split_once(' ')).collect();
        for (name, kind) in &types {
            assert_eq!(name.ends_with("_total"), *kind == "counter", "{name} is a {kind}");
            let is_in_base_units =
                !["milliseconds", "minutes", "_ms", "kilobytes", "_kb"].iter().any(|unit| name.contains(unit));
            assert!(is_in_base_units && !name.contains(kind), "{name}");
            let help = text.lines().find_map(|line| line.strip_prefix(&format!("# HELP {name} ")));
            assert!(help.is_some_and(|help| !help.is_empty()), "{name} has no help");
        }
        for name in [
            "radar_http_request_duration_seconds_count{api=\"public\",method=\"GET\",route=\"/v1/radars\"}",
            "radar_http_requests_in_flight{api=\"operator\"}",
            concat!("radar_build_info{version=\"", env!("CARGO_PKG_VERSION"), "\"}"),
        ] {
            assert_eq!(value(&text, name), Some(1.0), "{name} in\n{text}");
        }
        for name in
            ["process_resident_memory_bytes", "process_open_fds", "process_max_fds", "process_start_time_seconds"]
        {
            assert!(value(&text, name) > Some(1.0), "{name} in\n{text}");
        }
        let pool = if database.url().starts_with("sqlite") { "read" } else { "all" };
        assert!(value(&text, &format!("radar_database_connections{{pool=\"{pool}\",state=\"idle\"}}")) >= Some(0.0));
        assert_eq!(value(&text, "radar_database_bytes").is_some(), pool == "read");
        assert_eq!(value(&text, "radar_feed_due_lag_seconds"), Some(0.0));
    })
    .await;
}

#[actix_web::test]
async fn requests_beyond_a_limit_are_counted_by_reason() {
    let database = TestDatabase::sqlite();
    let service = Service::start(database.url(), &[("HTTP__FAILURES_PER_MINUTE", "1")]);
    let customer = Customer::create_with(&service, &json!({"per_second": 1})).await;
    for _ in 0..2 {
        customer.api(&service).get("/v1/radars").await;
        service.public().get("/v1/radars").await;
    }
    let text = text(&service).await;
    for reason in ["burst", "address"] {
        let name = format!("radar_http_requests_limited_total{{api=\"public\",reason=\"{reason}\"}}");
        assert_eq!(value(&text, &name), Some(1.0), "{reason} in\n{text}");
    }
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
        // Those of a source come with its first feed, those of files are of SQLite.
        let files = ["source_metrics.rs", "database_metrics.rs"].map(|file| format!("src/operator/system/{file}"));
        let at_times = files.map(|file| std::fs::read_to_string(file).expect("the source")).concat();
        for file in ["config/alerts.yml", "packaging/grafana/radar.json"] {
            let named = names(&std::fs::read_to_string(file).expect(file));
            assert!(named.len() > 10, "the names were not found in {file}: {named:?}");
            for name in &named {
                let is_shown = shown.contains(name.trim_end_matches("_bucket"));
                assert!(is_shown || at_times.contains(&format!("\"{name}\"")), "{name} of {file} is not in\n{text}");
            }
        }
    })
    .await;
}
