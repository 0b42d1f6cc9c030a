//! Deliveries as operators see and mend them: why an update has not arrived, sending it again, enabling an endpoint, and
//! recovering a range of time (decisions 5.6 to 5.8).

use std::collections::BTreeSet;

use chrono::Utc;
use serde_json::{Value, json};

use crate::support::customer::{Customer, eventually};
use crate::support::databases::on_both_databases;
use crate::support::process::Service;
use crate::support::provider;
use crate::support::push_source::PushSource;
use crate::support::receiver::{Answer, Receiver, verify};

/// A failed attempt is repeated after so long that no test sees it.
pub const SLOW_RETRIES: &str = "[webhooks]\nretry_schedule = [\"1h\"]\nredeliveries_per_second = 1000000\n";
const ALL_TIME: (&str, &str) = ("2000-01-01T00:00:00Z", "2100-01-01T00:00:00Z");

/// A service, the provider that it knows, a customer with free reviews, and a radar of theirs that pushes to `receiver`.
pub async fn stage(database_url: &str, receiver: &Receiver) -> (Service, PushSource, Customer, String) {
    let (service, provider) = provider::start(database_url, &[], SLOW_RETRIES);
    let customer = Customer::create(&service).await;
    customer.price(&service, "company_reviews", "update_based", "0").await;
    let url = receiver.url("/hook");
    let created = customer.create_reviews_radar(&service, "acme.com", Some(&url)).await.expect_status(201);
    let radar_id = created.text("/data/radar_id").to_owned();
    (service, provider, customer, radar_id)
}

async fn get(service: &Service, path: &str) -> Value {
    service.operator().get(path).await.expect_status(200).json
}

/// The delivery of an update, once it is as `is_wanted` says.
async fn delivery(service: &Service, update_id: &str, is_wanted: impl Fn(&Value) -> bool) -> Value {
    let path = format!("/operator/v1/deliveries/{update_id}");
    eventually("the delivery is as wanted", || async {
        let found = get(service, &path).await["data"].clone();
        is_wanted(&found).then_some(found)
    })
    .await
}

/// Answers what a command of `radar admin` prints as JSON.
fn admin(service: &Service, arguments: &[&str]) -> Value {
    let arguments = [["admin", "--json"].as_slice(), arguments].concat();
    let output = service.command(&arguments).output().expect("the program");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[actix_web::test]
async fn decision_5_8_an_update_that_failed_is_explained_and_sent_again_with_the_same_body_and_id() {
    on_both_databases(|database| async move {
        let mut receiver = Receiver::start();
        receiver.answer_next([Answer::status(500)]);
        let (service, _provider, customer, radar_id) = stage(database.url(), &receiver).await;
        provider::push(&service, &radar_id, "1", &json!({})).await;
        let first = receiver.next().await;
        let update_id = first.headers.get("webhook-id").expect("a header").to_str().expect("text").to_owned();

        let failed = delivery(&service, &update_id, |found| found["reason"] == "scheduled").await;
        assert_eq!((&failed["state"], &failed["attempts"]), (&json!("pending"), &json!(1)));
        assert_eq!((&failed["account_id"], &failed["radar_id"]), (&json!(customer.account_id), &json!(radar_id)));
        assert_eq!(failed["endpoint"]["url"], receiver.url("/hook"));
        assert!(failed["next_attempt_at"].is_string());
        let attempt = &failed["attempt_log"][0];
        assert_eq!((&attempt["attempt_no"], &attempt["outcome"]), (&json!(1), &json!("http_5xx")));
        assert_eq!((&attempt["http_status"], &failed["last_outcome"]), (&json!(500), &json!("http_5xx")));
        let shown = admin(&service, &["delivery", "show", &update_id]);
        assert_eq!(shown["data"]["reason"], "scheduled");

        let ledger = customer.ledger(&service).await;
        let resent = service.operator().post(&format!("/operator/v1/deliveries/{update_id}/resend"), &json!({})).await;
        resent.expect_status(202);
        let second = receiver.next().await;
        assert_eq!((&second.body, second.headers.get("webhook-id")), (&first.body, first.headers.get("webhook-id")));
        verify(&second, &customer.webhook_secret);
        let delivered = delivery(&service, &update_id, |found| found["state"] == "delivered").await;
        assert_eq!((&delivered["reason"], &delivered["next_attempt_at"]), (&Value::Null, &Value::Null));
        let numbers: Vec<&Value> = delivered["attempt_log"].as_array().expect("attempts").iter().collect();
        assert_eq!((numbers.len(), &numbers[1]["attempt_no"], &numbers[1]["outcome"]), (2, &json!(2), &json!("ok")));

        admin(&service, &["delivery", "resend", &update_id]);
        assert_eq!(receiver.next().await.body, first.body, "also what was delivered is sent again");
        assert_eq!(customer.ledger(&service).await, ledger, "a resend costs nothing");
    })
    .await;
}

#[actix_web::test]
async fn a_list_is_filtered_and_read_in_pages() {
    on_both_databases(|database| async move {
        let mut receiver = Receiver::start();
        let (service, _provider, customer, radar_id) = stage(database.url(), &receiver).await;
        for number in 0..5 {
            provider::push(&service, &radar_id, &number.to_string(), &json!({})).await;
            receiver.next().await;
        }
        let base = format!("/operator/v1/deliveries?account_id={}&limit=2", customer.account_id);
        let (mut path, mut seen) = (base.clone(), Vec::new());
        loop {
            let page = get(&service, &path).await;
            seen.extend(page["data"].as_array().expect("records").iter().map(|one| one["update_id"].clone()));
            match page["next_cursor"].as_str() {
                Some(cursor) => path = format!("{base}&cursor={cursor}"),
                None => break,
            }
        }
        let distinct: BTreeSet<String> = seen.iter().map(Value::to_string).collect();
        assert_eq!((seen.len(), distinct.len()), (5, 5));
        let count = |query: String| {
            let service = &service;
            async move {
                let page = get(service, &format!("/operator/v1/deliveries?{query}")).await;
                page["data"].as_array().expect("records").len()
            }
        };
        let endpoints = get(&service, "/operator/v1/endpoints").await;
        let endpoint_id = endpoints["data"][0]["endpoint_id"].as_str().expect("an identifier").to_owned();
        assert_eq!(count(format!("radar_id={radar_id}")).await, 5);
        assert_eq!(count(format!("endpoint_id={endpoint_id}")).await, 5);
        assert_eq!(count(format!("update_id={}", seen[0].as_str().expect("text"))).await, 1);
        assert_eq!(count(format!("account_id={radar_id}")).await, 0);
        assert_eq!(count("state=held".to_owned()).await + count("state=exhausted".to_owned()).await, 0);
        assert_eq!(count(format!("since={}&until={}", ALL_TIME.0, ALL_TIME.1)).await, 5);
        assert_eq!(count(format!("until={}", ALL_TIME.0)).await, 0);
        let wrong = service.operator().get("/operator/v1/deliveries?state=lost&cursor=x").await.expect_status(400);
        let fields: Vec<&Value> =
            wrong.json["errors"].as_array().expect("errors").iter().map(|e| &e["field"]).collect();
        assert!(fields.contains(&&json!("state")) && fields.contains(&&json!("cursor")));
        service.operator().get(&format!("/operator/v1/deliveries/{radar_id}")).await.expect_status(404);
    })
    .await;
}

#[actix_web::test]
async fn decision_5_6_a_disabled_endpoint_is_shown_and_what_it_held_arrives_once_it_is_enabled() {
    on_both_databases(|database| async move {
        let mut receiver = Receiver::start();
        receiver.answer_next([Answer::status(410)]);
        let (service, _provider, customer, radar_id) = stage(database.url(), &receiver).await;
        provider::push(&service, &radar_id, "1", &json!({})).await;
        let first = receiver.next().await;
        let disabled = eventually("the endpoint is disabled", || async {
            get(&service, "/operator/v1/endpoints?state=disabled").await["data"].get(0).cloned()
        })
        .await;
        assert_eq!(
            (&disabled["disabled_reason"], &disabled["account_id"]),
            (&json!("gone"), &json!(customer.account_id))
        );
        assert_eq!(get(&service, "/operator/v1/endpoints?state=enabled").await["data"], json!([]));
        let held = get(&service, "/operator/v1/deliveries?state=held").await["data"][0].clone();
        assert_eq!((&held["reason"], &held["next_attempt_at"]), (&json!("endpoint_disabled"), &Value::Null));

        let endpoint_id = disabled["endpoint_id"].as_str().expect("an identifier");
        let enabled = admin(&service, &["endpoint", "enable", endpoint_id]);
        assert_eq!((&enabled["data"]["state"], &enabled["data"]["released"]), (&json!("enabled"), &json!(1)));
        assert_eq!(receiver.next().await.body, first.body);
        let unknown = format!("/operator/v1/endpoints/{radar_id}/enable");
        service.operator().post(&unknown, &json!({})).await.expect_status(404);
    })
    .await;
}

#[actix_web::test]
async fn decision_5_8_a_recovery_that_is_killed_goes_on_after_the_restart() {
    const UPDATES: usize = 500;
    on_both_databases(|database| async move {
        let mut receiver = Receiver::start();
        let (mut service, _provider, customer, radar_id) = stage(database.url(), &receiver).await;
        let mut wanted = BTreeSet::new();
        let id = |one: &crate::support::receiver::Received| one.headers.get("webhook-id").expect("a header").clone();
        for number in 0..UPDATES {
            provider::push(&service, &radar_id, &number.to_string(), &json!({})).await;
        }
        while wanted.len() < UPDATES {
            wanted.insert(id(&receiver.next().await).to_str().expect("text").to_owned());
        }
        eventually("everything is recorded", || async {
            let pending = get(&service, "/operator/v1/deliveries?state=pending&limit=1").await;
            (pending["data"] == json!([])).then_some(())
        })
        .await;
        service.terminate();
        service.plan(Some("abort dispatcher.recovery_step 400"));
        assert!(service.try_restart(), "nothing is recovered yet");

        let mut body =
            json!({"since": ALL_TIME.0, "until": Utc::now(), "account_id": customer.account_id, "dry_run": true});
        let recover = "/operator/v1/deliveries/recover";
        let failed = service.operator().post(recover, &body).await.expect_status(200);
        assert_eq!(failed.json["data"], json!({"count": 0}), "nothing failed");
        body["include_delivered"] = json!(true);
        let all = service.operator().post(recover, &body).await.expect_status(200);
        assert_eq!(all.json["data"], json!({"count": UPDATES}));
        assert!(receiver.drain().is_empty(), "a dry run sends nothing");
        body["dry_run"] = json!(false);
        body["radar_type"] = json!("company_reviews");
        let begun = service.operator().post(recover, &body).await.expect_status(202);
        assert_eq!(begun.json["data"]["count"], UPDATES);
        let recovery_id = begun.text("/data/recovery_id").to_owned();
        while !service.has_ended() {
            actix_web::rt::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        service.plan(None);
        service.restart();
        let path = format!("{recover}/{recovery_id}");
        let finished = eventually("the recovery is finished", || async {
            let found = get(&service, &path).await["data"].clone();
            found["finished_at"].is_string().then_some(found)
        })
        .await;
        assert_eq!(finished["resent"], UPDATES);
        let mut arrived = BTreeSet::new();
        while arrived != wanted {
            arrived.insert(id(&receiver.next().await).to_str().expect("text").to_owned());
        }
        service.operator().get(&format!("{recover}/{radar_id}")).await.expect_status(404);
    })
    .await;
}
