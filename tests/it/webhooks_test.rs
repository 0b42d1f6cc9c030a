//! `POST /v1/webhooks/test`: a sample of every kind, sent once, and what became of it (Spec 4.10, decision 3.9).

use std::collections::BTreeSet;

use domain::radar_type::RadarType;
use futures_util::future::{join_all, select_all};
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use crate::support::client::Answer;
use crate::support::customer::{Customer, parse, text};
use crate::support::databases::on_both_databases;
use crate::support::ports::free_port;
use crate::support::process::Service;
use crate::support::receiver::{self, Receiver};

const PATH: &str = "/v1/webhooks/test";
/// The simulated clock makes limits and retries exact.
const SETTINGS: [(&str, &str); 2] = [("CLOCK__MODE", "simulated"), ("WEBHOOKS__TIMEOUT", "10m")];

#[actix_web::test]
async fn spec_4_10_webhooks_test() {
    on_both_databases(|database| async move {
        let service = Service::start(database.url(), &SETTINGS);
        let customer = Customer::create(&service).await;
        let mut receiver = Receiver::start();
        every_kind_arrives_as_it_was_answered(&service, &customer, &mut receiver).await;
        a_send_is_not_tried_again(&service, &customer, &mut receiver).await;
        a_simulated_clock_does_not_overtake_a_send(&service, &customer, &mut receiver).await;
        what_is_wrong_is_listed(&service, &customer, &mut receiver).await;
        nothing_is_kept_or_charged(&service, &customer).await;
        decision_3_9_the_answer_tells_what_became_of_it(&service, &customer, &mut receiver).await;
        a_customer_leaves_places_to_the_others(&service, &mut receiver).await;
    })
    .await;
}

async fn every_kind_arrives_as_it_was_answered(service: &Service, customer: &Customer, receiver: &mut Receiver) {
    let hook = receiver.url("/hook?a=1");
    let mut ids = BTreeSet::new();
    let kinds = RadarType::ALL.iter().flat_map(|radar_type| {
        [None, Some("radar_finding"), Some("radar_failure")].map(|update_type| (radar_type.as_str(), update_type))
    });
    for (sent, (radar_type, update_type)) in (1..).zip(kinds) {
        let mut body = json!({"webhook_url": hook, "radar_type": radar_type});
        if let Some(update_type) = update_type {
            body["update_type"] = json!(update_type);
        }
        let update_type = update_type.unwrap_or("radar_finding");
        let answer = customer.api(service).post(PATH, &body).await.expect_status(200);
        assert_eq!((answer.text("/status"), &answer.json["code"]), ("success", &json!(200)));
        assert_eq!(answer.text("/data/webhook_url"), hook);
        assert_eq!(answer.text("/data/radar_type"), radar_type);
        assert_eq!(answer.text("/data/update_type"), update_type);
        assert_eq!(answer.headers.get("x-ratelimit-remaining").expect("a header"), &(1_000_000 - sent).to_string());

        let received = receiver.next().await;
        assert_eq!(text(&received.body), payload(&answer));
        let update = parse(text(&received.body));
        assert_eq!((&update["update_type"], &update["radar_type"]), (&json!(update_type), &json!(radar_type)));
        assert_eq!(update["data"]["radar_type"], radar_type);
        assert!(update["content"].as_object().is_some_and(|content| content.values().all(|value| !value.is_null())));
        assert!(ids.insert(update["update_id"].to_string()), "the update_id is not fresh");
        assert_eq!(received.headers.get("content-type").expect("a header"), "application/json");
        assert_eq!(received.headers.get("webhook-id").expect("a header"), update["update_id"].as_str().expect("an id"));
        for absent in ["webhook-signature", "webhook-sequence"] {
            assert!(!received.headers.contains_key(absent), "{absent}");
        }
    }
}

async fn a_send_is_not_tried_again(service: &Service, customer: &Customer, receiver: &mut Receiver) {
    receiver.answer_next([receiver::Answer::status(500)]);
    send(service, customer, &receiver.url("/broken")).await.expect_status(200);
    assert_eq!(receiver.next().await.path, "/broken");
    advance(service, 30 * 24 * 60 * 60).await;
    assert_eq!(receiver.drain().len(), 0, "it was sent again");
}

async fn a_simulated_clock_does_not_overtake_a_send(service: &Service, customer: &Customer, receiver: &mut Receiver) {
    for _ in 0..5 {
        send(service, customer, &receiver.url("/hook")).await.expect_status(200);
        advance(service, 1).await;
        assert_eq!(receiver.drain().len(), 1, "the clock moved while the send was under way");
    }
}

async fn what_is_wrong_is_listed(service: &Service, customer: &Customer, receiver: &mut Receiver) {
    let hook = receiver.url("/hook");
    for (body, fields) in [
        (json!({"webhook_url": "http://10.0.0.1/", "radar_type": "company_reviews"}), vec!["webhook_url"]),
        (json!({"webhook_url": "http://169.254.169.254/", "radar_type": "company_reviews"}), vec!["webhook_url"]),
        (json!({"webhook_url": "http://[::ffff:10.0.0.1]/", "radar_type": "company_reviews"}), vec!["webhook_url"]),
        (json!({"webhook_url": "ftp://example.com/", "radar_type": "company_reviews"}), vec!["webhook_url"]),
        (json!({"webhook_url": hook, "radar_type": "company_secrets"}), vec!["radar_type"]),
        (
            json!({"webhook_url": hook, "radar_type": "company_reviews", "update_type": "radar_created"}),
            vec!["update_type"],
        ),
        (json!({"webhook_url": hook, "radar_type": "company_reviews", "colour": "red"}), vec!["colour"]),
        (json!({}), vec!["webhook_url", "radar_type"]),
    ] {
        let answer = customer.api(service).post(PATH, &body).await.expect_status(400);
        let errors = answer.json["errors"].as_array().expect("errors");
        let listed: Vec<&str> = errors.iter().filter_map(|error| error["field"].as_str()).collect();
        assert_eq!(listed, fields, "{body}");
    }
    let body = json!({"webhook_url": hook, "radar_type": "company_reviews"});
    service.public().post(PATH, &body).await.expect_status(401);
    customer.api(service).get(PATH).await.expect_status(405);
    advance(service, 1).await;
    assert_eq!(receiver.drain().len(), 0, "something was sent");
}

async fn nothing_is_kept_or_charged(service: &Service, customer: &Customer) {
    assert!(customer.updates(service).await.is_empty());
    assert!(customer.ledger(service).await.is_empty());
}

async fn decision_3_9_the_answer_tells_what_became_of_it(
    service: &Service,
    customer: &Customer,
    receiver: &mut Receiver,
) {
    for (status, outcome) in [(204, "ok"), (302, "http_3xx"), (404, "http_4xx"), (410, "http_410"), (503, "http_5xx")] {
        receiver.answer_next([receiver::Answer::status(status)]);
        let answer = send(service, customer, &receiver.url("/hook")).await.expect_status(200);
        let result = &answer.json["data"]["result"];
        assert_eq!((&result["outcome"], &result["http_status"]), (&json!(outcome), &json!(status)));
        assert!(result["duration_ms"].as_u64().is_some(), "{result}");
        receiver.next().await;
    }
    let nobody = format!("http://127.0.0.1:{}/", free_port());
    for (hook, outcome) in [(nobody.as_str(), "connect"), ("http://name.invalid/", "unreachable")] {
        let answer = send(service, customer, hook).await.expect_status(200);
        let result = &answer.json["data"]["result"];
        assert_eq!((&result["outcome"], &result["http_status"]), (&json!(outcome), &json!(null)));
    }
}

/// Eight customers fill as many places as they get; a ninth is served.
async fn a_customer_leaves_places_to_the_others(service: &Service, receiver: &mut Receiver) {
    receiver.answer_otherwise(receiver::Answer::Hang);
    let hook = receiver.url("/hook");
    let mut sends = Vec::new();
    for _ in 0..8 {
        let greedy = Customer::create(service).await;
        for _ in 0..40 {
            let (api, hook) = (greedy.api(service), hook.clone());
            sends.push(actix_web::rt::spawn(async move {
                let body = json!({"webhook_url": hook, "radar_type": "company_reviews"});
                api.post(PATH, &body).await
            }));
        }
    }
    let mut refused = 0;
    // Those that are refused are answered at once, and the others hang.
    while refused < 8 * 24 {
        let (answer, _, rest) = select_all(sends).await;
        sends = rest;
        if answer.expect("an answer").status == 503 {
            refused += 1;
        }
    }
    let other = Customer::create(service).await;
    let answer = send(service, &other, &hook).await.expect_status(200);
    assert_eq!(answer.json["data"]["result"]["outcome"], "timeout", "the receiver hangs");
    assert_eq!(answer.json["data"]["result"]["http_status"], json!(null));
    for answer in join_all(sends).await {
        answer.expect("an answer");
    }
}

async fn send(service: &Service, customer: &Customer, hook: &str) -> Answer {
    let body = json!({"webhook_url": hook, "radar_type": "company_reviews"});
    customer.api(service).post(PATH, &body).await
}

async fn advance(service: &Service, seconds: u64) {
    service.operator().post("/operator/v1/clock/advance", &json!({"seconds": seconds})).await.expect_status(200);
}

/// The exact text of the payload in an answer.
fn payload(answer: &Answer) -> String {
    #[derive(Deserialize)]
    struct Body {
        data: Data,
    }
    #[derive(Deserialize)]
    struct Data {
        payload: Box<RawValue>,
    }
    let body: Body = serde_json::from_slice(&answer.bytes).expect("an answer");
    body.data.payload.get().to_owned()
}
