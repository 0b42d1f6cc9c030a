//! Pages that were made to stall or kill their reader. Each is read through the service's own threads, whose
//! deadline each must keep, and gives no more than the bounds allow.

use std::sync::Arc;

use serde_json::json;
use url::Url;

use super::{Log, World, clock, feed, items_of, posting, search};
use crate::bounds::{
    ADDRESSES_BYTES_MAX, EMBEDS_MAX, JSON_MEMORY_MAX, LINK_TEXT_BYTES_MAX, LINKS_MAX, POSTINGS_MAX, SITEMAP_ENTRIES_MAX,
};
use crate::discovery::{Evidence, Wanted, profile_of};
use crate::engines::wire;
use crate::extraction::job_posting::postings;
use crate::extraction::json::read_json;
use crate::extraction::page::{HtmlPage, read_page};
use crate::extraction::shown_postings::read_careers_page;
use crate::extraction::sitemap::{Sitemap, read_sitemap};
use crate::feed::PollError;
use crate::format::catalog::Catalog;
use crate::format::source::SourceKind;
use crate::format::wire_format::WireFormat;
use crate::text::plain::{plain_of_escaped_html, plain_of_html};
use domain::{DomainName, ProfileKey};
use outbound::fetch::{Fetch, FetchError, Redirects, RobotsPolicy, Web};
use outbound::robots::{ROBOTS_BYTES_MAX, Rules};
use outbound::transport::TransportError;
use outbound::web_address::ADDRESS_BYTES_MAX;

/// Long enough for what is not linear to take minutes.
const LONG: usize = 200 * 1024;
const MIB: usize = 1024 * 1024;

/// `piece` again and again, about `bytes` of it.
fn repeated(piece: &str, bytes: usize) -> String {
    piece.repeat(bytes / piece.len() + 1)
}

fn page_url() -> Url {
    Url::parse("https://acme.example/careers").unwrap()
}

/// Pages that are read in a moment where reading is linear.
fn pages() -> Vec<String> {
    let mut pages: Vec<String> = [
        "<div></x>",
        "<div>",
        "</div>",
        "<b><p>",
        "<a href=x><div>",
        "<table><tr><td><table>",
        "<font color=1><p>",
        "<iframe src=x>",
        "<iframe src=x></iframe>",
        "<a href=x>y</a>",
        "<base href=x>",
        "<svg><title/><math>",
        "<template><template>",
        "<select><option>",
        "<!--",
        "<!-->",
        "<![CDATA[",
        "&",
        "&#",
        "&amp",
        "&lt;p&gt;",
        "<",
        "</",
        "<!",
        "<?",
        "<a ",
        "<p a='",
        "\u{0}",
        "<script>",
        "<script><!--<script>",
        "<style></style",
        "<script type=application/ld+json>{}</script>",
        "<plaintext>",
        "\r",
    ]
    .iter()
    .map(|piece| repeated(piece, LONG))
    .collect();
    pages.extend(
        ["a ", "a=b ", "a='b' ", "href=x ", "/"].map(|attribute| format!("<a {}>x</a>", repeated(attribute, LONG))),
    );
    pages.push(format!(
        "<base href='https://a.example/{}'>{}",
        repeated("b", 400_000),
        repeated("<iframe src=x></iframe>", LONG)
    ));
    pages.push(format!(
        "<base href='https://a.example/{}/'>{}",
        repeated("b", 2_000),
        repeated("<a href=x>y</a>", LONG)
    ));
    pages.push(format!("<a href=x>{}", repeated("words ", LONG)));
    for piece in ["<h3>Mason</h3>", "<h3>Mason</h3><p>ort: a b c d e f</p>", "<h3>Mason", "<h3>Mason<span>a b c</span>"]
    {
        pages.push(format!("<h2>Jobs</h2>{}", repeated(piece, LONG)));
    }
    pages.push(format!("<h2>Jobs</h2><h3>{}Mason a b c d e f g h</h3>", repeated("<span>", LONG)));
    pages.push(format!("<script>'{}'</script>", repeated("https://a.example\\/", LONG)));
    pages.push(format!("<script>'{}'</script>", repeated("https://", LONG)));
    for json in ["{},", "[],", "{\"@type\":\"JobPosting\",\"title\":\"x\"},", "{\"@id\":\"x\",\"a\":1},"] {
        pages.push(format!("<script type='application/ld+json'>[{}1]</script>", repeated(json, 2 * LONG)));
    }
    for deep in ["[", "{\"a\":"] {
        pages.push(format!("<script type='application/ld+json'>{}</script>", repeated(deep, LONG)));
    }
    pages.push(posting("Mason", &json!({"description": repeated("<div></x>", LONG)})));
    pages.push(posting("Mason", &json!({"description": repeated("&lt;div&gt;&lt;/x&gt;", LONG)})));
    pages.push(posting(&repeated("Engineer, ", LONG), &json!({"identifier": repeated("7", LONG)})));
    pages.push(posting("Mason", &json!({"jobLocation": vec![json!({"address": repeated("Oulu, ", 2_000)}); 50]})));
    pages.push(posting("Mason", &json!({"validThrough": "+262142-12-31T23:59:59", "datePosted": "+262142-12-31"})));
    pages
}

/// What a page may come to, whatever it holds.
pub(super) fn assert_within_bounds(page: &HtmlPage) {
    let addresses = page.links.iter().map(|link| &link.url).chain(&page.embeds);
    let bytes: Vec<usize> = addresses.map(|url| url.as_str().len()).collect();
    assert!(page.links.len() <= LINKS_MAX && page.embeds.len() <= EMBEDS_MAX);
    assert!(bytes.iter().all(|bytes| *bytes <= ADDRESS_BYTES_MAX));
    assert!(bytes.iter().sum::<usize>() <= ADDRESSES_BYTES_MAX);
    assert!(page.links.iter().all(|link| link.text.len() <= 4 * LINK_TEXT_BYTES_MAX));
    let now = clock().now();
    let found = postings(&page.json_ld, &page_url(), now);
    assert!(found.len() <= POSTINGS_MAX);
}

pub(super) fn assert_sitemap_within_bounds(sitemap: &Sitemap) {
    let addresses = || sitemap.pages.iter().chain(&sitemap.children).map(|url| url.as_str().len());
    assert!(addresses().count() <= SITEMAP_ENTRIES_MAX);
    assert!(addresses().all(|bytes| bytes <= ADDRESS_BYTES_MAX));
    assert!(addresses().sum::<usize>() <= ADDRESSES_BYTES_MAX);
}

async fn web() -> Web {
    World::new().await.web()
}

#[actix_web::test]
async fn hostile_pages_are_read_in_time() {
    let web = web().await;
    let wanted = Wanted {
        catalog: Arc::new(Catalog::load(None).unwrap()),
        radar_type: domain::radar_type::RadarType::CompanyJobOpenings,
        domain: "acme.example".into(),
    };
    for html in pages() {
        let beginning = html.chars().take(60).collect::<String>();
        let (wanted, now) = (wanted.clone(), clock().now());
        let html = Arc::new(html);
        let text = html.clone();
        let read = move || {
            let (page, listed) = read_careers_page(html.as_bytes(), None, &page_url(), now);
            assert_within_bounds(&page);
            assert!(listed.len() <= POSTINGS_MAX);
            Evidence::of(&page, &page_url(), None, &wanted, now).boards.len()
        };
        assert_eq!(web.read(read).await, Ok(0), "{beginning}");
        let read = move || plain_of_html(&text).len().max(plain_of_escaped_html(&text).len()) <= 3 * text.len();
        assert_eq!(web.read(read).await, Ok(true), "{beginning}");
    }
}

#[actix_web::test]
async fn a_page_of_boards_of_others_is_read_in_time() {
    let links: String = (0..5_000).map(|number| format!("<a href='https://jobs.lever.co/c{number}'>x</a>")).collect();
    let wanted = Wanted {
        catalog: Arc::new(Catalog::load(None).unwrap()),
        radar_type: domain::radar_type::RadarType::CompanyJobOpenings,
        domain: "c77.example".into(),
    };
    let now = clock().now();
    let read = move || {
        let page = read_page(links.as_bytes(), None, &page_url());
        Evidence::of(&page, &page_url(), None, &wanted, now).boards
    };
    assert_eq!(web().await.read(read).await.unwrap(), [feed("lever", "c77")]);
}

#[actix_web::test]
async fn hostile_sitemaps_are_read_in_time() {
    let web = web().await;
    let namespaces: String = (0..1_000).map(|number| format!(" xmlns:n{number}='u{number}'")).collect();
    let attributes: String = (0..60_000).map(|number| format!(" a{number}='b'")).collect();
    let head = "<urlset>";
    for (xml, pages) in [
        (format!("<urlset{namespaces}>{}</urlset>", repeated("<b xmlns:z=\"u\"/>", LONG)), Some(0)),
        (format!("<urlset><url{attributes}><loc>/x</loc></url></urlset>"), Some(1)),
        (format!("{head}{}", repeated("<a>", LONG)), None),
        (format!("{head}{}", repeated("</a>", LONG)), None),
        (format!("{head}{}</urlset>", repeated("<url><loc>x</loc></url>", 3 * MIB / 2)), Some(SITEMAP_ENTRIES_MAX)),
        (format!("{head}<url><loc>{}</loc></url></urlset>", repeated("x", 3 * MIB / 2)), Some(0)),
        (format!("{head}<url><loc>{}</loc></url></urlset>", repeated("&amp;", LONG)), Some(0)),
        (format!("{head}<url><loc>{}</loc></url></urlset>", repeated("<![CDATA[x]]>", LONG)), Some(0)),
        (format!("{head}{}", repeated("<!--", LONG)), None),
        (format!("{head}{}</urlset>", repeated("&x;", LONG)), None),
        (format!("<!DOCTYPE a [<!ENTITY b '{}'>]><urlset>&b;</urlset>", repeated("&b;", LONG)), None),
        (repeated("<?xml version='1.0'?>", LONG), None),
        (repeated("<", LONG), None),
    ] {
        let beginning = xml.chars().take(60).collect::<String>();
        let read = move || read_sitemap(xml.as_bytes(), &page_url());
        let read = web.read(read).await.unwrap_or_else(|error| panic!("{beginning}: {error}"));
        if let Some(sitemap) = &read {
            assert_sitemap_within_bounds(sitemap);
        }
        assert_eq!(read.map(|sitemap| sitemap.pages.len()), pages, "{beginning}");
    }
    let long = Url::parse(&format!("https://acme.example/{}/map.xml", repeated("b", 2_000))).unwrap();
    let xml = format!("{head}{}</urlset>", repeated("<url><loc>x</loc></url>", 3 * MIB / 2));
    let sitemap = web.read(move || read_sitemap(xml.as_bytes(), &long)).await.unwrap().unwrap();
    assert_sitemap_within_bounds(&sitemap);
    assert!(!sitemap.pages.is_empty());
}

#[actix_web::test]
async fn hostile_robots_txt_are_read_in_time() {
    let web = web().await;
    for line in [
        "Disallow: /*a*b$\n",
        "Allow: /a*a*a*a*a*a*a*b$\n",
        "Sitemap: https://a.example/m\n",
        "User-agent: *\n",
        "\r",
        "#",
        ":",
    ] {
        let text = format!("User-agent: *\n{}", repeated(line, ROBOTS_BYTES_MAX));
        let url = Url::parse(&format!("https://a.example/{}", repeated("a", 2_000))).unwrap();
        let read = move || {
            let rules = Rules::read(text.as_bytes());
            (rules.allow(&url), rules.bytes())
        };
        let (allowed, bytes) = web.read(read).await.unwrap_or_else(|error| panic!("{line}: {error}"));
        assert!(allowed && bytes <= 2 * ROBOTS_BYTES_MAX, "{line}");
    }
}

#[actix_web::test]
async fn hostile_boards_are_read_in_time() {
    let web = web().await;
    let catalog = Catalog::load(None).unwrap();
    let Some(SourceKind::List(board)) = catalog.get("greenhouse").map(|source| &source.kind) else { unreachable!() };
    let description = |html: &str| {
        json!({"jobs": [{"id": 1, "title": "x", "absolute_url": "https://a.example/1", "content": html}]}).to_string()
    };
    for (body, is_read) in [
        (description(&repeated("<div></x>", LONG)), true),
        (description(&repeated("&lt;div&gt;&amp;lt;", LONG)), true),
        (format!("{{\"jobs\":[{}1]}}", repeated("{\"a\":{}},", MIB)), false),
        (format!("{{\"jobs\":[{}1]}}", repeated("1,", 4 * MIB)), false),
        (format!("{{\"jobs\":{}", repeated("[", LONG)), false),
        (format!("{{{}\"jobs\":[]}}", repeated("\"jobs\":[],", LONG)), true),
    ] {
        let beginning = body.chars().take(60).collect::<String>();
        let board = board.clone();
        let read =
            move || read_json(body.as_bytes(), JSON_MEMORY_MAX).is_ok_and(|answer| items_of(&board, &answer).is_ok());
        assert_eq!(web.read(read).await, Ok(is_read), "{beginning}");
    }
}

#[actix_web::test]
async fn hostile_feeds_and_rows_are_read_in_time() {
    let web = web().await;
    let rows = "rows = \"div\"\ncolumns = { all = \"div div p\", text = \"p\" }";
    let rows = WireFormat::Html(toml::from_str(rows).unwrap());
    let formats = [WireFormat::Xml, WireFormat::Feed, WireFormat::Articles, WireFormat::JsonLines, rows];
    for body in [
        repeated("<a>", 4 * MIB),
        format!("<rss><channel>{}</channel></rss>", repeated("<item/>", 4 * MIB)),
        format!("<rss><channel>{}", repeated("<item xml:base='x/'>", MIB)),
        format!(
            "<!DOCTYPE a [<!ENTITY b \"{}\">]><rss><channel>{}</channel></rss>",
            repeated("x", LONG),
            repeated("&b;", LONG)
        ),
        format!("<feed><entry {}/></feed>", repeated("a='b' ", MIB)),
        repeated("<div><p>x", LONG),
        repeated("<div>x</div><p>", LONG),
        repeated("<div><a href='news/a-long-title'><h2>x y z", LONG),
        repeated("<li><a href='/news/a'>x y z</a><i>1.1.2026", LONG),
        repeated("{\"a\":{}}\n", 4 * MIB),
        repeated("[", 4 * MIB),
    ] {
        for format in &formats {
            let (format, body) = (format.clone(), body.clone());
            let (word, url) = (format.as_str(), Url::parse("https://acme.example/news").unwrap());
            let beginning = body.chars().take(60).collect::<String>();
            let read = move || wire::read_at(&format, body.as_bytes(), None, &url).is_ok();
            assert!(web.read(read).await.is_ok(), "{word}: {beginning}");
        }
    }
}

#[actix_web::test]
async fn long_addresses_are_refused_wherever_they_come_from() {
    let world = World::new().await;
    let long = format!("https://acme.example/{}", repeated("a", ADDRESS_BYTES_MAX));
    let fetch = |url: &str| {
        let (web, url) = (world.web(), Url::parse(url).unwrap());
        async move {
            let (robots, redirects) = (RobotsPolicy::Obey, Redirects::Follow);
            let fetch = Fetch {
                url: &url,
                accept: "*/*",
                headers: &[],
                validators: None,
                robots,
                redirects,
                body_bytes_max: None,
            };
            web.fetch(fetch).await.map(drop)
        }
    };
    assert_eq!(fetch(&long).await, Err(FetchError::Unreachable(TransportError::BadTarget)));
    assert!(world.requests().is_empty());
    world.put_reply("acme.example/", 302, &[("Location", &long)], "");
    assert_eq!(fetch("https://acme.example/").await, Err(FetchError::BadRedirect));

    // A sitemap at an address that is too long is not one.
    world.put("acme.example/", "<html></html>");
    world.put("acme.example/robots.txt", format!("Sitemap: {long}\nSitemap: https://acme.example/map.xml"));
    let web = world.web();
    assert!(search(&web).await.is_err());
    let asked = world.requests();
    assert!(asked.iter().any(|name| name == "acme.example/map.xml"), "{asked:?}");
    assert!(asked.iter().all(|name| name.len() <= ADDRESS_BYTES_MAX));
    assert_eq!(
        Log::default().poll(&web, &feed("careers_page", &long)).await,
        Err(PollError::Fetch(FetchError::Unreachable(TransportError::BadTarget)))
    );
}

#[actix_web::test]
async fn networks_and_directories_that_lie_at_length_tell_little_and_nothing_malformed() {
    let long = repeated("x", LONG);
    let rows: Vec<_> = (0..5_000)
        .map(|number| {
            let value = |text: &str| json!({"type": "literal", "value": text});
            // An answer that is read at all is shorter than 8 MiB.
            let long = if number % 500 == 0 { long.as_str() } else { &long[..9] };
            json!({
                "item": value(&format!("http://www.wikidata.org/entity/Q7{}", if number == 0 { "" } else { &long[..9] })),
                "itemLabel": value(&format!("Acme {number}")), "official": value(long), "symbol": value(long),
                "youtube": value("UC/../../x"), "bluesky": value("acme.example/../x?y"),
                "mastodon": value("acme@social.example/users?x=1"), "linkedin": value("../in/ada"),
                "leaderLabel": value(&format!("Ada Byron {number}")),
            })
        })
        .collect();
    let wikidata = json!({"results": {"bindings": rows}}).to_string();
    for (subject, directory) in [
        ("acct:acme@social.example/users?x=1".to_owned(), wikidata),
        (format!("acct:{long}@social.example"), format!("{{\"results\":{}", repeated("[", LONG))),
        (format!("acct:acme@{long}.example"), format!("{{\"results\":{{\"bindings\":[{}1]}}}}", repeated("{},", LONG))),
    ] {
        let world = World::new().await;
        world.put("acme.example/", r#"<title>Acme</title><a rel="me" href="https://social.example/@acme">us</a>"#);
        world.put_where(
            |place| place.starts_with("social.example/.well-known/webfinger"),
            &json!({"subject": subject}).to_string(),
        );
        world.put_where(|place| place.starts_with("query.wikidata.org/sparql"), &directory);
        world.put_where(
            |place| place.starts_with("public.api.bsky.app/"),
            &json!({"did": format!("did:{long}")}).to_string(),
        );
        let domain = DomainName::from_stored("acme.example".into());
        let profile = profile_of(&world.web(), &domain, true).await.unwrap();
        let bytes: usize = profile.entries().iter().map(|entry| entry.value.len() + entry.evidence_url.len()).sum();
        assert!(bytes < 64 * 1024, "{bytes} bytes");
        let malformed: Vec<_> = profile.entries().iter().filter(|entry| entry.value.contains("..")).collect();
        assert!(malformed.is_empty(), "{malformed:?}");
        assert_eq!(profile.value(ProfileKey::MastodonAccount), None);
    }
}
