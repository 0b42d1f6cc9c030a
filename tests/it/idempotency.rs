//! A create that is sent again under the same `Idempotency-Key` happens once and is answered alike (decision 2.9).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread;
use std::time::Duration;

use config::Config;
use futures_util::future::{join, join_all};
use radar::app::{self, App};
use serde_json::{Value, json};
use store::faults::Faults;

use crate::support::client::{Answer, Client};
use crate::support::customer::{Customer, eventually};
use crate::support::databases::on_both_databases;
use crate::support::dice::Dice;
use crate::support::postgres::Server;
use crate::support::process::Service;
use crate::support::push_source::PushSource;

const COMPANIES: &str = "/v1/radars/companies";
const BULK: &str = "/v1/radars/bulk";
const DAY_SECONDS: i64 = 24 * 60 * 60;

/// A source that serves a type of each category without asking anybody, so that set-up always succeeds.
fn sources() -> PushSource {
    PushSource::of(&["company_reviews", "company_mentions", "contact_job_changes", "industry_mentions"])
}

const REPLAYED: &str = "idempotent-replayed";

fn company(domain: &str) -> Value {
    json!({"domain": domain, "radar_type": "company_reviews"})
}

/// A customer whose radars cost 1 USD each.
async fn customer(service: &Service, balance_usd: &str) -> Customer {
    let customer = Customer::create(service).await;
    for radar_type in ["company_reviews", "company_mentions", "contact_job_changes", "industry_mentions"] {
        customer.price(service, radar_type, "subscription", "1").await;
    }
    if balance_usd != "0" {
        customer.top_up(service, "first", balance_usd).await;
    }
    customer
}

fn under(customer: &Customer, service: &Service, key: &str) -> Client {
    customer.api(service).with_header("idempotency-key", key)
}

async fn balance(customer: &Customer, service: &Service) -> Value {
    customer.account(service).await["balance_remaining_usd"].clone()
}

async fn advance(service: &Service, seconds: i64) {
    service.operator().post("/operator/v1/clock/advance", &json!({"seconds": seconds})).await.expect_status(200);
}

#[track_caller]
fn assert_refused(answer: &Answer, status: u16) {
    let errors = answer.json["errors"].as_array().expect("errors");
    let fields: Vec<&Value> = errors.iter().map(|error| &error["field"]).collect();
    assert_eq!((answer.status, fields), (status, vec![&json!("idempotency-key")]), "{}", answer.json);
    assert!(answer.json["error_id"].is_string());
}

/// The numbers of the write budget, which every single answer carries.
fn budget(answer: &Answer) -> Option<(i64, i64)> {
    let number = |name| answer.headers.get(name)?.to_str().ok()?.parse().ok();
    Some((number("x-ratelimit-limit")?, number("x-ratelimit-remaining")?))
}

#[actix_web::test]
async fn decision_2_9_a_retried_create_is_answered_again() {
    on_both_databases(|database| async move {
        let sources = sources();
        let folder = sources.dir();
        let settings = [("CLOCK__MODE", "simulated"), ("SOURCES__DIR", folder.as_str())];
        let service = Service::start_with(database.url(), &settings, "");
        each_endpoint_answers_again(&service).await;
        a_key_belongs_to_one_request_of_one_account(&service).await;
        a_bulk_is_answered_again_as_a_whole(&service).await;
        what_created_nothing_may_be_tried_again(&service).await;
        malformed_keys_are_refused(&service).await;
        fifty_at_once_are_one(&service).await;
        after_a_day_the_request_is_a_new_one(&service).await;
        assert!(!service.log().contains("retry-of-"), "keys are never logged");
    })
    .await;
}

async fn each_endpoint_answers_again(service: &Service) {
    let customer = customer(service, "10").await;
    let contact = json!({"radar_type": "contact_job_changes", "domain": "one.com", "full_name": "Ada L"});
    let industry = json!({"radar_type": "industry_mentions", "keyword": "green steel"});
    for (number, path, body) in [
        (1, COMPANIES, company("one.com")),
        (2, "/v1/radars/contacts", contact),
        (3, "/v1/radars/industry", industry),
        (4, BULK, json!({"radars": [company("two.com")], "custom_fields": {"batch": "1"}})),
    ] {
        let api = under(&customer, service, &format!("retry-of-{number}"));
        let first = api.post(path, &body).await.expect_status(201);
        // Were it answered afresh, the time of the answer would be another.
        advance(service, 60).await;
        let before = api.post(path, &body).await.expect_status(201);
        let again = api.post(path, &body).await.expect_status(201);
        assert_eq!((&before.bytes, &again.bytes), (&first.bytes, &first.bytes), "{path}");
        assert_eq!(again.headers.get("content-type"), first.headers.get("content-type"));
        assert_eq!(balance(&customer, service).await, json!(10 - number), "{path}: one charge");
        let names = |answer: &Answer| {
            answer.headers.keys().map(|name| name.as_str().to_owned()).collect::<std::collections::BTreeSet<_>>()
        };
        assert_eq!((first.header(REPLAYED), again.header(REPLAYED)), (None, Some("true")), "{path}");
        let mut replayed = names(&again);
        replayed.remove(REPLAYED);
        assert_eq!(replayed, names(&first), "{path}");
        match (budget(&before), budget(&again)) {
            (Some((limit, left)), Some(then)) => assert_eq!(then, (limit, left - 1), "the retry took a token"),
            (None, None) => assert_eq!(path, BULK, "only a bulk has no rate headers on its success"),
            other => panic!("{path}: {other:?}"),
        }
    }
    let listed = customer.api(service).get("/v1/radars").await.expect_status(200);
    assert_eq!(listed.json["count"], json!(4));
    assert_eq!(customer.ledger(service).await.len(), 1 + 4, "a top-up and four charges");
}

async fn a_key_belongs_to_one_request_of_one_account(service: &Service) {
    let (one, other) = (customer(service, "10").await, customer(service, "10").await);
    let api = under(&one, service, "retry-of-mine");
    let first = api.post(COMPANIES, &company("one.com")).await.expect_status(201);
    assert_refused(&api.post(COMPANIES, &company("two.com")).await, 409);
    assert_refused(&api.post(BULK, &json!({"radars": [company("two.com")]})).await, 409);
    assert_eq!(api.post(COMPANIES, &company("one.com")).await.bytes, first.bytes, "the first answer is still kept");
    assert_eq!(balance(&one, service).await, json!(9));
    // What is wrong with the request itself is reported first (decision 3.1).
    let broken = api.post(COMPANIES, &json!({"radar_type": "company_reviews"})).await.expect_status(400);
    assert_eq!(broken.text("/errors/0/field"), "domain");
    customer_with_the_same_key_is_another(service, &other, &first).await;
}

async fn customer_with_the_same_key_is_another(service: &Service, other: &Customer, first: &Answer) {
    let theirs = under(other, service, "retry-of-mine").post(COMPANIES, &company("one.com")).await.expect_status(201);
    assert_ne!(theirs.text("/data/radar_id"), first.text("/data/radar_id"));
    assert_eq!(balance(other, service).await, json!(9));
}

async fn a_bulk_is_answered_again_as_a_whole(service: &Service) {
    let customer = customer(service, "2").await;
    let body = json!({"radars": [
        company("one.com"), company("one.com"), {"radar_type": "company_reviews"}, company("two.com"), company("three.com"),
    ]});
    let api = under(&customer, service, "retry-of-bulk");
    let first = api.post(BULK, &body).await.expect_status(207);
    let codes: Vec<&Value> = first.json["results"].as_array().expect("results").iter().map(|it| &it["code"]).collect();
    assert_eq!(codes, [201, 409, 400, 201, 402]);
    customer.top_up(service, "second", "5").await;
    advance(service, 1).await;
    let again = api.post(BULK, &body).await.expect_status(207);
    assert_eq!(again.bytes, first.bytes, "also what there is money for now");
    assert!(budget(&again).is_none());
    assert_eq!(balance(&customer, service).await, json!(5));
}

async fn what_created_nothing_may_be_tried_again(service: &Service) {
    let customer = customer(service, "0").await;
    let api = under(&customer, service, "retry-of-poor");
    let bulk = under(&customer, service, "retry-of-poor-bulk");
    let items = json!({"radars": [company("two.com")]});
    api.post(COMPANIES, &company("one.com")).await.expect_status(402);
    bulk.post(BULK, &items).await.expect_status(400);
    customer.top_up(service, "first", "2").await;
    let created = api.post(COMPANIES, &company("one.com")).await.expect_status(201);
    assert_eq!(api.post(COMPANIES, &company("one.com")).await.bytes, created.bytes);
    bulk.post(BULK, &items).await.expect_status(201);
    assert_eq!(balance(&customer, service).await, json!(0));
    // After a conflict the key is free for a mended body.
    customer.top_up(service, "second", "1").await;
    let mended = under(&customer, service, "retry-of-mended");
    mended.post(COMPANIES, &company("one.com")).await.expect_status(409);
    mended.post(COMPANIES, &company("three.com")).await.expect_status(201);
}

async fn malformed_keys_are_refused(service: &Service) {
    let customer = customer(service, "1").await;
    let body = company("one.com");
    for path in [COMPANIES, "/v1/radars/contacts", "/v1/radars/industry", BULK] {
        let body = match path {
            COMPANIES => body.clone(),
            BULK => json!({"radars": [body]}),
            "/v1/radars/contacts" => json!({"radar_type": "contact_job_changes", "domain": "a.com", "full_name": "A"}),
            _ => json!({"radar_type": "industry_mentions", "keyword": "steel"}),
        };
        for key in ["", "two words", &"k".repeat(256)] {
            assert_refused(&under(&customer, service, key).post(path, &body).await, 400);
        }
        let twice = under(&customer, service, "k").with_header("idempotency-key", "k");
        assert_refused(&twice.post(path, &body).await, 400);
    }
    // Errors of the key and of the body are reported together.
    let both = under(&customer, service, "").post(COMPANIES, &json!({"domain": "one.com"})).await.expect_status(400);
    assert_eq!((both.text("/errors/0/field"), both.text("/errors/1/field")), ("idempotency-key", "radar_type"));
    assert_eq!(balance(&customer, service).await, json!(1));
    under(&customer, service, &"k".repeat(255)).post(COMPANIES, &body).await.expect_status(201);
}

async fn fifty_at_once_are_one(service: &Service) {
    let customer = customer(service, "100").await;
    let (api, body) = (under(&customer, service, "retry-of-crowd"), company("crowd.com"));
    let answers = join_all((0..50).map(|_| api.post(COMPANIES, &body))).await;
    for answer in &answers {
        assert_eq!((answer.status, &answer.bytes), (201, &answers[0].bytes));
    }
    assert_eq!(balance(&customer, service).await, json!(99));
    let listed = customer.api(service).get("/v1/radars").await.expect_status(200);
    assert_eq!(listed.json["count"], json!(1));
}

async fn after_a_day_the_request_is_a_new_one(service: &Service) {
    let customer = customer(service, "10").await;
    let (api, body) = (under(&customer, service, "retry-of-old"), company("old.com"));
    let first = api.post(COMPANIES, &body).await.expect_status(201);
    advance(service, DAY_SECONDS - 1).await;
    assert_eq!(api.post(COMPANIES, &body).await.bytes, first.bytes);
    advance(service, 1).await;
    let duplicate = api.post(COMPANIES, &body).await.expect_status(409);
    assert_eq!(duplicate.text("/errors/0/field"), "domain");
    assert_eq!(duplicate.text("/errors/0/reason"), first.text("/data/radar_id"));
    let fresh = api.post(COMPANIES, &company("new.com")).await.expect_status(201);
    assert_eq!(api.post(COMPANIES, &company("new.com")).await.bytes, fresh.bytes, "the key is in use again");
    assert_eq!(balance(&customer, service).await, json!(8));
}

/// Sends until there is an answer that is no 503, as a client with a key may do without a second thought.
async fn insist(api: &Client, body: &Value) -> Answer {
    eventually("the service answers", || async {
        api.try_post(COMPANIES, body).await.filter(|answer| answer.status != 503)
    })
    .await
}

#[actix_web::test]
async fn decision_2_9_an_answer_lost_right_after_the_commit_is_given_to_the_retry() {
    on_both_databases(|database| async move {
        let (sources, folder) = (sources(), tempfile::tempdir().expect("a folder"));
        let mut config = Config::built_in().expect("settings");
        config.http.listen.set_port(0);
        config.operator.listen.set_port(0);
        config.operator.key = Some("key".into());
        config.operator.data_dir = folder.path().to_owned();
        config.database.url = database.url().to_owned();
        config.sources.dir = Some(sources.dir().into());
        let is_armed = Arc::new(AtomicBool::new(false));
        let trap = is_armed.clone();
        let faults = Faults::new(move |point, _| {
            let is_sprung = point == "ledger.before_answer" && trap.swap(false, SeqCst);
            assert!(!is_sprung, "a planted panic");
        });
        let run = move || {
            app::run(&config.clone(), |clock| async move {
                let app = App::start_with(config, clock, faults).await.expect("a start");
                lose_an_answer(&app, &is_armed).await;
                app.stop().await;
            })
            .expect("a runtime");
        };
        thread::spawn(run).join().expect("no panic but the planted one");
    })
    .await;
}

async fn lose_an_answer(app: &App, is_armed: &AtomicBool) {
    let operator = Client::new(&format!("http://{}", app.operator_address())).with_header("x-operator-key", "key");
    let account = operator.post("/operator/v1/accounts", &json!({"name": "A"})).await.expect_status(201);
    let path = format!("/operator/v1/accounts/{}", account.text("/data/account_id"));
    let top_up = json!({"amount_usd": "10", "payment_ref": "a"});
    operator.post(&format!("{path}/top-ups"), &top_up).await.expect_status(201);
    let price = json!({"model": "subscription", "rate_usd": "1"});
    operator.put(&format!("{path}/prices/company_reviews"), &price).await.expect_status(200);
    let public = Client::new(&format!("http://{}", app.api_address()));
    let public = public.with_header("x-api-key", account.text("/data/api_key"));
    let api = public.clone().with_header("idempotency-key", "k");

    is_armed.store(true, SeqCst);
    api.post(COMPANIES, &company("lost.com")).await.expect_status(503);
    let listed = public.get("/v1/radars").await.expect_status(200);
    assert_eq!(listed.json["count"], json!(1), "it was created, and nobody knows: {}", listed.json);

    let retried = insist(&api, &company("lost.com")).await.expect_status(201);
    assert_eq!(retried.json["data"], listed.json["data"][0], "the whole record, made before the crash");
    let balance = public.get("/v1/account").await.expect_status(200).json["data"]["balance_remaining_usd"].clone();
    assert_eq!(balance, json!(9));
}

/// How often the service is killed, and how many creates are under way each time.
const KILLS: u64 = 6;
const UNDER_WAY: u64 = 8;

#[actix_web::test]
async fn decision_2_9_retries_after_a_kill_create_each_radar_once() {
    on_both_databases(|database| async move {
        let sources = sources();
        let folder = sources.dir();
        let mut service = Service::start_with(database.url(), &[("SOURCES__DIR", &folder)], "");
        let customer = customer(&service, "100").await;
        let mut dice = Dice::new(1);
        for kill in 0..KILLS {
            let requests: Vec<(Client, Value)> = (kill * UNDER_WAY..(kill + 1) * UNDER_WAY)
                .map(|number| {
                    let api = under(&customer, &service, &format!("key-{number}"));
                    (api, company(&format!("company-{number}.com")))
                })
                .collect();
            let sending = join_all(requests.iter().map(|(api, body)| api.try_post(COMPANIES, body)));
            let moment = Duration::from_millis(dice.below(80));
            let killing = async {
                tokio::time::sleep(moment).await;
                service.kill();
            };
            let (before, ()) = join(sending, killing).await;
            service.restart();
            for ((api, body), before) in requests.iter().zip(before) {
                let after = insist(api, body).await.expect_status(201);
                if let Some(before) = before.filter(|before| before.status == 201) {
                    assert_eq!(after.bytes, before.bytes);
                }
            }
        }
        let created = KILLS * UNDER_WAY;
        let listed = customer.api(&service).get("/v1/radars?limit=1000").await.expect_status(200);
        assert_eq!(listed.json["count"], json!(created));
        assert_eq!(balance(&customer, &service).await, json!(100 - created));
    })
    .await;
}

#[actix_web::test]
async fn decision_2_9_two_processes_give_one_answer() {
    let Some(server) = Server::shared() else { return };
    let url = server.create_database().await;
    let sources = sources();
    let folder = sources.dir();
    let settings = [("SOURCES__DIR", folder.as_str())];
    let (one, other) = (Service::start_with(&url, &settings, ""), Service::start_with(&url, &settings, ""));
    let customer = customer(&one, "100").await;
    for round in 0..10 {
        let (key, body) = (format!("key-{round}"), company(&format!("company-{round}.com")));
        let clients = [&one, &other].map(|service| under(&customer, service, &key));
        let answers = join_all((0..10).map(|number| clients[number % 2].post(COMPANIES, &body))).await;
        for answer in &answers {
            assert_eq!((answer.status, &answer.bytes), (201, &answers[0].bytes), "{}", answer.json);
        }
    }
    assert_eq!(balance(&customer, &one).await, json!(90));
    drop((one, other));
    server.drop_database(&url).await;
}
