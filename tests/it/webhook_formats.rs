//! Updates that are pushed in other forms: signed alike, with the same bytes at each attempt (decision 5.10).

use serde_json::{Value, json};

use crate::delivery_log::SLOW_RETRIES;
use crate::support::client::Client;
use crate::support::customer::{Customer, eventually};
use crate::support::databases::on_both_databases;
use crate::support::provider;
use crate::support::receiver::{Answer, Received, Receiver, verify};

/// What was found, with what no receiver may take for its own.
fn hostile() -> Value {
    json!({
        "review_content": "<!channel> 5 > 4 & \u{0} **big** \u{202e} ".to_owned() + &"long ".repeat(5_000),
        "review_url": "https://reviews.example/7?a=1&b=<2>",
        "review_rating": 4.5,
    })
}

fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_else(|| panic!("{pointer} in {value}"))
}

/// The update as it is pulled.
async fn pulled(api: &Client, radar_id: &str) -> Value {
    let path = format!("/v1/updates?radar_id={radar_id}");
    eventually("it can be pulled", || async { api.get(&path).await.expect_status(200).json["updates"].get(0).cloned() })
        .await
}

fn check(format: &str, pushed: &Received, update: &Value) {
    let body: Value = serde_json::from_slice(&pushed.body).expect("JSON");
    let update_id = text(update, "/update_id");
    let media_type = pushed.headers.get("content-type").expect("a header").to_str().expect("text");
    assert_eq!(pushed.headers.get("webhook-id").expect("a header").to_str().expect("text"), update_id);
    assert_eq!(media_type == "application/cloudevents+json", format == "cloudevents", "{media_type}");
    match format {
        "cloudevents" => {
            assert_eq!((text(&body, "/specversion"), text(&body, "/id")), ("1.0", update_id));
            assert_eq!(text(&body, "/type"), "radar_finding.company_reviews");
            assert_eq!(text(&body, "/source"), format!("/v1/radars/{}", text(update, "/data/radar_id")));
            assert_eq!((&body["subject"], &body["time"]), (&update["record_id"], &update["discovered_at"]));
            assert_eq!((&body["datacontenttype"], &body["data"]), (&json!("application/json"), update));
        }
        "slack" => {
            assert_eq!(text(&body, "/blocks/0/block_id"), update_id);
            let facts = text(&body, "/blocks/1/text/text");
            assert!(facts.contains("&lt;!channel&gt; 5 &gt; 4 &amp; **big** long"), "{facts}");
            assert!(!facts.contains(['<', '>', '\0', '\u{202e}']) && facts.len() < 3_000, "{facts}");
            assert_eq!(text(&body, "/blocks/2/text/text"), "<https://reviews.example/7?a=1&amp;b=%3C2%3E|Open>");
        }
        "teams" => {
            assert!(pushed.body.len() < 28_000);
            let card = &body["attachments"][0]["content"];
            assert_eq!((text(card, "/type"), text(card, "/body/0/id")), ("AdaptiveCard", update_id));
            assert_eq!(text(card, "/actions/0/url"), "https://reviews.example/7?a=1&b=%3C2%3E");
        }
        _ => assert_eq!(&body, update),
    }
}

#[actix_web::test]
async fn decision_5_10_each_form_is_signed_and_sent_again_with_the_same_bytes() {
    on_both_databases(|database| async move {
        let mut receiver = Receiver::start();
        let (service, _provider) = provider::start(database.url(), &[], SLOW_RETRIES);
        let customer = Customer::create(&service).await;
        customer.price(&service, "company_reviews", "update_based", "0").await;
        let api = customer.api(&service);
        for format in ["standard", "cloudevents", "slack", "teams"] {
            let wanted = json!({
                "radar_type": "company_reviews", "domain": format!("{format}.com"),
                "webhook_url": receiver.url("/hook"), "webhook_format": format,
            });
            let created = api.post("/v1/radars/companies", &wanted).await.expect_status(201);
            assert_eq!(created.text("/data/webhook_format"), format);
            let radar_id = created.text("/data/radar_id").to_owned();
            customer.settled(&service, &radar_id).await;
            receiver.answer_next([Answer::status(500)]);
            provider::push(&service, &radar_id, "1", &hostile()).await;
            let first = receiver.next().await;
            verify(&first, &customer.webhook_secret);
            let update = pulled(&api, &radar_id).await;
            check(format, &first, &update);

            let path = format!("/v1/webhooks/deliveries/{}", text(&update, "/update_id"));
            eventually("the attempt is recorded", || async {
                (api.get(&path).await.json["data"]["attempts"] == 1).then_some(())
            })
            .await;
            api.post(&format!("{path}/resend"), &json!({})).await.expect_status(202);
            let again = receiver.next().await;
            verify(&again, &customer.webhook_secret);
            assert_eq!(
                (&again.body, again.headers.get("content-type")),
                (&first.body, first.headers.get("content-type"))
            );
        }
    })
    .await;
}

#[actix_web::test]
async fn decision_5_10_a_bulk_says_it_for_its_items_and_without_it_nothing_changes() {
    on_both_databases(|database| async move {
        let receiver = Receiver::start();
        let (service, _provider) = provider::start(database.url(), &[], SLOW_RETRIES);
        let customer = Customer::create(&service).await;
        customer.price(&service, "company_reviews", "update_based", "0").await;
        let api = customer.api(&service);
        let item = |domain: &str| json!({"radar_type": "company_reviews", "domain": domain});
        let mut own = item("b.com");
        own["webhook_format"] = json!("teams");
        let bulk = json!({
            "webhook_url": receiver.url("/hook"), "webhook_format": "slack", "radars": [item("a.com"), own],
        });
        let created = api.post("/v1/radars/bulk", &bulk).await.expect_status(201);
        assert_eq!(created.text("/results/0/data/webhook_format"), "slack");
        assert_eq!(created.text("/results/1/data/webhook_format"), "teams");
        let plain = customer.create_reviews_radar(&service, "c.com", Some(&receiver.url("/"))).await.expect_status(201);
        assert_eq!(plain.json["data"].get("webhook_format"), None);

        let mut wrong = item("d.com");
        wrong["webhook_format"] = json!("email");
        let refused = api.post("/v1/radars/companies", &wrong).await.expect_status(400);
        assert_eq!(refused.text("/errors/0/field"), "webhook_format");
        let refused = api.post("/v1/radars/bulk", &json!({"webhook_format": 7, "radars": [item("d.com")]})).await;
        assert_eq!(refused.expect_status(400).text("/errors/0/field"), "webhook_format");
    })
    .await;
}

#[actix_web::test]
async fn decision_5_10_a_sample_is_sent_in_the_form_that_is_asked_for() {
    on_both_databases(|database| async move {
        let mut receiver = Receiver::start();
        let (service, _provider) = provider::start(database.url(), &[], SLOW_RETRIES);
        let api = Customer::create(&service).await.api(&service);
        let mut wanted = json!({"webhook_url": receiver.url("/hook"), "radar_type": "company_reviews"});
        for (format, key) in [("cloudevents", "data"), ("slack", "blocks"), ("teams", "attachments")] {
            wanted["webhook_format"] = json!(format);
            let answer = api.post("/v1/webhooks/test", &wanted).await.expect_status(200);
            let sent: Value = serde_json::from_slice(&receiver.next().await.body).expect("JSON");
            assert!(sent.get(key).is_some(), "{sent}");
            assert_eq!(answer.json["data"]["payload"], sent);
        }
        wanted["webhook_format"] = json!("x");
        let refused = api.post("/v1/webhooks/test", &wanted).await.expect_status(400);
        assert_eq!(refused.text("/errors/0/field"), "webhook_format");
    })
    .await;
}
