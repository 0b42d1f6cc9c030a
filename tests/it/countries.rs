//! `countries` of an industry radar (Spec 2.7): what is found elsewhere is no finding, and costs nothing.

use serde_json::{Value, json};

use crate::support::customer::{Customer, eventually, parse};
use crate::support::databases::TestDatabase;
use crate::support::process::Service;
use crate::support::sites::Sites;

const BOARD: &str = "www.arbeitnow.com/api/job-board-api";

/// Jobs with these numbers and places.
fn put(sites: &Sites, jobs: &[(u32, &str)]) {
    let job = |(number, place): &(u32, &str)| {
        json!({"slug": format!("job-{number}"), "title": format!("Robotics Engineer {number}"), "company_name": "Acme",
               "location": place, "url": format!("https://www.arbeitnow.com/jobs/job-{number}"),
               "created_at": 1_795_158_000, "description": "Build robots."})
    };
    let jobs: Vec<Value> = jobs.iter().map(job).collect();
    sites.put(BOARD, "application/json", &json!({"data": jobs, "links": {"next": null}}).to_string());
}

#[actix_web::test]
async fn spec_2_7_only_findings_of_the_countries_are_reported() {
    let (sites, database) = (Sites::start(&["www.arbeitnow.com"]), TestDatabase::sqlite());
    put(&sites, &[(1, "Berlin"), (2, "Paris"), (3, "Anywhere")]);
    let clock = [("CLOCK__MODE", "simulated"), ("CLOCK__START", "2026-11-20T00:00:00Z")];
    let service = Service::start_with(database.url(), &clock, &sites.settings());
    let customer = Customer::create(&service).await;
    customer.price(&service, "industry_job_openings", "update_based", "0.25").await;
    customer.top_up(&service, "first", "1").await;
    let body = json!({"radar_type": "industry_job_openings", "keyword": "robotics", "countries": ["de", "AT"]});

    let previewed = customer.api(&service).post("/v1/radars/preview", &body).await.expect_status(200);
    let items = &previewed.json["data"]["items"];
    assert_eq!((&items["total"], &items["wanted"], &items["cut"]["countries"]), (&json!(3), &json!(1), &json!(2)));

    let created = customer.api(&service).post("/v1/radars/industry", &body).await.expect_status(201);
    customer.settled(&service, created.text("/data/radar_id")).await;
    put(&sites, &[(1, "Berlin"), (4, "Paris"), (5, "Munich"), (6, "Anywhere")]);
    let advance = json!({"seconds": 9 * 60 * 60});
    service.operator().post("/operator/v1/clock/advance", &advance).await.expect_status(200);
    let updates = eventually("the job is found", || async {
        Some(customer.updates(&service).await).filter(|updates| !updates.is_empty())
    })
    .await;
    let titles: Vec<Value> = updates.iter().map(|update| parse(update)["content"]["job_title"].clone()).collect();
    assert_eq!(titles, ["Robotics Engineer 5"]);
    assert_eq!(customer.account(&service).await["balance_remaining_usd"], json!(0.75));
}
