//! An account hears of its endpoints that are disabled or keep failing: once for each incident, also across a kill
//! (decision 5.6).

use serde_json::{Value, json};

use crate::support::customer::{Customer, eventually, parse, text};
use crate::support::databases::on_both_databases;
use crate::support::process::Service;
use crate::support::provider::{self, advance};
use crate::support::push_source::PushSource;
use crate::support::receiver::{Answer, Received, Receiver, verify};

const HOUR_S: i64 = 3_600;

/// A customer with an alert address and a radar that pushes to `receiver`.
async fn stage(service: &Service, receiver: &Receiver, alerts: &Receiver) -> (Customer, String) {
    let customer = Customer::create(service).await;
    customer.price(service, "company_reviews", "update_based", "0").await;
    let url = receiver.url("/hook");
    let created = customer.create_reviews_radar(service, "acme.com", Some(&url)).await.expect_status(201);
    let radar_id = created.text("/data/radar_id").to_owned();
    let path = format!("/operator/v1/accounts/{}", customer.account_id);
    let set = service.operator().patch(&path, &json!({"alert_url": alerts.url("/alerts")})).await.expect_status(200);
    assert_eq!(set.text("/data/alert_url"), alerts.url("/alerts"));
    (customer, radar_id)
}

fn simulated(database_url: &str) -> (Service, PushSource) {
    provider::start(database_url, &[("CLOCK__MODE", "simulated"), ("CLOCK__START", "2026-03-01T00:00:00Z")], "")
}

/// The alert, under the identifier of its request.
fn alert(pushed: &Received, customer: &Customer) -> Value {
    let alert = parse(text(&pushed.body));
    assert_eq!(pushed.headers.get("webhook-id").expect("a header"), alert["alert_id"].as_str().expect("an identifier"));
    assert_eq!(alert["account_id"], customer.account_id);
    alert
}

#[actix_web::test]
async fn decision_5_6_an_endpoint_that_fails_for_an_hour_is_alerted_once_until_it_recovers() {
    on_both_databases(|database| async move {
        let (receiver, mut alerts) = (Receiver::start(), Receiver::start());
        receiver.answer_otherwise(Answer::status(500));
        let (service, _provider) = simulated(database.url());
        let (customer, radar_id) = stage(&service, &receiver, &alerts).await;
        for number in 0..5 {
            provider::push(&service, &radar_id, &format!("a{number}"), &json!({})).await;
        }
        advance(&service, HOUR_S - 60).await;
        assert!(alerts.drain().is_empty(), "not before an hour is over");
        advance(&service, HOUR_S).await;
        let sent = alert(&alerts.next().await, &customer);
        assert_eq!((&sent["alert_type"], &sent["reason"]), (&json!("endpoint_failing"), &Value::Null));
        assert_eq!((&sent["webhook_url"], &sent["last_success_at"]), (&json!(receiver.url("/hook")), &Value::Null));
        assert!(sent["consecutive_failures"].as_i64().expect("a number") >= 5);
        advance(&service, 12 * HOUR_S).await;
        assert!(alerts.drain().is_empty(), "once");

        receiver.answer_otherwise(Answer::status(200));
        advance(&service, 24 * HOUR_S).await;
        receiver.answer_otherwise(Answer::status(410));
        provider::push(&service, &radar_id, "b", &json!({})).await;
        advance(&service, 1).await;
        let sent = alert(&alerts.next().await, &customer);
        assert_eq!((&sent["alert_type"], &sent["reason"]), (&json!("endpoint_disabled"), &json!("gone")));
        assert!(sent["last_success_at"].is_string());
        advance(&service, 24 * HOUR_S).await;
        assert!(alerts.drain().is_empty(), "once");
        service.assert_ledger_adds_up();
    })
    .await;
}

#[actix_web::test]
async fn decision_5_6_a_kill_while_an_alert_is_sent_loses_none() {
    on_both_databases(|database| async move {
        let (receiver, mut alerts) = (Receiver::start(), Receiver::start());
        let (mut service, _provider) = provider::start(database.url(), &[], "");
        let (customer, radar_id) = stage(&service, &receiver, &alerts).await;
        service.terminate();
        service.plan(Some("abort store.endpoint_alert endpoint_disabled"));
        assert!(service.try_restart(), "there is nothing to alert of yet");
        receiver.answer_otherwise(Answer::status(410));
        provider::push(&service, &radar_id, "1", &json!({})).await;
        while !service.has_ended() {
            actix_web::rt::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        assert!(alerts.drain().is_empty(), "what is not committed is not sent");
        service.plan(None);
        service.restart();
        let pushed = alerts.next().await;
        verify(&pushed, &customer.webhook_secret);
        assert_eq!(alert(&pushed, &customer)["alert_type"], "endpoint_disabled");
        let log = service.log();
        assert!(log.contains("a webhook endpoint needs attention") && log.contains(&customer.account_id), "{log}");
        service.assert_ledger_adds_up();
    })
    .await;
}

#[actix_web::test]
async fn decision_5_6_without_an_alert_address_and_about_that_address_itself_nothing_is_sent() {
    on_both_databases(|database| async move {
        let mut receiver = Receiver::start();
        receiver.answer_otherwise(Answer::status(410));
        let (service, _provider) = provider::start(database.url(), &[], "");
        let (customer, radar_id) = stage(&service, &receiver, &receiver).await;
        let path = format!("/operator/v1/accounts/{}", customer.account_id);
        let refused = service.operator().patch(&path, &json!({"alert_url": "ftp://x"})).await.expect_status(400);
        assert_eq!(refused.text("/errors/0/field"), "alert_url");
        let set = |url: &str| {
            let arguments = ["admin", "--json", "account", "set", &customer.account_id, "--alert-url", url];
            let output = service.command(&arguments).output().expect("the program");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            serde_json::from_slice::<Value>(&output.stdout).expect("JSON")["data"]["alert_url"].clone()
        };
        assert_eq!(set(&receiver.url("/hook")), json!(receiver.url("/hook")));
        provider::push(&service, &radar_id, "1", &json!({})).await;
        let until_logged = |count: usize| {
            let service = &service;
            eventually("the log has it", move || async move {
                (service.log().matches("a webhook endpoint needs attention").count() == count).then_some(())
            })
        };
        until_logged(1).await;
        assert_eq!(set(""), Value::Null);
        let other =
            customer.create_reviews_radar(&service, "b.com", Some(&receiver.url("/b"))).await.expect_status(201);
        provider::push(&service, other.text("/data/radar_id"), "1", &json!({})).await;
        until_logged(2).await;
        let paths: Vec<String> = receiver.drain().into_iter().map(|received| received.path).collect();
        assert_eq!(paths, ["/hook", "/b"], "updates alone were sent");
    })
    .await;
}
