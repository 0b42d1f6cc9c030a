//! The sample web of `radar demo --all-types`: a company with a site, a job board, posts and press releases, and what
//! others publish.
//!
//! Duty: host, path, query and how many things have happened in, a page out. The answers have the shape of those of the
//! real sources; what they tell is invented. It serves nothing itself.

use serde_json::{Value, json};

use super::moment::{COMPANY, DOMAIN, Moment};
use super::wires;
use crate::cli::demo::sample_pages::{self, ACME_ROBOTICS, Job, Page};

/// The beginnings of the ids of the built-in sources whose answers are served here.
pub const SERVED: [&str; 10] = [
    "greenhouse", "arbeitnow", "hacker_news", "hn_launches", "bluesky_posts", "bluesky_engagements", "globenewswire",
    "prnewswire", "brreg", "team_page",
];

/// The page at `path` of `host`, `None` where there is none.
pub fn page(host: &str, path: &str, query: &str, moment: &Moment) -> Option<Page> {
    let moment = *moment;
    match (host, path) {
        (_, "/robots.txt") => Some(sample_pages::robots()),
        ("www.arbeitnow.com", "/api/job-board-api") => Some(Page::json(&jobs_by_theme(moment))),
        ("hn.algolia.com", "/api/v1/search_by_date") => Some(Page::json(&hacker_news(query, moment))),
        ("public.api.bsky.app", "/xrpc/app.bsky.feed.getAuthorFeed") => Some(Page::json(&bluesky(query, moment))),
        ("data.brreg.no", "/enhetsregisteret/api/enheter") => Some(Page::json(&register(moment))),
        ("www.globenewswire.com" | "www.prnewswire.com", _) => Some(wires::releases(moment)),
        (DOMAIN | "www.acme-robotics.com", "/") => Some(home()),
        (DOMAIN | "www.acme-robotics.com", "/about/team") => Some(team(moment)),
        _ => sample_pages::page(host, path, &openings(moment)),
    }
}

fn home() -> Page {
    let leader = json!({
        "@type": "Organization", "name": COMPANY, "url": "/",
        "founder": {"name": "Ada Byron", "sameAs": "https://bsky.app/profile/ada.acme-robotics.com"},
    });
    Page::html(
        COMPANY,
        &format!(
            "<script type=\"application/ld+json\">{leader}</script>\n<p>{COMPANY} builds things that last.</p>\n\
             <nav><a href=\"/\">Home</a> <a href=\"/careers\">Careers</a> <a href=\"/about/team\">Our team</a> \
             <a href=\"https://bsky.app/profile/acme-robotics.com\">Bluesky</a></nav>"
        ),
    )
}

fn team(moment: Moment) -> Page {
    Page::html("Our team", &format!("<h1>Our team</h1>\n<div class=\"grid\">\n{}</div>", wires::team(moment)))
}

fn openings(moment: Moment) -> Vec<Job> {
    let job = |number: u32| Job {
        company: ACME_ROBOTICS,
        id: 4_100 + u64::from(number),
        title: format!("Robotics Engineer {number}"),
        department: "Engineering".to_owned(),
        city: "Ghent".to_owned(),
        country: "BE".to_owned(),
        posted_on: moment.today(),
        description: "Build robots that last.".to_owned(),
    };
    moment.numbers().map(job).collect()
}

fn jobs_by_theme(moment: Moment) -> Value {
    let job = |number: u32| {
        json!({
            "slug": format!("robotics-{number}"), "title": format!("Robotics Technician {number}"),
            "company_name": "Borealis Foods", "location": "Berlin", "description": "Keep our robots running.",
            "url": format!("https://www.arbeitnow.com/jobs/robotics-{number}"), "created_at": moment.now.timestamp(),
        })
    };
    json!({"data": moment.numbers().map(job).collect::<Vec<_>>(), "links": {"next": null}})
}

fn hacker_news(query: &str, moment: Moment) -> Value {
    let is_launch = query.contains("Launch");
    let hit = |number: u32| {
        let title = match is_launch {
            true => format!("Launch HN: {} (YC F26) – Pumps that call home", wires::young_company(number)),
            false => format!("{COMPANY} shows a robotics arm that sorts apples, part {number}"),
        };
        json!({
            "objectID": (48_000_000 + number).to_string(), "title": title, "author": "mara_k",
            "url": format!("https://news.example.com/{number}"), "created_at": moment.now.to_rfc3339(),
        })
    };
    json!({"hits": moment.numbers().map(hit).collect::<Vec<_>>()})
}

/// The posts of an account, and every time a repost.
fn bluesky(query: &str, moment: Moment) -> Value {
    let handle = if query.contains("ada.acme-robotics.com") { "ada.acme-robotics.com" } else { DOMAIN };
    let at = moment.now.to_rfc3339();
    let post = |number: u32| {
        let author = json!({"did": "did:plc:acme", "handle": handle, "displayName": COMPANY});
        let own = json!({"post": {
            "uri": format!("at://did:plc:acme/app.bsky.feed.post/{number}"), "author": author,
            "record": {"text": format!("Our arm sorts apples, take {number}."), "createdAt": at},
        }});
        let repost = json!({
            "post": {
                "uri": format!("at://did:plc:other/app.bsky.feed.post/{number}"),
                "author": {"did": "did:plc:other", "handle": "orchard.example"},
                "record": {"text": "Apples, sorted.", "createdAt": at},
            },
            "reason": {
                "$type": "app.bsky.feed.defs#reasonRepost", "by": {"handle": handle, "displayName": COMPANY},
                "uri": format!("at://did:plc:acme/app.bsky.feed.repost/{number}"), "indexedAt": at,
            },
        });
        [own, repost]
    };
    json!({"feed": moment.numbers().flat_map(post).collect::<Vec<_>>()})
}

fn register(moment: Moment) -> Value {
    let company = |number: u32| {
        json!({
            "organisasjonsnummer": (999_000_000 + number).to_string(),
            "navn": format!("{} AS", wires::young_company(number).to_uppercase()),
            "registreringsdatoEnhetsregisteret": moment.today().to_string(),
            "naeringskode1": {"kode": "28.990", "beskrivelse": "Produksjon av roboter"}, "konkurs": false,
        })
    };
    json!({
        "_embedded": {"enheter": moment.numbers().map(company).collect::<Vec<_>>()},
        "_links": {}, "page": {"size": 100, "totalElements": moment.happened, "totalPages": 1, "number": 0},
    })
}
