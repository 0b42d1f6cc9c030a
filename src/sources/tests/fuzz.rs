//! What strangers write, made up: from pieces of what they do write, from changed examples, and from nothing. Whatever it
//! is, nobody panics, and what comes of it keeps the bounds.
//!
//! `FUZZ_SECONDS` says how long each of these goes on; without it each makes a few hundred tries.

#![expect(clippy::disallowed_methods, reason = "fuzzing runs in real time")]

use std::time::{Duration, Instant};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::Union;
use proptest::test_runner::{Config, TestRunner};
use scraper::Html;
use url::Url;

use super::hostile::{assert_sitemap_within_bounds, assert_within_bounds};
use super::items_of;
use crate::domain::radar::title_expression::TitleExpression;
use crate::outbound::robots::{ROBOTS_BYTES_MAX, Rules};
use crate::sources::bounds::JSON_MEMORY_MAX;
use crate::sources::classification::role_of;
use crate::sources::engines::wire;
use crate::sources::extraction::job_posting::postings;
use crate::sources::extraction::json::{memory_of, read_json};
use crate::sources::extraction::page::read_page;
use crate::sources::extraction::sitemap::read_sitemap;
use crate::sources::format::catalog::Catalog;
use crate::sources::format::source::SourceKind;
use crate::sources::format::wire_format::WireFormat;
use crate::sources::text::dates::{day_of_text, is_over};
use crate::sources::text::plain::{plain_of_escaped_html, plain_of_html};

/// Tries `check` on what `inputs` makes up.
fn fuzz(inputs: impl Strategy<Value = Vec<u8>>, check: impl Fn(&[u8])) {
    let seconds = std::env::var("FUZZ_SECONDS").map_or(0, |seconds| seconds.parse().expect("a number of seconds"));
    let until = Instant::now() + Duration::from_secs(seconds);
    let mut runner = TestRunner::new(Config { cases: 200, failure_persistence: None, ..Config::default() });
    loop {
        let tried = runner.run(&inputs, |input| {
            check(&input);
            Ok(())
        });
        if let Err(error) = tried {
            panic!("{error}");
        }
        if Instant::now() >= until {
            return;
        }
    }
}

/// Pieces in a row, single ones many times over; an example with some bytes changed, cut or doubled; any bytes.
fn inputs(pieces: &'static [&'static str], example: &'static str) -> impl Strategy<Value = Vec<u8>> {
    let piece = (select(pieces), prop_oneof![9 => 1..3_usize, 1 => 1..2_000_usize]);
    let in_a_row = vec(piece, 0..40).prop_map(|pieces| {
        pieces.into_iter().flat_map(|(piece, times)| piece.repeat(times).into_bytes()).collect::<Vec<u8>>()
    });
    let changes = vec((any::<prop::sample::Index>(), any::<u8>(), 0..4_u8, select(pieces)), 1..12);
    let changed = changes.prop_map(|changes| {
        let mut bytes = example.as_bytes().to_vec();
        for (at, byte, kind, piece) in changes {
            let at = at.index(bytes.len() + 1);
            match kind {
                0 => bytes.truncate(at),
                1 => drop(bytes.splice(at..at, piece.bytes())),
                2 => bytes.insert(at, byte),
                _ => bytes.extend_from_within(at..),
            }
            bytes.truncate(64 * 1024);
        }
        bytes
    });
    Union::new_weighted(std::vec![(4, in_a_row.boxed()), (4, changed.boxed()), (1, vec(any::<u8>(), 0..2_000).boxed())])
}

fn url() -> Url {
    Url::parse("https://acme.example/careers").unwrap()
}

fn now() -> chrono::DateTime<chrono::Utc> {
    "2026-11-21T00:00:00Z".parse().unwrap()
}

const HTML: &[&str] = &[
    "<a href=/jobs/1 title='x'>",
    "</a>",
    "<div>",
    "</div>",
    "<p>",
    "</p>",
    "<base href='//b.example/'>",
    "<li>",
    "<td>",
    "<iframe src=x>",
    "</iframe>",
    "<script>",
    "</script>",
    "<script type=\"application/ld+json\">",
    "<!--",
    "-->",
    "<br/>",
    "<title>",
    "</title>",
    "<template>",
    "</template>",
    "<noscript>",
    "</noscript>",
    "<plaintext>",
    "<svg>",
    "<![CDATA[",
    "]]>",
    "&amp;",
    "&#x41;",
    "&#99999999;",
    "&lt;",
    "&notit",
    "\"",
    "'",
    "=",
    "<",
    ">",
    "/",
    " ",
    "\0",
    "\r\n",
    "\u{feff}",
    "ü",
    "\u{202e}",
    "https:\\/\\/jobs.lever.co\\/acme",
    "{\"@type\":\"JobPosting\",\"title\":\"x\"}",
    "<meta charset=utf-16>",
    "<meta charset=iso-2022-jp>",
    "<meta charset=shift_jis>",
    "<hr>",
    "<dl><dt>",
    "<dd>",
    "<a",
    "<a href='",
];
const PAGE: &str = "<!DOCTYPE html><html><head><meta charset=utf-8><base href=/en/><script type='application/ld+json'>\
    {\"@graph\":[{\"@type\":\"JobPosting\",\"title\":\"Mason\",\"url\":\"/jobs/1\",\"description\":\"<p>Cut\"}]}</script></head>\
    <body><p>Hi<ul><li><a href='careers?x=1&amp;y=2' aria-label=Jobs>Join <b>us</b></a><iframe src=//a.example/x></iframe>";

#[test]
fn fuzz_html() {
    fuzz(inputs(HTML, PAGE), |body| {
        let page = read_page(body, Some("text/html"), &url());
        assert_within_bounds(&page);
        let text = String::from_utf8_lossy(body);
        // A reference to a character may be shorter than the character, but never by much.
        assert!(plain_of_html(&text).len() <= 3 * text.len() + 16);
        assert!(plain_of_escaped_html(&text).len() <= 3 * text.len() + 16);
    });
}

const WORDS: &[&str] = &["a", "b c", "Köln &amp; Umland", " ", "1 &lt; 2"];

/// Pages whose tags are all in order.
fn orderly_html() -> impl Strategy<Value = String> {
    let word = select(WORDS).prop_map(str::to_owned);
    word.prop_recursive(5, 40, 5, |inner| {
        let inside = vec(inner, 0..5).prop_map(|parts| parts.concat());
        (select(&["div", "section", "ul", "b", "span", "em"][..]), any::<bool>(), 0..50_u8, inside).prop_map(
            |(tag, is_link, number, inside)| match is_link && !inside.contains("<a ") {
                true => format!("<a href='/jobs/{number}'>{inside}</a>"),
                false => format!("<{tag}>{inside}</{tag}>"),
            },
        )
    })
}

#[test]
fn fuzz_a_stream_reads_what_a_tree_reads() {
    let selector = scraper::Selector::parse("a").unwrap();
    fuzz(orderly_html().prop_map(String::into_bytes), |body| {
        let html = String::from_utf8(body.to_vec()).unwrap();
        let tree = Html::parse_document(&html);
        let one_line = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let letters = |text: &str| text.split_whitespace().collect::<String>();
        let expected: Vec<(String, String)> = tree
            .select(&selector)
            .map(|link| (link.attr("href").unwrap().to_owned(), letters(&one_line(link.text().collect()))))
            .collect();
        let page = read_page(body, None, &url());
        let read: Vec<(String, String)> =
            page.links.iter().map(|link| (link.url.path().to_owned(), letters(&link.text))).collect();
        assert_eq!(read, expected, "{html}");
        let whole: String = tree.root_element().text().collect();
        assert_eq!(letters(&plain_of_html(&html)), letters(&whole), "{html}");
    });
}

const XML: &[&str] = &[
    "<?xml version=\"1.0\"?>",
    "<urlset>",
    "</urlset>",
    "<sitemapindex>",
    "</sitemapindex>",
    "<sitemap>",
    "</sitemap>",
    "<url>",
    "</url>",
    "<loc>",
    "</loc>",
    "/jobs/1",
    "https://acme.example/x",
    "&amp;",
    "&#x41;",
    "&#xFFFFFFFF;",
    "&x;",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
    "<!DOCTYPE x [",
    "]>",
    "<a xmlns:b='c'>",
    "<b:url/>",
    "<",
    ">",
    "\"",
    "\0",
    "\u{feff}",
    " ",
    "<loc/>",
    "<url a=1 a=1>",
    "&",
    ";",
];
const SITEMAP: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
    <url><loc>https://acme.example/jobs/1?a=1&amp;b=2</loc><lastmod>2026-11-01</lastmod></url><url><loc><![CDATA[/x]]></loc></url></urlset>";

#[test]
fn fuzz_sitemap() {
    fuzz(inputs(XML, SITEMAP), |xml| {
        if let Some(sitemap) = read_sitemap(xml, &url()) {
            assert_sitemap_within_bounds(&sitemap);
        }
    });
}

const JSON: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"@type\":\"JobPosting\"",
    "\"@type\":[\"JobPosting\"]",
    "\"@graph\":[",
    "\"@id\":\"x\"",
    "{\"@id\":\"x\"}",
    "\"title\":\"a\"",
    "\"name\":7",
    "\"url\":\"/\"",
    "\"jobLocation\":",
    "\"address\":",
    "\"addressCountry\":\"FR\"",
    "\"datePosted\":\"2026-11-11\"",
    "\"validThrough\":\"+262142-12-31T23:59:59\"",
    "\"identifier\":",
    "\"description\":\"&lt;p\"",
    "null",
    "1e999",
    "-0",
    "\"\\ud800\"",
    "\"\\u0000\"",
    "//<![CDATA[",
    "<!--",
    "\n",
    " ",
    "true",
    "\"",
    "\\",
    "18446744073709551616",
];
const POSTING: &str = "{\"@context\":\"https://schema.org\",\"@graph\":[{\"@id\":\"#o\",\"address\":{\"addressCountry\":\"SWE\"}},\
    {\"@type\":\"JobPosting\",\"title\":\"Mason\",\"identifier\":{\"value\":9},\"datePosted\":\"2026-11-11T23:00:00+02:00\",\
    \"validThrough\":\"2026-12-31\",\"jobLocation\":[{\"@id\":\"#o\"}],\"description\":\"<p>Cut\",\"url\":\"/jobs/1\"}]}";

#[test]
fn fuzz_json_ld() {
    fuzz(inputs(JSON, POSTING), |json| {
        if let Ok(value) = serde_json::from_slice(json) {
            for posting in postings(&[value], &url(), now()) {
                assert!(!posting.title.is_empty());
            }
        }
        let page = [b"<script type='application/ld+json'>", json, b"</script>"].concat();
        assert_within_bounds(&read_page(&page, None, &url()));
        assert!(memory_of(json) >= json.len());
    });
}

const BOARD: &str = "{\"jobs\":[{\"id\":4100200,\"title\":\"Senior Billing Engineer\",\"updated_at\":\"2026-11-18T09:15:02-05:00\",\
    \"location\":{\"name\":\"Bergen, Norway\"},\"absolute_url\":\"https://a.example/jobs/4100200\",\"content\":\"&lt;p&gt;Build\",\
    \"departments\":[{\"id\":11,\"name\":\"Engineering\"}],\"offices\":[{\"location\":\"Bergen\"}]}]}";
const BOARD_PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    "\"jobs\":",
    "\"id\":",
    "\"title\":\"\"",
    "\"title\":7",
    "\"absolute_url\":\"https://[\"",
    "\"location\":null",
    "\"content\":\"&amp;lt;\"",
    "\"departments\":",
    "\"\\u0000\"",
    "1e400",
    "null",
    "\"text\":\"x\"",
    "\"createdAt\":9223372036854775807",
    "\"categories\":{}",
    "\"publishedAt\":\"x\"",
    "\"",
    " ",
];

#[test]
fn fuzz_board() {
    let catalog = Catalog::load(None).unwrap();
    fuzz(inputs(BOARD_PIECES, BOARD), |body| {
        let Ok(answer) = read_json(body, JSON_MEMORY_MAX) else { return };
        for source in catalog.all() {
            if let SourceKind::List(board) = &source.kind
                && let Ok(items) = items_of(board, &answer)
            {
                assert!(items.iter().all(|item| !item.native_id.is_empty()));
            }
        }
    });
}

const FEED: &str = "<?xml version='1.0'?><rss version='2.0'><channel><title>A</title><item><guid>1</guid><title>One</title>\
    <link>https://a.example/1</link><pubDate>Thu, 19 Nov 2026 13:00 GMT</pubDate><description>&lt;p&gt;x</description></item></channel></rss>";
const FEED_PIECES: &[&str] = &[
    "<rss>",
    "<channel>",
    "<item>",
    "</item>",
    "<feed>",
    "<entry>",
    "<RDF>",
    "<guid isPermaLink='x'>",
    "<link/>",
    "<link href='http://['/>",
    "<pubDate>",
    "Thu, ",
    " GMT",
    "<author>a@b (",
    "<a xml:base='x/'>",
    "<!DOCTYPE a [<!ENTITY b 'c'>]>",
    "&b;",
    "&#0;",
    "&#x110000;",
    "<![CDATA[",
    "]]>",
    "{\"version\":\"https://jsonfeed.org/version/1\",\"items\":[",
    "{}",
    "]",
    "}",
    "\n",
    "\t",
    ",",
    "\"",
];

#[test]
fn fuzz_wire_formats() {
    let rows = "rows = \"item, div p\"\ncolumns = { title = \"title\", link = \"a[href^='/']@href\", own = \"@id\" }";
    let formats = [
        WireFormat::Xml,
        WireFormat::Feed,
        WireFormat::JsonLines,
        WireFormat::Html(toml::from_str(rows).unwrap()),
        WireFormat::Csv(toml::from_str("delimiter = \"\\t\"\nhas_header = true").unwrap()),
        WireFormat::Csv(toml::from_str("columns = { a = 0, b = 7 }").unwrap()),
    ];
    fuzz(inputs(FEED_PIECES, FEED), |body| {
        for format in &formats {
            if let Ok(value) = wire::read(format, body, None) {
                let path = format.list().unwrap_or("$").replace('$', "").replace('.', "/");
                assert!(value.pointer(&path).is_some(), "{}", format.as_str());
            }
        }
    });
}

const ROBOTS: &[&str] = &[
    "User-agent: *\n",
    "User-agent: radar\n",
    "user-agent:Radar/1.0\r\n",
    "Disallow: /\n",
    "Disallow:\n",
    "Allow: /a*b$\n",
    "Disallow: /*\n",
    "Allow: /%7e%C3\n",
    "Sitemap: https://acme.example/map.xml\n",
    "Sitemap: x\n",
    "Crawl-delay: 1e999\n",
    "Crawl-delay: -1\n",
    "Crawl-delay: NaN\n",
    "#",
    ":",
    "*",
    "$",
    "%",
    "\0",
    "\u{feff}",
    "\r",
    "\n",
    "/",
    "ü",
];

#[test]
fn fuzz_robots() {
    let example = "User-agent: *\nDisallow: /private/\nAllow: /private/jobs$\nCrawl-delay: 5\nSitemap: https://acme.example/map.xml\n";
    fuzz(inputs(ROBOTS, example), |text| {
        let rules = Rules::read(text);
        assert!(rules.bytes() <= 64 * text.len().min(ROBOTS_BYTES_MAX) + 256);
        for path in ["/", "/private/jobs", "/a/%c3%28b?x=*$", "/robots.txt"] {
            let allowed = rules.allow(&url().join(path).unwrap());
            assert!(allowed || path != "/robots.txt");
        }
    });
}

const TITLES: &[&str] = &[
    "(", ")", " AND ", " OR ", " NOT ", "\"", "engineer", "C++", "Sr.", "ß", "İ", "\u{301}", "工程", "head of", "VP",
    " ", "\t", "\u{1}", ",", "/", "'", "-",
];

#[test]
fn fuzz_title_expression() {
    let example = "(\"Head of\" OR VP) AND NOT (\"Sales\" OR intern) AND Engineering";
    fuzz(inputs(TITLES, example), |bytes| {
        let text = String::from_utf8_lossy(bytes);
        let title: String = text.chars().take(200).collect();
        let role = role_of(&title, std::slice::from_ref(&title));
        assert_eq!(role.title, title);
        if let Ok(expression) = TitleExpression::parse(&text) {
            assert_eq!(TitleExpression::from_stored(expression.as_str().to_owned()), Ok(expression.clone()));
            expression.matches(&title);
        }
    });
}

const DATES: &[&str] = &[
    "2026", "-", "11", "21", "T", "08:00", ":00", "Z", "+02:00", "-2359", "+", "262142", "9999", ".999999999", " ",
    "24:00:60", "ü",
];

#[test]
fn fuzz_dates() {
    fuzz(inputs(DATES, "2026-11-17T23:30:00.123-05:00"), |bytes| {
        let text = String::from_utf8_lossy(bytes);
        assert!(day_of_text(&text).is_none_or(|day| day.to_string().len() == 10));
        is_over(&text, now());
    });
}
