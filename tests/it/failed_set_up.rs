//! A target that cannot be tracked: failed, refunded, told (Spec 2.5, 3, 6.1; decisions 1.3, 7.5).

use serde_json::json;

use crate::support::customer::{Customer, eventually, parse, text};
use crate::support::databases::on_both_databases;
use crate::support::process::Service;
use crate::support::receiver::Receiver;
use crate::support::sites::Sites;

#[actix_web::test]
async fn a_site_without_jobs_and_a_site_that_is_gone_fail_with_their_reasons() {
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
        let service = Service::start_with(database.url(), &[("SOURCES__SETUP_RETRIES", "0")], &settings);
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
            let pushed = receiver.next().await;
            let failure = parse(text(&pushed.body));
            assert_eq!(failure["update_type"], "radar_failure", "{failure}");
            assert_eq!(failure["content"]["failure_reason"], reason, "{domain}: {failure}");
            assert_eq!(failure["content"]["refund_amount"], json!(0.4));
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
        service.assert_ledger_adds_up();
    })
    .await;
}
