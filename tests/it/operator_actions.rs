//! What operators did, and that nothing of it is missing.

use serde_json::{Value, json};

use crate::support::customer::Customer;
use crate::support::databases::on_both_databases;
use crate::support::process::{OPERATOR_KEY, Service};
use crate::support::provider::{self, push};

async fn actions(service: &Service, query: &str) -> Vec<Value> {
    let page = service.operator().get(&format!("/operator/v1/audit{query}")).await.expect_status(200);
    page.json["data"].as_array().expect("actions").clone()
}

#[actix_web::test]
async fn every_change_is_noted_with_who_asked_for_what_and_how_it_ended() {
    on_both_databases(|database| async move {
        let settings = [("CLOCK__MODE", "simulated"), ("CLOCK__START", "2026-03-01T00:00:00Z")];
        let (service, _provider) = provider::start(database.url(), &settings, "");
        let customer = Customer::create(&service).await;
        let id = customer.account_id.clone();
        let operator = service.operator().with_header("x-request-id", "by-jane");
        operator.patch(&format!("/operator/v1/accounts/{id}"), &json!({"status": "inactive"})).await.expect_status(200);
        operator.patch(&format!("/operator/v1/accounts/{id}"), &json!({"status": "odd"})).await.expect_status(400);
        service.public().post("/operator/v1/accounts", &json!({})).await;
        provider::advance(&service, 3_600).await;

        let found = actions(&service, "").await;
        let seen: Vec<_> =
            found.iter().map(|one| (one["path"].as_str().expect("a path"), one["status"].clone())).collect();
        let account = format!("/operator/v1/accounts/{id}");
        assert_eq!(
            seen[..3],
            [
                ("/operator/v1/clock/advance", json!(200)),
                (account.as_str(), json!(400)),
                (account.as_str(), json!(200)),
            ]
        );
        let stop = &found[2];
        assert_eq!(
            (&stop["method"], &stop["about"], &stop["request_id"]),
            (&json!("PATCH"), &json!(id), &json!("by-jane"))
        );
        assert_eq!((&stop["detail"], &stop["client"]), (&json!(r#"{"status":"inactive"}"#), &json!("127.0.0.1")));
        assert_eq!(stop["begun_at"], "2026-03-01T00:00:00.000000Z");
        assert_eq!(stop["key_id"].as_str().map(str::len), Some(8));
        assert!(!found.iter().any(|one| one.to_string().contains(OPERATOR_KEY)));

        // The account's own begin with its creation; pages hang together; time is a filter.
        let of_account = actions(&service, &format!("?about={id}")).await;
        assert_eq!((of_account.last().expect("a creation")["method"].clone(), of_account.len()), (json!("POST"), 3));
        let first = service.operator().get("/operator/v1/audit?limit=2").await.expect_status(200);
        let next = actions(&service, &format!("?limit=2&cursor={}", first.text("/next_cursor"))).await;
        assert_eq!(next[0], found[2]);
        assert_eq!(actions(&service, "?since=2026-03-01T00:00:01Z").await.len(), 0);
        service.operator().get("/operator/v1/audit?cursor=x&of=y").await.expect_status(400);

        // What providers hand in is no action.
        customer.top_up(&service, "one", "1").await;
        let before = actions(&service, "").await.len();
        service.operator().patch(&account, &json!({"status": "active"})).await.expect_status(200);
        let radar = customer.create_reviews_radar(&service, "acme.com", None).await.expect_status(201);
        push(&service, radar.text("/data/radar_id"), "1", &json!({})).await;
        assert_eq!(actions(&service, "").await.len(), before + 1);
        // Retention takes what is old, and the price of that is a line in the trail.
        provider::advance(&service, 370 * 86_400).await;
        provider::advance(&service, 2 * 86_400).await;
        assert!(actions(&service, &format!("?about={id}")).await.is_empty());
    })
    .await;
}
