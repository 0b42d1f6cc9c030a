//! Every rejection on the wire: status, body, headers, and which of several comes first (Spec 7; decisions 2.5, 2.6, 3.1).
//!
//! A 503 and what is unexpected are proved where they are made: `database_outage.rs`, `full_queue.rs`.

use std::collections::BTreeSet;

use actix_web::http::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::client::Answer;
use crate::support::customer::Customer;
use crate::support::databases::on_both_databases;
use crate::support::process::Service;
use crate::support::push_source::PushSource;

const COMPANIES: &str = "/v1/radars/companies";
const BULK: &str = "/v1/radars/bulk";
const NO_RADAR: &str = "/v1/radars/01890000-0000-7000-8000-000000000000";

#[actix_web::test]
async fn spec_7_and_decision_3_1_errors() {
    on_both_databases(|database| async move {
        let provider = PushSource::of(&["company_reviews"]);
        let settings = [("CLOCK__MODE", "simulated"), ("SOURCES__DIR", &provider.dir())];
        let service = Service::start(database.url(), &settings);
        spec_7_each_row_of_the_table(&service).await;
        spec_7_rule_3_each_offending_field_is_listed(&service).await;
        spec_7_retryable_in_bulk_items(&service).await;
        decision_2_5_what_is_unknown_or_out_of_range_is_refused(&service).await;
        decision_2_6_other_http_errors(&service).await;
        decision_3_1_order_of_checks(&service).await;
        decision_3_1_order_of_checks_of_a_bulk(&service).await;
    })
    .await;
}

async fn spec_7_each_row_of_the_table(service: &Service) {
    let customer = funded(service, &json!({"write_per_minute": 8, "per_second": 1000}), "0.5").await;
    customer.price(service, "company_reviews", "subscription", "0.5").await;
    let api = customer.api(service);
    let created = customer.create_reviews_radar(service, "first.com", None).await.expect_status(201);
    let radar_id = created.text("/data/radar_id").to_owned();

    let validation = "Validation failed";
    let bad_value = json!({"domain": "localhost", "radar_type": "company_reviews"});
    assert_error(&api.post(COMPANIES, &bad_value).await, 400, validation, &["domain"]);
    let unknown_field = json!({"domain": "a.com", "radar_type": "company_reviews", "colour": "red"});
    assert_error(&api.post(COMPANIES, &unknown_field).await, 400, validation, &["colour"]);
    let empty = json!({"domain": "a.com", "radar_type": "company_job_openings", "departments": [], "seniorities": []});
    assert_error(&api.post(COMPANIES, &empty).await, 400, validation, &["departments", "seniorities"]);
    let oversize = "Bulk exceeds the per-minute write budget";
    let answer = api.post(BULK, &bulk_of(9)).await;
    assert_error(&answer, 400, oversize, &["radars"]);
    assert_eq!(answer.text("/errors/0/reason"), "bulk_exceeds_rate_limit");
    let stranger = service.public().with_header("x-api-key", "nobody");
    assert_error(&stranger.get("/v1/radars").await, 401, "Invalid or inactive API key", &["x-api-key"]);
    let poor = customer.create_reviews_radar(service, "second.com", None).await;
    assert_error(&poor, 402, "Insufficient balance", &["balance"]);
    assert_error(&api.get(NO_RADAR).await, 404, "Radar not found", &["id"]);
    assert_error(&api.delete(NO_RADAR).await, 404, "Radar not found", &["id"]);
    let again = customer.create_reviews_radar(service, "https://www.first.com/jobs", None).await;
    assert_error(&again, 409, "Radar already exists", &["domain"]);
    assert_eq!(again.text("/errors/0/reason"), radar_id, "decision 1.6");
    for _ in 0..2 {
        assert_eq!(api.post(COMPANIES, &bad_value).await.status, 400);
    }
    let limited = api.post(COMPANIES, &bad_value).await;
    assert_error(&limited, 429, "Rate limit exceeded", &["rate_limit"]);
    assert_eq!(limited.text("/errors/0/reason"), "minute");
    let hasty = Customer::create_with(service, &json!({"per_second": 1})).await;
    hasty.api(service).get("/v1/radars").await.expect_status(200);
    let limited = hasty.api(service).get("/v1/radars").await;
    assert_error(&limited, 429, "Rate limit exceeded", &["rate_limit"]);
    assert_eq!((limited.text("/errors/0/reason"), limited.header("retry-after")), ("burst", Some("1")));

    // 402 is worth another try after a top-up, the very same request.
    customer.top_up(service, &format!("second of {}", customer.account_id), "0.5").await;
    advance(service, 60).await;
    customer.create_reviews_radar(service, "second.com", None).await.expect_status(201);
}

async fn spec_7_rule_3_each_offending_field_is_listed(service: &Service) {
    let customer = Customer::create(service).await;
    let body = json!({
        "domain": "not a domain", "radar_type": "company_job_openings", "webhook_url": "gopher://example.com/",
        "departments": ["Magic"], "seniorities": "CXO", "custom_fields": {"a": 1}, "x": 1, "y": 2,
    });
    let answer = customer.api(service).post(COMPANIES, &body).await.expect_status(400);
    let listed: BTreeSet<&str> =
        fields(&answer).into_iter().map(|field| field.split('.').next().expect("a name")).collect();
    let names = ["custom_fields", "departments", "domain", "seniorities", "webhook_url", "x", "y"];
    assert_eq!(listed, BTreeSet::from(names), "{}", answer.json);
    let answer =
        customer.api(service).get("/v1/updates?limit=0&since=now&radar_id=1&colour=red").await.expect_status(400);
    assert_eq!(
        fields(&answer).into_iter().collect::<BTreeSet<_>>(),
        BTreeSet::from(["colour", "limit", "radar_id", "since"])
    );
}

async fn spec_7_retryable_in_bulk_items(service: &Service) {
    let customer = funded(service, &json!({}), "1").await;
    customer.price(service, "company_reviews", "subscription", "1").await;
    let item = |domain: &str| json!({"domain": domain, "radar_type": "company_reviews"});
    let items = [item("paid.com"), item("localhost"), item("paid.com"), item("unpaid.com")];
    let answer = customer.api(service).post(BULK, &json!({"radars": items})).await.expect_status(207);
    assert_eq!(answer.json["summary"], json!({"total": 4, "created": 1, "failed": 3, "retryable": 1}));
    let results = answer.json["results"].as_array().expect("results");
    for (index, (code, retryable, field)) in
        (1..).zip([(400, false, "domain"), (409, false, "domain"), (402, true, "balance")])
    {
        let result = &results[index];
        let names: BTreeSet<&str> = result.as_object().expect("an object").keys().map(String::as_str).collect();
        let wanted = ["code", "error_id", "errors", "index", "message", "retryable", "status", "timestamp"];
        assert_eq!(names, BTreeSet::from(wanted), "{result}");
        assert_eq!((&result["index"], &result["status"]), (&json!(index), &json!("error")));
        assert_eq!((&result["code"], &result["retryable"]), (&json!(code), &json!(retryable)), "{result}");
        assert_eq!(result["errors"][0]["field"], field);
    }
    assert_eq!(results[2]["errors"][0]["reason"], results[0]["data"]["radar_id"]);
}

async fn decision_2_5_what_is_unknown_or_out_of_range_is_refused(service: &Service) {
    let customer = Customer::create(service).await;
    let api = customer.api(service);
    for (path, field) in [
        ("/v1/account?months=2026-01", "months"),
        ("/v1/account?month=2026-13", "month"),
        ("/v1/radars?status=active", "status"),
        ("/v1/radars?limit=0", "limit"),
        ("/v1/radars?limit=1001", "limit"),
        ("/v1/radars?limit=ten", "limit"),
        ("/v1/radars?radar_status=failed", "radar_status"),
        ("/v1/radars?radar_type=company_reviews,,company_mentions", "radar_type"),
        ("/v1/radars?radar_id=7", "radar_id"),
        ("/v1/updates?limit=101", "limit"),
        ("/v1/updates?update_type=radar_created", "update_type"),
        ("/v1/updates?since=yesterday", "since"),
        ("/v1/updates?cursor=nonsense", "cursor"),
        ("/v1/updates?domain=", "domain"),
        ("/v1/radars/7", "id"),
        ("/v1/radars/01890000-0000-7000-8000-000000000000?verbose=1", "verbose"),
    ] {
        let answer = api.get(path).await;
        assert_eq!((answer.status, fields(&answer)), (400, vec![field]), "{path}: {}", answer.json);
    }
    let answer = api.delete("/v1/radars/7").await.expect_status(400);
    assert_eq!(fields(&answer), ["id"]);
    let answer = api.post("/v1/radars/companies?dry_run=1", &json!({})).await.expect_status(400);
    assert_eq!(fields(&answer), ["dry_run"]);
}

async fn decision_2_6_other_http_errors(service: &Service) {
    let customer = Customer::create(service).await;
    let api = customer.api(service);
    for body in ["", "{", "[1,", "{\"a\":1}{}", "nonsense", "\u{fffd}"] {
        let answer = api.send(Method::POST, COMPANIES, Some(body.to_owned())).await;
        assert_error(&answer, 400, "Validation failed", &["body"]);
    }
    for body in ["[]", "7", "null", "\"text\""] {
        let answer = api.send(Method::POST, COMPANIES, Some(body.to_owned())).await;
        assert_error(&answer, 400, "Validation failed", &["body"]);
    }
    let large = format!("{{\"radars\": [], \"custom_fields\": {{\"a\": \"{}\"}}}}", "x".repeat(1024 * 1024));
    assert_error(&api.send(Method::POST, BULK, Some(large)).await, 400, "Validation failed", &["body"]);
    let untyped = api.clone().with_header("content-type", "text/plain").send_untyped(COMPANIES, "{}").await;
    assert_error(&untyped, 400, "Validation failed", &["body"]);
    assert_error(&api.send_untyped(COMPANIES, "{}").await, 400, "Validation failed", &["body"]);

    for path in ["/v1/nonsense", "/v2/radars", "/", "/v1/radars//", "/v1/radars/7/updates"] {
        assert_error(&api.get(path).await, 404, "Path not found", &["path"]);
    }
    for (method, path, allowed) in [
        (Method::PUT, "/v1/radars", "GET, HEAD, OPTIONS"),
        (Method::PATCH, NO_RADAR, "GET, HEAD, DELETE, OPTIONS"),
        (Method::GET, COMPANIES, "POST, OPTIONS"),
        (Method::GET, BULK, "POST, OPTIONS"),
        (Method::DELETE, "/v1/updates", "GET, HEAD, OPTIONS"),
        (Method::POST, "/v1/account", "GET, HEAD, OPTIONS"),
    ] {
        let answer = api.send(method, path, None).await;
        assert_error(&answer, 405, "Method not allowed", &["method"]);
        assert_eq!(answer.header("allow"), Some(allowed), "{path}");
    }
}

async fn decision_3_1_order_of_checks(service: &Service) {
    let customer = funded(service, &json!({"write_per_minute": 4, "read_per_minute": 1}), "1").await;
    customer.price(service, "company_reviews", "subscription", "1").await;
    let api = customer.api(service);
    let body = |domain: &str| json!({"domain": domain, "radar_type": "company_reviews"});
    api.post(COMPANIES, &body("order.com")).await.expect_status(201);
    let broken_duplicate = json!({"domain": "order.com", "radar_type": "company_reviews", "x": 1});
    api.post(COMPANIES, &broken_duplicate).await.expect_status(400);
    // The balance is spent: a duplicate is reported before the lack of money.
    api.post(COMPANIES, &body("order.com")).await.expect_status(409);
    api.post(COMPANIES, &body("other.com")).await.expect_status(402);
    // The budget is spent: nothing else is looked at.
    api.post(COMPANIES, &broken_duplicate).await.expect_status(429);
    api.send(Method::POST, COMPANIES, Some("{".to_owned())).await.expect_status(429);
    api.get("/v1/radars").await.expect_status(200);
    api.get("/v1/radars?colour=red").await.expect_status(429);
    api.get(NO_RADAR).await.expect_status(429);
    let path = format!("/operator/v1/accounts/{}", customer.account_id);
    service.operator().patch(&path, &json!({"status": "inactive"})).await.expect_status(200);
    api.post(COMPANIES, &broken_duplicate).await.expect_status(401);
    api.get("/v1/radars").await.expect_status(401);
}

async fn decision_3_1_order_of_checks_of_a_bulk(service: &Service) {
    let customer = Customer::create_with(service, &json!({"write_per_minute": 4})).await;
    let api = customer.api(service);
    for _ in 0..4 {
        api.post(COMPANIES, &json!({})).await.expect_status(400);
    }
    api.post(BULK, &bulk_of(1)).await.expect_status(429);
    let broken = json!({"radars": [], "x": 1});
    assert_eq!(fields(&api.post(BULK, &broken).await.expect_status(400)), ["x", "radars"]);
    assert_eq!(fields(&api.post(BULK, &bulk_of(101)).await.expect_status(400)), ["radars"]);
    let oversize = api.post(BULK, &bulk_of(5)).await.expect_status(400);
    assert_eq!(oversize.text("/errors/0/reason"), "bulk_exceeds_rate_limit");
    api.send(Method::POST, BULK, Some("{".to_owned())).await.expect_status(400);
    let nobody = service.public().with_header("x-api-key", "nobody");
    nobody.post(BULK, &broken).await.expect_status(401);
    let broken_item = json!({"radars": [{"radar_type": "company_reviews"}]});
    api.post(BULK, &broken_item).await.expect_status(429);
}

async fn funded(service: &Service, limits: &Value, amount_usd: &str) -> Customer {
    let customer = Customer::create_with(service, limits).await;
    customer.top_up(service, &format!("first of {}", customer.account_id), amount_usd).await;
    customer
}

fn bulk_of(items: usize) -> Value {
    let item = |number: usize| json!({"domain": format!("bulk-{number}.com"), "radar_type": "company_reviews"});
    json!({"radars": (0..items).map(item).collect::<Vec<_>>()})
}

async fn advance(service: &Service, seconds: u64) {
    service.operator().post("/operator/v1/clock/advance", &json!({"seconds": seconds})).await.expect_status(200);
}

fn fields(answer: &Answer) -> Vec<&str> {
    let errors = answer.json["errors"].as_array().expect("errors");
    errors.iter().map(|error| error["field"].as_str().expect("a field")).collect()
}

/// The whole body of an error (Spec 7): nothing more, nothing less, and `error_id` where it belongs.
#[track_caller]
fn assert_error(answer: &Answer, code: u16, message: &str, wanted: &[&str]) {
    assert_eq!(answer.status, code, "{}", answer.json);
    assert_eq!(answer.header("content-type"), Some("application/json"));
    let body = answer.json.as_object().expect("an object");
    let names: BTreeSet<&str> = body.keys().map(String::as_str).collect();
    let mut known = BTreeSet::from(["status", "code", "message", "errors", "timestamp", "error_id"]);
    if code == 429 {
        known.remove("error_id");
    }
    assert_eq!(names, known, "{}", answer.json);
    assert_eq!((&body["status"], &body["code"], &body["message"]), (&json!("error"), &json!(code), &json!(message)));
    assert!(answer.text("/timestamp").ends_with('Z') && answer.text("/timestamp").len() == 27, "decision 1.7");
    if let Some(error_id) = body.get("error_id") {
        assert!(error_id.as_str().is_some_and(|text| Uuid::parse_str(text).is_ok()), "{error_id}");
    }
    assert_eq!(fields(answer), wanted, "{}", answer.json);
    for error in body["errors"].as_array().expect("errors") {
        assert_eq!(error.as_object().map(serde_json::Map::len), Some(2), "{error}");
        assert!(error["reason"].as_str().is_some_and(|reason| !reason.is_empty()), "{error}");
    }
}

/// Invariant 9: one line per request, which an operator finds by the `error_id` that a customer quotes, and which tells
/// nothing that is the customer's own.
#[actix_web::test]
async fn spec_7_the_log_names_the_error_id_and_neither_keys_nor_values() {
    on_both_databases(|database| async move {
        let settings = [("LOG__FILTER", "info,radar=trace"), ("LOG__FORMAT", "json")];
        let service = Service::start(database.url(), &settings);
        let customer = Customer::create(&service).await;
        let api = customer.api(&service);
        let body = json!({
            "radar_type": "contact_job_changes", "domain": "value-of-a-body.com", "email": "secret.person@example.com",
            "full_name": "Secret Person", "profile_url": "not-a-profile-of-secret-person", "custom_fields": {"a": "secret-label"},
        });
        let poor = api.post("/v1/radars/contacts", &body).await.expect_status(402);
        let mut broken = body.clone();
        broken["radar_type"] = json!("contact_social_posts");
        let refused = api.post("/v1/radars/contacts", &broken).await.expect_status(400);
        let stranger = service.public().with_header("x-api-key", "secret-key-of-nobody");
        let unknown = stranger.get("/v1/radars?radar_id=secret-parameter").await.expect_status(401);
        let missing = api.get(NO_RADAR).await.expect_status(404);
        let found = api.get("/v1/account").await.expect_status(200);
        drop(found);

        let log = service.log();
        for (answer, route, account_id) in [
            (&poor, "/v1/radars/contacts", Some(customer.account_id.as_str())),
            (&refused, "/v1/radars/contacts", Some(customer.account_id.as_str())),
            (&unknown, "/v1/radars", None),
            (&missing, "/v1/radars/{id}", Some(customer.account_id.as_str())),
        ] {
            let line = request_line(&log, answer.text("/error_id"));
            assert_eq!((line["route"].as_str(), line["account"].as_str()), (Some(route), account_id), "{line}");
            assert_eq!(line["status"], json!(answer.status), "{line}");
            assert!(line["duration_ms"].is_f64() && line["method"].is_string(), "{line}");
        }
        let lines = log.lines().filter(|line| line.contains("/v1/account\"")).count();
        assert_eq!(lines, 1, "one line per request");
        for hidden in [
            customer.api_key.as_str(), customer.webhook_secret.as_str(), "value-of-a-body", "secret.person", "Secret Person",
            "secret-person", "secret-label", "secret-key-of-nobody", "secret-parameter", crate::support::process::OPERATOR_KEY,
        ] {
            assert!(!log.contains(hidden), "{hidden} is in the log");
        }
    })
    .await;
}

/// The one line of the request log that quotes `error_id`.
#[track_caller]
fn request_line(log: &str, error_id: &str) -> Value {
    let quoting: Vec<Value> = log
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|line| line["error_id"] == error_id && line["message"] == "request")
        .collect();
    assert_eq!(quoting.len(), 1, "{error_id}\n{log}");
    quoting.into_iter().next().expect("one")
}
