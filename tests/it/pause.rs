//! Too little money: findings are held and the type is paused; money releases them in order (Spec 2.5; decisions 1.2, 4.7).

use serde_json::json;

use crate::support::customer::{Customer, eventually, parse};
use crate::support::databases::on_both_databases;
use crate::support::process::Service;
use crate::support::receiver::Receiver;
use crate::support::sites::{Job, Sites};

#[actix_web::test]
async fn spec_3_held_findings_are_released_in_order_once_there_is_money() {
    on_both_databases(|database| async move {
        let sites = Sites::start(&["acme-robotics.com", "boards-api.greenhouse.io", "boards.greenhouse.io"]);
        sites.put_greenhouse_company("acme-robotics.com", "acme", &[]);
        sites.put_board("acme", &[Job::new(1, "Old Job")]);
        let mut receiver = Receiver::start();
        let service = Service::start_with(database.url(), &[("SOURCES__POLL_INTERVAL", "100ms")], &sites.settings());
        let customer = Customer::create(&service).await;
        customer.price(&service, "company_job_openings", "update_based", "0.5").await;
        let hook = receiver.url("/hook");
        let created = customer.create_radar(&service, "acme-robotics.com", Some(&hook)).await.expect_status(201);
        let path = format!("/v1/radars/{}", created.text("/data/radar_id"));
        customer.settled(&service, created.text("/data/radar_id")).await;

        let jobs = |last: u64| (1..=last).map(|id| Job::new(id, &format!("Job {id}"))).collect::<Vec<_>>();
        sites.put_board("acme", &jobs(4));
        let paused = eventually("the type is paused", || async {
            let radar = customer.api(&service).get(&path).await.expect_status(200);
            radar.json["data"]["paused_since"].is_string().then_some(radar)
        })
        .await;
        assert_eq!(paused.text("/data/radar_status"), "active", "a pause is no state of the radar");
        assert!(customer.updates(&service).await.is_empty());

        service.assert_ledger_adds_up();
        customer.top_up(&service, "too little for all", "1").await;
        customer.top_up(&service, "enough", "5").await;
        let found = eventually("all are released", || async {
            Some(customer.updates(&service).await).filter(|updates| updates.len() == 3)
        })
        .await;
        let title = |update: &String| parse(update)["content"]["job_title"].as_str().expect("a title").to_owned();
        assert_eq!(found.iter().map(title).collect::<Vec<_>>(), ["Job 2", "Job 3", "Job 4"]);
        for _ in 0..3 {
            receiver.next().await;
        }
        let radar = customer.api(&service).get(&path).await.expect_status(200);
        assert!(radar.json["data"].get("paused_since").is_none(), "{}", radar.json);
        assert_eq!(customer.account(&service).await["balance_remaining_usd"], json!(4.5));

        sites.put_board("acme", &jobs(5));
        eventually("the feed is polled again", || async {
            Some(customer.updates(&service).await).filter(|updates| updates.len() == 4)
        })
        .await;
        service.assert_ledger_adds_up();
    })
    .await;
}
