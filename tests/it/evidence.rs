//! What a finding stands on, and what its customer thinks of it.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::customer::{Customer, eventually, parse};
use crate::support::databases::on_both_databases;
use crate::support::process::Service;
use crate::support::push_source::{ID, PushSource};
use crate::support::sites::{Job, Sites};

const HOSTS: &[&str] =
    &["acme-robotics.com", "www.acme-robotics.com", "boards-api.greenhouse.io", "boards.greenhouse.io"];

#[actix_web::test]
async fn a_finding_keeps_what_it_stands_on() {
    on_both_databases(|database| async move {
        let (sites, provider) = (Sites::start(HOSTS), PushSource::of(&["company_reviews"]));
        sites.put_greenhouse_company("acme-robotics.com", "acme", &[Job::new(1, "Old Job")]);
        let settings = [("SOURCES__POLL_INTERVAL", "100ms"), ("SOURCES__DIR", &provider.dir())];
        let service = Service::start_with(database.url(), &settings, &sites.settings());
        let (customer, stranger) = (Customer::create(&service).await, Customer::create(&service).await);
        read_from_a_board(&service, &customer, &sites).await;
        handed_in_and_held_for_money(&service, &customer, &stranger).await;
    })
    .await;
}

async fn read_from_a_board(service: &Service, customer: &Customer, sites: &Sites) {
    customer.price(service, "company_job_openings", "update_based", "0").await;
    let created = customer.create_radar(service, "acme-robotics.com", None).await.expect_status(201);
    let radar_id = created.text("/data/radar_id");
    customer.settled(service, radar_id).await;
    sites.put_board("acme", &[Job::new(1, "Old Job"), Job::new(2, "Senior Billing Engineer")]);
    let finding = published(service, customer, 1).await;
    let path = format!("/v1/updates/{}/evidence", finding["update_id"].as_str().expect("an id"));
    let evidence = customer.api(service).get(&path).await.expect_status(200);
    let data = &evidence.json["data"];
    for key in ["update_id", "record_id"] {
        assert_eq!(data[key], finding[key]);
    }
    assert_eq!((&data["radar_id"], &data["source"]), (&json!(radar_id), &json!("greenhouse")));
    assert_eq!(data["address"], finding["content"]["job_url"]);
    assert!(evidence.text("/data/page_url").starts_with("https://boards-api.greenhouse.io/"), "{data}");
    let hash = evidence.text("/data/body_hash");
    assert!(hash.len() == 64 && hash.bytes().all(|digit| digit.is_ascii_hexdigit()), "{data}");
    assert!(evidence.text("/data/excerpt").contains("Senior Billing Engineer"), "{data}");
    let timeline = service.operator().get(&format!("/operator/v1/radars/{radar_id}/timeline")).await.expect_status(200);
    let shown = &timeline.json["data"]["updates"][0]["evidence"];
    assert_eq!((&shown["source_id"], &shown["page_url"]), (&json!("greenhouse"), &data["page_url"]), "{shown}");
}

/// The way over the queue of those that wait for money loses nothing.
async fn handed_in_and_held_for_money(service: &Service, customer: &Customer, stranger: &Customer) {
    customer.price(service, "company_reviews", "update_based", "0.50").await;
    let created = customer.create_reviews_radar(service, "acme.com", None).await.expect_status(201);
    let radar_id = created.text("/data/radar_id");
    customer.settled(service, radar_id).await;
    let content = json!({"review_content": "Bread like stone.", "review_url": "https://reviews.example/7"});
    let body = PushSource::finding(radar_id, "7", &content);
    let pushed = service.operator().post("/operator/v1/findings", &body).await.expect_status(202);
    assert_eq!(pushed.json["data"][0]["outcome"], "held");
    customer.top_up(service, "late", "1").await;
    let finding = published(service, customer, 2).await;
    let update = format!("/v1/updates/{}", finding["update_id"].as_str().expect("an id"));
    let evidence = customer.api(service).get(&format!("{update}/evidence")).await.expect_status(200);
    let data = &evidence.json["data"];
    assert_eq!((&data["source"], &data["page_url"], &data["body_hash"]), (&json!(ID), &Value::Null, &Value::Null));
    assert_eq!(data["address"], finding["content"]["review_url"]);
    assert_eq!(data["excerpt"], "Bread like stone.");

    for path in [format!("{update}/evidence"), format!("/v1/updates/{}/evidence", Uuid::nil())] {
        stranger.api(service).get(&path).await.expect_status(404);
    }
    feedback_counts_once(service, customer, stranger, &update).await;
}

async fn feedback_counts_once(service: &Service, customer: &Customer, stranger: &Customer, update: &str) {
    let (api, path) = (customer.api(service), format!("{update}/feedback"));
    let opinion = async || {
        let source = service.operator().get(&format!("/operator/v1/sources/{ID}")).await.expect_status(200);
        source.json["data"]["feedback"].clone()
    };
    assert_eq!(opinion().await, json!({}));
    let wrong = json!({"useful": false, "reason": "Another Acme."});
    for _ in 0..2 {
        let kept = api.post(&path, &wrong).await.expect_status(200);
        assert_eq!((&kept.json["data"]["useful"], kept.text("/data/reason")), (&json!(false), "Another Acme."));
        let expected = json!({"company_reviews": {"judged": 1, "useless": 1, "share_useless": 1.0}});
        assert_eq!(opinion().await, expected);
    }
    let kept = api.post(&path, &json!({"useful": true})).await.expect_status(200);
    assert_eq!(kept.json["data"]["reason"], Value::Null);
    assert_eq!(opinion().await, json!({"company_reviews": {"judged": 1, "useless": 0, "share_useless": 0.0}}));
    stranger.api(service).post(&path, &wrong).await.expect_status(404);
    api.post(&path, &json!({})).await.expect_status(400);
    assert_eq!(opinion().await["company_reviews"]["useless"], 0);
}

/// The last of so many updates.
async fn published(service: &Service, customer: &Customer, count: usize) -> Value {
    let updates = eventually("a finding is published", || async {
        Some(customer.updates(service).await).filter(|updates| updates.len() == count)
    })
    .await;
    parse(&updates[count - 1])
}
