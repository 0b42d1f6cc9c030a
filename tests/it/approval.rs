//! Findings that an operator approves: charge and publication happen at the approval (decision 4.10).

use serde_json::{Value, json};

use crate::support::customer::{Customer, parse, text};
use crate::support::databases::on_both_databases;
use crate::support::process::Service;
use crate::support::push_source::PushSource;
use crate::support::receiver::Receiver;

#[actix_web::test]
async fn decision_4_10_a_finding_is_charged_and_published_when_it_is_approved() {
    on_both_databases(|database| async move {
        let provider = PushSource::of(&["company_reviews"]);
        let sources = provider.dir();
        let service = Service::start(database.url(), &[("SOURCES__DIR", sources.as_str())]);
        let customer = Customer::create(&service).await;
        customer.price(&service, "company_reviews", "update_based", "0.5").await;
        customer.top_up(&service, "first", "0.7").await;
        let operator = service.operator();
        let account = format!("/operator/v1/accounts/{}", customer.account_id);
        operator.patch(&account, &json!({"approval": "manual"})).await.expect_status(200);

        let mut receiver = Receiver::start();
        let wanted =
            json!({"domain": "example.com", "radar_type": "company_reviews", "webhook_url": receiver.url("/")});
        let created = customer.api(&service).post("/v1/radars/companies", &wanted).await.expect_status(201);
        let radar_id = created.text("/data/radar_id").to_owned();
        customer.settled(&service, &radar_id).await;
        for native_id in ["one", "two", "three"] {
            let pushed = provider.review(&service, &radar_id, native_id).await;
            assert_eq!(pushed, "pending");
        }
        assert_eq!(provider.review(&service, &radar_id, "one").await, "duplicate");
        assert!(customer.updates(&service).await.is_empty());
        assert_eq!(customer.account(&service).await["balance_remaining_usd"], json!(0.7));

        let path = format!("/operator/v1/findings?account_id={}&limit=2", customer.account_id);
        let page = operator.get(&path).await.expect_status(200);
        let cursor = page.text("/next_cursor").to_owned();
        let rest = operator.get(&format!("{path}&cursor={cursor}")).await.expect_status(200);
        let listed: Vec<Value> =
            [&page, &rest].iter().flat_map(|page| page.json["data"].as_array().expect("findings").clone()).collect();
        let contents: Vec<&Value> = listed.iter().map(|finding| &finding["content"]["review_content"]).collect();
        assert_eq!(contents, ["one", "two", "three"]);
        let path = |index: usize, decision: &str| {
            format!("/operator/v1/findings/{}/{decision}", listed[index]["finding_id"].as_str().expect("an id"))
        };

        let approved = operator.post(&path(0, "approve"), &json!({})).await.expect_status(200);
        assert_eq!((approved.text("/data/state"), approved.text("/data/outcome")), ("approved", "published"));
        let delivered = receiver.next().await;
        let updates = customer.updates(&service).await;
        assert_eq!(updates, [text(&delivered.body)]);
        assert_eq!(parse(&updates[0])["update_id"], listed[0]["finding_id"]);
        let again = operator.post(&path(0, "approve"), &json!({})).await.expect_status(200);
        assert_eq!(again.text("/data/outcome"), "duplicate");

        let rejected = operator.post(&path(1, "reject"), &json!({})).await.expect_status(200);
        assert_eq!((rejected.text("/data/state"), rejected.text("/data/outcome")), ("rejected", "rejected"));
        let refused = operator.post(&path(1, "approve"), &json!({})).await.expect_status(409);
        assert_eq!(refused.text("/errors/0/reason"), "the finding was rejected before");

        let held = operator.post(&path(2, "approve"), &json!({})).await.expect_status(200);
        assert_eq!(held.text("/data/outcome"), "held", "0.2 do not cover 0.5");
        customer.top_up(&service, "second", "1").await;
        receiver.next().await;
        assert_eq!(customer.updates(&service).await.len(), 2);
        assert_eq!(customer.account(&service).await["balance_remaining_usd"], json!(0.7));
        let rest = operator.get("/operator/v1/findings").await.expect_status(200);
        assert_eq!(rest.json["data"], json!([]));

        let unknown = format!("/operator/v1/findings/{radar_id}/approve");
        operator.post(&unknown, &json!({})).await.expect_status(404);
    })
    .await;
}
