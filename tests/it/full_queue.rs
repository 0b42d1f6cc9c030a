//! A full queue answers 503 with a clear error, and nothing half-done remains (Spec 7).

use futures_util::future::join_all;
use serde_json::json;

use crate::support::customer::Customer;
use crate::support::databases::on_both_databases;
use crate::support::process::Service;

#[actix_web::test]
async fn spec_7_what_is_refused_for_lack_of_room_has_not_happened() {
    on_both_databases(|database| async move {
        let service = Service::start_with(database.url(), &[("LIMITS__QUEUE", "2")], "");
        let customer = Customer::create(&service).await;
        customer.price(&service, "company_job_openings", "update_based", "0.1").await;
        customer.top_up(&service, "first", "10").await;
        let domains: Vec<String> = (0..300).map(|number| format!("crowd-{number}.com")).collect();
        let answers = join_all(domains.iter().map(|domain| customer.create_radar(&service, domain, None))).await;
        let created = answers.iter().filter(|answer| answer.status == 201).count();
        let refused: Vec<_> = answers.iter().filter(|answer| answer.status == 503).collect();
        assert_eq!(created + refused.len(), domains.len());
        assert!(created > 0 && !refused.is_empty(), "{created} created, {} refused", refused.len());
        for answer in &refused {
            assert_eq!(answer.json["status"], json!("error"), "{}", answer.json);
            assert!(answer.headers.contains_key("retry-after"), "{:?}", answer.headers);
            assert!(answer.json["error_id"].is_string());
        }
        let listed = customer.api(&service).get("/v1/radars?limit=1000").await.expect_status(200);
        assert_eq!(listed.json["count"], json!(created), "what was refused left nothing");
    })
    .await;
}
