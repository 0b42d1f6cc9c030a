//! Feeds that a company gets, or that answer, only after the set-up of a radar (decisions 7.2, 7.5).

use serde_json::{Value, json};

use crate::support::customer::{Customer, eventually, parse};
use crate::support::databases::on_both_databases;
use crate::support::process::Service;
use crate::support::push_source::PushSource;
use crate::support::sites::Sites;

const DAY: i64 = 24 * 60 * 60;
const CLOCK: [(&str, &str); 2] = [("CLOCK__MODE", "simulated"), ("CLOCK__START", "2026-11-20T00:00:00Z")];
const BLUESKY: &str = "public.api.bsky.app/xrpc/app.bsky.feed.getAuthorFeed?*";
const BLOG: &str = r#"<title>Acme Robotics</title><link rel="alternate" type="application/rss+xml" href="/feed.xml">"#;

fn put_blog(sites: &Sites, ids: &[u32]) {
    let item = |id: &u32| {
        format!(
            "<item><guid>{id}</guid><title>Post {id}</title><link>https://acme-robotics.com/{id}</link><pubDate>Fri, 20 Nov 2026 08:00:00 GMT</pubDate></item>"
        )
    };
    let feed = format!("<rss version='2.0'><channel>{}</channel></rss>", ids.iter().map(item).collect::<String>());
    sites.put("acme-robotics.com/feed.xml", "application/rss+xml", &feed);
}

fn put_bluesky(sites: &Sites, ids: &[u32]) {
    let post = |id: &u32| {
        json!({"post": {"uri": format!("at://did:plc:abc/app.bsky.feed.post/{id}"), "author": {"handle": "acme-robotics.com"},
               "record": {"text": format!("Word {id}"), "createdAt": "2026-11-20T08:00:00.000Z"}}})
    };
    let feed = json!({"feed": ids.iter().map(post).collect::<Vec<Value>>()}).to_string();
    sites.put(BLUESKY, "application/json", &feed);
}

async fn advance(service: &Service, seconds: i64) {
    service.operator().post("/operator/v1/clock/advance", &json!({"seconds": seconds})).await.expect_status(200);
}

async fn radar(service: &Service, customer: &Customer) -> String {
    let body = json!({"domain": "acme-robotics.com", "radar_type": "company_social_posts"});
    let created = customer.api(service).post("/v1/radars/companies", &body).await.expect_status(201);
    let radar_id = created.text("/data/radar_id").to_owned();
    customer.settled(service, &radar_id).await;
    radar_id
}

/// The operator's view of a radar, once it has a feed of `source`.
async fn attached(service: &Service, radar_id: &str, source: &str) {
    eventually(&format!("the radar reads {source}"), || async {
        let detail = service.operator().get(&format!("/operator/v1/radars/{radar_id}")).await.expect_status(200);
        detail.json.to_string().contains(&format!("\"{source}\"")).then_some(())
    })
    .await;
}

/// The contents of all updates, oldest first.
async fn contents(service: &Service, customer: &Customer) -> Vec<String> {
    let updates = customer.updates(service).await;
    updates
        .iter()
        .map(|update| parse(update)["content"]["post_content"].as_str().unwrap_or_default().to_owned())
        .collect()
}

#[actix_web::test]
async fn decision_7_2_a_feed_that_a_company_gets_later_is_watched_from_then_on() {
    on_both_databases(|database| async move {
        let sites = Sites::start(&["acme-robotics.com", "public.api.bsky.app"]);
        sites.put("acme-robotics.com/", "text/html", BLOG);
        put_blog(&sites, &[1]);
        let service = Service::start_with(database.url(), &CLOCK, &sites.settings());
        let customer = Customer::create(&service).await;
        customer.top_up(&service, "first", "5").await;
        let radar_id = radar(&service, &customer).await;

        let with_bluesky = format!(r#"{BLOG}<a href="https://bsky.app/profile/acme-robotics.com">Bluesky</a>"#);
        sites.put("acme-robotics.com/", "text/html", &with_bluesky);
        put_bluesky(&sites, &[1, 2, 3]);
        advance(&service, 9 * DAY).await;
        attached(&service, &radar_id, "bluesky_posts").await;
        advance(&service, DAY).await;
        assert!(contents(&service, &customer).await.is_empty(), "what was there before is no finding");

        put_bluesky(&sites, &[1, 2, 3, 4]);
        advance(&service, DAY).await;
        assert_eq!(contents(&service, &customer).await, ["Word 4"]);
    })
    .await;
}

#[actix_web::test]
async fn decision_7_5_what_does_not_answer_at_set_up_is_watched_once_it_does() {
    on_both_databases(|database| async move {
        let sites = Sites::start(&["acme-robotics.com", "public.api.bsky.app"]);
        let with_bluesky = format!(r#"{BLOG}<a href="https://bsky.app/profile/acme-robotics.com">Bluesky</a>"#);
        sites.put("acme-robotics.com/", "text/html", &with_bluesky);
        put_blog(&sites, &[1]);
        sites.put_status(BLUESKY, 502);
        let service = Service::start_with(database.url(), &CLOCK, &sites.settings());
        let customer = Customer::create(&service).await;
        customer.top_up(&service, "first", "5").await;
        let radar_id = radar(&service, &customer).await;
        attached(&service, &radar_id, "bluesky_posts").await;

        put_bluesky(&sites, &[1, 2]);
        advance(&service, DAY).await;
        assert!(contents(&service, &customer).await.is_empty(), "its first answer is its baseline");
        put_bluesky(&sites, &[1, 2, 3]);
        advance(&service, DAY).await;
        assert_eq!(contents(&service, &customer).await, ["Word 3"]);
    })
    .await;
}

#[actix_web::test]
async fn decision_7_5_what_a_provider_serves_gets_public_feeds_once_the_site_answers() {
    on_both_databases(|database| async move {
        let sites = Sites::start(&["acme-robotics.com"]);
        for host in ["acme-robotics.com", "www.acme-robotics.com"] {
            sites.put_status(&format!("{host}/"), 502);
        }
        let provider = PushSource::of(&["company_social_posts"]);
        let folder = provider.dir();
        let settings: Vec<_> = CLOCK.into_iter().chain([("SOURCES__DIR", folder.as_str())]).collect();
        let service = Service::start_with(database.url(), &settings, &sites.settings());
        let customer = Customer::create(&service).await;
        customer.top_up(&service, "first", "5").await;
        let radar_id = radar(&service, &customer).await;

        sites.put("acme-robotics.com/", "text/html", BLOG);
        put_blog(&sites, &[1]);
        advance(&service, 3 * DAY).await;
        attached(&service, &radar_id, "company_feed").await;
        put_blog(&sites, &[1, 2]);
        advance(&service, DAY).await;
        assert_eq!(contents(&service, &customer).await, ["Post 2"]);
    })
    .await;
}

const PERSONIO: &str = "acme.jobs.personio.de";

fn put_xml(sites: &Sites, ids: &[u32]) {
    let position = |id: &u32| format!("<position><id>{id}</id><name>Job {id}</name><office>Jena</office></position>");
    let board = format!("<workzag-jobs>{}</workzag-jobs>", ids.iter().map(position).collect::<String>());
    sites.put(&format!("{PERSONIO}/xml?language=en"), "text/xml", &board);
}

fn put_page(sites: &Sites, ids: &[u32]) {
    let row = |id: &u32| format!(r#"<a href="/job/{id}?language=en"><h3>Job {id}</h3></a>"#);
    let page = format!("<html><body>{}</body></html>", ids.iter().map(row).collect::<String>());
    sites.put(&format!("{PERSONIO}/?language=en"), "text/html", &page);
}

/// A company with a board of Personio, which is watched for job openings, and the radar.
async fn personio_radar(service: &Service, customer: &Customer, sites: &Sites) -> String {
    sites.put("acme-robotics.com/", "text/html", &format!(r#"<a href="https://{PERSONIO}">Jobs</a>"#));
    customer.top_up(service, "first", "5").await;
    let created = customer.create_radar(service, "acme-robotics.com", None).await.expect_status(201);
    let radar_id = created.text("/data/radar_id").to_owned();
    let settled = customer.settled(service, &radar_id).await;
    assert_eq!(settled["data"]["set_up"], "ready", "{settled}");
    radar_id
}

/// The sources that a radar reads, as operators see them.
async fn sources(service: &Service, radar_id: &str) -> Vec<String> {
    let detail = service.operator().get(&format!("/operator/v1/radars/{radar_id}")).await.expect_status(200);
    let feeds = detail.json["data"]["feeds"].as_array().expect("feeds").clone();
    feeds.iter().map(|feed| feed["source"].as_str().expect("a source").to_owned()).collect()
}

async fn job_titles(service: &Service, customer: &Customer) -> Vec<String> {
    let updates = customer.updates(service).await;
    updates.iter().map(|update| parse(update)["content"]["job_title"].as_str().unwrap_or_default().to_owned()).collect()
}

#[actix_web::test]
async fn decision_7_5_a_board_without_its_feed_is_watched_by_its_page() {
    on_both_databases(|database| async move {
        let sites = Sites::start(&["acme-robotics.com", PERSONIO]);
        put_page(&sites, &[1]);
        let service = Service::start_with(database.url(), &CLOCK, &sites.settings());
        let customer = Customer::create(&service).await;
        let radar_id = personio_radar(&service, &customer, &sites).await;
        assert_eq!(sources(&service, &radar_id).await, ["personio_page"]);
        put_page(&sites, &[1, 2]);
        advance(&service, DAY).await;
        assert_eq!(job_titles(&service, &customer).await, ["Job 2"]);
    })
    .await;
}

#[actix_web::test]
async fn decision_7_5_a_feed_that_is_gone_later_is_replaced() {
    on_both_databases(|database| async move {
        let sites = Sites::start(&["acme-robotics.com", PERSONIO]);
        put_xml(&sites, &[1]);
        let service = Service::start_with(database.url(), &CLOCK, &sites.settings());
        let customer = Customer::create(&service).await;
        let radar_id = personio_radar(&service, &customer, &sites).await;
        put_xml(&sites, &[1, 2]);
        advance(&service, DAY).await;
        assert_eq!(sources(&service, &radar_id).await, ["personio"]);
        assert_eq!(job_titles(&service, &customer).await, ["Job 2"]);

        sites.put_status(&format!("{PERSONIO}/xml?language=en"), 404);
        put_page(&sites, &[1, 2, 3]);
        advance(&service, 4 * DAY).await;
        eventually("the page is read in place of the feed", || async {
            (sources(&service, &radar_id).await == ["personio_page"]).then_some(())
        })
        .await;
        put_page(&sites, &[1, 2, 3, 4]);
        put_xml(&sites, &[1, 2, 3, 4]);
        advance(&service, 2 * DAY).await;
        assert_eq!(job_titles(&service, &customer).await, ["Job 2", "Job 4"], "once, though both are there again");
    })
    .await;
}
