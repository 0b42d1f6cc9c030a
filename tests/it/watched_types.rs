//! Every radar type that a built-in source serves, watched end to end from served answers: set-up, silent baseline, a new
//! item, the filter, the charge, the update pulled and pushed (Spec 2.4, 2.5, 2.7, 6). A further source is a further row.

use serde_json::{Value, json};

use crate::support::customer::{Customer, eventually, parse, text};
use crate::support::databases::TestDatabase;
use crate::support::process::Service;
use crate::support::receiver::Receiver;
use crate::support::sites::Sites;

/// Where a page is, its content type and its body.
type SitePage = (String, &'static str, String);

/// A source that is watched.
struct Row {
    /// The source's id.
    source: &'static str,
    radar_type: &'static str,
    /// Where the radar is created, and what names its target.
    target: fn() -> (&'static str, Value),
    hosts: &'static [&'static str],
    /// The pages with these items, at their places.
    pages: fn(&[u32]) -> Vec<SitePage>,
    /// What the finding of item 2 holds, beside what is null.
    content: fn() -> Value,
}

fn company() -> (&'static str, Value) {
    ("/v1/radars/companies", json!({"domain": "acme-robotics.com"}))
}

fn theme() -> (&'static str, Value) {
    ("/v1/radars/industry", json!({"keyword": "robotics"}))
}

/// A company site whose careers page links to `board`, and pages beside it.
fn careers_and(board: &str, pages: &[(&str, &'static str, String)]) -> Vec<(String, &'static str, String)> {
    let careers = format!(r#"<html><a href="{board}">Open positions</a></html>"#);
    let site = [
        ("acme-robotics.com/", "text/html", r#"<html><a href="/careers">Careers</a></html>"#.to_owned()),
        ("acme-robotics.com/careers", "text/html", careers),
    ];
    site.iter().chain(pages).map(|(place, kind, body)| ((*place).to_owned(), *kind, body.clone())).collect()
}

/// The title of an item: the filter wants engineers, so the last one is not wanted.
fn title(id: u32) -> String {
    if id == 3 { "Robotics Accountant".to_owned() } else { format!("Robotics Engineer {id}") }
}

fn list(ids: &[u32], item: impl Fn(u32) -> Value) -> Value {
    ids.iter().map(|id| item(*id)).collect()
}

/// A company site, and the posts of `handle` on Bluesky.
fn bluesky_posts(handle: &str, home: &str, ids: &[u32]) -> Vec<(String, &'static str, String)> {
    let post = |id: u32| {
        json!({"post": {"uri": format!("at://did:plc:abc/app.bsky.feed.post/{id}"), "author": {"did": "did:plc:abc", "handle": handle},
                        "record": {"text": title(id), "createdAt": "2026-11-18T08:00:00.000Z"}}})
    };
    let feed = json!({"feed": list(ids, post)}).to_string();
    vec![
        ("acme-robotics.com/".to_owned(), "text/html", home.to_owned()),
        ("public.api.bsky.app/xrpc/app.bsky.feed.getAuthorFeed?*".to_owned(), "application/json", feed),
    ]
}

const ROWS: &[Row] = &[
    Row {
        source: "smartrecruiters",
        radar_type: "company_job_openings",
        target: company,
        hosts: &["acme-robotics.com", "api.smartrecruiters.com"],
        pages: |ids| {
            let item = |id: u32| {
                json!({"id": id.to_string(), "name": title(id), "releasedDate": "2026-11-15T07:30:00.000Z",
                                   "location": {"city": "Turku", "country": "fi"}})
            };
            let board = json!({"totalFound": ids.len(), "content": list(ids, item)}).to_string();
            let text = "<p>Build <b>robots</b>.</p>";
            let detail = json!({"postingUrl": "https://jobs.smartrecruiters.com/acme/2-engineer",
                                "jobAd": {"sections": {"jobDescription": {"text": text}}}});
            let api = "api.smartrecruiters.com/v1/companies/acme/postings";
            careers_and(
                "https://careers.smartrecruiters.com/acme",
                &[
                    (&format!("{api}?*"), "application/json", board),
                    (&format!("{api}/2"), "application/json", detail.to_string()),
                ],
            )
        },
        content: || {
            json!({"job_title": "Robotics Engineer 2", "job_url": "https://jobs.smartrecruiters.com/acme/2-engineer",
                   "job_posted_at": "2026-11-15", "job_description": "Build robots.", "job_source": "smartrecruiters", "country": "FI"})
        },
    },
    Row {
        source: "workday",
        radar_type: "company_job_openings",
        target: company,
        hosts: &["acme-robotics.com", "acme.wd5.myworkdayjobs.com"],
        pages: |ids| {
            let item = |id: u32| json!({"title": title(id), "externalPath": format!("/job/Oslo/Job_{id}"), "locationsText": "Oslo, Norway"});
            let board = json!({"total": ids.len(), "jobPostings": list(ids, item)}).to_string();
            let detail =
                json!({"jobPostingInfo": {"jobDescription": "<p>Build robots.</p>", "startDate": "2026-11-17"}});
            let api = "acme.wd5.myworkdayjobs.com/wday/cxs/acme/Acme_Careers";
            careers_and(
                "https://acme.wd5.myworkdayjobs.com/en-US/Acme_Careers",
                &[
                    (&format!("{api}/jobs"), "application/json", board),
                    (&format!("{api}/job/Oslo/Job_2"), "application/json", detail.to_string()),
                ],
            )
        },
        content: || {
            json!({"job_title": "Robotics Engineer 2", "job_url": "https://acme.wd5.myworkdayjobs.com/Acme_Careers/job/Oslo/Job_2",
                   "job_posted_at": "2026-11-17", "job_description": "Build robots.", "job_source": "workday", "country": "NO"})
        },
    },
    Row {
        source: "personio",
        radar_type: "company_job_openings",
        target: company,
        hosts: &["acme-robotics.com", "acme.jobs.personio.de"],
        pages: |ids| {
            let item = |id: &u32| {
                format!(
                    "<position><id>{id}</id><office>Leipzig</office><name>{}</name><createdAt>2026-11-13T12:00:00+00:00</createdAt>\
                     <jobDescriptions><jobDescription><value><![CDATA[<p>Build robots.</p>]]></value></jobDescription></jobDescriptions></position>",
                    title(*id)
                )
            };
            let board = format!("<workzag-jobs>{}</workzag-jobs>", ids.iter().map(item).collect::<String>());
            let place = "acme.jobs.personio.de/xml?language=en";
            careers_and("https://acme.jobs.personio.de", &[(place, "application/xml", board)])
        },
        content: || {
            json!({"job_title": "Robotics Engineer 2", "job_url": "https://acme.jobs.personio.de/job/2",
                   "job_posted_at": "2026-11-13", "job_description": "Build robots.", "job_source": "personio", "country": "DE"})
        },
    },
    Row {
        source: "teamtailor",
        radar_type: "company_job_openings",
        target: company,
        hosts: &["acme-robotics.com", "acme.teamtailor.com"],
        pages: |ids| {
            let item = |id: &u32| {
                format!(
                    "<item><guid>{id}</guid><title>{}</title><link>https://acme.teamtailor.com/jobs/{id}</link>\
                     <pubDate>Thu, 12 Nov 2026 09:00:00 +0100</pubDate><description>Build robots.</description>\
                     <tt:locations><tt:location><tt:country>Sweden</tt:country></tt:location></tt:locations></item>",
                    title(*id)
                )
            };
            let items = ids.iter().map(item).collect::<String>();
            let feed = format!(
                "<rss version='2.0' xmlns:tt='https://teamtailor.com/locations'><channel>{items}</channel></rss>"
            );
            let place = "acme.teamtailor.com/jobs.rss?per_page=200";
            careers_and("https://acme.teamtailor.com/jobs", &[(place, "application/rss+xml", feed)])
        },
        content: || {
            json!({"job_title": "Robotics Engineer 2", "job_url": "https://acme.teamtailor.com/jobs/2",
                   "job_posted_at": "2026-11-12", "job_description": "Build robots.", "job_source": "teamtailor", "country": "SE"})
        },
    },
    Row {
        source: "jobvite",
        radar_type: "company_job_openings",
        target: company,
        hosts: &["acme-robotics.com", "jobs.jobvite.com"],
        pages: |ids| {
            let row = |id: &u32| {
                let link = format!("<a href='/acme/job/{id}'>{}</a>", title(*id));
                format!("<tr><td>{link}</td><td class='jv-job-list-location'>Oslo, Norway</td></tr>")
            };
            let page = format!("<html><table>{}</table></html>", ids.iter().map(row).collect::<String>());
            careers_and("https://jobs.jobvite.com/acme", &[("jobs.jobvite.com/acme/search", "text/html", page)])
        },
        content: || json!({"job_title": "Robotics Engineer 2", "job_url": "https://jobs.jobvite.com/acme/job/2", "job_source": "jobvite", "country": "NO"}),
    },
    Row {
        source: "arbeitnow",
        radar_type: "industry_job_openings",
        target: theme,
        hosts: &["www.arbeitnow.com", "www.themuse.com", "hn.algolia.com"],
        pages: |ids| {
            let item = |id: u32| {
                json!({"slug": format!("job-{id}"), "title": title(id), "company_name": "Acme Robotics", "location": "Berlin",
                                   "url": format!("https://www.arbeitnow.com/jobs/job-{id}"), "created_at": 1_795_000_000, "description": "Build robots."})
            };
            let board = json!({"data": list(ids, item), "links": {"next": null}}).to_string();
            vec![("www.arbeitnow.com/api/job-board-api".to_owned(), "application/json", board)]
        },
        content: || {
            json!({"job_title": "Robotics Engineer 2", "job_url": "https://www.arbeitnow.com/jobs/job-2", "job_posted_at": "2026-11-18",
                   "job_description": "Build robots.", "job_source": "arbeitnow", "country": "DE", "company_name": "Acme Robotics"})
        },
    },
    Row {
        source: "hacker_news_keyword",
        radar_type: "industry_mentions",
        target: theme,
        hosts: &["hn.algolia.com", "www.globenewswire.com", "www.prnewswire.com"],
        pages: |ids| {
            let hit = |id: u32| {
                json!({"objectID": id.to_string(), "title": title(id), "url": format!("https://news.example.com/{id}"),
                                  "author": "mara_k", "created_at": "2026-11-19T16:05:00Z"})
            };
            let answer = json!({"hits": list(ids, hit)}).to_string();
            vec![("hn.algolia.com/api/v1/search_by_date?*".to_owned(), "application/json", answer)]
        },
        content: || {
            json!({"mention_content": "Robotics Engineer 2", "mention_url": "https://news.ycombinator.com/item?id=2",
                   "mention_channel": "hacker_news", "mention_posted_at": "2026-11-19T16:05:00.000000Z",
                   "source_url": "https://news.example.com/2", "source_name": "Hacker News"})
        },
    },
    Row {
        source: "hacker_news",
        radar_type: "company_mentions",
        target: company,
        hosts: &["acme-robotics.com", "hn.algolia.com", "www.globenewswire.com", "www.prnewswire.com"],
        pages: |ids| {
            let hit = |id: u32| {
                json!({"objectID": id.to_string(), "title": format!("Acme Robotics: {}", title(id)), "author": "mara_k",
                       "url": format!("https://news.example.com/{id}"), "created_at": "2026-11-19T16:05:00Z"})
            };
            let answer = json!({"hits": list(ids, hit)}).to_string();
            let home = "<title>Acme Robotics</title>".to_owned();
            vec![
                ("acme-robotics.com/".to_owned(), "text/html", home),
                ("hn.algolia.com/api/v1/search_by_date?*".to_owned(), "application/json", answer),
            ]
        },
        content: || {
            json!({"mention_content": "Acme Robotics: Robotics Engineer 2", "mention_url": "https://news.ycombinator.com/item?id=2",
                   "mention_channel": "hacker_news", "source_name": "Hacker News"})
        },
    },
    Row {
        source: "bluesky_posts",
        radar_type: "company_social_posts",
        target: company,
        hosts: &["acme-robotics.com", "public.api.bsky.app"],
        pages: |ids| {
            let home =
                r#"<title>Acme Robotics</title><a href="https://bsky.app/profile/acme-robotics.com">Bluesky</a>"#;
            bluesky_posts("acme-robotics.com", home, ids)
        },
        content: || {
            json!({"post_content": "Robotics Engineer 2", "post_channel": "bluesky",
                   "post_url": "https://bsky.app/profile/acme-robotics.com/post/2"})
        },
    },
    Row {
        source: "bluesky_posts",
        radar_type: "company_social_posts_cxo",
        target: company,
        hosts: &["acme-robotics.com", "public.api.bsky.app"],
        pages: |ids| {
            let home = r#"<title>Acme Robotics</title><script type="application/ld+json">{"@type":"Organization","name":"Acme Robotics",
                "url":"/","founder":{"name":"Ada Byron","sameAs":"https://bsky.app/profile/ada.example"}}</script>"#;
            bluesky_posts("ada.example", home, ids)
        },
        content: || json!({"post_content": "Robotics Engineer 2", "post_url": "https://bsky.app/profile/ada.example/post/2"}),
    },
];

#[actix_web::test]
async fn every_type_is_watched_from_set_up_to_push() {
    for row in ROWS {
        println!("{} by {}", row.radar_type, row.source);
        watch(row).await;
    }
}

async fn watch(row: &Row) {
    let (sites, mut receiver, database) = (Sites::start(row.hosts), Receiver::start(), TestDatabase::sqlite());
    let put = |ids: &[u32]| {
        for (place, content_type, body) in (row.pages)(ids) {
            sites.put(&place, content_type, &body);
        }
    };
    put(&[1]);
    // Polls are far apart in the files of these sources: the clock is moved from one to the next.
    let clock = [("CLOCK__MODE", "simulated"), ("CLOCK__START", "2026-11-20T00:00:00Z")];
    let service = Service::start_with(database.url(), &clock, &sites.settings());
    let customer = Customer::create(&service).await;
    customer.price(&service, row.radar_type, "update_based", "0.25").await;
    customer.top_up(&service, "first", "1").await;
    let (path, mut body) = (row.target)();
    body["radar_type"] = json!(row.radar_type);
    body["webhook_url"] = json!(receiver.url("/hook"));
    let is_filtered = row.radar_type == "company_job_openings";
    if is_filtered {
        body["departments"] = json!(["Engineering"]);
    }
    let created = customer.api(&service).post(path, &body).await.expect_status(201);
    let detail = customer.settled(&service, created.text("/data/radar_id")).await.to_string();
    assert!(detail.contains(&format!("\"{}\"", row.source)), "{}: {detail}", row.source);
    let has_profile = !is_filtered && body["domain"].is_string();
    let evidence = r#""evidence":"metadata","evidence_url":"https://acme-robotics.com/""#;
    let is_shown = detail.contains(evidence) || detail.contains(&evidence.replace("metadata", "structured_data"));
    assert_eq!(is_shown, has_profile, "{}: what is known of the company, where it was needed: {detail}", row.source);
    assert!(customer.updates(&service).await.is_empty(), "{}: the baseline is silent", row.source);

    put(if is_filtered { &[1, 2, 3] } else { &[1, 2] });
    let advance = json!({"seconds": 9 * 60 * 60});
    service.operator().post("/operator/v1/clock/advance", &advance).await.expect_status(200);
    let pulled = eventually(&format!("{} finds the new item", row.source), || async {
        Some(customer.updates(&service).await).filter(|updates| !updates.is_empty())
    })
    .await;
    let pushed = receiver.next().await;
    assert_eq!(pulled, [text(&pushed.body)], "{}: one finding, byte for byte the same", row.source);
    // Its signature is of the simulated day: `company_radar` verifies one of today.
    assert!(pushed.headers.contains_key("webhook-signature"), "{}", row.source);
    let finding = parse(&pulled[0]);
    for (key, value) in (row.content)().as_object().expect("an object") {
        assert_eq!(&finding["content"][key], value, "{}: {key}", row.source);
    }
    assert_eq!(customer.account(&service).await["balance_remaining_usd"], json!(0.75), "{}", row.source);

    // What vanishes and comes back is no news.
    put(&[1]);
    service.operator().post("/operator/v1/clock/advance", &advance).await.expect_status(200);
    put(&[2, 1]);
    service.operator().post("/operator/v1/clock/advance", &advance).await.expect_status(200);
    assert_eq!(customer.updates(&service).await.len(), 1, "{}", row.source);
}
