//! A DELETE that meets the radar's renewal: one of them is first, and nothing is charged after it (Spec 2.5, 3, 4.8).

use futures_util::future::{join, join_all};
use serde_json::json;

use crate::support::customer::Customer;
use crate::support::databases::on_both_databases;
use crate::support::provider;

const PERIOD_SECONDS: i64 = 30 * 24 * 60 * 60;
const RADARS: usize = 60;
const ROUNDS: usize = 4;

#[actix_web::test]
async fn spec_3_a_radar_that_is_deleted_while_it_is_due_is_charged_before_or_never() {
    on_both_databases(async |database| {
        let settings = [("CLOCK__MODE", "simulated"), ("CLOCK__START", "2026-01-01T00:00:00Z")];
        let (service, _provider) = provider::start(database.url(), &settings, "");
        let customer = Customer::create(&service).await;
        customer.top_up(&service, "first", "1000").await;
        customer.price(&service, "company_reviews", "subscription", "1").await;
        let api = customer.api(&service);
        for round in 0..ROUNDS {
            let mut radars = Vec::new();
            for number in 0..RADARS {
                let domain = format!("company-{round}-{number}.com");
                let created = customer.create_reviews_radar(&service, &domain, None).await.expect_status(201);
                radars.push(created.text("/data/radar_id").to_owned());
            }
            // To the last second before all of them are due.
            provider::advance(&service, PERIOD_SECONDS - 1).await;
            let delete =
                async |radar_id: &String| api.delete(&format!("/v1/radars/{radar_id}")).await.expect_status(200);
            let deleting = join_all(radars.iter().map(delete));
            join(provider::advance(&service, 2), deleting).await;
            // Twice over, had one been left alive.
            provider::advance(&service, 2 * PERIOD_SECONDS).await;
            for radar_id in &radars {
                let record = api.get(&format!("/v1/radars/{radar_id}")).await.expect_status(200);
                assert_eq!(record.json["data"]["next_charge_at"], json!(null), "{}", record.json);
                let deactivated_at = record.text("/data/deactivated_at");
                let ledger = customer.ledger(&service).await;
                let charges: Vec<&str> = ledger
                    .iter()
                    .filter(|tx| {
                        tx["radar_id"] == json!(radar_id) && tx["amount_usd"].as_f64().is_some_and(|usd| usd < 0.0)
                    })
                    // The account's own time may be microseconds ahead of the clock (decision 3.5).
                    .filter_map(|tx| tx["due_at"].as_str())
                    .collect();
                assert!((1..=2).contains(&charges.len()), "{charges:?} in {ledger:#?}");
                assert!(charges.iter().all(|at| *at <= deactivated_at), "{charges:?} after {deactivated_at}");
            }
        }
        service.assert_ledger_adds_up();
    })
    .await;
}
