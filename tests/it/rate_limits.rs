//! Rate limits: buckets, what each route takes from which, and what the headers say (Spec 8.1, decision 3.11).
//!
//! The simulated clock stands still between requests, so that every number is exact.

use actix_web::http::Method;
use serde_json::{Value, json};

use crate::support::client::Answer;
use crate::support::customer::Customer;
use crate::support::databases::on_both_databases;
use crate::support::process::Service;
use crate::support::push_source::PushSource;

const NO_RADAR: &str = "/v1/radars/01890000-0000-7000-8000-000000000000";

#[actix_web::test]
async fn spec_8_1_rate_limits() {
    on_both_databases(|database| async move {
        let provider = PushSource::of(&["company_reviews"]);
        let settings = [("CLOCK__MODE", "simulated"), ("SOURCES__DIR", &provider.dir())];
        let service = Service::start(database.url(), &settings);
        spec_8_1_each_route_uses_its_budget(&service).await;
        spec_8_1_the_write_budget_is_100_a_minute_and_10_a_second(&service).await;
        spec_8_1_the_read_budget_is_200_a_minute_and_10_a_second(&service).await;
        spec_8_1_counting_1_and_headers_of_single_requests(&service).await;
        spec_8_1_counting_2_a_bulk_takes_a_token_for_each_item(&service).await;
        spec_8_1_counting_3_a_bulk_is_checked_before_anything_is_created(&service).await;
        spec_8_1_counting_4_a_bulk_beyond_the_whole_budget_is_400(&service).await;
        decision_3_11_a_refused_request_spends_nothing(&service).await;
        decision_3_11_every_answer_of_a_metered_route_has_the_headers(&service).await;
        decision_3_11_a_bulk_has_the_headers_on_429_only(&service).await;
        spec_8_1_a_broken_bulk_takes_a_token_of_the_second(&service).await;
        spec_8_1_higher_limits_are_an_account_s_own(&service).await;
    })
    .await;
}

async fn spec_8_1_each_route_uses_its_budget(service: &Service) {
    const WRITE: &str = "100";
    const READ: &str = "200";
    for (method, path, limit) in [
        (Method::POST, "/v1/radars/companies", WRITE),
        (Method::POST, "/v1/radars/contacts", WRITE),
        (Method::POST, "/v1/radars/industry", WRITE),
        (Method::POST, "/v1/webhooks/test", WRITE),
        (Method::GET, "/v1/radars", READ),
        (Method::GET, NO_RADAR, READ),
        (Method::GET, "/v1/updates", READ),
        (Method::GET, "/v1/account", READ),
        (Method::DELETE, NO_RADAR, READ),
    ] {
        let customer = with_defaults(service).await;
        let body = (method == Method::POST).then(|| "{}".to_owned());
        let answer = customer.api(service).send(method.clone(), path, body).await;
        assert_eq!(header(&answer, "x-ratelimit-limit"), limit, "{method} {path}");
        let remaining = limit.parse::<u32>().expect("a number") - 1;
        assert_eq!(header(&answer, "x-ratelimit-remaining"), remaining.to_string(), "{method} {path}");
        // The other budget is whole.
        let (other_method, other_path, other_limit) =
            if limit == READ { (Method::POST, "/v1/radars/companies", 100) } else { (Method::GET, "/v1/account", 200) };
        let body = (other_method == Method::POST).then(|| "{}".to_owned());
        let other = customer.api(service).send(other_method, other_path, body).await;
        assert_eq!(header(&other, "x-ratelimit-remaining"), (other_limit - 1).to_string(), "{method} {path}");
    }
}

async fn spec_8_1_the_write_budget_is_100_a_minute_and_10_a_second(service: &Service) {
    let customer = with_defaults(service).await;
    let write = || async { customer.api(service).post("/v1/radars/companies", &json!({})).await };
    for _ in 0..10 {
        write().await.expect_status(400);
    }
    assert_rate_limited(&write().await, "burst", ("100", "90", "1"));
    // Ten a second for ten seconds: the minute has given a hundred and got back one for every 0.6 seconds.
    for _ in 0..9 {
        advance(service, 1).await;
        for _ in 0..10 {
            write().await.expect_status(400);
        }
    }
    assert_rate_limited(&write().await, "burst", ("100", "15", "1"));
    advance(service, 1).await;
    for _ in 0..10 {
        write().await.expect_status(400);
    }
    advance(service, 1).await;
    for _ in 0..8 {
        write().await.expect_status(400);
    }
    assert_rate_limited(&write().await, "minute", ("100", "0", "1"));
    advance(service, 60).await;
    let answer = write().await.expect_status(400);
    assert_eq!(header(&answer, "x-ratelimit-remaining"), "99", "the bucket holds no more than its budget");
}

async fn spec_8_1_the_read_budget_is_200_a_minute_and_10_a_second(service: &Service) {
    let customer = with_defaults(service).await;
    let read = || async { customer.api(service).get("/v1/account").await };
    for _ in 0..10 {
        read().await.expect_status(200);
    }
    assert_rate_limited(&read().await, "burst", ("200", "190", "1"));
    let narrow = Customer::create_with(service, &json!({"per_second": 1000})).await;
    for _ in 0..200 {
        narrow.api(service).get("/v1/radars").await.expect_status(200);
    }
    // A token comes back every 0.3 seconds, and no answer asks to come back sooner than after a whole second.
    assert_rate_limited(&narrow.api(service).get("/v1/radars").await, "minute", ("200", "0", "1"));
}

async fn spec_8_1_counting_1_and_headers_of_single_requests(service: &Service) {
    let customer = with_defaults(service).await;
    customer.top_up(service, &format!("first of {}", customer.account_id), "10").await;
    let created = customer.create_reviews_radar(service, "one.com", None).await.expect_status(201);
    assert_eq!(rate_headers(&created), ["100", "99", "1"]);
    let created_later = customer.create_reviews_radar(service, "two.com", None).await.expect_status(201);
    assert_eq!(rate_headers(&created_later), ["100", "98", "2"], "1.2 seconds until it is full");
    let path = format!("/v1/radars/{}", created.text("/data/radar_id"));
    let got = customer.api(service).get(&path).await.expect_status(200);
    assert_eq!(rate_headers(&got), ["200", "199", "1"]);
    let deleted = customer.api(service).delete(&path).await.expect_status(200);
    assert_eq!(rate_headers(&deleted), ["200", "198", "1"], "0.6 seconds until it is full");
    for answer in [created, created_later, got, deleted] {
        assert!(!answer.headers.contains_key("retry-after"));
    }
    advance(service, 1).await;
    let again = customer.api(service).get(&path).await.expect_status(200);
    assert_eq!(rate_headers(&again), ["200", "199", "1"]);
}

async fn spec_8_1_counting_2_a_bulk_takes_a_token_for_each_item(service: &Service) {
    let customer = with_defaults(service).await;
    customer.top_up(service, &format!("first of {}", customer.account_id), "100").await;
    let all = bulk(service, &customer, 0..30).await.expect_status(201);
    let some = bulk(service, &customer, 29..31).await.expect_status(207);
    for answer in [all, some] {
        for absent in ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "retry-after"] {
            assert!(!answer.headers.contains_key(absent), "{absent}");
        }
    }
    let single = customer.api(service).post("/v1/radars/companies", &json!({})).await.expect_status(400);
    assert_eq!(header(&single, "x-ratelimit-remaining"), "67", "30 + 2 + 1 are gone");
    // Two bulks and a single took three tokens of the second; seven are left.
    for _ in 0..7 {
        customer.api(service).post("/v1/radars/companies", &json!({})).await.expect_status(400);
    }
    assert_rate_limited(&bulk(service, &customer, 31..33).await, "burst", ("100", "60", "1"));
}

async fn spec_8_1_counting_3_a_bulk_is_checked_before_anything_is_created(service: &Service) {
    let customer = with_defaults(service).await;
    customer.top_up(service, &format!("first of {}", customer.account_id), "100").await;
    bulk(service, &customer, 0..70).await.expect_status(201);
    let before = customer.account(service).await;
    let refused = bulk(service, &customer, 70..101).await;
    assert_rate_limited(&refused, "minute", ("100", "30", "1"));
    assert_eq!(customer.account(service).await, before, "nothing is created or billed");
    let refused = bulk(service, &customer, 70..120).await;
    assert_rate_limited(&refused, "minute", ("100", "30", "12"));
    bulk(service, &customer, 70..100).await.expect_status(201);
    // A client that waits as long as the answer says is let through.
    assert_rate_limited(&bulk(service, &customer, 100..105).await, "minute", ("100", "0", "3"));
    advance(service, 3).await;
    bulk(service, &customer, 100..105).await.expect_status(201);
}

async fn spec_8_1_counting_4_a_bulk_beyond_the_whole_budget_is_400(service: &Service) {
    let customer = Customer::create_with(service, &json!({"write_per_minute": 5})).await;
    customer.top_up(service, &format!("first of {}", customer.account_id), "100").await;
    bulk(service, &customer, 0..5).await.expect_status(201);
    let refused = bulk(service, &customer, 5..11).await.expect_status(400);
    assert_eq!(refused.json["errors"], json!([{"field": "radars", "reason": "bulk_exceeds_rate_limit"}]));
    assert!(refused.json["error_id"].is_string());
    assert!(!refused.headers.contains_key("retry-after"), "waiting would not help");
    assert_rate_limited(&bulk(service, &customer, 5..10).await, "minute", ("5", "0", "60"));
}

async fn decision_3_11_a_refused_request_spends_nothing(service: &Service) {
    let customer = Customer::create_with(service, &json!({"write_per_minute": 5, "per_second": 2})).await;
    customer.top_up(service, &format!("first of {}", customer.account_id), "100").await;
    // What can never be granted takes a token of the second, as anything does that is read.
    for _ in 0..2 {
        bulk(service, &customer, 0..6).await.expect_status(400);
    }
    assert_rate_limited(&bulk(service, &customer, 0..6).await, "burst", ("5", "5", "1"));
    advance(service, 1).await;
    bulk(service, &customer, 0..4).await.expect_status(201);
    for _ in 0..5 {
        assert_rate_limited(&bulk(service, &customer, 4..6).await, "minute", ("5", "1", "12"));
    }
    let answer = customer.api(service).post("/v1/radars/companies", &json!({})).await.expect_status(400);
    assert_eq!(header(&answer, "x-ratelimit-remaining"), "0", "a token of each bucket was left");
}

async fn decision_3_11_every_answer_of_a_metered_route_has_the_headers(service: &Service) {
    let customer = with_defaults(service).await;
    let api = customer.api(service);
    for (answer, status) in [
        (api.get("/v1/radars").await, 200),
        (api.get("/v1/radars?limit=0").await, 400),
        (api.get(NO_RADAR).await, 404),
        (api.post("/v1/radars/companies", &json!({})).await, 400),
        (customer.create_reviews_radar(service, "no-money.com", None).await, 402),
    ] {
        let answer = answer.expect_status(status);
        for name in ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"] {
            assert!(header(&answer, name).parse::<u32>().is_ok(), "{status}: {name}");
        }
    }
}

async fn decision_3_11_a_bulk_has_the_headers_on_429_only(service: &Service) {
    const NAMES: [&str; 4] = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "retry-after"];
    let customer = with_defaults(service).await;
    let api = customer.api(service);
    for answer in [
        bulk(service, &customer, 0..1).await,
        bulk(service, &customer, 0..101).await,
        api.post("/v1/radars/bulk", &json!({})).await,
    ] {
        let answer = answer.expect_status(400);
        assert!(NAMES.iter().all(|name| answer.header(name).is_none()), "{}", answer.json);
    }
    let refused = api.post("/v1/radars/companies", &json!({})).await.expect_status(400);
    assert_eq!(header(&refused, "x-ratelimit-remaining"), "98", "one of the bulks had an item");
}

async fn spec_8_1_a_broken_bulk_takes_a_token_of_the_second(service: &Service) {
    let customer = with_defaults(service).await;
    let api = customer.api(service);
    for _ in 0..10 {
        api.post("/v1/radars/bulk", &json!({"nonsense": 1})).await.expect_status(400);
    }
    let refused = api.post("/v1/radars/bulk", &json!({"nonsense": 1})).await;
    assert_rate_limited(&refused, "burst", ("100", "100", "1"));
    assert!(refused.header("x-ratelimit-reset").is_some());
    advance(service, 1).await;
    api.post("/v1/radars/bulk", &json!({"nonsense": 1})).await.expect_status(400);
}

async fn spec_8_1_higher_limits_are_an_account_s_own(service: &Service) {
    let (rich, poor) = (
        Customer::create_with(service, &json!({"write_per_minute": 1000, "per_second": 20})).await,
        with_defaults(service).await,
    );
    for _ in 0..20 {
        rich.api(service).post("/v1/radars/companies", &json!({})).await.expect_status(400);
    }
    assert_rate_limited(
        &rich.api(service).post("/v1/radars/companies", &json!({})).await,
        "burst",
        ("1000", "980", "1"),
    );
    let path = format!("/operator/v1/accounts/{}", poor.account_id);
    let first = poor.api(service).get("/v1/account").await.expect_status(200);
    assert_eq!(rate_headers(&first), ["200", "199", "1"]);
    service.operator().patch(&path, &json!({"limits": {"read_per_minute": 300}})).await.expect_status(200);
    let second = poor.api(service).get("/v1/account").await.expect_status(200);
    assert_eq!(header(&second, "x-ratelimit-limit"), "300", "at once");
}

async fn with_defaults(service: &Service) -> Customer {
    Customer::create_with(service, &json!({})).await
}

/// A bulk of company radars, one for each number.
async fn bulk(service: &Service, customer: &Customer, numbers: std::ops::Range<u32>) -> Answer {
    let items: Vec<Value> = numbers
        .map(|number| json!({"domain": format!("bulk-{number}.com"), "radar_type": "company_reviews"}))
        .collect();
    customer.api(service).post("/v1/radars/bulk", &json!({"radars": items})).await
}

/// A 429 as it must be: limit, remaining, Retry-After.
#[track_caller]
fn assert_rate_limited(answer: &Answer, reason: &str, headers: (&str, &str, &str)) {
    assert_eq!(answer.status, 429, "{}", answer.json);
    let sent = ["x-ratelimit-limit", "x-ratelimit-remaining", "retry-after"].map(|name| header(answer, name));
    assert_eq!((sent[0], sent[1], sent[2]), headers);
    assert_eq!(answer.json["errors"], json!([{"field": "rate_limit", "reason": reason}]));
    assert_eq!((&answer.json["status"], &answer.json["code"]), (&json!("error"), &json!(429)));
    assert!(answer.json.get("error_id").is_none(), "{}", answer.json);
}

/// Limit, remaining, reset.
fn rate_headers(answer: &Answer) -> [&str; 3] {
    ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"].map(|name| header(answer, name))
}

#[track_caller]
fn header<'a>(answer: &'a Answer, name: &str) -> &'a str {
    answer.header(name).unwrap_or_else(|| panic!("no {name} on a {}", answer.status))
}

async fn advance(service: &Service, seconds: u64) {
    service.operator().post("/operator/v1/clock/advance", &json!({"seconds": seconds})).await.expect_status(200);
}
