//! An operator stops an account: nothing is polled, set up, charged or delivered for it, and all of it goes on afterwards
//! (decision 4.12).

use serde_json::{Value, json};

use crate::support::customer::{Customer, eventually};
use crate::support::databases::on_both_databases;
use crate::support::process::Service;
use crate::support::push_source::PushSource;
use crate::support::receiver::Receiver;
use crate::support::sites::{Job, Sites};

const DAY_SECONDS: i64 = 24 * 60 * 60;
const HOSTS: &[&str] = &["acme.com", "www.acme.com", "boards-api.greenhouse.io", "boards.greenhouse.io"];
const BOARD: &str = "boards-api.greenhouse.io/v1/boards/acme/jobs?content=true";

#[actix_web::test]
async fn decision_4_12_nothing_is_charged_while_an_account_is_stopped() {
    on_both_databases(|database| async move {
        let provider = PushSource::of(&["company_reviews", "company_mentions"]);
        let sources = provider.dir();
        let settings = [("CLOCK__MODE", "simulated"), ("SOURCES__DIR", sources.as_str())];
        let service = Service::start(database.url(), &settings);
        let customer = Customer::create(&service).await;
        customer.price(&service, "company_reviews", "subscription", "1").await;
        customer.price(&service, "company_mentions", "update_based", "0.5").await;
        customer.top_up(&service, "first", "10").await;
        let mut receiver = Receiver::start();
        let hook = receiver.url("/hook");
        let renewed = customer.create_reviews_radar(&service, "acme.com", Some(&hook)).await.expect_status(201);
        let renewed = renewed.text("/data/radar_id").to_owned();
        let body = json!({"domain": "acme.com", "radar_type": "company_mentions"});
        let paid = customer.api(&service).post("/v1/radars/companies", &body).await.expect_status(201);
        let paid = paid.text("/data/radar_id").to_owned();
        let push = async |text: &str| {
            let pushed = provider.push(&service, &paid, text, &json!({"mention_content": text})).await;
            pushed.json["data"][0]["outcome"].clone()
        };
        assert_eq!(push("before").await, "published");

        set(&service, &customer, "inactive").await;
        customer.api(&service).get("/v1/account").await.expect_status(401);
        assert_eq!(push("meanwhile").await, "dropped");
        let entries = customer.ledger(&service).await.len();
        advance(&service, 65 * DAY_SECONDS).await;
        set(&service, &customer, "active").await;
        let ledger = customer.ledger(&service).await;
        let due: Vec<&Value> = ledger[entries..].iter().collect();
        assert_eq!(due.len(), 2, "two renewals fell due: {due:?}");
        assert!(due.iter().all(|entry| entry["amount_usd"] == json!(0)), "{due:?}");

        let radar = customer.api(&service).get(&format!("/v1/radars/{renewed}")).await.expect_status(200);
        assert_eq!(radar.text("/data/radar_status"), "active");
        assert_eq!(customer.account(&service).await["balance_remaining_usd"], json!(8.5));
        advance(&service, 25 * DAY_SECONDS).await;
        assert_eq!(customer.account(&service).await["balance_remaining_usd"], json!(7.5), "on the grid of 30 days");
        assert_eq!(push("afterwards").await, "published");
        assert!(receiver.drain().is_empty(), "the reviews found nothing");
        service.assert_ledger_adds_up();
    })
    .await;
}

#[actix_web::test]
async fn decision_4_12_nothing_is_polled_or_set_up_while_an_account_is_stopped() {
    on_both_databases(|database| async move {
        let sites = Sites::start(HOSTS);
        sites.put_greenhouse_company("acme.com", "acme", &[Job::new(1, "Old Job")]);
        let settings = [("CLOCK__MODE", "simulated"), ("SOURCES__POLL_INTERVAL", "10m")];
        let service = Service::start_with(database.url(), &settings, &sites.settings());
        let customer = Customer::create(&service).await;
        customer.top_up(&service, "first", "10").await;
        let created = customer.create_radar(&service, "acme.com", None).await.expect_status(201);
        customer.settled(&service, created.text("/data/radar_id")).await;
        let before = sites.fetches(BOARD);
        advance(&service, 3600).await;
        let watched = sites.fetches(BOARD);
        assert!(watched > before, "it is polled while the account is active");

        set(&service, &customer, "inactive").await;
        sites.put_board("acme", &[Job::new(1, "Old Job"), Job::new(2, "New Job")]);
        advance(&service, 3 * DAY_SECONDS).await;
        assert_eq!(sites.fetches(BOARD), watched, "nobody else reads the feed");

        set(&service, &customer, "active").await;
        advance(&service, 3600).await;
        let updates = eventually("what is new is found", || async {
            Some(customer.updates(&service).await).filter(|updates| !updates.is_empty())
        })
        .await;
        assert_eq!(updates.len(), 1);
        assert!(updates[0].contains("New Job"), "{updates:?}");
    })
    .await;
}

async fn set(service: &Service, customer: &Customer, status: &str) {
    let path = format!("/operator/v1/accounts/{}", customer.account_id);
    let account = service.operator().patch(&path, &json!({"status": status})).await.expect_status(200);
    assert_eq!(account.text("/data/status"), status);
}

async fn advance(service: &Service, seconds: i64) {
    service.operator().post("/operator/v1/clock/advance", &json!({"seconds": seconds})).await.expect_status(200);
}
