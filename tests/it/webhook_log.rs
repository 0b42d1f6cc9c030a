//! Deliveries as customers see and mend them, and their secrets: the log, a resend, an endpoint, a recovery, a rotation; of
//! all that another account sees nothing (decisions 5.2, 5.6 to 5.8).

use chrono::Utc;
use serde_json::{Value, json};

use crate::delivery_log::stage;
use crate::support::client::Client;
use crate::support::customer::{Customer, eventually};
use crate::support::databases::on_both_databases;
use crate::support::provider;
use crate::support::receiver::{Answer, Receiver, verify};

const DELIVERIES: &str = "/v1/webhooks/deliveries";

/// The first delivery of a list, once there is one.
async fn first(api: &Client, query: &str) -> Value {
    let path = format!("{DELIVERIES}?{query}");
    eventually("there is a delivery", || async { api.get(&path).await.expect_status(200).json["data"].get(0).cloned() })
        .await
}

#[actix_web::test]
async fn decision_5_7_and_decision_5_8_a_customer_finds_out_why_and_sends_again() {
    on_both_databases(|database| async move {
        let mut receiver = Receiver::start();
        receiver.answer_next([Answer::status(503)]);
        let (service, _provider, customer, radar_id) = stage(database.url(), &receiver).await;
        let api = customer.api(&service);
        let other = Customer::create(&service).await.api(&service);
        provider::push(&service, &radar_id, "1", &json!({})).await;
        let sent = receiver.next().await;
        let failed = eventually("the attempt is recorded", || async {
            let found = first(&api, &format!("radar_id={radar_id}")).await;
            (found["reason"] == "scheduled").then_some(found)
        })
        .await;
        let update_id = failed["update_id"].as_str().expect("an identifier");
        assert_eq!((&failed["state"], &failed["attempts"]), (&json!("pending"), &json!(1)));
        let path = format!("{DELIVERIES}/{update_id}");
        let detail = api.get(&path).await.expect_status(200).json["data"].clone();
        assert_eq!(
            (&detail["attempt_log"][0]["outcome"], &detail["attempt_log"][0]["attempt_no"]),
            (&json!("http_5xx"), &json!(1))
        );

        for hidden in [format!("?update_id={update_id}"), format!("?radar_id={radar_id}"), String::new()] {
            let page = other.get(&format!("{DELIVERIES}{hidden}")).await.expect_status(200);
            assert_eq!(page.json["data"], json!([]), "{hidden}");
        }
        other.get(&path).await.expect_status(404);
        other.post(&format!("{path}/resend"), &json!({})).await.expect_status(404);
        assert!(receiver.drain().is_empty());

        let resent = api.post(&format!("{path}/resend"), &json!({})).await.expect_status(202);
        assert_eq!(resent.json["data"]["update_id"], update_id);
        let again = receiver.next().await;
        assert_eq!((&again.body, again.headers.get("webhook-id")), (&sent.body, sent.headers.get("webhook-id")));
        let delivered = first(&api, "state=delivered").await;
        assert_eq!((&delivered["update_id"], &delivered["reason"]), (&json!(update_id), &Value::Null));
        assert_eq!(api.get(&format!("{DELIVERIES}/7")).await.expect_status(400).text("/errors/0/field"), "id");
        assert_eq!(
            api.get(&format!("{DELIVERIES}?state=lost")).await.expect_status(400).text("/errors/0/field"),
            "state"
        );
    })
    .await;
}

#[actix_web::test]
async fn decision_5_6_a_customer_enables_an_endpoint_and_recovers_a_range() {
    on_both_databases(|database| async move {
        let mut receiver = Receiver::start();
        receiver.answer_next([Answer::status(410)]);
        let (service, _provider, customer, radar_id) = stage(database.url(), &receiver).await;
        let api = customer.api(&service);
        let other = Customer::create(&service).await.api(&service);
        provider::push(&service, &radar_id, "1", &json!({})).await;
        let sent = receiver.next().await;
        let held = first(&api, "state=held").await;
        assert_eq!(held["reason"], "endpoint_disabled");
        let endpoint =
            api.get("/v1/webhooks/endpoints?state=disabled").await.expect_status(200).json["data"][0].clone();
        assert_eq!(endpoint["disabled_reason"], "gone");
        let enable = format!("/v1/webhooks/endpoints/{}/enable", endpoint["endpoint_id"].as_str().expect("text"));
        assert_eq!(other.get("/v1/webhooks/endpoints").await.expect_status(200).json["data"], json!([]));
        other.post(&enable, &json!({})).await.expect_status(404);
        let enabled = api.post(&enable, &json!({})).await.expect_status(200);
        assert_eq!((&enabled.json["data"]["state"], &enabled.json["data"]["released"]), (&json!("enabled"), &json!(1)));
        assert_eq!(receiver.next().await.body, sent.body);
        first(&api, "state=delivered").await;

        let recover = "/v1/webhooks/recover";
        let mut range = json!({"since": "2000-01-01T00:00:00Z", "until": Utc::now(), "dry_run": true});
        assert_eq!(api.post(recover, &range).await.expect_status(200).json["data"], json!({"count": 0}));
        range["include_delivered"] = json!(true);
        assert_eq!(api.post(recover, &range).await.expect_status(200).json["data"], json!({"count": 1}));
        assert_eq!(other.post(recover, &range).await.expect_status(200).json["data"], json!({"count": 0}));
        range["dry_run"] = json!(false);
        let begun = api.post(recover, &range).await.expect_status(202);
        assert_eq!(receiver.next().await.body, sent.body);
        let path = format!("{recover}/{}", begun.text("/data/recovery_id"));
        other.get(&path).await.expect_status(404);
        eventually("the recovery is finished", || async {
            api.get(&path).await.expect_status(200).json["data"]["finished_at"].is_string().then_some(())
        })
        .await;
        range["radar_type"] = json!("reviews");
        assert_eq!(api.post(recover, &range).await.expect_status(400).text("/errors/0/field"), "radar_type");
        assert_eq!(api.post(recover, &json!({})).await.expect_status(400).text("/errors/0/field"), "since");
    })
    .await;
}

#[actix_web::test]
async fn decision_5_2_after_a_rotation_the_secrets_before_it_sign_too() {
    on_both_databases(|database| async move {
        let mut receiver = Receiver::start();
        let (service, _provider, customer, radar_id) = stage(database.url(), &receiver).await;
        let api = customer.api(&service);
        let before = api.get("/v1/webhooks/secret").await.expect_status(200);
        assert_eq!(before.text("/data/webhook_secret"), customer.webhook_secret);
        assert_eq!(
            (before.header("cache-control"), &before.json["data"]["previous_signs_until"]),
            (Some("no-store"), &Value::Null)
        );
        let rotated = api.post("/v1/webhooks/secret/rotate", &json!({})).await.expect_status(200);
        assert_eq!(rotated.header("cache-control"), Some("no-store"));
        assert!(rotated.json["data"]["previous_signs_until"].is_string());
        let secret = rotated.text("/data/webhook_secret");
        assert_ne!(secret, customer.webhook_secret);
        provider::push(&service, &radar_id, "1", &json!({})).await;
        let pushed = receiver.next().await;
        verify(&pushed, &customer.webhook_secret);
        verify(&pushed, secret);
        let signatures = pushed.headers.get("webhook-signature").expect("a header").to_str().expect("text");
        assert_eq!(signatures.split(' ').count(), 2);

        let output = service
            .command(&["admin", "--json", "webhook-secret", "rotate", &customer.account_id])
            .output()
            .expect("the program");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let printed: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let shown = api.get("/v1/webhooks/secret").await.expect_status(200);
        assert_eq!(printed["data"]["webhook_secret"], shown.text("/data/webhook_secret"));
        provider::push(&service, &radar_id, "2", &json!({})).await;
        let pushed = receiver.next().await;
        for signing in [customer.webhook_secret.as_str(), secret, shown.text("/data/webhook_secret")] {
            verify(&pushed, signing);
        }
        for _ in 0..2 {
            api.post("/v1/webhooks/secret/rotate", &json!({})).await.expect_status(200);
        }
        let refused = api.post("/v1/webhooks/secret/rotate", &json!({})).await.expect_status(409);
        assert_eq!(refused.text("/errors/0/field"), "webhook_secret");
    })
    .await;
}
