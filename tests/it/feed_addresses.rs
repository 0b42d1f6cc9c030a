//! Updates for feed readers: secret addresses that can be replaced, and feeds that lose and double nothing.

use std::collections::BTreeSet;

use futures_util::future::join;
use serde_json::{Value, json};

use crate::support::client::Client;
use crate::support::customer::{Customer, parse};
use crate::support::databases::on_both_databases;
use crate::support::process::Service;
use crate::support::provider;
use crate::support::raw::Raw;

/// A customer with free reviews, and a radar of theirs.
async fn customer(service: &Service) -> (Customer, String) {
    let customer = Customer::create(service).await;
    customer.price(service, "company_reviews", "update_based", "0").await;
    let radar_id = radar(service, &customer, "example.com").await;
    (customer, radar_id)
}

async fn radar(service: &Service, customer: &Customer, domain: &str) -> String {
    let created = customer.create_reviews_radar(service, domain, None).await.expect_status(201);
    let radar_id = created.text("/data/radar_id").to_owned();
    customer.settled(service, &radar_id).await;
    radar_id
}

/// The identifiers in a JSON Feed, the newest first.
fn ids(feed: &Value) -> Vec<String> {
    let items = feed["items"].as_array().expect("items");
    items.iter().map(|item| item["id"].as_str().expect("an id").to_owned()).collect()
}

async fn made(api: &Client, body: &Value) -> (String, String) {
    let made = api.post("/v1/feeds", body).await.expect_status(201);
    (made.text("/data/feed_id").to_owned(), made.text("/data/json_path").to_owned())
}

#[actix_web::test]
async fn a_feed_shows_what_was_published_to_whoever_knows_its_address() {
    on_both_databases(async |database| {
        let (service, _provider) = provider::start(database.url(), &[("LOG__FILTER", "debug")], "");
        let (customer, radar_id) = customer(&service).await;
        let other = radar(&service, &customer, "other.com").await;
        let (api, public) = (customer.api(&service), service.public());
        let made_all = api.post("/v1/feeds", &json!({})).await.expect_status(201);
        assert_eq!(made_all.header("cache-control"), Some("no-store"));
        let (json_path, atom_path) = (made_all.text("/data/json_path"), made_all.text("/data/atom_path"));
        let (_, of_radar) = made(&api, &json!({"radar_id": other})).await;
        assert_eq!(ids(&public.get(json_path).await.expect_status(200).json), [""; 0]);

        let review = json!({"review_content": "5 > 4 & <b>\u{1}</b>", "review_url": "https://reviews.example/1"});
        provider::push(&service, &radar_id, "1", &review).await;
        provider::push(&service, &other, "2", &json!({})).await;
        let updates: Vec<Value> = customer.updates(&service).await.iter().map(|update| parse(update)).collect();
        let newest_first: Vec<String> = updates
            .iter()
            .rev()
            .map(|update| format!("urn:uuid:{}", update["update_id"].as_str().expect("text")))
            .collect();
        let feed = public.get(json_path).await.expect_status(200);
        assert_eq!(feed.header("content-type"), Some("application/feed+json"));
        assert_eq!(feed.header("cache-control"), Some("private, no-cache"));
        assert_eq!(
            (ids(&feed.json), feed.text("/version")),
            (newest_first.clone(), "https://jsonfeed.org/version/1.1")
        );
        assert_eq!(feed.text("/items/1/url"), "https://reviews.example/1");
        assert_eq!(feed.json["items"][1]["date_published"], updates[0]["discovered_at"]);
        assert_eq!(ids(&public.get(&of_radar).await.expect_status(200).json), newest_first[..1]);

        let atom = public.get(atom_path).await.expect_status(200);
        assert_eq!(atom.header("content-type"), Some("application/atom+xml; charset=utf-8"));
        let xml = String::from_utf8(atom.bytes.to_vec()).expect("text");
        assert!(xml.contains("5 &gt; 4 &amp; &lt;b&gt;") && !xml.contains('\u{1}'), "{xml}");
        assert!(newest_first.iter().all(|id| xml.contains(&format!("<id>{id}</id>"))), "{xml}");

        let tag = atom.header("etag").expect("a tag").to_owned();
        let again = service.public().with_header("if-none-match", &tag).get(atom_path).await.expect_status(304);
        assert_eq!((again.bytes.len(), again.header("etag")), (0, Some(tag.as_str())));
        provider::push(&service, &radar_id, "3", &json!({})).await;
        service.public().with_header("if-none-match", &tag).get(atom_path).await.expect_status(200);

        let token = made_all.text("/data/token");
        public.get(&format!("/v1/feeds/{token}.rss")).await.expect_status(405);
        assert!(!service.log().contains(token), "the log tells the address");
    })
    .await;
}

#[actix_web::test]
async fn an_address_is_replaced_and_ended_by_its_owner_alone() {
    on_both_databases(async |database| {
        let (service, _provider) = provider::start(database.url(), &[], "");
        let (customer, radar_id) = customer(&service).await;
        let other = Customer::create(&service).await.api(&service);
        let (api, public) = (customer.api(&service), service.public());
        let (feed_id, first) = made(&api, &json!({"radar_id": radar_id})).await;
        other.post("/v1/feeds", &json!({"radar_id": radar_id})).await.expect_status(404);
        let refused = api.post("/v1/feeds", &json!({"radar_id": 7, "x": 1})).await.expect_status(400);
        assert_eq!((refused.text("/errors/0/field"), refused.text("/errors/1/field")), ("x", "radar_id"));

        let listed = api.get("/v1/feeds").await.expect_status(200);
        assert_eq!(
            (listed.text("/data/0/feed_id"), listed.text("/data/0/radar_id")),
            (feed_id.as_str(), radar_id.as_str())
        );
        assert_eq!((listed.json["data"][0].get("token"), &listed.json["data"][0]["rotated_at"]), (None, &Value::Null));
        assert_eq!(other.get("/v1/feeds").await.expect_status(200).json["data"], json!([]));

        let path = format!("/v1/feeds/{feed_id}");
        other.post(&format!("{path}/rotate"), &json!({})).await.expect_status(404);
        other.delete(&path).await.expect_status(404);
        let rotated = api.post(&format!("{path}/rotate"), &json!({})).await.expect_status(200);
        public.get(&first).await.expect_status(404);
        let second = rotated.text("/data/json_path");
        public.get(second).await.expect_status(200);

        let account = format!("/operator/v1/accounts/{}", customer.account_id);
        service.operator().patch(&account, &json!({"status": "inactive"})).await.expect_status(200);
        public.get(second).await.expect_status(401);
        service.operator().patch(&account, &json!({"status": "active"})).await.expect_status(200);
        public.get(second).await.expect_status(200);
        api.delete(&path).await.expect_status(200);
        public.get(second).await.expect_status(404);
        api.delete(&path).await.expect_status(404);
        public.get(&format!("/v1/feeds/{}.json", "0".repeat(64))).await.expect_status(404);
        public.get("/v1/feeds/short.atom").await.expect_status(404);
    })
    .await;
}

#[actix_web::test]
async fn addresses_are_bounded() {
    on_both_databases(async |database| {
        let (service, _provider) = provider::start(database.url(), &[], "");
        let limits = json!({"write_per_minute": 1_000, "read_per_minute": 1_000, "per_second": 1_000});
        let api = Customer::create_with(&service, &limits).await.api(&service);
        for _ in 0..100 {
            made(&api, &json!({})).await;
        }
        let refused = api.post("/v1/feeds", &json!({})).await.expect_status(409);
        assert_eq!(refused.text("/errors/0/field"), "feeds");
    })
    .await;
}

/// Notes what a feed shows that was not `known`, the oldest first.
async fn read(service: &Service, path: &str, known: &mut BTreeSet<String>, seen: &mut Vec<String>) {
    let shown = ids(&service.public().get(path).await.expect_status(200).json);
    assert_eq!(shown.iter().collect::<BTreeSet<_>>().len(), shown.len(), "an entry is there twice");
    seen.extend(shown.into_iter().rev().filter(|id| known.insert(id.clone())));
}

#[actix_web::test]
async fn a_feed_that_is_polled_over_cuts_and_a_kill_while_updates_come_loses_nothing_and_doubles_nothing() {
    on_both_databases(async |database| {
        let (mut service, _provider) = provider::start(database.url(), &[], "");
        let (customer, radar_id) = customer(&service).await;
        let (_, path) = made(&customer.api(&service), &json!({})).await;
        let mut seen = Vec::new();
        let mut known = BTreeSet::new();
        for round in 0..4 {
            let pushing = async {
                for number in 0..20 {
                    provider::push(&service, &radar_id, &format!("{round}.{number}"), &json!({})).await;
                }
            };
            let polling = async {
                for _ in 0..10 {
                    // A reader who hangs up before the answer.
                    Raw::connect(service.public_port())
                        .send(format!("GET {path} HTTP/1.1\r\nhost: a\r\n\r\n").as_bytes());
                    read(&service, &path, &mut known, &mut seen).await;
                }
            };
            join(pushing, polling).await;
            if round == 1 {
                service.kill();
                service.restart();
            }
        }
        read(&service, &path, &mut known, &mut seen).await;
        let published = customer.updates(&service).await;
        let published =
            published.iter().map(|update| format!("urn:uuid:{}", parse(update)["update_id"].as_str().expect("text")));
        assert_eq!(seen, published.collect::<Vec<_>>());
    })
    .await;
}
