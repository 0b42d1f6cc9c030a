//! How sources fare, as operators see it: one that is broken for everybody is flagged once, and recovers by itself.

use serde_json::{Value, json};

use crate::support::customer::{Customer, eventually};
use crate::support::databases::on_both_databases;
use crate::support::process::Service;
use crate::support::push_source::{ID, PushSource};
use crate::support::sites::{Job, Sites};

const COMPANIES: [(&str, &str); 3] = [("north.com", "north"), ("south.com", "south"), ("west.com", "west")];
/// More than the day between two assessments under a simulated clock.
const MORE_THAN_A_DAY_S: u32 = 25 * 60 * 60;

async fn health(service: &Service, source_id: &str) -> Value {
    let path = format!("/operator/v1/sources/{source_id}");
    service.operator().get(&path).await.expect_status(200).json["data"]["health"].clone()
}

async fn advance(service: &Service) {
    let body = json!({"seconds": MORE_THAN_A_DAY_S});
    service.operator().post("/operator/v1/clock/advance", &body).await.expect_status(200);
}

async fn metric(service: &Service, name: &str) -> Option<String> {
    let answer = service.operator().get("/metrics").await.expect_status(200);
    let text = String::from_utf8_lossy(&answer.bytes).into_owned();
    text.lines().find_map(|line| line.strip_prefix(name).map(|value| value.trim().to_owned()))
}

fn put_boards(sites: &Sites, jobs: &[Job]) {
    for (domain, token) in COMPANIES {
        sites.put_greenhouse_company(domain, token, jobs);
    }
}

fn break_boards(sites: &Sites) {
    for (_, token) in COMPANIES {
        for query in ["", "?content=true"] {
            sites.put_status(&format!("boards-api.greenhouse.io/v1/boards/{token}/jobs{query}"), 500);
        }
    }
}

#[actix_web::test]
async fn a_source_that_breaks_for_everybody_is_flagged_once_and_recovers() {
    on_both_databases(|database| async move {
        let sites =
            Sites::start(&["north.com", "south.com", "west.com", "boards-api.greenhouse.io", "boards.greenhouse.io"]);
        put_boards(&sites, &[Job::new(1, "Old Job")]);
        let clock = [("CLOCK__MODE", "simulated"), ("CLOCK__START", "2026-11-20T00:00:00Z")];
        let service = Service::start_with(database.url(), &clock, &sites.settings());
        let customer = Customer::create(&service).await;
        customer.price(&service, "company_job_openings", "update_based", "0.1").await;
        customer.top_up(&service, "first", "10").await;
        for (domain, _) in COMPANIES {
            let created = customer.create_radar(&service, domain, None).await.expect_status(201);
            customer.settled(&service, created.text("/data/radar_id")).await;
        }
        put_boards(&sites, &[Job::new(1, "Old Job"), Job::new(2, "New Job")]);
        advance(&service).await;
        let well = health(&service, "greenhouse").await;
        assert_eq!((&well["state"], &well["feeds"], &well["share_failing"]), (&json!("well"), &json!(3), &json!(0.0)));
        assert_eq!(well["counted"], json!({"items": 3, "findings": 3, "errors": {}}));
        assert!(well["succeeded_at"].is_string() && well["broken_by"].is_null(), "{well}");

        break_boards(&sites);
        advance(&service).await;
        let failing = health(&service, "greenhouse").await;
        assert_eq!((&failing["broken_by"], &failing["flagged_at"]), (&json!("unavailable"), &Value::Null));
        advance(&service).await;
        let broken = health(&service, "greenhouse").await;
        assert_eq!((&broken["state"], &broken["share_failing"]), (&json!("broken"), &json!(1.0)));
        assert_eq!(broken["feeds_failing_by_class"], json!({"unavailable": 3}));
        assert_eq!(broken["succeeded_at"], failing["succeeded_at"], "the last good answer");
        assert!(broken["counted"]["errors"]["unavailable"].as_u64() > Some(3), "{broken}");
        assert_eq!(metric(&service, "radar_sources_broken").await.as_deref(), Some("1"));
        assert_eq!(metric(&service, "radar_source_broken{source=\"greenhouse\"}").await.as_deref(), Some("1"));
        advance(&service).await;
        let flags = service.log().matches("most feeds of a source fail in the same way").count();
        assert_eq!(flags, 1, "flagged once");

        put_boards(&sites, &[Job::new(1, "Old Job"), Job::new(2, "New Job")]);
        advance(&service).await;
        eventually("it recovers by itself", || async {
            (health(&service, "greenhouse").await["state"] == "well").then_some(())
        })
        .await;
        advance(&service).await;
        assert_eq!(metric(&service, "radar_sources_broken").await.as_deref(), Some("0"));
        assert!(service.log().contains("a source answers again"));
    })
    .await;
}

#[actix_web::test]
async fn every_source_is_listed_with_its_terms_and_what_it_is_for() {
    let provider = PushSource::of(&["company_reviews"]);
    let (sources, sites) = (provider.dir(), Sites::start(&[]));
    let database = crate::support::databases::TestDatabase::sqlite();
    let service = Service::start_with(database.url(), &[("SOURCES__DIR", sources.as_str())], &sites.settings());
    let customer = Customer::create(&service).await;
    customer.price(&service, "company_reviews", "update_based", "0").await;
    let created = customer.create_reviews_radar(&service, "acme.com", None).await.expect_status(201);
    customer.settled(&service, created.text("/data/radar_id")).await;
    provider.review(&service, created.text("/data/radar_id"), "Fine.").await;

    let listed = service.operator().get("/operator/v1/sources").await.expect_status(200).json["data"].clone();
    let listed = listed.as_array().expect("sources");
    let of = |id: &str| listed.iter().find(|source| source["source_id"] == id).unwrap_or_else(|| panic!("no {id}"));
    assert!(
        listed.len() > 30 && listed.iter().all(|source| source["enabled"] != source["disabled_because"].is_string())
    );
    assert_eq!((&of("gdelt")["enabled"], &of("gdelt")["health"]["state"]), (&json!(false), &json!("disabled")));
    assert!(of("arbeitnow")["terms"]["licence"].is_string(), "{}", of("arbeitnow"));
    assert_eq!(of("greenhouse")["health"]["state"], "unused");
    let pushed = of(ID);
    assert_eq!((&pushed["kind"], &pushed["health"]["state"]), (&json!("push"), &json!("pushed")));
    assert_eq!(pushed["health"]["counted"], json!({"items": 1, "findings": 1, "errors": {}}));
    let missing = service.operator().get("/operator/v1/sources/nobody").await.expect_status(404);
    assert_eq!(missing.text("/errors/0/field"), "source");
}
