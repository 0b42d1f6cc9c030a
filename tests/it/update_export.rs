//! `GET /v1/updates/export` and `radar export`: whole files, of spans that meet without gap or overlap.

use serde_json::{Value, json};

use crate::support::customer::Customer;
use crate::support::databases::on_both_databases;
use crate::support::provider::{advance, push, start};

const UPDATES: usize = 30;

#[actix_web::test]
async fn an_export_is_what_is_listed_and_its_spans_meet() {
    on_both_databases(async |database| {
        let settings = [("CLOCK__MODE", "simulated"), ("CLOCK__START", "2026-03-01T00:00:00Z")];
        let (service, _provider) = start(database.url(), &settings, "");
        let customer = Customer::create(&service).await;
        customer.top_up(&service, "first", "100").await;
        let api = customer.api(&service);
        assert!(api.get("/v1/updates/export").await.expect_status(200).bytes.is_empty());
        let body = json!({"domain": "acme.com", "radar_type": "company_reviews"});
        let made = api.post("/v1/radars/companies", &body).await.expect_status(201);
        customer.settled(&service, made.text("/data/radar_id")).await;
        for number in 0..UPDATES {
            let content = json!({"review_content": format!("=1+{number}, \"fine\"")});
            push(&service, made.text("/data/radar_id"), &number.to_string(), &content).await;
            advance(&service, 60).await;
        }
        let listed = customer.updates(&service).await;
        let file = async |query: &str| {
            let answer = api.get(&format!("/v1/updates/export{query}")).await.expect_status(200);
            String::from_utf8(answer.bytes.to_vec()).expect("text")
        };
        let whole = file("").await;
        assert_eq!(whole.lines().collect::<Vec<_>>(), listed);
        let middle = serde_json::from_str::<Value>(&listed[11]).expect("JSON")["discovered_at"].clone();
        let middle = middle.as_str().expect("an instant");
        let (early, late) = (file(&format!("?until={middle}")).await, file(&format!("?since={middle}")).await);
        assert_eq!(early.lines().count(), 12, "until is taken in, since is left out");
        assert_eq!(early + &late, whole);

        let table = file("?format=csv&radar_type=company_reviews").await;
        assert!(table.starts_with("update_id,update_type,radar_type,record_id,discovered_at,radar_id,domain,"));
        assert_eq!(table.matches("\r\n").count(), UPDATES + 1);
        assert!(table.contains("\"'=1+7, \"\"fine\"\"\""), "{table}");
        let refused = api.get("/v1/updates/export?format=xml").await.expect_status(400);
        assert_eq!(refused.text("/errors/0/field"), "format");

        let key = customer.api_key.as_str();
        let printed = service.command(&["export", "--api-key", key]).output().expect("the program");
        assert_eq!(String::from_utf8_lossy(&printed.stdout), whole);
        let arguments = ["export", "--format", "csv", "--until", middle];
        let written = service.command(&arguments).env("RADAR_API_KEY", key).output().expect("the program");
        assert!(written.status.success(), "{}", String::from_utf8_lossy(&written.stderr));
        assert_eq!(String::from_utf8_lossy(&written.stdout).matches("\r\n").count(), 13);
        let refused = service.command(&["export", "--until", "soon", "--api-key", key]).output().expect("the program");
        assert!(String::from_utf8_lossy(&refused.stderr).starts_with("radar: until: must be"));
    })
    .await;
}
