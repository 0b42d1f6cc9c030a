//! `GET /v1/radars/{id}/health`, and the end of a radar whose sources do not answer (decisions 1.3, 4.11).

use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::customer::{Customer, eventually, parse};
use crate::support::databases::on_both_databases;
use crate::support::process::Service;
use crate::support::provider::advance;
use crate::support::shapes::{assert_refused, assert_success};
use crate::support::sites::{Job, Sites};

const DAY: i64 = 24 * 60 * 60;
const BOARD: [&str; 2] =
    ["boards-api.greenhouse.io/v1/boards/acme/jobs", "boards-api.greenhouse.io/v1/boards/acme/jobs?content=true"];

async fn health(service: &Service, customer: &Customer, radar_id: &str) -> Value {
    let answer = customer.api(service).get(&format!("/v1/radars/{radar_id}/health")).await;
    assert_success(&answer, &["data"]);
    answer.json["data"].clone()
}

#[actix_web::test]
async fn decision_4_11_a_radar_that_sees_nothing_says_so_and_is_ended_after_a_week() {
    on_both_databases(|database| async move {
        let sites = Sites::start(&["acme.com", "www.acme.com", "boards-api.greenhouse.io"]);
        sites.put_greenhouse_company("acme.com", "acme", &[Job::new(1, "Engineer")]);
        let settings = [("CLOCK__MODE", "simulated"), ("CLOCK__START", "2026-03-01T00:00:00Z")];
        let service = Service::start_with(database.url(), &settings, &sites.settings());
        let customer = Customer::create(&service).await;
        customer.price(&service, "company_job_openings", "subscription", "0.4").await;
        customer.top_up(&service, "first", "1").await;
        let body = json!({"domain": "acme.com", "radar_type": "company_job_openings", "departments": ["Sales"]});
        let created = customer.api(&service).post("/v1/radars/companies", &body).await.expect_status(201);
        let radar_id = created.text("/data/radar_id").to_owned();
        advance(&service, 1).await;
        customer.settled(&service, &radar_id).await;

        sites.put_board("acme", &[Job::new(1, "Engineer"), Job::new(2, "Cook"), Job::new(3, "Account Executive")]);
        advance(&service, DAY).await;
        let watching = eventually("the filter has kept one out", || async {
            Some(health(&service, &customer, &radar_id).await).filter(|health| health["filtered_items"] == 1)
        })
        .await;
        assert_eq!((&watching["state"], &watching["last_error"]), (&json!("watching"), &json!(null)));
        assert_eq!((&watching["ends_at"], &watching["status_reason"]), (&json!(null), &json!(null)));
        assert_eq!(watching["older_items"], json!(0));
        assert_eq!(watching["sources"][0]["source_id"], "greenhouse");
        assert_eq!(watching["polled_at"], watching["succeeded_at"]);

        // A few days end nothing.
        BOARD.iter().for_each(|place| sites.put_status(place, 503));
        advance(&service, 3 * DAY).await;
        let failing = health(&service, &customer, &radar_id).await;
        assert_eq!(failing["state"], "failing", "{failing}");
        assert_ne!(failing["last_error"], json!(null));
        assert_ne!(failing["ends_at"], json!(null));
        sites.put_board("acme", &[Job::new(1, "Engineer")]);
        advance(&service, DAY).await;
        assert_eq!(health(&service, &customer, &radar_id).await["state"], "watching");

        BOARD.iter().for_each(|place| sites.put_status(place, 503));
        advance(&service, 6 * DAY).await;
        assert_eq!(health(&service, &customer, &radar_id).await["state"], "failing");
        advance(&service, 2 * DAY).await;
        let ended = health(&service, &customer, &radar_id).await;
        assert_eq!((&ended["state"], &ended["next_poll_at"]), (&json!("ended"), &json!(null)), "{ended}");
        assert_eq!(ended["status_reason"], "system_deactivated");
        let radar = customer.api(&service).get(&format!("/v1/radars/{radar_id}")).await.expect_status(200);
        assert_eq!(radar.text("/data/status_reason"), "system_deactivated");
        let account = customer.account(&service).await;
        assert_eq!((&account["balance_remaining_usd"], &account["usage"]["balance_used_usd"]), (&json!(1), &json!(0)));
        let updates = customer.updates(&service).await;
        let failure = parse(updates.last().expect("an update"));
        assert_eq!(failure["update_type"], "radar_failure");
        assert_eq!(ended["last_error"], failure["content"]["message"]);
        assert_eq!(failure["content"]["failure_reason"], "source_inaccessible");
        assert_eq!(failure["content"]["refund_amount"], json!(0.4));
        service.assert_ledger_adds_up();

        let other = Customer::create(&service).await;
        for (customer, id) in [(&other, radar_id.clone()), (&customer, Uuid::now_v7().to_string())] {
            let answer = customer.api(&service).get(&format!("/v1/radars/{id}/health")).await;
            assert_refused("unknown", &answer, 404, &["id"]);
        }
    })
    .await;
}
