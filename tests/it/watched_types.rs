//! Every radar type that a built-in source serves, watched end to end from served answers: set-up, silent baseline, a new
//! item, the filter, the charge, the update pulled and pushed (Spec 2.4, 2.5, 2.7, 6). A further source is a further row.

use serde_json::{Value, json};

use crate::support::customer::{Customer, eventually, parse, text};
use crate::support::databases::TestDatabase;
use crate::support::process::Service;
use crate::support::receiver::Receiver;
use crate::support::sites::Sites;

/// Where a page is, its content type and its body.
pub type SitePage = (String, &'static str, String);

/// A source that is watched.
pub struct Row {
    /// The source's id.
    pub source: &'static str,
    pub radar_type: &'static str,
    /// Where the radar is created, and what names its target.
    pub target: fn() -> (&'static str, Value),
    pub hosts: &'static [&'static str],
    /// The pages with these items, at their places.
    pub pages: fn(&[u32]) -> Vec<SitePage>,
    /// What the finding of item 2 holds, beside what is null.
    pub content: fn() -> Value,
}

pub fn company() -> (&'static str, Value) {
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
pub fn title(id: u32) -> String {
    if id == 3 { "Robotics Accountant".to_owned() } else { format!("Robotics Engineer {id}") }
}

pub fn list(ids: &[u32], item: impl Fn(u32) -> Value) -> Value {
    ids.iter().map(|id| item(*id)).collect()
}

/// A company site, and the posts of `handle` on Bluesky.
fn bluesky_posts(handle: &str, home: &str, ids: &[u32]) -> Vec<(String, &'static str, String)> {
    let post = |id: u32| {
        json!({"post": {"uri": format!("at://did:plc:abc/app.bsky.feed.post/{id}"), "author": {"did": "did:plc:abc", "handle": handle},
                        "record": {"text": title(id), "createdAt": "2026-11-20T08:00:00.000Z"}}})
    };
    let feed = json!({"feed": list(ids, post)}).to_string();
    vec![
        ("acme-robotics.com/".to_owned(), "text/html", home.to_owned()),
        ("public.api.bsky.app/xrpc/app.bsky.feed.getAuthorFeed?*".to_owned(), "application/json", feed),
    ]
}

/// A person who is known by a profile that no program may read.
fn person(profile_url: &str) -> (&'static str, Value) {
    ("/v1/radars/contacts", json!({"profile_url": profile_url}))
}

/// What Wikidata says when it is asked whose profile that is: a person with one account elsewhere.
fn wikidata(network: &str, account: &str) -> SitePage {
    let item = json!({"type": "uri", "value": "http://www.wikidata.org/entity/Q7"});
    let row = json!({"item": item, network: {"type": "literal", "value": account}});
    let answer = json!({"results": {"bindings": [row]}}).to_string();
    ("query.wikidata.org/sparql?*".to_owned(), "application/sparql-results+json", answer)
}

const BLUESKY_HOME: &str =
    r#"<title>Acme Robotics</title><a href="https://bsky.app/profile/acme-robotics.com">Bluesky</a>"#;
const BLUESKY_FEED: &str = "public.api.bsky.app/xrpc/app.bsky.feed.getAuthorFeed?*";

/// What `handle` does on Bluesky with the posts of others; `more` makes of a post what it is.
fn bluesky_engagements(handle: &str, ids: &[u32], more: impl Fn(u32) -> Value) -> SitePage {
    let item = |id: u32| {
        let mut item = json!({"post": {"uri": format!("at://did:plc:abc/app.bsky.feed.post/{id}"),
            "author": {"did": "did:plc:abc", "handle": handle, "displayName": "Ada"},
            "record": {"text": title(id), "createdAt": "2026-11-20T08:00:00.000Z"}}});
        merge(&mut item, more(id));
        item
    };
    (BLUESKY_FEED.to_owned(), "application/json", json!({"feed": list(ids, item)}).to_string())
}

fn merge(into: &mut Value, more: Value) {
    match (into, more) {
        (Value::Object(into), Value::Object(more)) => {
            more.into_iter().for_each(|(key, value)| merge(into.entry(key).or_insert(Value::Null), value));
        }
        (into, more) => *into = more,
    }
}

/// The likes of `handle` on Bluesky, in the repository of the account.
fn bluesky_likes(handle: &str, ids: &[u32]) -> Vec<SitePage> {
    let profile = json!({"did": "did:plc:abc", "handle": handle});
    let document =
        json!({"service": [{"type": "AtprotoPersonalDataServer", "serviceEndpoint": "https://pds.example.com"}]});
    let like = |id: u32| {
        json!({"uri": format!("at://did:plc:abc/app.bsky.feed.like/{id}"), "value": {"createdAt": "2026-11-20T08:00:00.000Z",
               "subject": {"uri": format!("at://did:plc:zzz/app.bsky.feed.post/{id}")}}})
    };
    let likes = json!({"records": list(ids, like)});
    [
        ("public.api.bsky.app/xrpc/app.bsky.actor.getProfile?*", profile),
        ("plc.directory/did:plc:abc", document),
        ("pds.example.com/xrpc/com.atproto.repo.listRecords?*", likes),
    ]
    .map(|(place, answer)| (place.to_owned(), "application/json", answer.to_string()))
    .into()
}

/// What the user `acme` of a Mastodon server writes; `more` makes of a post what it is.
fn mastodon(ids: &[u32], more: impl Fn(u32) -> Value) -> Vec<SitePage> {
    let status = |id: u32| {
        let mut status = json!({"id": id.to_string(), "uri": format!("https://mas.example.com/users/acme/statuses/{id}"),
            "url": format!("https://mas.example.com/@acme/{id}"), "created_at": "2026-11-20T08:00:00.000Z",
            "content": format!("<p>{}</p>", title(id)), "in_reply_to_id": null, "reblog": null, "mentions": [],
            "account": {"acct": "acme", "display_name": "Acme", "url": "https://mas.example.com/@acme"}});
        merge(&mut status, more(id));
        status
    };
    [
        ("mas.example.com/.well-known/webfinger?*", json!({"subject": "acct:acme@mas.example.com"})),
        ("mas.example.com/api/v1/accounts/lookup?acct=acme", json!({"id": "7"})),
        ("mas.example.com/api/v1/accounts/7/statuses?limit=40", list(ids, status)),
    ]
    .map(|(place, answer)| (place.to_owned(), "application/json", answer.to_string()))
    .into()
}

fn home(html: &str) -> SitePage {
    ("acme-robotics.com/".to_owned(), "text/html", html.to_owned())
}
/// A press wire's feed of these headlines, and the site of the company that they are about.
fn wire(place: &str, ids: &[u32], headline: fn(u32) -> &'static str) -> Vec<SitePage> {
    let item = |id: &u32| {
        format!(
            "<item><guid>https://wire.example.com/{id}.html</guid><link>https://wire.example.com/{id}.html</link><title>{}</title>\
             <description>OSLO, Norway, Nov. 20, 2026 /PRNewswire/ -- So it was said today.</description>\
             <pubDate>Fri, 20 Nov 2026 07:00:00 +0000</pubDate></item>",
            headline(*id)
        )
    };
    let feed = format!("<rss version='2.0'><channel>{}</channel></rss>", ids.iter().map(item).collect::<String>());
    let home = "<title>Acme Robotics</title>".to_owned();
    vec![("acme-robotics.com/".to_owned(), "text/html", home), (place.to_owned(), "application/rss+xml", feed)]
}

const PERSONNEL: &str = "www.prnewswire.com/rss/general-business-latest-news/personnel-announcements-list.rss";
const WIRES: &[&str] = &["acme-robotics.com", "www.globenewswire.com", "www.prnewswire.com"];

const ROWS: &[Row] = &[
    Row {
        source: "prnewswire_people",
        radar_type: "company_new_hires",
        target: company,
        hosts: WIRES,
        pages: |ids| {
            wire(PERSONNEL, ids, |id| match id {
                1 => "Acme Robotics Appoints Leo Stark as Director of Engineering",
                2 => "Acme Robotics Names Dr. Ines Varga Vice President of Engineering",
                _ => "Acme Robotics Appoints Mara Lindqvist as Chief Financial Officer",
            })
        },
        content: || {
            json!({"full_name": "Ines Varga", "first_name": "Ines", "last_name": "Varga", "profile_url": null,
                   "title": "Vice President of Engineering", "start_date": null, "country": null,
                   "source_url": "https://wire.example.com/2.html", "source_name": "PR Newswire"})
        },
    },
    Row {
        source: "prnewswire_people-company_promotions",
        radar_type: "company_promotions",
        target: company,
        hosts: WIRES,
        pages: |ids| {
            wire(PERSONNEL, ids, |id| match id {
                1 => "Acme Robotics Promotes Leo Stark to Vice President of Engineering",
                2 => "Acme Robotics Promotes Ines Varga to Director of Engineering",
                _ => "Acme Robotics Promotes Mara Lindqvist to Chief Financial Officer",
            })
        },
        content: || {
            json!({"full_name": "Ines Varga", "current_title": "Director of Engineering", "previous_title": null,
                   "promotion_date": null, "source_url": "https://wire.example.com/2.html"})
        },
    },
    Row {
        source: "prnewswire_people-contact_job_changes",
        radar_type: "contact_job_changes",
        target: || ("/v1/radars/contacts", json!({"domain": "acme-robotics.com", "full_name": "Ines Varga"})),
        hosts: WIRES,
        pages: |ids| {
            wire(PERSONNEL, ids, |id| match id {
                1 => "Acme Robotics CTO Leo Stark Steps Down",
                _ => "Acme Robotics CFO Ines Varga Steps Down",
            })
        },
        content: || {
            json!({"change_type": "departure",
                   "previous_role": {"title": "CFO", "company_name": "Acme Robotics", "company_domain": "acme-robotics.com",
                                     "start_date": null, "end_date": null},
                   "new_role": {"title": null, "company_name": null, "company_domain": null, "start_date": null, "end_date": null}})
        },
    },
    Row {
        source: "prnewswire_funding",
        radar_type: "industry_funding_rounds",
        target: || ("/v1/radars/industry", json!({})),
        hosts: WIRES,
        pages: |ids| {
            wire("www.prnewswire.com/rss/financial-services-latest-news/venture-capital-list.rss", ids, |id| match id {
                1 => "Quarrelake Raises $4 Million Seed Round",
                _ => "Mossgrid Closes $30 Million Series B Led by Tern Capital",
            })
        },
        content: || {
            json!({"company_name": "Mossgrid", "company_domain": null, "round": "Series B", "amount": 30_000_000, "currency": "USD",
                   "announced_at": "2026-11-20", "investors": ["Tern Capital"], "source_name": "PR Newswire"})
        },
    },
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
        source: "softgarden",
        radar_type: "company_job_openings",
        target: company,
        hosts: &["acme-robotics.com", "acme.career.softgarden.de"],
        pages: |ids| {
            let item = |id: u32| {
                json!({"item": {"title": title(id), "url": format!("https://acme.career.softgarden.de/jobs/{id}/"), "identifier": {"value": id},
                                "datePosted": "2026-11-13T12:00:00+01:00", "description": "Build robots.",
                                "jobLocation": {"address": {"addressCountry": "Deutschland"}}}})
            };
            let feed = json!({"dataFeedElement": list(ids, item)}).to_string();
            let place = "acme.career.softgarden.de/jobs.feed.json";
            careers_and("https://acme.softgarden.io/", &[(place, "application/json", feed)])
        },
        content: || {
            json!({"job_title": "Robotics Engineer 2", "job_url": "https://acme.career.softgarden.de/jobs/2/", "job_posted_at": "2026-11-13",
                   "job_description": "Build robots.", "job_source": "softgarden", "country": "DE"})
        },
    },
    Row {
        source: "join",
        radar_type: "company_job_openings",
        target: company,
        hosts: &["acme-robotics.com", "join.com"],
        pages: |ids| {
            let item = |id: u32| {
                json!({"id": id, "idParam": format!("{id}-engineer"), "title": title(id), "createdAt": "2026-11-13T12:00:00Z",
                       "city": {"countryName": "Germany"}})
            };
            let page = r#"<script id="__NEXT_DATA__">{"company":{"id":100}}</script>"#.to_owned();
            let answer = json!({"items": list(ids, item), "pagination": {"pageCount": 1}}).to_string();
            let detail = json!({"description": "Build robots."}).to_string();
            let mut pages = vec![
                ("join.com/companies/acme".to_owned(), "text/html", page),
                ("join.com/api/public/companies/100/jobs?*".to_owned(), "application/json", answer),
            ];
            pages.extend(
                ids.iter().map(|id| (format!("join.com/api/public/jobs/{id}"), "application/json", detail.clone())),
            );
            pages.extend(careers_and("https://join.com/companies/acme", &[]));
            pages
        },
        content: || {
            json!({"job_title": "Robotics Engineer 2", "job_url": "https://join.com/companies/acme/2-engineer", "job_posted_at": "2026-11-13",
                   "job_description": "Build robots.", "job_source": "join", "country": "DE"})
        },
    },
    Row {
        source: "successfactors",
        radar_type: "company_job_openings",
        target: company,
        hosts: &["acme-robotics.com", "career5.successfactors.eu"],
        pages: |ids| {
            let item = |id: &u32| {
                format!(
                    "<Job><JobTitle>{}</JobTitle><ReqId>{id}</ReqId><Posted-Date>11/13/2026</Posted-Date>\
                     <Job-Description>Build robots.</Job-Description><filter1><label>Country</label><value>Germany</value></filter1></Job>",
                    title(*id)
                )
            };
            let listing = format!("<Job-Listing>{}</Job-Listing>", ids.iter().map(item).collect::<String>());
            let place = "career5.successfactors.eu/career?company=acme&career_ns=job_listing_summary&resultType=XML";
            careers_and("https://career5.successfactors.eu/career?company=acme", &[(place, "application/xml", listing)])
        },
        content: || {
            json!({"job_title": "Robotics Engineer 2", "job_posted_at": "2026-11-13", "job_description": "Build robots.",
                   "job_url": "https://career5.successfactors.eu/career?career_ns=job_listing&company=acme&navBarLevel=JOB_SEARCH&career_job_req_id=2",
                   "job_source": "successfactors", "country": "DE"})
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
                                   "url": format!("https://www.arbeitnow.com/jobs/job-{id}"), "created_at": 1_795_158_000, "description": "Build robots."})
            };
            let board = json!({"data": list(ids, item), "links": {"next": null}}).to_string();
            vec![("www.arbeitnow.com/api/job-board-api".to_owned(), "application/json", board)]
        },
        content: || {
            json!({"job_title": "Robotics Engineer 2", "job_url": "https://www.arbeitnow.com/jobs/job-2", "job_posted_at": "2026-11-20",
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
                                  "author": "mara_k", "created_at": "2026-11-20T06:05:00Z"})
            };
            let answer = json!({"hits": list(ids, hit)}).to_string();
            vec![("hn.algolia.com/api/v1/search_by_date?*".to_owned(), "application/json", answer)]
        },
        content: || {
            json!({"mention_content": "Robotics Engineer 2", "mention_url": "https://news.ycombinator.com/item?id=2",
                   "mention_channel": "hacker_news", "mention_posted_at": "2026-11-20T06:05:00.000000Z",
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
                       "url": format!("https://news.example.com/{id}"), "created_at": "2026-11-20T06:05:00Z"})
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
    Row {
        source: "bluesky_engagements",
        radar_type: "company_social_engagements",
        target: company,
        hosts: &["acme-robotics.com", "public.api.bsky.app"],
        pages: |ids| {
            let reply = |id: u32| json!({"post": {"record": {"reply": {"parent": {"uri": format!("at://did:plc:zzz/app.bsky.feed.post/p{id}")}}}}});
            vec![home(BLUESKY_HOME), bluesky_engagements("acme-robotics.com", ids, reply)]
        },
        content: || {
            json!({"engagement_type": "comment", "engagement_content": "Robotics Engineer 2", "engaged_at": "2026-11-20T08:00:00.000000Z",
                   "post_url": "https://bsky.app/profile/did:plc:zzz/post/p2", "source_name": "Bluesky"})
        },
    },
    Row {
        source: "bluesky_engagements",
        radar_type: "company_social_engagements",
        target: company,
        hosts: &["acme-robotics.com", "public.api.bsky.app"],
        pages: |ids| {
            let quote = |id: u32| json!({"post": {"record": {"embed": {"record": {"uri": format!("at://did:plc:zzz/app.bsky.feed.post/q{id}")}}}}});
            vec![home(BLUESKY_HOME), bluesky_engagements("acme-robotics.com", ids, quote)]
        },
        content: || {
            json!({"engagement_type": "quote", "engagement_content": "Robotics Engineer 2",
                   "post_url": "https://bsky.app/profile/did:plc:zzz/post/q2"})
        },
    },
    Row {
        source: "bluesky_engagements",
        radar_type: "company_social_engagements",
        target: company,
        hosts: &["acme-robotics.com", "public.api.bsky.app"],
        pages: |ids| {
            let repost = |id: u32| {
                json!({"reason": {"$type": "app.bsky.feed.defs#reasonRepost", "uri": format!("at://did:plc:abc/app.bsky.feed.repost/{id}"),
                       "by": {"handle": "acme-robotics.com"}, "indexedAt": "2026-11-20T08:30:00.000Z"}})
            };
            vec![home(BLUESKY_HOME), bluesky_engagements("other.example", ids, repost)]
        },
        content: || {
            json!({"engagement_type": "repost", "engagement_content": null, "engaged_at": "2026-11-20T08:30:00.000000Z",
                   "post_url": "https://bsky.app/profile/other.example/post/2", "post_posted_at": "2026-11-20T08:00:00.000000Z"})
        },
    },
    Row {
        source: "bluesky_likes",
        radar_type: "company_social_engagements",
        target: company,
        hosts: &["acme-robotics.com", "public.api.bsky.app", "plc.directory", "pds.example.com"],
        pages: |ids| bluesky_likes("acme-robotics.com", ids).into_iter().chain([home(BLUESKY_HOME)]).collect(),
        content: || {
            json!({"engagement_type": "like", "engagement_content": null, "engaged_at": "2026-11-20T08:00:00.000000Z",
                   "post_url": "https://bsky.app/profile/did:plc:zzz/post/2"})
        },
    },
    Row {
        source: "mastodon_engagements",
        radar_type: "company_social_engagements",
        target: company,
        hosts: &["acme-robotics.com", "mas.example.com"],
        pages: |ids| {
            let page = r#"<title>Acme Robotics</title><a rel="me" href="https://mas.example.com/@acme">Mastodon</a>"#;
            let boost = |id: u32| json!({"reblog": {"id": format!("b{id}"), "url": format!("https://other.example/@ada/{id}"), "created_at": "2026-11-17T08:00:00.000Z"}});
            mastodon(ids, boost).into_iter().chain([home(page)]).collect()
        },
        content: || {
            json!({"engagement_type": "repost", "engagement_content": null, "post_url": "https://other.example/@ada/2",
                   "post_posted_at": "2026-11-17T08:00:00.000000Z", "source_name": "Mastodon"})
        },
    },
    Row {
        source: "bluesky_posts-contact_social_posts",
        radar_type: "contact_social_posts",
        target: || person("https://www.linkedin.com/in/ada-byron"),
        hosts: &["query.wikidata.org", "public.api.bsky.app"],
        pages: |ids| {
            let posts = bluesky_posts("ada.example", "", ids).into_iter().filter(|(place, ..)| place == BLUESKY_FEED);
            posts.chain([wikidata("bluesky", "ada.example")]).collect()
        },
        content: || {
            json!({"post_content": "Robotics Engineer 2", "post_channel": "bluesky", "post_posted_at": "2026-11-20T08:00:00.000000Z",
                   "post_url": "https://bsky.app/profile/ada.example/post/2"})
        },
    },
    Row {
        source: "mastodon_posts-contact_social_posts",
        radar_type: "contact_social_posts",
        target: || person("https://x.com/adabyron"),
        hosts: &["query.wikidata.org", "mas.example.com"],
        pages: |ids| {
            let item = |id: &u32| {
                format!(
                    "<item><guid>https://mas.example.com/@acme/{id}</guid><pubDate>Fri, 20 Nov 2026 08:00:00 +0000</pubDate><description>{}</description></item>",
                    title(*id)
                )
            };
            let items = ids.iter().map(item).collect::<String>();
            let feed = format!("<rss version='2.0'><channel><title>Ada</title>{items}</channel></rss>");
            vec![
                ("mas.example.com/@acme.rss".to_owned(), "application/rss+xml", feed),
                wikidata("mastodon", "acme@mas.example.com"),
            ]
        },
        content: || json!({"post_content": "Robotics Engineer 2", "post_channel": "mastodon", "post_url": "https://mas.example.com/@acme/2"}),
    },
    Row {
        source: "bluesky_likes-contact_social_engagements",
        radar_type: "contact_social_engagements",
        target: || person("https://twitter.com/adabyron"),
        hosts: &["query.wikidata.org", "public.api.bsky.app", "plc.directory", "pds.example.com"],
        pages: |ids| {
            bluesky_likes("ada.example", ids).into_iter().chain([wikidata("bluesky", "ada.example")]).collect()
        },
        content: || {
            json!({"engagement_type": "like", "engaged_at": "2026-11-20T08:00:00.000000Z",
                   "post_url": "https://bsky.app/profile/did:plc:zzz/post/2", "author": null})
        },
    },
    Row {
        source: "mastodon_engagements-contact_social_engagements",
        radar_type: "contact_social_engagements",
        target: || person("https://www.linkedin.com/in/ada-byron"),
        hosts: &["query.wikidata.org", "mas.example.com"],
        pages: |ids| {
            let reply =
                |id: u32| json!({"in_reply_to_id": format!("p{id}"), "mentions": [{"acct": "kai@other.example"}]});
            mastodon(ids, reply).into_iter().chain([wikidata("mastodon", "acme@mas.example.com")]).collect()
        },
        content: || {
            json!({"engagement_type": "comment", "engagement_content": "Robotics Engineer 2",
                   "post_url": "https://mas.example.com/@kai@other.example/p2", "author": null})
        },
    },
];

#[actix_web::test]
async fn job_openings_are_watched_from_set_up_to_push() {
    watch_all(Part::Jobs).await;
}

#[actix_web::test]
async fn other_types_of_companies_are_watched_from_set_up_to_push() {
    watch_all(Part::Companies).await;
}

#[actix_web::test]
async fn types_of_industries_and_contacts_are_watched_from_set_up_to_push() {
    watch_all(Part::Others).await;
}

/// A part of the rows, watched by a test of its own.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Jobs,
    Companies,
    Others,
}

async fn watch_all(part: Part) {
    let part_of = |row: &&Row| match row.radar_type {
        "company_job_openings" => Part::Jobs,
        other if other.starts_with("company_") => Part::Companies,
        _ => Part::Others,
    };
    for row in ROWS.iter().filter(|row| part_of(row) == part) {
        println!("{} by {}", row.radar_type, row.source);
        watch(row).await;
    }
}

async fn watch(row: &Row) {
    watch_with(row, 9, &[]).await;
}

/// Watches `row` with `variables` in the environment of the service; so many hours lie between two looks.
pub async fn watch_with(row: &Row, hours: u32, variables: &[(String, String)]) {
    let (sites, mut receiver, database) = (Sites::start(row.hosts), Receiver::start(), TestDatabase::sqlite());
    let put = |ids: &[u32]| {
        for (place, content_type, body) in (row.pages)(ids) {
            sites.put(&place, content_type, &body);
        }
    };
    put(&[1]);
    // Polls are far apart in the files of these sources: the clock is moved from one to the next.
    let mut settings = vec![("CLOCK__MODE", "simulated"), ("CLOCK__START", "2026-11-20T00:00:00Z")];
    // A person's accounts are found by asking.
    settings.extend((row.target)().0.contains("contacts").then_some(("SOURCES__LOOKUPS", "true")));
    let service = Service::start_under(database.url(), &settings, &sites.settings(), variables);
    let customer = Customer::create(&service).await;
    customer.price(&service, row.radar_type, "update_based", "0.25").await;
    customer.top_up(&service, "first", "1").await;
    let (path, mut body) = (row.target)();
    body["radar_type"] = json!(row.radar_type);
    body["webhook_url"] = json!(receiver.url("/hook"));
    let is_filtered = ["company_job_openings", "company_new_hires", "company_promotions"].contains(&row.radar_type);
    if is_filtered {
        body["departments"] = json!(["Engineering"]);
    }
    let created = customer.api(&service).post(path, &body).await.expect_status(201);
    let detail = customer.settled_in_time(&service, created.text("/data/radar_id")).await.to_string();
    assert!(detail.contains(&format!("\"{}\"", row.source)), "{}: {detail}", row.source);
    let has_profile =
        body["domain"].is_string() && !matches!(row.radar_type, "company_job_openings" | "company_reviews");
    let may_have_profile = matches!(row.radar_type, "company_new_hires" | "company_promotions" | "contact_job_changes");
    let evidence = r#""evidence":"metadata","evidence_url":"https://acme-robotics.com/""#;
    let is_shown = detail.contains(evidence) || detail.contains(&evidence.replace("metadata", "structured_data"));
    let is_right = may_have_profile || is_shown == has_profile;
    assert!(is_right, "{}: what is known of the company, where it was needed: {detail}", row.source);
    assert!(customer.updates(&service).await.is_empty(), "{}: the baseline is silent", row.source);

    put(if is_filtered { &[1, 2, 3] } else { &[1, 2] });
    let advance = json!({"seconds": hours * 60 * 60});
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
