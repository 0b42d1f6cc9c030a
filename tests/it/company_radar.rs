//! One radar, watched end to end: found, charged, stored, pulled and pushed (Spec 2.4, 2.5, 4.2 to 4.9, 6).

use serde_json::json;

use crate::support::customer::{Customer, eventually, parse, text};
use crate::support::databases::on_both_databases;
use crate::support::process::Service;
use crate::support::receiver::{Receiver, verify};
use crate::support::sites::{Job, Sites};

const HOSTS: &[&str] =
    &["acme-robotics.com", "www.acme-robotics.com", "boards-api.greenhouse.io", "boards.greenhouse.io"];

#[actix_web::test]
async fn spec_1_a_new_posting_is_charged_pulled_and_pushed_with_equal_bytes() {
    on_both_databases(|database| async move {
        let sites = Sites::start(HOSTS);
        let old = Job::new(1, "Old Job");
        sites.put_greenhouse_company("acme-robotics.com", "acme", std::slice::from_ref(&old));
        let mut receiver = Receiver::start();
        let service = Service::start_with(database.url(), &[("SOURCES__POLL_INTERVAL", "100ms")], &sites.settings());
        let customer = Customer::create(&service).await;
        customer.price(&service, "company_job_openings", "update_based", "0.25").await;
        customer.top_up(&service, "first", "1").await;

        let body = json!({
            "domain": "https://www.acme-robotics.com/about",
            "radar_type": "company_job_openings",
            "webhook_url": receiver.url("/hook"),
            "custom_fields": {"team": "north"},
        });
        let created = customer.api(&service).post("/v1/radars/companies", &body).await.expect_status(201);
        assert_eq!(created.text("/data/domain"), "acme-robotics.com");
        assert_eq!(created.text("/data/radar_status"), "active");
        assert_eq!(created.json["data"]["next_charge_at"], json!(null), "nothing is charged ahead");
        let radar_id = created.text("/data/radar_id").to_owned();
        customer.settled(&service, &radar_id).await;
        assert!(customer.updates(&service).await.is_empty(), "the baseline is silent");

        sites.put_board("acme", &[old, Job::new(2, "Senior Billing Engineer")]);
        let pushed = receiver.next().await;
        let pulled = eventually("the finding is pulled", || async {
            Some(customer.updates(&service).await).filter(|updates| !updates.is_empty())
        })
        .await;
        assert_eq!(pulled, [text(&pushed.body)], "one finding, byte for byte the same");
        let finding = parse(&pulled[0]);
        assert_eq!(
            finding["content"],
            json!({
                "job_title": "Senior Billing Engineer",
                "job_url": "https://boards.greenhouse.io/acme/jobs/2",
                "job_posted_at": "2026-11-17",
                "job_description": "Build it.",
                "job_source": "greenhouse",
                "country": "NO",
            })
        );
        assert_eq!(finding["data"]["radar_id"], json!(radar_id));
        assert_eq!(finding["data"]["custom_fields"], json!({"team": "north"}));
        verify(&pushed, &customer.webhook_secret);

        let account = customer.account(&service).await;
        assert_eq!(account["balance_remaining_usd"], json!(0.75));
        assert_eq!(account["usage"]["balance_used_usd"], json!(0.25));
        assert_eq!(account["account"]["total_updates_found"], json!(1));

        let path = format!("/v1/radars/{radar_id}");
        let ended = customer.api(&service).delete(&path).await.expect_status(200);
        assert_eq!(ended.text("/data/radar_status"), "inactive");
        let again = customer.api(&service).delete(&path).await.expect_status(200);
        assert_eq!(again.json["data"], ended.json["data"], "decision 1.10");
        sites.put_board("acme", &[Job::new(3, "Too Late")]);
        customer.create_radar(&service, "acme-robotics.com", None).await.expect_status(201);
        assert_eq!(customer.updates(&service).await.len(), 1);
    })
    .await;
}

#[actix_web::test]
async fn decision_7_3_a_feed_is_polled_once_for_all_who_read_it() {
    let database = crate::support::databases::TestDatabase::sqlite();
    let sites = Sites::start(HOSTS);
    sites.put_greenhouse_company("acme-robotics.com", "acme", &[Job::new(1, "Old Job")]);
    let service = Service::start_with(database.url(), &[("SOURCES__POLL_INTERVAL", "1h")], &sites.settings());
    let board = "boards-api.greenhouse.io/v1/boards/acme/jobs?content=true";
    let mut after_first = 0;
    for reader in 0..3 {
        let customer = Customer::create(&service).await;
        customer.top_up(&service, "first", "1").await;
        let created = customer.create_radar(&service, "acme-robotics.com", None).await.expect_status(201);
        let detail = customer.settled(&service, created.text("/data/radar_id")).await;
        assert!(detail.to_string().contains("greenhouse"), "{detail}");
        if reader == 0 {
            after_first = sites.fetches(board);
        }
    }
    // Each set-up looks at the board once, so that its baseline is its own; nothing polls it besides.
    assert!(sites.fetches(board) <= after_first * 3, "{} fetches", sites.fetches(board));
}

#[actix_web::test]
async fn a_filter_lets_through_what_it_asks_for() {
    let database = crate::support::databases::TestDatabase::sqlite();
    let sites = Sites::start(HOSTS);
    sites.put_greenhouse_company("acme-robotics.com", "acme", &[Job::new(1, "Old Job")]);
    let service = Service::start_with(database.url(), &[("SOURCES__POLL_INTERVAL", "100ms")], &sites.settings());
    let customer = Customer::create(&service).await;
    customer.top_up(&service, "first", "1").await;
    let body = json!({
        "domain": "acme-robotics.com",
        "radar_type": "company_job_openings",
        "job_titles": "(engineer OR developer) AND NOT \"front end\"",
    });
    let created = customer.api(&service).post("/v1/radars/companies", &body).await.expect_status(201);
    customer.settled(&service, created.text("/data/radar_id")).await;
    let titles = ["Front End Engineer", "Accountant", "Backend Engineer", "Developer Advocate"];
    let jobs: Vec<Job> = (10..).zip(titles).map(|(id, title)| Job::new(id, title)).collect();
    sites.put_board("acme", &jobs);
    let found = eventually("both are found", || async {
        Some(customer.updates(&service).await).filter(|updates| updates.len() >= 2)
    })
    .await;
    let mut titles: Vec<String> = found
        .iter()
        .map(|update| parse(update)["content"]["job_title"].as_str().expect("a title").to_owned())
        .collect();
    titles.sort();
    assert_eq!(titles, ["Backend Engineer", "Developer Advocate"]);
}
