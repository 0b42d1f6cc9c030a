//! What operators read of accounts: their balance and state, what they pay now, what they spent and for what, and whether
//! their rows add up.

use serde_json::{Value, json};

use crate::support::client::Client;
use crate::support::customer::Customer;
use crate::support::databases::on_both_databases;
use crate::support::ledger::{connect, execute};
use crate::support::process::Service;
use crate::support::provider::{self, push};
use crate::support::stage::fields;

async fn data(service: &Service, path: &str) -> Value {
    service.operator().get(&format!("/operator/v1/{path}")).await.expect_status(200).json["data"].clone()
}

fn of_attention(attention: &Value, what: &str) -> Value {
    let kinds = attention.as_array().expect("kinds");
    kinds.iter().find(|kind| kind["what"] == what).unwrap_or_else(|| panic!("no {what}"))["count"].clone()
}

#[actix_web::test]
async fn an_account_says_what_it_has_what_it_pays_and_for_what_it_paid() {
    on_both_databases(|database| async move {
        let settings = [("CLOCK__MODE", "simulated"), ("CLOCK__START", "2026-03-01T00:00:00Z")];
        let (service, _provider) = provider::start(database.url(), &settings, "");
        let customer = Customer::create(&service).await;
        let id = customer.account_id.clone();
        customer.price(&service, "company_reviews", "update_based", "0.25").await;
        customer.top_up(&service, "first", "10").await;
        let mut radars = Vec::new();
        for (domain, findings) in [("acme.com", 1), ("other.com", 3)] {
            let created = customer.create_reviews_radar(&service, domain, None).await.expect_status(201);
            let radar_id = created.text("/data/radar_id").to_owned();
            customer.settled(&service, &radar_id).await;
            for number in 0..findings {
                push(&service, &radar_id, &number.to_string(), &json!({})).await;
            }
            radars.push(radar_id);
        }
        assert_eq!(data(&service, &format!("accounts/{id}")).await["balance_usd"], json!(9));
        let spend = data(&service, &format!("accounts/{id}/spend/2026-03")).await;
        assert_eq!(spend["by_type"], json!([{"radar_type": "company_reviews", "movements": 4, "amount_usd": 1}]));
        let by_radar = spend["by_radar"].as_array().expect("radars");
        let by_radar: Vec<_> =
            by_radar.iter().map(|row| (row["radar_id"].as_str(), row["amount_usd"].as_f64())).collect();
        assert_eq!(by_radar, [(Some(radars[1].as_str()), Some(0.75)), (Some(radars[0].as_str()), Some(0.25))]);
        let own = customer.api(&service).get("/v1/account/spend").await.expect_status(200).json["data"].clone();
        assert_eq!((&own["by_type"], &own["by_radar"]), (&spend["by_type"], &spend["by_radar"]));
        let other_month = customer.api(&service).get("/v1/account/spend?month=2026-02").await.expect_status(200);
        assert_eq!(
            other_month.json["data"],
            json!({"month": "2026-02", "by_type": [], "by_radar": [], "not_summed": 0})
        );
        assert_eq!(data(&service, &format!("accounts/{id}/spend/2026-02")).await["by_type"], json!([]));
        service.operator().get(&format!("/operator/v1/accounts/{id}/spend/march")).await.expect_status(400);

        let prices = data(&service, &format!("accounts/{id}/prices?in_force=true")).await;
        let prices = prices.as_array().expect("prices");
        let of = |radar_type: &str| prices.iter().find(|price| price["radar_type"] == radar_type).expect("a price");
        assert_eq!(of("company_reviews")["rate_usd"], json!(0.25));
        assert!(
            of("company_reviews")["effective_from"].is_string() && of("company_mentions")["effective_from"].is_null()
        );
        assert_eq!(data(&service, &format!("accounts/{id}/prices")).await.as_array().map(Vec::len), Some(1));

        let other = Customer::create(&service).await;
        let found = async |query: &str| {
            let found = data(&service, &format!("accounts?{query}")).await;
            let ids = found.as_array().expect("accounts").iter();
            ids.map(|account| account["account_id"].as_str().expect("an id").to_owned()).collect::<Vec<_>>()
        };
        let path = format!("/operator/v1/accounts/{}", other.account_id);
        service.operator().patch(&path, &json!({"status": "inactive"})).await.expect_status(200);
        assert_eq!(found("state=active").await, [id.as_str()]);
        assert_eq!(found("state=inactive").await, [other.account_id.as_str()]);
        assert_eq!(found("name=CUST").await.len(), 2);
        assert_eq!(found("name=nobody").await.len(), 0);
        let refused = service.operator().get("/operator/v1/accounts?state=asleep&name=").await.expect_status(400);
        assert_eq!(fields(&refused), ["name", "state"]);
        assert_eq!(of_attention(&data(&service, "attention").await, "accounts_stopped"), json!(1));
    })
    .await;
}

#[actix_web::test]
async fn rows_that_do_not_add_up_are_found_when_somebody_asks() {
    on_both_databases(|database| async move {
        let (service, _provider) = provider::start(database.url(), &[], "");
        let (rich, poor) = (Customer::create(&service).await, Customer::create(&service).await);
        rich.top_up(&service, "first", "10").await;
        let sound = data(&service, "ledger/verify").await;
        assert!(sound.as_array().expect("accounts").iter().all(|account| account["sound"] == true), "{sound}");
        let first = service.operator().get("/operator/v1/ledger/verify?limit=1").await.expect_status(200).json;
        let next = format!("ledger/verify?cursor={}", first["next_cursor"].as_str().expect("a cursor"));
        assert_eq!(data(&service, &next).await.as_array().map(Vec::len), Some(1));

        let connection = connect(&database).await;
        execute(&connection, "update account set balance_micros = balance_micros + 1 where balance_micros > 0").await;
        let of = async |id: &str| data(&service, &format!("ledger/verify?account_id={id}")).await[0].clone();
        let unsound = of(&rich.account_id).await;
        assert_eq!(
            (&unsound["sound"], &unsound["faults"][0]["where"]),
            (&json!(false), &json!("the account")),
            "{unsound}"
        );
        assert_eq!(of(&poor.account_id).await["sound"], true);
        execute(&connection, "update account set balance_micros = balance_micros - 1 where balance_micros > 0").await;
        let unknown = "/operator/v1/ledger/verify?account_id=00000000-0000-0000-0000-000000000009";
        service.operator().get(unknown).await.expect_status(404);
    })
    .await;
}

#[actix_web::test]
async fn the_operator_api_has_a_document_of_its_own() {
    on_both_databases(|database| async move {
        let (service, _provider) = provider::start(database.url(), &[], "");
        let url = format!("http://127.0.0.1:{}", service.operator_port());
        let document = Client::new(&url).get("/operator/v1/openapi.json").await.expect_status(200).json;
        let paths = document["paths"].as_object().expect("paths");
        assert!(paths.contains_key("/operator/v1/accounts/{id}/spend/{month}") && !paths.contains_key("/v1/account"));
        assert_eq!(document["components"]["securitySchemes"]["operatorKey"]["name"], "x-operator-key");
        service.public().get("/operator/v1/openapi.json").await.expect_status(404);
    })
    .await;
}
