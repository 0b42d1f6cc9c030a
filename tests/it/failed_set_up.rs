//! A target that cannot be tracked: failed, refunded, reported (Spec 2.5, 3, 6.1; decisions 1.3, 7.5).

use serde_json::{Value, json};

use crate::support::customer::{Customer, eventually, parse, text};
use crate::support::databases::on_both_databases;
use crate::support::process::Service;
use crate::support::receiver::Receiver;
use crate::support::sites::Sites;

#[actix_web::test]
async fn spec_3_a_target_that_cannot_be_tracked_is_failed_refunded_and_told() {
    on_both_databases(|database| async move {
        let sites = Sites::start(&["no-jobs.com", "www.no-jobs.com", "closed.com", "www.closed.com"]);
        sites.put("no-jobs.com/", "text/html", "<html><body>We sell sand.</body></html>");
        sites.put_status("closed.com/", 403);
        sites.put_status("www.closed.com/", 403);
        let gone = [
            "https://gone-company.com/",
            "https://www.gone-company.com/",
            "http://gone-company.com/",
            "http://www.gone-company.com/",
        ];
        let gone: String = gone.iter().map(|from| format!("\"{from}\" = \"http://127.0.0.1:1/\"\n")).collect();
        let settings = sites.settings() + &gone;
        let mut receiver = Receiver::start();
        let service = Service::start_with(database.url(), &[("CLOCK__MODE", "simulated")], &settings);
        let customer = Customer::create(&service).await;
        customer.price(&service, "company_job_openings", "subscription", "0.4").await;
        customer.top_up(&service, "first", "1").await;

        for (domain, reason) in [
            ("no-jobs.com", "missing_prerequisites"),
            ("closed.com", "source_inaccessible"),
            ("gone-company.com", "source_inaccessible"),
        ] {
            let hook = receiver.url(&format!("/{domain}"));
            let created = customer.create_radar(&service, domain, Some(&hook)).await.expect_status(201);
            assert_eq!(created.text("/data/radar_status"), "active", "set-up follows the answer");
            let radar_id = created.text("/data/radar_id").to_owned();
            // A site that does not answer is asked for a day.
            let a_day = json!({"seconds": if domain == "gone-company.com" { 25 * 60 * 60 } else { 1 }});
            service.operator().post("/operator/v1/clock/advance", &a_day).await.expect_status(200);
            let pushed = receiver.next().await;
            let failure = parse(text(&pushed.body));
            assert_eq!(failure["update_type"], "radar_failure", "{failure}");
            assert_eq!(failure["content"]["failure_reason"], reason, "{domain}: {failure}");
            assert_eq!(failure["content"]["refund_amount"], json!(0.4));
            if reason == "missing_prerequisites" {
                let message = text_at(&failure, "/content/message");
                for place in ["visited: https://no-jobs.com/", "not there: https://no-jobs.com/careers"] {
                    assert!(message.contains(place), "{message}");
                }
            }
            assert_eq!(failure["record_id"], json!(null));
            assert_eq!(failure["data"]["next_charge_at"], json!(null));
            let radar = customer.api(&service).get(&format!("/v1/radars/{radar_id}")).await.expect_status(200);
            assert_eq!(radar.text("/data/radar_status"), "inactive");
            assert_eq!(radar.text("/data/status_reason"), reason);
        }
        let account = eventually("all are counted", || async {
            Some(customer.account(&service).await).filter(|account| account["account"]["failed_radars"] == json!(3))
        })
        .await;
        assert_eq!(account["balance_remaining_usd"], json!(1));
        assert_eq!(account["usage"]["balance_used_usd"], json!(0));
        assert_eq!(account["usage"]["radars_activated"], json!(0));
        assert_eq!(account["usage"]["radars_failed"], json!(3));
        assert_eq!(customer.updates(&service).await.len(), 3);

        let counts = &account["account"];
        assert_eq!((&counts["total_radars"], &counts["active_radars"]), (&json!(3), &json!(0)), "decision 1.1");
        assert_eq!(counts["inactive_radars"], json!(0), "failed radars are counted apart");
        let api = customer.api(&service);
        let listed = api.get("/v1/radars?radar_status=inactive").await.expect_status(200);
        assert_eq!(listed.json["count"], json!(3), "but they are inactive to a filter");
        let quiet = api.get("/v1/updates").await.expect_status(200);
        assert_eq!(quiet.json["updates"], json!([]), "failures are pulled only on request");
        let kinds: Vec<String> =
            customer.ledger(&service).await.iter().map(|entry| entry["kind"].to_string()).collect();
        assert_eq!(kinds.iter().filter(|kind| kind.contains("refund")).count(), 3, "{kinds:?}");
        // The target is free again.
        customer.create_radar(&service, "closed.com", None).await.expect_status(201);
        service.assert_ledger_adds_up();
    })
    .await;
}

fn text_at<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}
