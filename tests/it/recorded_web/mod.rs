//! A web of whole sites, watched for a week by radars of every type of companies: each change that was planted is one
//! finding, nothing else is any, and a radar that ends says why.
//!
//! The sites are files in `sites/` ([`site`] says how they are written). Those that show recordings are watched where
//! `RADAR_RECORDED_DIR` names the folder of these, which belong to their publishers and are not part of this repository.

mod site;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use self::site::{DAYS, Expected, Site};
use crate::support::customer::{Customer, parse};
use crate::support::databases::TestDatabase;
use crate::support::process::Service;
use crate::support::sites::Sites;

/// The day before the first change.
const START: &str = "2026-11-16T00:00:00Z";
const DAY_SECONDS: u32 = 24 * 60 * 60;
/// How much of what is planted must come, of a hundred.
const RECALL_MIN: usize = 95;
const COMPANY_TYPES: &[&str] = &[
    "company_job_openings",
    "company_new_hires",
    "company_promotions",
    "company_social_posts_cxo",
    "company_reviews",
    "company_mentions",
    "company_social_posts",
    "company_social_engagements",
];
/// How often the clock is moved on for one set-up at most, by ten seconds.
const SET_UP_LOOKS_MAX: usize = 100;
/// What a customer should never read.
const JARGON: &[&str] = &["Error", "None", "Some(", "unwrap", "panicked", "null", "token", "company_", "::"];

/// A radar that watches a site.
struct Watch<'a> {
    site: &'a Site,
    radar_type: &'a str,
    radar_id: String,
}

/// How findings of one type came out.
#[derive(Debug, Default)]
struct Score {
    expected: usize,
    came: usize,
    false_ones: usize,
    doubled: usize,
}

#[actix_web::test]
async fn a_week_of_changes_is_found_whole_and_nothing_else_is() {
    let sites_of_files = read_sites();
    let sites = Sites::start(&[]);
    let show = |day: u32| sites_of_files.iter().for_each(|site| site.put(&sites, day));
    show(0);
    let database = TestDatabase::sqlite();
    let settings = [
        ("CLOCK__MODE", "simulated"),
        ("CLOCK__START", START),
        ("SOURCES__POLL_INTERVAL", "6h"),
        ("SOURCES__LOOKUPS", "true"),
        ("LOG__FILTER", "warn"),
    ];
    // Recorded pages link to addresses of both schemes; none of them leaves this machine.
    let rewrite = sites.settings();
    let plain = rewrite.lines().nth(1).map(|line| line.replacen("https", "http", 1)).unwrap_or_default();
    let service = Service::start_with(database.url(), &settings, &format!("{rewrite}{plain}\n"));
    let customer = Customer::create(&service).await;
    customer.top_up(&service, "first", "100000").await;
    let watches = watch_all(&service, &customer, &sites_of_files).await;
    settle(&service, &watches).await;
    for day in 1..=DAYS {
        show(day);
        // Who has left must be missed twice, and what is left over is read by the next look.
        advance(&service, DAY_SECONDS).await;
    }
    let updates: Vec<Value> = customer.updates(&service).await.iter().map(|update| parse(update)).collect();
    report(&watches, &updates);
}

fn read_sites() -> Vec<Site> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/recorded_web/sites");
    let recordings = std::env::var_os("RADAR_RECORDED_DIR").map(PathBuf::from);
    let files = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> = files.collect();
    files.sort();
    files.iter().filter_map(|file| Site::read(file, recordings.as_deref())).collect()
}

async fn watch_all<'a>(service: &Service, customer: &Customer, sites: &'a [Site]) -> Vec<Watch<'a>> {
    let mut watches = Vec::new();
    for site in sites {
        let of_company = site.domain.iter().flat_map(|domain| {
            let body =
                move |radar_type: &&'static str| (*radar_type, json!({"domain": domain, "radar_type": radar_type}));
            COMPANY_TYPES.iter().map(body)
        });
        let of_all = site.watched.iter().map(|radar_type| (radar_type.as_str(), json!({"radar_type": radar_type})));
        for (radar_type, body) in of_company.chain(of_all) {
            let path = if site.domain.is_some() { "/v1/radars/companies" } else { "/v1/radars/industry" };
            let created = customer.api(service).post(path, &body).await.expect_status(201);
            watches.push(Watch { site, radar_type, radar_id: created.text("/data/radar_id").to_owned() });
        }
    }
    watches
}

/// Waits until the set-up of every radar is settled, while the clock moves on.
async fn settle(service: &Service, watches: &[Watch<'_>]) {
    for Watch { site, radar_type, radar_id } in watches {
        let mut looks = 0;
        while is_pending(service, radar_id).await {
            looks += 1;
            assert!(looks < SET_UP_LOOKS_MAX, "the set-up of {} {radar_type} does not end", site.name);
            advance(service, 10).await;
        }
    }
}

async fn is_pending(service: &Service, radar_id: &str) -> bool {
    let detail = service.operator().get(&format!("/operator/v1/radars/{radar_id}")).await.expect_status(200);
    detail.json.to_string().contains("\"set_up\":\"pending\"")
}

async fn advance(service: &Service, seconds: u32) {
    let body = json!({"seconds": seconds});
    service.operator().post("/operator/v1/clock/advance", &body).await.expect_status(200);
}

/// Prints what came of each type, and fails where it is not what was planted.
fn report(watches: &[Watch<'_>], updates: &[Value]) {
    let mut scores: BTreeMap<&str, Score> = BTreeMap::new();
    let mut faults = Vec::new();
    for watch in watches {
        let score = scores.entry(watch.radar_type).or_default();
        let of_radar = updates.iter().filter(|update| update["data"]["radar_id"] == json!(watch.radar_id));
        let (findings, failures): (Vec<&Value>, Vec<&Value>) =
            of_radar.partition(|update| update["update_type"] == "radar_finding");
        let of_type = |all: &'_ [Expected]| -> Vec<Expected> {
            all.iter().filter(|expected| expected.radar_type == watch.radar_type).cloned().collect()
        };
        let place = format!("{} {}", watch.site.name, watch.radar_type);
        let texts: Vec<String> = findings.iter().map(|finding| finding["content"].to_string()).collect();
        let expected = of_type(&watch.site.expected);
        for Expected { words, .. } in &expected {
            let count = texts.iter().filter(|text| text.contains(words.as_str())).count();
            score.expected += 1;
            score.came += count.min(1);
            score.doubled += count.saturating_sub(1);
            if count != 1 {
                faults.push(format!("{place}: {words} came {count} times"));
            }
        }
        for text in texts.iter().filter(|text| !expected.iter().any(|expected| text.contains(&expected.words))) {
            score.false_ones += 1;
            faults.push(format!("{place}: false: {}", text.chars().take(300).collect::<String>()));
        }
        let messages: Vec<&str> =
            failures.iter().filter_map(|failure| failure["content"]["message"].as_str()).collect();
        let ends = of_type(&watch.site.ends);
        let is_said = |words: &str| messages.iter().any(|message| message.contains(words));
        faults.extend(
            ends.iter().filter(|end| !is_said(&end.words)).map(|end| format!("{place}: does not end: {}", end.words)),
        );
        for message in messages {
            println!("{place} ends: {message}");
            if message.len() < 20 || JARGON.iter().any(|word| message.contains(word)) {
                faults.push(format!("{place}: says what no customer understands: {message}"));
            }
        }
    }
    let sum = |of: fn(&Score) -> usize| scores.values().map(of).sum::<usize>();
    let (expected, came) = (sum(|score| score.expected), sum(|score| score.came));
    println!("\n{:32} expected came false doubled", "type");
    for (radar_type, Score { expected, came, false_ones, doubled }) in &scores {
        println!("{radar_type:32} {expected:8} {came:4} {false_ones:5} {doubled:7}");
    }
    let is_found = came * 100 >= expected * RECALL_MIN && expected > 0;
    faults.iter().for_each(|fault| println!("{fault}"));
    assert!(is_found && sum(|score| score.false_ones + score.doubled) == 0, "{came} of {expected}: {faults:#?}");
}
