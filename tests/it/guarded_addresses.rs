//! Whom the service never calls: its own listeners and ports of other services; and what customers learn of it
//! (decisions 2.7, 5.9).

use serde_json::json;

use crate::support::customer::{Customer, parse, text};
use crate::support::databases::TestDatabase;
use crate::support::process::Service;
use crate::support::receiver::Receiver;

#[actix_web::test]
async fn own_listeners_are_refused_as_receivers_in_every_form_whatever_is_opened() {
    let database = TestDatabase::sqlite();
    let service = Service::start(database.url(), &[]);
    let customer = Customer::create(&service).await;
    for port in [service.public_port(), service.operator_port()] {
        for host in ["127.0.0.1", "localhost", "0.0.0.0", "[::ffff:127.0.0.1]", "0x7f.1", "2130706433"] {
            let body = json!({"webhook_url": format!("http://{host}:{port}/"), "radar_type": "company_reviews"});
            let refused = customer.api(&service).post("/v1/webhooks/test", &body).await.expect_status(400);
            assert_eq!(refused.json["errors"][0]["field"], "webhook_url", "{body}");
        }
    }
    let receiver = Receiver::start();
    let body = json!({"webhook_url": receiver.url("/hook"), "radar_type": "company_reviews"});
    customer.api(&service).post("/v1/webhooks/test", &body).await.expect_status(200);
}

#[actix_web::test]
async fn ports_of_other_services_are_refused_until_they_are_opened() {
    let database = TestDatabase::sqlite();
    let mut service = Service::start(database.url(), &[]);
    let customer = Customer::create(&service).await;
    let sent = async |service: &Service, url: &str| {
        let body = json!({"domain": "example.com", "radar_type": "company_reviews", "webhook_url": url});
        customer.api(service).post("/v1/radars/companies", &body).await.status
    };
    assert_eq!(sent(&service, "https://hooks.example.com:25/").await, 400);
    assert_ne!(sent(&service, "https://hooks.example.com:8443/").await, 400);
    assert_ne!(sent(&service, "https://hooks.example.com/").await, 400);
    service.terminate();
    let opened = Service::start(database.url(), &[("WEBHOOKS__PORTS", "25")]);
    assert_ne!(sent(&opened, "https://hooks.example.com:25/").await, 400);
    assert_eq!(sent(&opened, "https://hooks.example.com/").await, 400);
}

#[actix_web::test]
async fn receivers_can_be_opened_apart_from_targets() {
    let database = TestDatabase::sqlite();
    let receiver = Receiver::start();
    let settings = [("WEBHOOKS__ALLOW_PRIVATE", "10.0.0.0/8")];
    let service = Service::start(database.url(), &settings);
    let customer = Customer::create(&service).await;
    let body = json!({"webhook_url": receiver.url("/hook"), "radar_type": "company_reviews"});
    customer.api(&service).post("/v1/webhooks/test", &body).await.expect_status(400);
}

#[actix_web::test]
async fn a_forbidden_target_and_one_that_does_not_exist_are_told_alike_and_logged_apart() {
    let database = TestDatabase::sqlite();
    let mut receiver = Receiver::start();
    let to = |domain: &str, place: &str| {
        let from = ["https://", "https://www.", "http://", "http://www."].map(|start| format!("{start}{domain}/"));
        from.iter().map(|from| format!("\"{from}\" = \"{place}\"\n")).collect::<String>()
    };
    let forbidden = to("inside.com", "http://10.9.9.9/");
    let nowhere = to("nowhere.com", "http://name.invalid/");
    let file = format!("[outbound.rewrite]\n{forbidden}{nowhere}");
    let service = Service::start_with(database.url(), &[("CLOCK__MODE", "simulated")], &file);
    let customer = Customer::create(&service).await;
    customer.top_up(&service, "first", "10").await;
    let mut failures = Vec::new();
    for domain in ["inside.com", "nowhere.com"] {
        let hook = receiver.url("/hook");
        customer.create_radar(&service, domain, Some(&hook)).await.expect_status(201);
        let hours = json!({"seconds": 2 * 60 * 60});
        service.operator().post("/operator/v1/clock/advance", &hours).await.expect_status(200);
        let failure = parse(text(&receiver.next().await.body));
        let content = &failure["content"];
        let message = content["message"].as_str().expect("text").replace(domain, "DOMAIN");
        failures.push((content["failure_reason"].clone(), message));
    }
    assert_eq!(failures[0], failures[1]);
    let log = service.log();
    assert!(log.contains("blocked_target") && log.contains("(dns)"), "{log}");
}

#[actix_web::test]
async fn a_start_warns_of_what_is_dangerous() {
    let database = TestDatabase::sqlite();
    let settings = [("OPERATOR__KEY", "operatoroperator"), ("OUTBOUND__ALLOW_PRIVATE", "0.0.0.0/0")];
    let service = Service::start(database.url(), &settings);
    let log = service.log();
    for key in ["operator.key", "outbound.allow_private"] {
        let warned = log.lines().any(|line| line.contains("WARN") && line.contains(key));
        assert!(warned, "{key}: {log}");
    }
    assert!(!log.contains("operatoroperator"), "{log}");
}
