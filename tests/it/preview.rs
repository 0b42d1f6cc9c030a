//! `POST /v1/radars/preview`: what a radar would find, without creating, charging or leaving anything.

use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};

use crate::support::customer::Customer;
use crate::support::databases::{TestDatabase, on_both_databases};
use crate::support::ledger::connect;
use crate::support::process::Service;
use crate::support::push_source::{ID, PushSource};
use crate::support::silence::Silence;
use crate::support::sites::{Job, Sites};

const PREVIEW: &str = "/v1/radars/preview";
const CLOCK: [(&str, &str); 2] = [("CLOCK__MODE", "simulated"), ("CLOCK__START", "2026-11-20T00:00:00Z")];
const HOSTS: [&str; 3] = ["acme.com", "boards-api.greenhouse.io", "boards.greenhouse.io"];

fn sites() -> Sites {
    let sites = Sites::start(&HOSTS);
    let titles = ["Senior Billing Engineer", "Sales Manager", "Sales Director", "Accountant"];
    let jobs: Vec<Job> = (1..).zip(titles).map(|(id, title)| Job::new(id, title)).collect();
    sites.put_greenhouse_company("acme.com", "acme", &jobs);
    sites
}

async fn preview(service: &Service, customer: &Customer, body: &Value) -> Value {
    customer.api(service).post(PREVIEW, body).await.expect_status(200).json["data"].clone()
}

/// How many rows each of these tables has.
async fn rows(database: &TestDatabase) -> Vec<i64> {
    let connection = connect(database).await;
    let mut counts = Vec::new();
    for table in
        ["radar", "set_up", "feed", "feed_item", "company_profile", "ledger_tx", "radar_update", "preview_look"]
    {
        let text = format!("select count(*) as n from {table}");
        let counted = connection.query_one_raw(Statement::from_string(connection.get_database_backend(), text)).await;
        counts.push(counted.expect("a count").expect("a row").try_get::<i64>("", "n").expect("a number"));
    }
    counts
}

#[actix_web::test]
async fn a_preview_tells_what_is_there_and_leaves_nothing_behind() {
    on_both_databases(|database| async move {
        let sites = sites();
        let service = Service::start_with(database.url(), &CLOCK, &sites.settings());
        let customer = Customer::create(&service).await;
        customer.price(&service, "company_job_openings", "update_based", "0.02").await;
        let before = rows(&database).await;
        let body = json!({"domain": "https://www.acme.com/about", "radar_type": "company_job_openings",
                          "departments": ["Sales"], "seniorities": ["Director", "CXO"]});
        let seen = preview(&service, &customer, &body).await;
        assert_eq!(
            (&seen["radar_type"], &seen["served"], &seen["complete"], &seen["note"]),
            (&json!("company_job_openings"), &json!(true), &json!(true), &Value::Null)
        );
        let source =
            json!({"source_id": "greenhouse", "name": "Greenhouse Job Board API", "state": "read", "items": 4, "error": null});
        assert_eq!(seen["sources"], json!([source]));
        let cut = json!({"departments": 2, "seniorities": 3, "job_titles": 0, "countries": 0, "keyword": 0});
        assert_eq!(seen["items"], json!({"total": 4, "wanted": 1, "cut": cut}));
        assert_eq!(seen["findings"].as_array().map(Vec::len), Some(1));
        assert_eq!(seen["findings"][0]["job_title"], "Sales Director");
        assert_eq!(seen["findings"][0]["job_url"], "https://boards.greenhouse.io/acme/jobs/3");
        assert_eq!(seen["price"], json!({"model": "update_based", "rate_usd": 0.02, "grace_period": "none", "findings_per_day": 200}));
        assert_eq!((&seen["month"]["findings"], &seen["month"]["cost_usd"]), (&Value::Null, &Value::Null), "one date");
        assert_eq!(rows(&database).await, before, "nothing is left behind");

        let all = json!({"domain": "acme.com", "radar_type": "company_job_openings"});
        let seen = preview(&service, &customer, &all).await;
        assert_eq!(seen["items"]["wanted"], 4);
        // Four postings in the three days since the seventeenth.
        assert_eq!(seen["month"]["findings"], 40);
        assert_eq!(seen["month"]["cost_usd"], json!(0.8));

        customer.price(&service, "company_job_openings", "subscription", "0.5").await;
        customer.top_up(&service, "first", "1").await;
        let created = customer.api(&service).post("/v1/radars/companies", &all).await.expect_status(201);
        customer.settled(&service, created.text("/data/radar_id")).await;
        let seen = preview(&service, &customer, &all).await;
        assert_eq!((&seen["served"], &seen["items"]["total"]), (&json!(true), &json!(4)), "one that exists");
        assert_eq!(seen["month"]["cost_usd"], json!(0.5), "a subscription costs what it costs");
        assert_eq!(customer.account(&service).await["balance_remaining_usd"], json!(0.5));
    })
    .await;
}

#[actix_web::test]
async fn a_preview_is_refused_as_the_create_would_be() {
    let (sites, database) = (sites(), TestDatabase::sqlite());
    let service = Service::start_with(database.url(), &CLOCK, &sites.settings());
    let customer = Customer::create(&service).await;
    for (path, body) in [
        ("companies", json!({"radar_type": "company_job_openings", "domain": 7, "departments": [], "colour": 1})),
        ("companies", json!({"radar_type": "company_reviews", "domain": "localhost", "webhook_url": "ftp://x"})),
        ("contacts", json!({"radar_type": "contact_social_posts", "profile_url": "a.example/b"})),
        ("industry", json!({"radar_type": "industry_mentions", "keyword": "ab", "countries": ["SE"]})),
        ("industry", json!([])),
    ] {
        let created = customer.api(&service).post(&format!("/v1/radars/{path}"), &body).await.expect_status(400);
        let previewed = customer.api(&service).post(PREVIEW, &body).await.expect_status(400);
        assert_eq!(previewed.json["errors"], created.json["errors"], "{body}");
    }
    let nobody = service.public().post(PREVIEW, &json!({})).await.expect_status(401);
    assert_eq!(nobody.text("/errors/0/field"), "x-api-key");
}

#[actix_web::test]
async fn previews_have_a_budget_of_their_own() {
    let (sites, database) = (sites(), TestDatabase::sqlite());
    let service = Service::start_with(database.url(), &CLOCK, &sites.settings());
    let (customer, other) = (Customer::create(&service).await, Customer::create(&service).await);
    let body = json!({"radar_type": "industry_funding_rounds", "keyword": "refused, and counted all the same"});
    for left in (0..10).rev() {
        let answer = customer.api(&service).post(PREVIEW, &body).await.expect_status(400);
        assert_eq!(answer.header("x-ratelimit-remaining"), Some(left.to_string().as_str()));
    }
    let refused = customer.api(&service).post(PREVIEW, &body).await.expect_status(429);
    assert_eq!((refused.text("/errors/0/field"), refused.text("/errors/0/reason")), ("rate_limit", "minute"));
    assert_eq!((refused.header("retry-after"), refused.header("x-ratelimit-limit")), (Some("360"), Some("10")));
    customer.api(&service).post("/v1/radars/industry", &body).await.expect_status(400);
    other.api(&service).post(PREVIEW, &body).await.expect_status(400);
    service.operator().post("/operator/v1/clock/advance", &json!({"seconds": 360})).await.expect_status(200);
    customer.api(&service).post(PREVIEW, &body).await.expect_status(400);
    customer.api(&service).post(PREVIEW, &body).await.expect_status(429);
}

#[actix_web::test]
async fn a_site_that_does_not_answer_gives_a_part_and_says_so() {
    let (silence, database) = (Silence::start().await, TestDatabase::sqlite());
    let service = Service::start_with(database.url(), &[], &silence.settings(["acme.com"]));
    let customer = Customer::create(&service).await;
    let body = json!({"radar_type": "company_job_openings", "domain": "acme.com"});
    let seen = preview(&service, &customer, &body).await;
    assert_eq!((&seen["served"], &seen["complete"]), (&json!(false), &json!(false)));
    assert!(seen["note"].is_string() && silence.asked() > 0, "{seen}");
    assert_eq!((&seen["sources"], &seen["findings"]), (&json!([]), &json!([])));
}

#[actix_web::test]
async fn what_nothing_serves_and_what_a_provider_hands_in_is_told_apart() {
    let (provider, database) = (PushSource::of(&["company_reviews"]), TestDatabase::sqlite());
    let sources = provider.dir();
    let sites = Sites::start(&["acme.com"]);
    sites.put("acme.com/", "text/html", "<html><body>We sell sand.</body></html>");
    let service = Service::start_with(database.url(), &[("SOURCES__DIR", sources.as_str())], &sites.settings());
    let customer = Customer::create(&service).await;
    let nothing =
        preview(&service, &customer, &json!({"radar_type": "company_job_openings", "domain": "acme.com"})).await;
    assert_eq!(
        (&nothing["served"], &nothing["complete"], &nothing["sources"]),
        (&json!(false), &json!(true), &json!([]))
    );
    let note = nothing["note"].as_str().expect("a note");
    assert!(note.starts_with("no source of job openings was found at acme.com; visited: https://acme.com/"), "{note}");
    let pushed = preview(&service, &customer, &json!({"radar_type": "company_reviews", "domain": "acme.com"})).await;
    let by = json!({"source_id": ID, "name": ID, "state": "pushed", "items": null, "error": null});
    assert_eq!((&pushed["served"], &pushed["sources"]), (&json!(true), &json!([by])));
    assert_eq!(pushed["note"], "A provider hands in findings of this type; they cannot be looked at beforehand.");
}

#[actix_web::test]
async fn the_employer_of_a_person_is_looked_at() {
    let (sites, database) = (Sites::start(&["acme-robotics.com"]), TestDatabase::sqlite());
    let home = r#"<html><head><meta property="og:site_name" content="Acme Robotics">
                  <link rel="alternate" type="application/rss+xml" href="/news/feed.xml"></head><body></body></html>"#;
    sites.put("acme-robotics.com/", "text/html", home);
    let item = "<item><guid>1</guid><title>Acme Robotics CFO Ines Varga Steps Down</title>\
                <link>https://acme-robotics.com/news/1</link><pubDate>Wed, 18 Nov 2026 09:00:00 GMT</pubDate></item>";
    let feed = format!("<rss version=\"2.0\"><channel><title>News</title>{item}</channel></rss>");
    sites.put("acme-robotics.com/news/feed.xml", "application/rss+xml", &feed);
    let service = Service::start_with(database.url(), &CLOCK, &sites.settings());
    let customer = Customer::create(&service).await;
    let body = json!({"radar_type": "contact_job_changes", "domain": "acme-robotics.com", "full_name": "Ines Varga"});
    let seen = preview(&service, &customer, &body).await;
    let sources = seen["sources"].as_array().expect("sources");
    let newsroom = sources.iter().find(|source| source["source_id"] == "newsroom_people-contact_job_changes");
    assert_eq!(newsroom.expect("the newsroom")["items"], 1, "{seen}");
    assert_eq!(seen["findings"][0]["change_type"], "departure");
}
