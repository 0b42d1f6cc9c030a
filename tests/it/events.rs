//! Which updates are published, how often and for how long they can be read (Spec 6). Failed set-ups are in `failed_set_up.rs`.

use serde_json::{Value, json};

use crate::support::customer::{Customer, parse, text};
use crate::support::databases::on_both_databases;
use crate::support::process::Service;
use crate::support::push_source::PushSource;
use crate::support::receiver::{Answer, Receiver};

const DAY_SECONDS: i64 = 24 * 60 * 60;

#[actix_web::test]
async fn spec_6_1_and_spec_6_2_and_spec_6_4_events() {
    on_both_databases(|database| async move {
        let provider = PushSource::of(&["company_reviews"]);
        let settings = [("CLOCK__MODE", "simulated"), ("SOURCES__DIR", &provider.dir())];
        let service = Service::start(database.url(), &settings);
        spec_6_1_a_finding_is_pushed_and_pulled_alike(&service, &provider).await;
        spec_6_1_lack_of_funds_at_a_renewal_is_a_failure(&service).await;
        spec_6_1_a_deactivation_by_the_user_is_no_event(&service).await;
        spec_6_2_any_2xx_ends_a_delivery_and_anything_else_repeats_it(&service, &provider).await;
        spec_6_4_updates_are_kept_for_60_days(&service, &provider).await;
    })
    .await;
}

async fn spec_6_1_a_finding_is_pushed_and_pulled_alike(service: &Service, provider: &PushSource) {
    let mut receiver = Receiver::start();
    let (customer, with_hook) = watching(service, "update_based", "0.1", Some(&receiver.url("/hook"))).await;
    let without = customer.create_reviews_radar(service, "no-hook.com", None).await.expect_status(201);
    advance(service, 1).await;
    for radar_id in [with_hook.as_str(), without.text("/data/radar_id")] {
        provider.push(service, radar_id, &format!("review of {radar_id}"), &review(4.0)).await;
    }
    advance(service, 1).await;
    let pushed = receiver.drain();
    assert_eq!(pushed.len(), 1, "only the radar with an address pushes");
    let pulled = customer.updates(service).await;
    assert_eq!(pulled.len(), 2, "every radar can be pulled");
    assert!(pulled.iter().any(|update| update == text(&pushed[0].body)), "byte for byte");
    let update = parse(text(&pushed[0].body));
    assert_eq!((&update["update_type"], &update["data"]["radar_id"]), (&json!("radar_finding"), &json!(with_hook)));
    let listed = customer.api(service).get("/v1/updates?update_type=radar_failure").await.expect_status(200);
    assert_eq!(listed.json["updates"], json!([]));
}

async fn spec_6_1_lack_of_funds_at_a_renewal_is_a_failure(service: &Service) {
    let mut receiver = Receiver::start();
    let (customer, radar_id) = watching(service, "subscription", "0.7", Some(&receiver.url("/hook"))).await;
    advance(service, 30 * DAY_SECONDS).await;
    let pushed = receiver.drain();
    assert_eq!(pushed.len(), 1);
    let failure = parse(text(&pushed[0].body));
    assert_eq!(failure["update_type"], "radar_failure");
    assert_eq!(failure["record_id"], Value::Null, "Spec 6.2, rule 3");
    assert_eq!(failure["data"]["next_charge_at"], Value::Null);
    let content = &failure["content"];
    assert_eq!((&content["failure_reason"], &content["refund_amount"]), (&json!("insufficient_funds"), &json!(0)));
    assert!(content["message"].as_str().is_some_and(|message| !message.is_empty()));
    assert_eq!(customer.updates(service).await, [text(&pushed[0].body)], "byte for byte");
    let findings = customer.api(service).get("/v1/updates").await.expect_status(200);
    assert_eq!(findings.json["updates"], json!([]), "failures come only when asked for");
    let radar = customer.api(service).get(&format!("/v1/radars/{radar_id}")).await.expect_status(200);
    assert_eq!(
        (radar.text("/data/radar_status"), radar.text("/data/status_reason")),
        ("inactive", "insufficient_funds")
    );
}

async fn spec_6_1_a_deactivation_by_the_user_is_no_event(service: &Service) {
    let mut receiver = Receiver::start();
    let (customer, radar_id) = watching(service, "subscription", "0.1", Some(&receiver.url("/hook"))).await;
    let ended = customer.api(service).delete(&format!("/v1/radars/{radar_id}")).await.expect_status(200);
    assert_eq!((ended.text("/data/radar_status"), ended.text("/data/status_reason")), ("inactive", "user_deactivated"));
    advance(service, 31 * DAY_SECONDS).await;
    assert_eq!((receiver.drain().len(), customer.updates(service).await.len()), (0, 0));
}

async fn spec_6_2_any_2xx_ends_a_delivery_and_anything_else_repeats_it(service: &Service, provider: &PushSource) {
    let mut receiver = Receiver::start();
    let (_, radar_id) = watching(service, "update_based", "0.1", Some(&receiver.url("/hook"))).await;
    for status in [200, 201, 202, 204, 299] {
        receiver.answer_next([Answer::status(status)]);
        provider.push(service, &radar_id, &format!("ends with {status}"), &review(1.0)).await;
        advance(service, DAY_SECONDS).await;
        assert_eq!(receiver.drain().len(), 1, "{status}");
    }
    for status in [302, 400, 404, 500] {
        receiver.answer_next([Answer::status(status)]);
        provider.push(service, &radar_id, &format!("repeats after {status}"), &review(2.0)).await;
        advance(service, DAY_SECONDS).await;
        let pushed = receiver.drain();
        assert_eq!(pushed.len(), 2, "{status}");
        assert_eq!(pushed[0].body, pushed[1].body, "the same update_id, byte for byte");
        assert_eq!(pushed[0].headers.get("webhook-id"), pushed[1].headers.get("webhook-id"));
    }
}

async fn spec_6_4_updates_are_kept_for_60_days(service: &Service, provider: &PushSource) {
    let (customer, radar_id) = watching(service, "update_based", "0.1", None).await;
    provider.push(service, &radar_id, "the first", &review(3.0)).await;
    advance(service, DAY_SECONDS).await;
    provider.push(service, &radar_id, "the second", &review(3.0)).await;
    let both = customer.updates(service).await;
    assert_eq!(both.len(), 2);
    advance(service, 59 * DAY_SECONDS).await;
    assert_eq!(customer.updates(service).await, both, "the first is 60 days old to the microsecond");
    advance(service, 1).await;
    assert_eq!(customer.updates(service).await, both[1..], "not shown as soon as its time is over, purged or not");
    let since = "/v1/updates?since=2000-01-01T00:00:00Z";
    let listed = customer.api(service).get(since).await.expect_status(200);
    assert_eq!(listed.json["updates"].as_array().map(Vec::len), Some(1));
    advance(service, 2 * DAY_SECONDS).await;
    assert_eq!(customer.updates(service).await.len(), 0);
    let account = customer.account(service).await;
    assert_eq!(account["account"]["total_updates_found"], json!(2), "what was found stays counted");
    provider.push(service, &radar_id, "the first", &review(3.0)).await;
    assert_eq!(customer.updates(service).await.len(), 0, "what is known is not reported again after its purge");
}

/// A customer with a dollar and a radar that is set up.
async fn watching(service: &Service, model: &str, rate_usd: &str, hook: Option<&str>) -> (Customer, String) {
    let customer = Customer::create(service).await;
    customer.price(service, "company_reviews", model, rate_usd).await;
    customer.top_up(service, &format!("first of {}", customer.account_id), "1").await;
    let created = customer.create_reviews_radar(service, "watched.com", hook).await.expect_status(201);
    let radar_id = created.text("/data/radar_id").to_owned();
    customer.settled(service, &radar_id).await;
    (customer, radar_id)
}

fn review(rating: f64) -> Value {
    json!({"review_content": "Fine.", "review_rating": rating})
}

async fn advance(service: &Service, seconds: i64) {
    service.operator().post("/operator/v1/clock/advance", &json!({"seconds": seconds})).await.expect_status(200);
}
