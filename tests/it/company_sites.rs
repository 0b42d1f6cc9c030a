//! Five kinds of company sites, tried as a new user would: `radar sources try`, then a radar (decisions 7.1, 7.2, 7.5).

use chrono::Utc;
use serde_json::{Value, json};

use crate::support::customer::{Customer, eventually, parse};
use crate::support::databases::TestDatabase;
use crate::support::process::Service;
use crate::support::sites::Sites;

const DOMAIN: &str = "acme-robotics.com";
const TITLES: [&str; 3] = ["Senior Backend Engineer", "Account Executive", "Data Analyst"];

/// A kind of site.
struct Site {
    radar_type: &'static str,
    /// The source that serves it.
    source: &'static str,
    /// Place, content type and body of each page while the site has that many items.
    pages: fn(usize) -> Vec<(String, &'static str, String)>,
    /// Where the title stands in a finding.
    title: &'static str,
}

fn page(path: &str, html: &str) -> (String, &'static str, String) {
    (format!("{DOMAIN}{path}"), "text/html", format!("<!doctype html><html>{html}</html>"))
}

fn slug(title: &str) -> String {
    title.to_lowercase().replace(' ', "-")
}

fn posting(title: &str) -> String {
    let posting = json!({"@context": "https://schema.org", "@type": "JobPosting", "title": title, "datePosted": "2026-11-18",
        "description": "<p>Come and build.</p>"});
    format!("<title>{title}</title><script type='application/ld+json'>{posting}</script>")
}

fn links(count: usize) -> String {
    TITLES.iter().take(count).map(|title| format!("<li><a href='/careers/{}'>{title}</a></li>", slug(title))).collect()
}

const SITES: [Site; 5] = [
    Site {
        radar_type: "company_job_openings",
        source: "greenhouse",
        pages: |count| {
            let job = |(id, title): (usize, &&str)| json!({"id": id, "title": title, "absolute_url": format!("https://boards.greenhouse.io/acme/jobs/{id}"), "location": {"name": "Oslo"}});
            let board = json!({"jobs": TITLES.iter().take(count).enumerate().map(job).collect::<Vec<_>>()}).to_string();
            vec![
                page("/", "<a href='/company'>Company</a> <a href='/careers'>Careers</a>"),
                page("/careers", "<a href='https://boards.greenhouse.io/acme'>See all openings</a>"),
                ("boards-api.greenhouse.io/v1/boards/acme/jobs?content=true".to_owned(), "application/json", board),
            ]
        },
        title: "job_title",
    },
    Site {
        radar_type: "company_job_openings",
        source: "careers_page",
        pages: |count| {
            let pages =
                TITLES.iter().take(count).map(|title| page(&format!("/careers/{}", slug(title)), &posting(title)));
            let lists = [page("/", "<a href='/careers'>Careers</a>"), page("/careers", &links(count))];
            pages.chain(lists).collect()
        },
        title: "job_title",
    },
    Site {
        radar_type: "company_job_openings",
        source: "careers_page",
        pages: |count| {
            let plain = |title: &&str| {
                page(
                    &format!("/careers/{}", slug(title)),
                    &format!("<title>{title} | Acme Robotics</title><h1>{title}</h1>"),
                )
            };
            let lists = [
                page("/", "<a href='/careers'>Work with us</a>"),
                page("/careers", &format!("<a href='/careers/our-culture'>Our culture</a>{}", links(count))),
                page("/careers/our-culture", "<title>Our culture | Acme Robotics</title>"),
            ];
            TITLES.iter().take(count).map(plain).chain(lists).collect()
        },
        title: "job_title",
    },
    Site {
        radar_type: "company_social_posts",
        source: "company_feed",
        pages: |count| {
            let item = |title: &&str| {
                format!(
                    "<item><title>{title}</title><link>https://{DOMAIN}/blog/{0}/</link><guid isPermaLink='false'>https://{DOMAIN}/?p={0}</guid>\
                         <pubDate>{1}</pubDate></item>",
                    slug(title),
                    Utc::now().to_rfc2822()
                )
            };
            let items: String = TITLES.iter().take(count).map(item).collect();
            let head = "<title>Acme Robotics – We build</title><meta name='generator' content='WordPress 6.4'>";
            let named =
                |path: &str| format!("<link rel='alternate' type='application/rss+xml' href='https://{DOMAIN}{path}'>");
            vec![
                page("/", &format!("{head}{}{}<a href='/blog/'>Blog</a>", named("/feed/"), named("/comments/feed/"))),
                page("/blog/", head),
                (
                    format!("{DOMAIN}/feed/"),
                    "application/rss+xml",
                    format!("<rss version='2.0'><channel>{items}</channel></rss>"),
                ),
            ]
        },
        title: "post_content",
    },
    Site {
        radar_type: "company_job_openings",
        source: "sitemap",
        pages: |count| {
            let place = |title: &&str| format!("<url><loc>https://{DOMAIN}/jobs/{}</loc></url>", slug(title));
            let places: String = TITLES.iter().take(count).map(place).collect();
            let sitemap = format!(
                "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>https://{DOMAIN}/</loc></url>{places}</urlset>"
            );
            let pages = TITLES.iter().take(count).map(|title| page(&format!("/jobs/{}", slug(title)), &posting(title)));
            let social =
                "<a href='https://x.com/acme'>X</a><a href='https://www.linkedin.com/company/acme'>LinkedIn</a>";
            let others = [page("/", social), (format!("{DOMAIN}/sitemap.xml"), "application/xml", sitemap)];
            pages.chain(others).collect()
        },
        title: "job_title",
    },
];

#[actix_web::test]
async fn decision_7_5_five_kinds_of_sites_are_tried_and_watched() {
    for (number, site) in SITES.iter().enumerate() {
        println!("site {number}: {} by {}", site.radar_type, site.source);
        try_and_watch(site).await;
    }
}

async fn try_and_watch(site: &Site) {
    let sites = Sites::start(&[DOMAIN, "boards-api.greenhouse.io"]);
    let put = |count: usize| {
        for (place, content_type, body) in (site.pages)(count) {
            sites.put(&place, content_type, &body);
        }
    };
    put(2);
    let database = TestDatabase::sqlite();
    let service = Service::start_with(database.url(), &[("SOURCES__POLL_INTERVAL", "1s")], &sites.settings());

    let mut command = service.command(&["--json", "sources", "try", DOMAIN, "--radar-type", site.radar_type]);
    let output =
        actix_web::rt::task::spawn_blocking(move || command.output()).await.expect("a thread").expect("the program");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    let tried: Value = serde_json::from_str(&said).expect("JSON");
    assert_eq!(
        (&tried["data"][0]["source"], &tried["data"][0]["class"]),
        (&json!(site.source), &json!("ok")),
        "{tried}"
    );
    let shown = tried["data"][0]["items"].as_array().expect("items");
    let mut titles: Vec<&str> = shown.iter().filter_map(|item| item["content"][site.title].as_str()).collect();
    titles.sort_unstable();
    assert_eq!(titles, [TITLES[1], TITLES[0]], "{}", site.source);

    let customer = Customer::create(&service).await;
    customer.top_up(&service, "first", "5").await;
    let body = json!({"domain": DOMAIN, "radar_type": site.radar_type});
    let created = customer.api(&service).post("/v1/radars/companies", &body).await.expect_status(201);
    let detail = customer.settled(&service, created.text("/data/radar_id")).await.to_string();
    assert!(detail.contains(&format!("\"{}\"", site.source)), "{detail}");
    put(3);
    let updates = eventually("the new item is found", || async {
        Some(customer.updates(&service).await).filter(|updates| !updates.is_empty())
    })
    .await;
    assert_eq!(updates.len(), 1, "what was there is no finding: {updates:?}");
    assert_eq!(parse(&updates[0])["content"][site.title], json!(TITLES[2]), "{}", site.source);
}
