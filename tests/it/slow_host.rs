//! A host that does not answer keeps the radars on other hosts from nothing (decision 7.3).

use serde_json::json;

use crate::support::customer::{Customer, eventually, parse};
use crate::support::databases::on_both_databases;
use crate::support::process::Service;
use crate::support::sites::{Job, Sites};

/// Companies on the host that stops answering: more than there are places.
const SLOW: usize = 12;
const SLOW_HOST: &str = "boards-api.greenhouse.io";
const HEALTHY_BOARD: &str = "api.ashbyhq.com/posting-api/job-board/acme";

fn put_healthy(sites: &Sites, titles: &[&str]) {
    let job = |title: &&str| json!({"id": title, "title": title, "isListed": true, "jobUrl": format!("https://jobs.ashbyhq.com/acme/{title}")});
    let board = json!({"jobs": titles.iter().map(job).collect::<Vec<_>>()}).to_string();
    sites.put(HEALTHY_BOARD, "application/json", &board);
}

#[actix_web::test]
async fn decision_7_3_a_host_that_does_not_answer_delays_no_other() {
    on_both_databases(|database| async move {
        let domains: Vec<String> = (0..SLOW).map(|number| format!("slow{number}.com")).collect();
        let mut hosts: Vec<&str> = domains.iter().map(String::as_str).collect();
        hosts.extend(["healthy.com", SLOW_HOST, "api.ashbyhq.com"]);
        let sites = Sites::start(&hosts);
        for (number, domain) in domains.iter().enumerate() {
            sites.put_greenhouse_company(domain, &format!("slow{number}"), &[Job::new(1, "Engineer")]);
        }
        sites.put("healthy.com/", "text/html", r#"<html><a href="https://jobs.ashbyhq.com/acme">Jobs</a></html>"#);
        put_healthy(&sites, &["Engineer"]);
        // No fetch of a held host ends within this test.
        let rewrite = sites.settings();
        let settings =
            format!("[sources]\npoll_interval = \"1s\"\nfetches_max = 4\n[outbound]\ntimeout = \"1h\"\n{rewrite}");
        let service = Service::start_with(database.url(), &[], &settings);
        let customer = Customer::create(&service).await;
        customer.top_up(&service, "first", "10").await;
        for domain in domains.iter().map(String::as_str).chain(["healthy.com"]) {
            let created = customer.create_radar(&service, domain, None).await.expect_status(201);
            customer.settled(&service, created.text("/data/radar_id")).await;
        }

        sites.hold(SLOW_HOST);
        eventually("polls of the held host are under way", || async { (sites.under_way(SLOW_HOST) > 0).then_some(()) })
            .await;
        for (round, titles) in
            [["Engineer", "Accountant"].as_slice(), &["Engineer", "Accountant", "Nurse"]].iter().enumerate()
        {
            put_healthy(&sites, titles);
            let updates = eventually("the other host's new posting is found", || async {
                Some(customer.updates(&service).await).filter(|updates| updates.len() > round)
            })
            .await;
            assert_eq!(parse(&updates[round])["content"]["job_title"], json!(titles[round + 1]));
        }

        // What waited goes on once its host answers.
        sites.put_board("slow0", &[Job::new(1, "Engineer"), Job::new(2, "Welder")]);
        sites.let_go();
        eventually("the host that answers again is polled", || async {
            let updates = customer.updates(&service).await;
            updates.iter().any(|update| parse(update)["content"]["job_title"] == json!("Welder")).then_some(())
        })
        .await;
    })
    .await;
}
