//! Whose request it is: the header, the keys of an account, and what ends them (Spec 5).

use serde_json::{Value, json};

use crate::support::client::Answer;
use crate::support::customer::Customer;
use crate::support::databases::on_both_databases;
use crate::support::process::Service;
use crate::support::push_source::PushSource;

const ROUTES: [(&str, &str); 10] = [
    ("GET", "/v1/account"),
    ("POST", "/v1/radars/companies"),
    ("POST", "/v1/radars/contacts"),
    ("POST", "/v1/radars/industry"),
    ("POST", "/v1/radars/bulk"),
    ("GET", "/v1/radars"),
    ("GET", "/v1/radars/01890000-0000-7000-8000-000000000000"),
    ("DELETE", "/v1/radars/01890000-0000-7000-8000-000000000000"),
    ("GET", "/v1/updates"),
    ("POST", "/v1/webhooks/test"),
];

#[actix_web::test]
async fn spec_5_authentication() {
    on_both_databases(|database| async move {
        let provider = PushSource::of(&["company_reviews"]);
        let settings = [("CLOCK__MODE", "simulated"), ("SOURCES__DIR", &provider.dir())];
        let service = Service::start(database.url(), &settings);
        spec_5_rule_1_every_route_asks_for_a_key(&service).await;
        spec_5_rule_2_only_a_good_key_is_taken(&service).await;
        spec_5_rule_2_an_inactive_account_is_refused_at_once(&service).await;
        spec_5_rule_2_a_revoked_key_dies_at_once_and_alone(&service).await;
        spec_5_rule_3_keys_of_one_account_share_limits_and_radars(&service).await;
    })
    .await;
}

async fn spec_5_rule_1_every_route_asks_for_a_key(service: &Service) {
    for (method, path) in ROUTES {
        let method = method.parse().expect("a method");
        assert_refused(&service.public().send(method, path, Some("{}".to_owned())).await);
    }
    let customer = Customer::create(service).await;
    let bearer = format!("Bearer {}", customer.api_key);
    assert_refused(&service.public().with_header("authorization", &bearer).get("/v1/account").await);
}

async fn spec_5_rule_2_only_a_good_key_is_taken(service: &Service) {
    let customer = Customer::create(service).await;
    let key = &customer.api_key;
    service.public().with_header("X-API-Key", key).get("/v1/account").await.expect_status(200);
    let last = if key.ends_with('0') { "1" } else { "0" };
    let other = format!("{}{last}", &key[..key.len() - 1]);
    for wrong in ["", "x", &other, &format!("Bearer {key}"), &format!("{key}{key}"), &key.to_uppercase(), "\u{fc}"] {
        assert_refused(&service.public().with_header("x-api-key", wrong).get("/v1/account").await);
    }
    let operator = service.operator().get("/operator/v1/accounts").await.expect_status(200);
    assert!(!String::from_utf8_lossy(&operator.bytes).contains(key.as_str()), "keys are shown once");
}

async fn spec_5_rule_2_an_inactive_account_is_refused_at_once(service: &Service) {
    let customer = Customer::create(service).await;
    let path = format!("/operator/v1/accounts/{}", customer.account_id);
    for _ in 0..3 {
        customer.api(service).get("/v1/account").await.expect_status(200);
        service.operator().patch(&path, &json!({"status": "inactive"})).await.expect_status(200);
        assert_refused(&customer.api(service).get("/v1/account").await);
        assert_refused(&customer.create_reviews_radar(service, "example.com", None).await);
        service.operator().patch(&path, &json!({"status": "active"})).await.expect_status(200);
    }
    customer.api(service).get("/v1/account").await.expect_status(200);
}

async fn spec_5_rule_2_a_revoked_key_dies_at_once_and_alone(service: &Service) {
    let customer = Customer::create(service).await;
    let path = format!("/operator/v1/accounts/{}/api-keys", customer.account_id);
    let made = service.operator().post(&path, &json!({})).await.expect_status(201);
    let second = service.public().with_header("x-api-key", made.text("/data/api_key"));
    second.get("/v1/account").await.expect_status(200);
    service.operator().delete(&format!("{path}/{}", made.text("/data/key_id"))).await.expect_status(200);
    assert_refused(&second.get("/v1/account").await);
    assert_refused(&second.get("/v1/account").await);
    customer.api(service).get("/v1/account").await.expect_status(200);
}

async fn spec_5_rule_3_keys_of_one_account_share_limits_and_radars(service: &Service) {
    let limits = json!({"write_per_minute": 50, "per_second": 50});
    let (customer, stranger) =
        (Customer::create_with(service, &limits).await, Customer::create_with(service, &limits).await);
    for party in [&customer, &stranger] {
        party.top_up(service, &format!("first of {}", party.account_id), "10").await;
    }
    let path = format!("/operator/v1/accounts/{}/api-keys", customer.account_id);
    let made = service.operator().post(&path, &json!({})).await.expect_status(201);
    let second = service.public().with_header("x-api-key", made.text("/data/api_key"));

    let remaining = |answer: &Answer| answer.header("x-ratelimit-remaining").map(str::to_owned);
    let created = customer.create_reviews_radar(service, "shared.com", None).await.expect_status(201);
    assert_eq!(remaining(&created), Some("49".to_owned()));
    let body = json!({"domain": "shared.com", "radar_type": "company_reviews"});
    let duplicate = second.post("/v1/radars/companies", &body).await.expect_status(409);
    assert_eq!(remaining(&duplicate), Some("48".to_owned()));
    assert_eq!(duplicate.text("/errors/0/reason"), created.text("/data/radar_id"));
    let others = stranger.create_reviews_radar(service, "shared.com", None).await.expect_status(201);
    assert_eq!(remaining(&others), Some("49".to_owned()));

    let radar = format!("/v1/radars/{}", created.text("/data/radar_id"));
    second.get(&radar).await.expect_status(200);
    stranger.api(service).get(&radar).await.expect_status(404);
    stranger.api(service).delete(&radar).await.expect_status(404);
    let listed = stranger.api(service).get("/v1/radars").await.expect_status(200);
    assert_eq!(
        (&listed.json["count"], &listed.json["data"][0]["radar_id"]),
        (&json!(1), &others.json["data"]["radar_id"])
    );
}

/// The whole of a 401.
#[track_caller]
fn assert_refused(answer: &Answer) {
    assert_eq!(answer.status, 401, "{}", answer.json);
    let mut body = answer.json.clone();
    for changing in ["error_id", "timestamp"] {
        assert!(body[changing].take().is_string(), "{changing}");
    }
    let errors = json!([{"field": "x-api-key", "reason": "API key is invalid or inactive"}]);
    let message = "Invalid or inactive API key";
    assert_eq!(
        body,
        json!({"status": "error", "code": 401, "message": message, "errors": errors, "error_id": Value::Null, "timestamp": Value::Null})
    );
    assert!(!answer.headers.contains_key("x-ratelimit-limit"), "nobody's budget is known");
}
