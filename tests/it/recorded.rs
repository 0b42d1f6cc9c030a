//! Recorded answers of real job boards, served from loopback: discovery finds them, the baseline is silent, and each
//! posting that is added becomes exactly one finding.
//!
//! The recordings belong to their publishers and are not part of this repository. `RADAR_RECORDED_DIR` names a folder
//! with `greenhouse/*.json`, `lever/*.json`, `ashby/*.json` and `jobposting-jsonld/*.html`; without it nothing is run.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use chrono::DateTime;
use serde_json::{Value, json};

use crate::support::customer::{Customer, eventually, parse};
use crate::support::databases::TestDatabase;
use crate::support::process::Service;
use crate::support::sites::Sites;

const HOSTS: &[&str] = &[
    "recorded-company.com",
    "www.recorded-company.com",
    "boards-api.greenhouse.io",
    "boards.greenhouse.io",
    "api.lever.co",
    "jobs.lever.co",
    "api.ashbyhq.com",
    "jobs.ashbyhq.com",
];

/// A posting as its recording tells it: title, address, date.
type Posting = (String, String, Option<String>);

/// A kind of board: how it is linked, where it is asked, and how its recording is read.
struct Board {
    folder: &'static str,
    link: &'static str,
    places: &'static [&'static str],
    /// The list inside the answer; empty when the answer is the list.
    list: &'static str,
    read: fn(&Value) -> Posting,
}

const BOARDS: &[Board] = &[
    Board {
        folder: "greenhouse",
        link: "https://boards.greenhouse.io/recorded",
        places: &[
            "boards-api.greenhouse.io/v1/boards/recorded/jobs",
            "boards-api.greenhouse.io/v1/boards/recorded/jobs?content=true",
        ],
        list: "jobs",
        read: |job| {
            let posted_on = text(&job["first_published"])[..10].to_owned();
            (text(&job["title"]).trim().to_owned(), text(&job["absolute_url"]).to_owned(), Some(posted_on))
        },
    },
    Board {
        folder: "lever",
        link: "https://jobs.lever.co/recorded",
        places: &[
            "api.lever.co/v0/postings/recorded?mode=json&limit=1",
            "api.lever.co/v0/postings/recorded?mode=json&skip=0&limit=100",
        ],
        list: "",
        read: |job| {
            let posted_at = DateTime::from_timestamp_millis(job["createdAt"].as_i64().expect("a number"));
            let posted_on = posted_at.expect("an instant").date_naive().to_string();
            (text(&job["text"]).trim().to_owned(), text(&job["hostedUrl"]).to_owned(), Some(posted_on))
        },
    },
    Board {
        folder: "ashby",
        link: "https://jobs.ashbyhq.com/recorded",
        places: &[
            "api.ashbyhq.com/posting-api/job-board/recorded",
            "api.ashbyhq.com/posting-api/job-board/recorded?includeCompensation=true",
        ],
        list: "jobs",
        read: |job| {
            let posted_on = text(&job["publishedAt"])[..10].to_owned();
            (text(&job["title"]).trim().to_owned(), text(&job["jobUrl"]).to_owned(), Some(posted_on))
        },
    },
];

#[actix_web::test]
async fn each_added_posting_of_a_recorded_board_is_one_finding() {
    let Some(folder) = recordings() else { return };
    for board in BOARDS {
        for file in files(&folder.join(board.folder), "json") {
            let answer: Value = serde_json::from_slice(&fs::read(&file).expect("a recording")).expect("JSON");
            let jobs = if board.list.is_empty() { &answer } else { &answer[board.list] };
            let jobs = jobs.as_array().expect("a list").clone();
            watch_board(board, &answer, &jobs).await;
            println!("{}: {} postings", file.display(), jobs.len());
        }
    }
}

async fn watch_board(board: &Board, answer: &Value, jobs: &[Value]) {
    let with = |jobs: &[Value]| {
        let mut answer = answer.clone();
        *(if board.list.is_empty() { &mut answer } else { &mut answer[board.list] }) = json!(jobs);
        answer.to_string()
    };
    let sites = Sites::start(HOSTS);
    let put = |jobs: &[Value]| board.places.iter().for_each(|place| sites.put(place, "application/json", &with(jobs)));
    sites.put("recorded-company.com/", "text/html", r#"<html><a href="/careers">Careers</a></html>"#);
    let careers = format!(r#"<html><a href="{}">Open positions</a></html>"#, board.link);
    sites.put("recorded-company.com/careers", "text/html", &careers);
    put(&jobs[..1]);
    let (service, customer, _database) = start_watching(&sites, &[]).await;
    assert!(customer.updates(&service).await.is_empty(), "the baseline is silent");

    put(jobs);
    let found = found(&service, &customer, jobs.len() - 1).await;
    let expected: BTreeMap<String, Posting> =
        jobs[1..].iter().map(board.read).map(|posting| (posting.1.clone(), posting)).collect();
    assert_eq!(found.len(), expected.len());
    for finding in found {
        let content = &finding["content"];
        let (title, url, posted_on) = &expected[text(&content["job_url"])];
        assert_eq!(content["job_title"], json!(title));
        assert_eq!(content["job_url"], json!(url));
        assert_eq!(content["job_posted_at"], json!(posted_on), "{title}");
        assert_eq!(content["job_source"], json!(board.folder));
        println!("  {title} | {posted_on:?} | {}", content["country"]);
    }
}

#[actix_web::test]
async fn a_recorded_job_page_is_found_by_its_markup() {
    let Some(folder) = recordings() else { return };
    for file in files(&folder.join("jobposting-jsonld"), "html") {
        let page = fs::read_to_string(&file).expect("a recording");
        let sites = Sites::start(HOSTS);
        sites.put("recorded-company.com/", "text/html", r#"<html><a href="/careers">Careers</a></html>"#);
        let careers = |links: &str| format!("<html><h1>Careers</h1>{links}</html>");
        let old = r#"<a href="/careers/jobs/1">One</a>"#;
        sites.put("recorded-company.com/careers", "text/html", &careers(old));
        let posting = json!({"@context": "https://schema.org", "@type": "JobPosting", "title": "Old", "datePosted": "2026-01-01"});
        let old_page = format!(r#"<script type="application/ld+json">{posting}</script>"#);
        sites.put("recorded-company.com/careers/jobs/1", "text/html", &old_page);
        // The recordings are of September: later they are out of date, and rightly no finding.
        let clock = [("CLOCK__MODE", "simulated"), ("CLOCK__START", "2026-09-12T00:00:00Z")];
        let (service, customer, _database) = start_watching(&sites, &clock).await;

        sites.put("recorded-company.com/careers/jobs/2", "text/html", &page);
        sites.put(
            "recorded-company.com/careers",
            "text/html",
            &careers(&format!(r#"{old}<a href="/careers/jobs/2">Two</a>"#)),
        );
        service.operator().post("/operator/v1/clock/advance", &json!({"seconds": 5})).await.expect_status(200);
        let found = found(&service, &customer, 1).await;
        let content = &found[0]["content"];
        assert_eq!(content["job_url"], json!("https://recorded-company.com/careers/jobs/2"));
        assert!(page.contains(text(&content["job_title"])), "{content}");
        assert!(page.contains(&format!("\"datePosted\":\"{}", text(&content["job_posted_at"]))), "{content}");
        println!("{}: {} | {}", file.display(), content["job_title"], content["job_posted_at"]);
    }
}

async fn start_watching(sites: &Sites, settings: &[(&str, &str)]) -> (Service, Customer, TestDatabase) {
    let database = TestDatabase::sqlite();
    let settings = [&[("SOURCES__POLL_INTERVAL", "100ms")], settings].concat();
    let service = Service::start_with(database.url(), &settings, &sites.settings());
    let customer = Customer::create(&service).await;
    customer.top_up(&service, "first", "10").await;
    let created = customer.create_radar(&service, "recorded-company.com", None).await.expect_status(201);
    let detail = customer.settled(&service, created.text("/data/radar_id")).await;
    assert!(detail.to_string().contains("\"set_up\":\"ready\""), "{detail}");
    (service, customer, database)
}

/// The findings once there are `count`, and still that many after the next polls.
async fn found(service: &Service, customer: &Customer, count: usize) -> Vec<Value> {
    eventually("every added posting is found", || async {
        Some(())
            .filter(|()| count == 0)
            .or(Some(customer.updates(service).await).filter(|found| found.len() >= count).map(drop))
    })
    .await;
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    customer.updates(service).await.iter().map(|update| parse(update)).collect()
}

pub fn recordings() -> Option<PathBuf> {
    let folder = std::env::var_os("RADAR_RECORDED_DIR").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("\n*** RADAR_RECORDED_DIR is not set: THE RECORDED BOARDS ARE NOT RUN. ***\n");
    }
    folder
}

pub fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|found| found == ending)).collect();
    files.sort();
    files
}

fn text(value: &Value) -> &str {
    value.as_str().expect("text")
}
