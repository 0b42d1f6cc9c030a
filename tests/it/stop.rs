//! An orderly stop waits for what is under way, and for nothing that only waits (decisions 7.3, 7.4).

use std::path::Path;

use sea_orm::{ConnectionTrait, Database, Statement};
use serde_json::json;

use crate::support::customer::{Customer, eventually};
use crate::support::databases::on_both_databases;
use crate::support::process::Service;
use crate::support::sites::Sites;

const API: &str = "api.quarry.example";
const TOKENS: [&str; 3] = ["north", "south", "west"];
const NOT_DUE: &str = "select count(*) as feeds from feed where lease_until is not null or open_attempts > 0
    or next_poll_at > $1 + 1000000";

/// Declares a board whose requests are `gap` apart.
fn declare(folder: &Path, gap: &str) {
    let source = format!(
        r#"
        format_version = 1
        id = "quarry"
        kind = "json"
        radar_types = ["company_job_openings"]
        [discovery]
        patterns = [{{ hosts = ["jobs.quarry.example"], path_segment = 0 }}]
        [request]
        url = "https://{API}/{{token}}"
        robots = "documented_api"
        [items]
        list = "$.jobs"
        id = "$.id"
        [map]
        job_title = {{ paths = ["$.title"] }}
        job_url = {{ paths = ["$.url"], text = "url" }}
        job_source = {{ const = "quarry" }}
        [politeness]
        min_gap = "{gap}"
        "#
    );
    std::fs::write(folder.join("quarry.toml"), source).expect("a source file");
}

/// Waits until a poll of each board is claimed: one at the host, one that waits for the host's gap, one for a place.
async fn all_claimed(service: &Service, radar_ids: &[String]) {
    eventually("all polls are claimed", || async {
        let mut claimed = 0;
        for radar_id in radar_ids {
            let detail = service.operator().get(&format!("/operator/v1/radars/{radar_id}")).await.expect_status(200);
            let at = |name: &str| {
                detail.json["data"]["feeds"][0][name]
                    .as_str()
                    .map(|at| at.parse::<chrono::DateTime<chrono::Utc>>().unwrap())
            };
            // A claim lasts for ten seconds at least.
            let is_claimed =
                at("next_poll_at").zip(at("polled_at")).is_some_and(|(next, last)| (next - last).num_seconds() > 5);
            claimed += usize::from(is_claimed);
        }
        (claimed == radar_ids.len()).then_some(())
    })
    .await;
}

#[actix_web::test]
async fn decision_7_3_polls_that_wait_are_given_back_at_once_at_a_stop() {
    on_both_databases(|database| async move {
        let domains = TOKENS.map(|token| format!("{token}.com"));
        let sites = Sites::start(&[&domains[0], &domains[1], &domains[2], API]);
        for (token, domain) in TOKENS.iter().zip(&domains) {
            let home = format!(r#"<a href="https://jobs.quarry.example/{token}">Jobs</a>"#);
            sites.put(&format!("{domain}/"), "text/html", &home);
            sites.put(&format!("{API}/{token}"), "application/json", &json!({"jobs": []}).to_string());
        }
        let folder = tempfile::tempdir().expect("a folder");
        declare(folder.path(), "0s");
        let dir = folder.path().display().to_string();
        let settings =
            [("SOURCES__DIR", dir.as_str()), ("SOURCES__POLL_INTERVAL", "1s"), ("SOURCES__FETCHES_MAX", "1")];
        let mut service = Service::start_with(database.url(), &settings, &sites.settings());
        let customer = Customer::create(&service).await;
        customer.top_up(&service, "first", "10").await;
        let mut radar_ids = Vec::new();
        for domain in &domains {
            let created = customer.create_radar(&service, domain, None).await.expect_status(201);
            radar_ids.push(created.text("/data/radar_id").to_owned());
            customer.settled(&service, &radar_ids[radar_ids.len() - 1]).await;
        }

        service.terminate();
        declare(folder.path(), "60s");
        service.restart();
        all_claimed(&service, &radar_ids).await;
        service.terminate();
        assert!(!service.log().contains("took too long"), "a step of the stop waited");
        let connection = Database::connect(database.url()).await.expect("the database");
        let now = chrono::Utc::now().timestamp_micros();
        let not_due = Statement::from_sql_and_values(connection.get_database_backend(), NOT_DUE, [now.into()]);
        let not_due = connection.query_one_raw(not_due).await.expect("an answer").expect("a row");
        assert_eq!(
            not_due.try_get::<i64>("", "feeds").expect("a number"),
            0,
            "all are due, and none counts as an attempt"
        );
        connection.close().await.expect("closed");
    })
    .await;
}
