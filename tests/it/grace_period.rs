//! A DELETE leaves the paid period: findings still arrive until its end (decision 1.4).

use serde_json::json;

use crate::support::customer::Customer;
use crate::support::databases::on_both_databases;
use crate::support::process::Service;
use crate::support::push_source::PushSource;

const DAY_SECONDS: i64 = 24 * 60 * 60;

#[actix_web::test]
async fn decision_1_4_findings_arrive_until_the_paid_period_ends() {
    on_both_databases(|database| async move {
        let provider = PushSource::of(&["company_reviews"]);
        let sources = provider.dir();
        let settings = [("CLOCK__MODE", "simulated"), ("SOURCES__DIR", sources.as_str())];
        let service = Service::start(database.url(), &settings);
        let customer = Customer::create(&service).await;
        let price = json!({"model": "subscription", "rate_usd": "1", "grace_period": "paid_period"});
        let path = format!("/operator/v1/accounts/{}/prices/company_reviews", customer.account_id);
        service.operator().put(&path, &price).await.expect_status(200);
        customer.top_up(&service, "first", "10").await;

        let first = create(&service, &customer, "first.example.com").await;
        let second = create(&service, &customer, "second.example.com").await;
        advance(&service, DAY_SECONDS).await;
        for radar_id in [&first, &second] {
            let path = format!("/v1/radars/{radar_id}");
            let deleted = customer.api(&service).delete(&path).await.expect_status(200);
            assert_eq!(deleted.text("/data/radar_status"), "inactive");
            assert_eq!(deleted.text("/data/status_reason"), "user_deactivated");
            assert_eq!(deleted.json["data"]["next_charge_at"], json!(null));
            assert_eq!(provider.review(&service, radar_id, "after the end").await, "published");
        }
        create(&service, &customer, "second.example.com").await;
        let ended = customer.api(&service).get(&format!("/v1/radars/{second}")).await.expect_status(200);
        assert_eq!(ended.text("/data/status_reason"), "grace_period_ended", "its target is watched anew");
        assert_eq!(provider.review(&service, &second, "later").await, "dropped");

        advance(&service, 29 * DAY_SECONDS - 1).await;
        assert_eq!(provider.review(&service, &first, "in the last second").await, "published");
        advance(&service, 1).await;
        let ended = customer.api(&service).get(&format!("/v1/radars/{first}")).await.expect_status(200);
        assert_eq!(ended.text("/data/status_reason"), "grace_period_ended");
        assert_eq!(provider.review(&service, &first, "too late").await, "dropped");
        advance(&service, DAY_SECONDS).await;
        assert_eq!(customer.account(&service).await["balance_remaining_usd"], json!(6), "three creations, one renewal");
    })
    .await;
}

async fn create(service: &Service, customer: &Customer, domain: &str) -> String {
    let wanted = json!({"domain": domain, "radar_type": "company_reviews"});
    let created = customer.api(service).post("/v1/radars/companies", &wanted).await.expect_status(201);
    let radar_id = created.text("/data/radar_id").to_owned();
    customer.settled(service, &radar_id).await;
    radar_id
}

async fn advance(service: &Service, seconds: i64) {
    service.operator().post("/operator/v1/clock/advance", &json!({"seconds": seconds})).await.expect_status(200);
}
