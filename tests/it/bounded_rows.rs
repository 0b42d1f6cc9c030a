//! What one customer can make the service keep and send is bounded: radars, the content of findings, a page of updates.

use serde_json::{Value, json};

use crate::support::client::Answer;
use crate::support::customer::Customer;
use crate::support::databases::on_both_databases;
use crate::support::process::Service;
use crate::support::push_source::PushSource;

const DAY_SECONDS: i64 = 24 * 60 * 60;

#[actix_web::test]
async fn radars_of_an_account_are_bounded_and_dead_ones_are_removed_after_retention() {
    on_both_databases(|database| async move {
        let provider = PushSource::of(&["company_reviews"]);
        let sources = provider.dir();
        let settings = [("CLOCK__MODE", "simulated"), ("SOURCES__DIR", sources.as_str()), ("RETENTION__RADARS", "60d")];
        let service = Service::start(database.url(), &settings);
        let limits = json!({"write_per_minute": 1000, "per_second": 1000, "radars": 2});
        let customer = Customer::create_with(&service, &limits).await;
        customer.price(&service, "company_reviews", "subscription", "1").await;
        customer.top_up(&service, "first", "100").await;
        let create = async |domain: &str| customer.create_reviews_radar(&service, domain, None).await;
        let end = async |created: &Answer| {
            let path = format!("/v1/radars/{}", created.text("/data/radar_id"));
            customer.api(&service).delete(&path).await.expect_status(200);
        };

        let first = create("one.com").await.expect_status(201);
        let second = create("two.com").await.expect_status(201);
        assert_refused(&create("three.com").await);
        let bulk = json!({"radars": [
            {"domain": "four.com", "radar_type": "company_reviews"},
            {"domain": "one.com", "radar_type": "company_reviews"},
        ]});
        let answer = customer.api(&service).post("/v1/radars/bulk", &bulk).await.expect_status(400);
        assert_eq!(
            (&answer.json["results"][0]["code"], &answer.json["results"][1]["code"]),
            (&json!(400), &json!(409))
        );
        assert_eq!(customer.account(&service).await["balance_remaining_usd"], json!(98), "nothing else was charged");

        end(&first).await;
        end(&second).await;
        assert_refused(&create("five.com").await);
        advance(&service, 59 * DAY_SECONDS).await;
        let path = format!("/v1/radars/{}", first.text("/data/radar_id"));
        customer.api(&service).get(&path).await.expect_status(200);
        assert_refused(&create("five.com").await);
        advance(&service, 3 * DAY_SECONDS).await;
        customer.api(&service).get(&path).await.expect_status(404);
        assert_eq!(customer.account(&service).await["account"]["total_radars"], json!(0));
        let third = create("six.com").await.expect_status(201);
        assert_eq!(customer.ledger(&service).await.len(), 4, "the ledger keeps what they cost");
        service.assert_ledger_adds_up();

        let change = json!({"limits": {"radars": 1}});
        let path = format!("/operator/v1/accounts/{}", customer.account_id);
        let changed = service.operator().patch(&path, &change).await.expect_status(200);
        assert_eq!(changed.json["data"]["limits"]["radars"], json!(1));
        assert_refused(&create("seven.com").await);
        end(&third).await;
    })
    .await;
}

#[actix_web::test]
async fn long_content_is_cut_and_a_page_of_updates_is_bounded_in_bytes() {
    on_both_databases(|database| async move {
        let provider = PushSource::of(&["company_reviews"]);
        let sources = provider.dir();
        let service = Service::start(database.url(), &[("SOURCES__DIR", sources.as_str())]);
        let customer = Customer::create(&service).await;
        customer.price(&service, "company_reviews", "update_based", "0").await;
        let created = customer.create_reviews_radar(&service, "acme.com", None).await.expect_status(201);
        let radar_id = created.text("/data/radar_id").to_owned();
        for number in 0..20 {
            let content = json!({"review_content": "é".repeat(150_000), "review_source": number.to_string()});
            let pushed = provider.push(&service, &radar_id, &number.to_string(), &content).await;
            assert_eq!(pushed.json["data"][0]["outcome"], json!("published"));
        }
        let page = customer.api(&service).get("/v1/updates?limit=100").await.expect_status(200);
        let updates = page.json["updates"].as_array().expect("updates");
        assert_eq!((updates.len(), &page.json["has_more"]), (15, &json!(true)), "{} bytes", page.bytes.len());
        assert!(page.bytes.len() <= 1024 * 1024 + 1024);
        let all = customer.updates(&service).await;
        let all: Vec<Value> = all.iter().map(|update| serde_json::from_str(update).expect("JSON")).collect();
        let sources: Vec<&str> = all.iter().filter_map(|update| update["content"]["review_source"].as_str()).collect();
        assert_eq!(sources, (0..20).map(|number| number.to_string()).collect::<Vec<_>>());
        for update in &all {
            let text = update["content"]["review_content"].as_str().expect("a text");
            assert!(text.ends_with('…') && update["content"].to_string().len() <= 64 * 1024);
        }
    })
    .await;
}

fn assert_refused(answer: &Answer) {
    assert_eq!(answer.status, 400, "{}", answer.json);
    assert_eq!(answer.text("/errors/0/field"), "radar_limit");
}

async fn advance(service: &Service, seconds: i64) {
    service.operator().post("/operator/v1/clock/advance", &json!({"seconds": seconds})).await.expect_status(200);
}
