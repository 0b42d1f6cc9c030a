//! One action on everything that matches: counted first, done whatever process dies, shown and stopped.

use serde_json::{Value, json};

use crate::support::customer::{Customer, eventually};
use crate::support::databases::on_both_databases;
use crate::support::process::Service;
use crate::support::provider;

/// More than two steps of a job.
const RADARS: usize = 130;
const DEACTIVATE: &str = "/operator/v1/radars/deactivate";

async fn get(service: &Service, path: &str) -> Value {
    service.operator().get(path).await.expect_status(200).json["data"].clone()
}

async fn create(customer: &Customer, service: &Service, count: usize) {
    let radars = (0..count).map(|no| json!({"domain": format!("site{no}.com"), "radar_type": "company_reviews"}));
    for chunk in radars.collect::<Vec<Value>>().chunks(50) {
        customer.api(service).post("/v1/radars/bulk", &json!({"radars": chunk})).await.expect_status(201);
    }
}

async fn active(customer: &Customer, service: &Service) -> Value {
    customer.account(service).await["account"]["active_radars"].clone()
}

async fn finished(service: &Service, job_id: &str) -> Value {
    let path = format!("/operator/v1/jobs/{job_id}");
    eventually("the job ends", || async {
        Some(get(service, &path).await).filter(|job| job["finished_at"].is_string())
    })
    .await
}

#[actix_web::test]
async fn all_radars_that_are_found_are_deactivated_once_whatever_is_killed() {
    on_both_databases(|database| async move {
        let (mut service, _provider) = provider::start(database.url(), &[], "");
        let limits = json!({"write_per_minute": 10_000, "read_per_minute": 10_000, "per_second": 1_000});
        let customer = Customer::create_with(&service, &limits).await;
        let other = Customer::create_with(&service, &limits).await;
        for customer in [&customer, &other] {
            customer.price(&service, "company_reviews", "update_based", "0").await;
        }
        create(&customer, &service, RADARS).await;
        create(&other, &service, 2).await;
        service.terminate();
        // The second page is ended, and nobody has noted that.
        service.plan(Some("abort housekeeper.before_job_advances 49"));
        assert!(service.try_restart(), "there is no job yet");

        let first = get(&service, &format!("/operator/v1/radars?account={}&limit=200", customer.account_id)).await;
        let in_second_page = first[60]["radar_id"].as_str().expect("an id");
        customer.api(&service).delete(&format!("/v1/radars/{in_second_page}")).await.expect_status(200);
        let mut body = json!({"account": customer.account_id, "radar_type": "company_reviews", "dry_run": true});
        let counted = service.operator().post(DEACTIVATE, &body).await.expect_status(200);
        assert_eq!(counted.json["data"], json!({"count": RADARS - 1, "count_is_exact": true}));
        assert_eq!(active(&customer, &service).await, RADARS - 1, "a dry run ends nothing");
        body["dry_run"] = json!(false);
        let begun = service.operator().post(DEACTIVATE, &body).await.expect_status(202);
        let job_id = begun.text("/data/job_id").to_owned();
        assert_eq!(begun.header("location"), Some(format!("/operator/v1/jobs/{job_id}").as_str()));
        while !service.has_ended() {
            actix_web::rt::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        service.plan(None);
        service.restart();
        let job = finished(&service, &job_id).await;
        assert_eq!(
            (&job["state"], &job["done"], &job["count"]),
            (&json!("finished"), &json!(RADARS - 1), &json!(RADARS - 1))
        );
        assert_eq!((active(&customer, &service).await, active(&other, &service).await), (json!(0), json!(2)));
        let usage = customer.api(&service).get("/v1/account").await.expect_status(200).json["data"]["usage"].clone();
        assert_eq!(usage["radars_deactivated"], RADARS, "none is ended twice: {usage}");
        service.assert_ledger_adds_up();

        let noted = get(&service, &format!("/operator/v1/audit?about={job_id}")).await;
        assert_eq!((&noted[0]["path"], &noted[0]["status"]), (&json!(DEACTIVATE), &json!(202)));
        assert!(noted[0]["detail"].as_str().is_some_and(|detail| detail.contains(&customer.account_id)));
    })
    .await;
}

#[actix_web::test]
async fn jobs_are_listed_and_say_of_which_they_are() {
    on_both_databases(|database| async move {
        let (service, _provider) = provider::start(database.url(), &[], "");
        let customer = Customer::create(&service).await;
        customer.price(&service, "company_reviews", "update_based", "0").await;
        create(&customer, &service, 2).await;
        for (body, field) in [
            (json!({}), "body"),
            (json!({"dry_run": true}), "body"),
            (json!({"domain": "site*"}), "domain"),
            (json!({"state": "active"}), "state"),
        ] {
            let refused = service.operator().post(DEACTIVATE, &body).await.expect_status(400);
            assert_eq!(refused.text("/errors/0/field"), field, "{body}");
        }
        service.operator().get("/operator/v1/jobs/00000000-0000-0000-0000-000000000009").await.expect_status(404);

        let account = format!("/operator/v1/accounts/{}", customer.account_id);
        let by_account = json!({"account": customer.account_id});
        for (frozen, done) in [(true, 0), (false, 2)] {
            service.operator().patch(&account, &json!({"frozen": frozen})).await.expect_status(200);
            let begun = service.operator().post(DEACTIVATE, &by_account).await.expect_status(202);
            let job = finished(&service, begun.text("/data/job_id")).await;
            assert_eq!((&job["done"], &job["count"]), (&json!(done), &json!(2)), "a frozen account stays as it is");
        }

        let past = json!({"since": "2000-01-01T00:00:00Z", "until": "2000-01-02T00:00:00Z"});
        service.operator().post("/operator/v1/deliveries/recover", &past).await.expect_status(202);
        let jobs = get(&service, "/operator/v1/jobs").await;
        let actions: Vec<&Value> = jobs.as_array().expect("jobs").iter().map(|job| &job["action"]).collect();
        assert_eq!(actions, ["resend", "deactivate", "deactivate"]);
        let first = service.operator().get("/operator/v1/jobs?limit=1").await.expect_status(200);
        let next = get(&service, &format!("/operator/v1/jobs?limit=1&cursor={}", first.text("/next_cursor"))).await;
        assert_eq!(next[0]["job_id"], jobs[1]["job_id"]);
        let stop = |job: &Value| format!("/operator/v1/jobs/{}/stop", job["job_id"].as_str().expect("an id"));
        let stopped = service.operator().post(&stop(&jobs[1]), &json!({})).await.expect_status(200);
        assert_eq!(stopped.json["data"]["state"], "finished", "what has ended stays as it is");
    })
    .await;
}
