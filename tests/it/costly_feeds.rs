//! Feeds whose headlines are as costly to read as any cost their readers time, and other customers nothing (decision 7.3).

use serde_json::json;

use crate::support::customer::{Customer, eventually};
use crate::support::databases::on_both_databases;
use crate::support::process::Service;
use crate::support::sites::{Job, Sites};
use crate::worst_headlines::worst_headlines;

/// Radars on costly feeds.
const COSTLY: usize = 10;
/// Items of a costly feed.
const ITEMS: usize = 400;

/// A feed of so many items with these headlines, each with a text below it.
fn feed(headlines: &[String], items: usize) -> String {
    let item = |number: usize| {
        let headline = headlines[number % headlines.len()].replace(['<', '&'], " ");
        let below = headline.repeat(5);
        format!(
            "<item><guid>{number}</guid><title>{headline}</title><link>https://wire.example/{number}</link><description>{below}</description><pubDate>Wed, 18 Nov 2026 09:00:00 GMT</pubDate></item>"
        )
    };
    let items: String = (0..items).map(item).collect();
    format!("<rss version=\"2.0\"><channel><title>News</title>{items}</channel></rss>")
}

#[actix_web::test]
async fn decision_7_3_costly_headlines_keep_no_other_customer_waiting() {
    on_both_databases(|database| async move {
        let domains: Vec<String> = (0..COSTLY).map(|number| format!("costly{number}.com")).collect();
        let hosts: Vec<&str> =
            domains.iter().map(String::as_str).chain(["calm.com", "boards-api.greenhouse.io"]).collect();
        let sites = Sites::start(&hosts);
        let home = |domain: &str| {
            let name = domain.trim_end_matches(".com");
            format!(
                r#"<html><head><meta property="og:site_name" content="{name}">
                <link rel="alternate" type="application/rss+xml" href="/news/feed.xml"></head><body></body></html>"#
            )
        };
        let calm = ["All is calm".to_owned()];
        for domain in &domains {
            sites.put(&format!("{domain}/"), "text/html", &home(domain));
            sites.put(&format!("{domain}/news/feed.xml"), "application/rss+xml", &feed(&calm, 1));
        }
        sites.put_greenhouse_company("calm.com", "calm", &[Job::new(1, "Engineer")]);
        let settings = format!("[sources]\npoll_interval = \"1s\"\n{}", sites.settings());
        let service = Service::start_with(database.url(), &[], &settings);
        let costly = Customer::create(&service).await;
        costly.top_up(&service, "first", "10").await;
        for domain in &domains {
            let wanted = json!({"radar_type": "company_new_hires", "domain": domain});
            let created = costly.api(&service).post("/v1/radars/companies", &wanted).await.expect_status(201);
            let radar = costly.settled(&service, created.text("/data/radar_id")).await;
            assert!(radar.to_string().contains("\"set_up\":\"ready\""), "{radar}");
        }
        let fetches = || domains.iter().map(|domain| sites.fetches(&format!("{domain}/news/feed.xml"))).sum::<usize>();
        let worst = worst_headlines(400);
        for domain in &domains {
            sites.put(&format!("{domain}/news/feed.xml"), "application/rss+xml", &feed(&worst[..4], ITEMS));
        }
        let before = fetches();
        eventually("costly feeds are polled", || async { (fetches() > before + COSTLY).then_some(()) }).await;

        let other = Customer::create(&service).await;
        other.top_up(&service, "first", "1").await;
        let created = other.create_radar(&service, "calm.com", None).await.expect_status(201);
        let radar = other.settled(&service, created.text("/data/radar_id")).await;
        assert!(radar.to_string().contains("\"set_up\":\"ready\""), "{radar}");

        for domain in &domains {
            sites.put(&format!("{domain}/news/feed.xml"), "application/rss+xml", &feed(&calm, 1));
        }
        eventually("no thread goes on reading for nobody", || async {
            let page = service.operator().get("/metrics").await.expect_status(200);
            let text = String::from_utf8_lossy(&page.bytes).into_owned();
            text.lines().any(|line| line == "radar_readers_given_up 0").then_some(())
        })
        .await;
    })
    .await;
}
