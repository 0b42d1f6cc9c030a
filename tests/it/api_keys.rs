//! What a key is good for, and until when (decision 3.13); the operator's key that only reads.

use actix_web::http::Method;
use serde_json::{Value, json};

use crate::support::client::{Answer, Client};
use crate::support::customer::Customer;
use crate::support::databases::on_both_databases;
use crate::support::process::Service;

const READ_ONLY_KEY: &str = "read-only-key-of-the-tests";

#[actix_web::test]
async fn decision_3_13_keys_have_scopes_and_an_end() {
    on_both_databases(|database| async move {
        let settings = [
            ("CLOCK__MODE", "simulated"),
            ("CLOCK__START", "2026-03-01T00:00:00Z"),
            ("OPERATOR__READ_ONLY_KEY", READ_ONLY_KEY),
        ];
        let service = Service::start(database.url(), &settings);
        let customer = Customer::create(&service).await;
        each_route_asks_for_its_scope(&service, &customer).await;
        customers_hand_on_no_more_than_they_have(&service).await;
        a_key_is_good_until_it_expires(&service, &customer).await;
        an_operator_who_only_reads_changes_nothing(&service, &customer).await;
    })
    .await;
}

async fn each_route_asks_for_its_scope(service: &Service, customer: &Customer) {
    let reader = made(service, customer, &json!({"scopes": ["read"]})).await;
    let writer = made(service, customer, &json!({"scopes": ["write"]})).await;
    let all = made(service, customer, &json!({})).await;
    assert_eq!(all.json["data"]["scopes"], json!(["read", "write"]));
    assert_eq!(all.json["data"]["expires_at"], Value::Null);
    let (reader, writer) = (api(service, &reader), api(service, &writer));
    // What feed readers get takes no key: the address is the secret.
    for (method, path) in radar::api::routes().into_iter().filter(|(_, path)| !path.contains("{token}")) {
        let path = path.replace("{feed_id}", &customer.account_id);
        let path = path.replace("{id}", &customer.account_id).replace("{update_id}", &customer.account_id);
        let path = path.replace("{key_id}", &customer.account_id);
        let (other, scope) = if method == Method::GET { (&writer, "read") } else { (&reader, "write") };
        let refused = other.send(method.clone(), &path, Some("{}".to_owned())).await.expect_status(403);
        assert_eq!(refused.json["message"], "Not permitted with this key", "{method} {path}");
        let expected = json!([{"field": "x-api-key", "reason": format!("lacks the scope {scope}")}]);
        assert_eq!(refused.json["errors"], expected, "{method} {path}");
    }
    reader.get("/v1/account").await.expect_status(200);
    // Whoever has the secret can sign, and whoever has an address for feed readers can read.
    reader.get("/v1/webhooks/secret").await.expect_status(403);
    writer.post("/v1/feeds", &json!({})).await.expect_status(403);
    writer.post("/v1/radars/companies", &json!({})).await.expect_status(400);
}

async fn customers_hand_on_no_more_than_they_have(service: &Service) {
    let (customer, stranger) = (Customer::create(service).await, Customer::create(service).await);
    let own = customer.api(service);
    let end = "2026-03-02T00:00:00.000000Z";
    let lesser = own.post("/v1/api-keys", &json!({"scopes": ["write"], "expires_at": end})).await.expect_status(201);
    let lesser = api(service, &lesser);
    let same = lesser.post("/v1/api-keys", &json!({})).await.expect_status(201);
    assert_eq!((&same.json["data"]["scopes"], same.text("/data/expires_at")), (&json!(["write"]), end));
    let more = json!({"scopes": ["read", "write"], "expires_at": "2026-03-02T00:00:00.000001Z"});
    let refused = lesser.post("/v1/api-keys", &more).await.expect_status(400);
    assert_eq!((refused.text("/errors/0/field"), refused.text("/errors/1/field")), ("scopes", "expires_at"));

    let listed = own.get("/v1/api-keys").await.expect_status(200);
    assert_eq!(listed.json["data"].as_array().map(Vec::len), Some(3), "{}", listed.json);
    assert!(!listed.json.to_string().contains(&customer.api_key), "keys are shown once");
    let path = format!("/v1/api-keys/{}", same.text("/data/key_id"));
    stranger.api(service).delete(&path).await.expect_status(404);
    lesser.delete(&path).await.expect_status(200);
    api(service, &same).post("/v1/api-keys", &json!({})).await.expect_status(401);
    own.delete(&path).await.expect_status(200);
}

async fn a_key_is_good_until_it_expires(service: &Service, customer: &Customer) {
    let key = made(service, customer, &json!({"expires_at": "2026-03-01T01:00:00Z"})).await;
    assert_eq!(key.json["data"]["expires_at"], "2026-03-01T01:00:00.000000Z");
    let advance = |seconds: u32| async move {
        let body = json!({"seconds": seconds});
        service.operator().post("/operator/v1/clock/advance", &body).await.expect_status(200);
    };
    advance(3599).await;
    api(service, &key).get("/v1/account").await.expect_status(200);
    advance(1).await;
    let expired = api(service, &key).get("/v1/account").await.expect_status(401);
    let unknown = service.public().get("/v1/account").await.expect_status(401);
    assert_eq!(expired.json["errors"], unknown.json["errors"]);
    customer.api(service).get("/v1/account").await.expect_status(200);
    let past = json!({"expires_at": "2026-03-01T01:00:00Z", "scopes": ["admin"]});
    let refused = service.operator().post(&keys_of(customer), &past).await.expect_status(400);
    assert_eq!((refused.text("/errors/0/field"), refused.text("/errors/1/field")), ("scopes", "expires_at"));
}

async fn an_operator_who_only_reads_changes_nothing(service: &Service, customer: &Customer) {
    let url = format!("http://127.0.0.1:{}", service.operator_port());
    let reader = Client::new(&url).with_header("x-operator-key", READ_ONLY_KEY);
    for (method, path) in radar::operator::routes() {
        if method == Method::GET {
            continue;
        }
        let path = path.replace("{id}", &customer.account_id);
        let refused = reader.send(method.clone(), &path, Some("{}".to_owned())).await.expect_status(403);
        let expected = json!([{"field": "x-operator-key", "reason": "lacks the scope write"}]);
        assert_eq!(refused.json["errors"], expected, "{method} {path}");
    }
    let shown = reader.get(&keys_of(customer)).await.expect_status(200);
    assert_eq!(shown.json["data"].as_array().map(Vec::len), Some(5), "{}", shown.json);
}

fn keys_of(customer: &Customer) -> String {
    format!("/operator/v1/accounts/{}/api-keys", customer.account_id)
}

async fn made(service: &Service, customer: &Customer, body: &Value) -> Answer {
    service.operator().post(&keys_of(customer), body).await.expect_status(201)
}

/// The public API with a key that was just made.
fn api(service: &Service, key: &Answer) -> Client {
    service.public().with_header("x-api-key", key.text("/data/api_key"))
}
