//! Recorded answers of shipped sources, item by item: each finding must stand in the recording, and each item that an own
//! look at the recording tells of must be a finding.
//!
//! The recordings belong to their publishers; `RADAR_RECORDED_DIR` names a folder with the files of [`ANSWERS`] and
//! [`FILINGS`], and without it nothing is run. None was found of the sources that are not named here: their own files
//! hold answers in the documented shape.

use std::collections::BTreeSet;
use std::fs;

use regex::Regex;
use serde_json::{Value, json};
use sources::{Catalog, FeedUse, FoundItem, OwnFeed, read_answer};
use url::Url;

use super::recorded::{files, recordings};

/// A recorded answer and what an own look at it says of its items.
struct Answer {
    file: &'static str,
    source: &'static str,
    /// What the source calls the target.
    target: &'static str,
    /// What tells findings apart: a key of their content, or `native_id`.
    key: &'static str,
    /// Where the same stands in the recording: a path into JSON, or an expression with one group.
    told: &'static str,
    /// How many of those it tells are rightly no finding.
    left_out: usize,
}

const fn answer(
    file: &'static str,
    source: &'static str,
    target: &'static str,
    [key, told]: [&'static str; 2],
    left_out: usize,
) -> Answer {
    Answer { file, source, target, key, told, left_out }
}

const FEED: &str = "https://feeds.example.com/";
const NEWS: &str = "https://www.example.com/news/";
const TEAM: &str = "https://team.example.com/leadership";
const GUIDS: [&str; 2] = ["native_id", "<guid[^>]*>([^<]+)</guid>"];
const ENTRIES: [&str; 2] = ["native_id", "(?s)<entry>.*?<id>([^<]+)</id>"];
/// Hacker News answers every query in the same shape.
const HITS: [&str; 2] = ["native_id", "hits[].objectID"];
const FORMS_D: [&str; 2] = ["native_id", r#"term="D"\s*/>\s*<id>(urn:[^<]+)</id>"#];
/// Sources of whose answers the recordings hold the list alone, and what it is called in the answer.
const BARE_LISTS: &[(&str, &str)] = &[("adzuna", "results"), ("gdelt", "articles"), ("gdelt_keyword", "articles")];

const ANSWERS: &[Answer] = &[
    answer("greenhouse/stripe-2026-08-list.json", "greenhouse", "stripe", ["job_url", "jobs[].absolute_url"], 0),
    answer("greenhouse/stripe-2026-07-content.json", "greenhouse", "stripe", ["job_url", "jobs[].absolute_url"], 0),
    answer("greenhouse/dropbox-2026.json", "greenhouse", "dropbox", ["job_url", "jobs[].absolute_url"], 0),
    answer("lever/palantir.json", "lever", "palantir", ["job_url", "[].hostedUrl"], 0),
    answer("lever/palantir-2026-07.json", "lever", "palantir", ["job_url", "[].hostedUrl"], 0),
    answer("lever/matchgroup.json", "lever", "matchgroup", ["job_url", "[].hostedUrl"], 0),
    answer("ashby/etched.json", "ashby", "etched", ["job_url", "jobs[].jobUrl"], 0),
    answer("ashby/havocai.json", "ashby", "havocai", ["job_url", "jobs[].jobUrl"], 0),
    answer("ashby/openai.json", "ashby", "openai", ["job_url", "jobs[].jobUrl"], 0),
    answer("ashby/ramp.json", "ashby", "ramp", ["job_url", "jobs[].jobUrl"], 0),
    answer("smartrecruiters/visa-list.json", "smartrecruiters", "Visa", ["job_title", "content[].name"], 0),
    answer("smartrecruiters/knight-single.json", "smartrecruiters", "Knight", ["job_title", "content[].name"], 0),
    answer("smartrecruiters/wise-list.json", "smartrecruiters", "Wise", ["native_id", "content[].id"], 0),
    answer("workable/huggingface-widget.json", "workable", "huggingface", ["native_id", "jobs[].shortcode"], 0),
    answer("recruitee/sanitised-de.json", "recruitee", "acme", ["job_title", "offers[].title"], 0),
    // Two positions with one id.
    answer("personio/sanitised.xml", "personio", "acme", ["job_title", "<name>([^<]+)</name>"], 0),
    answer("teamtailor/ferd.xml", "teamtailor", "ferd", ["job_url", "<link>([^<]+/jobs/[^<]+)</link>"], 0),
    answer("bamboohr/careers-list.json", "bamboohr", "acme", ["job_title", "result[].jobOpeningName"], 0),
    answer(
        "workday/nvidia-list.json",
        "workday",
        "pod=wd5&site=NVIDIAExternalCareerSite&tenant=nvidia",
        ["native_id", "jobPostings[].externalPath"],
        0,
    ),
    // One posting in two places.
    answer("rippling/board.json", "rippling", "acme", ["native_id", "[].uuid"], 0),
    answer("pinpoint/aawdc-postings.json", "pinpoint", "aawdc", ["job_title", "data[].title"], 0),
    answer(
        "oracle-orc/ejov-list.json",
        "oracle",
        "pod=ejov&region=ca2&site=CX_1",
        ["job_title", "items[].requisitionList[].Title"],
        0,
    ),
    answer(
        "jobvite/feedingamerica-search.html",
        "jobvite",
        "feedingamerica",
        ["job_title", r#"<a href="[^"]*/job/[^"]*">([^<]+)"#],
        0,
    ),
    answer(
        "careers-pages/4sellers-hrworks-portal.html",
        "hrworks",
        "ab12cd34",
        ["job_title", r#"class="job-offer-content" title="([^"]+)""#],
        0,
    ),
    answer("icims/wipfli-search.html", "icims", "careers-wipfli", ["job_title", "<h3[^>]*>([^<]+)</h3>"], 0),
    answer(
        "jobposting-jsonld/kuntarekry.html",
        "careers_page",
        "https://www.kuntarekry.fi/1",
        ["job_title", r#""title":"([^"]+)""#],
        0,
    ),
    answer(
        "jobposting-jsonld/kuntarekry.html",
        "sitemap",
        "https://www.kuntarekry.fi/1",
        ["job_title", r#""title":"([^"]+)""#],
        0,
    ),
    // Aggregators are asked for 50 at most, or for what holds a word.
    answer("adzuna/results-us-it-2026.json", "adzuna", "robotics", ["native_id", "[].id"], 50),
    answer("adzuna/results-fr-first-100.json", "adzuna", "robotics", ["native_id", "[].id"], 50),
    answer("arbeitnow/sample-2026-06-with-links.json", "arbeitnow", "digital", ["job_title", "data[].title"], 1),
    answer("arbeitnow/sample-2026-08-b.json", "arbeitnow", "the", ["job_title", "data[].title"], 2),
    answer("arbeitnow/sample-2026-08-full-text.json", "arbeitnow", "the", ["job_title", "data[].title"], 1),
    answer("themuse/jobs-page1-2026.json", "themuse", "the", ["job_title", "results[].name"], 0),
    answer("remotive/api.json", "remotive", "the", ["job_title", "jobs[].title"], 1),
    answer("remoteok/api.json", "remoteok", "the", ["native_id", "[].id"], 1),
    answer("hn-algolia/search-whole-2026-05.json", "hacker_news_keyword", "anthropic", HITS, 0),
    answer("hn-algolia/search-whole-2026-05.json", "hacker_news", "domain=anthropic.com&name=Anthropic", HITS, 0),
    // One of the six begins with "Show HN".
    answer("hn-algolia/search-whole-2026-05.json", "hn_shows", "", HITS, 5),
    answer("gdelt/doc-artlist-rows.json", "gdelt", "domain=kpk.go.id&name=KPK", ["mention_url", "[].url"], 0),
    answer("gdelt/doc-artlist-rows.json", "gdelt_keyword", "KPK", ["mention_url", "[].url"], 0),
    answer(
        "gdelt/gkg2-english-40-rows.txt",
        "gdelt_gkg",
        "domain=kaspersky.com&name=Kaspersky+Lab",
        ["mention_url", r"(?m)^(?:[^\t]*\t){4}(http[^\t]*)\t.*kaspersky lab"],
        0,
    ),
    answer(
        "gdelt/gkg2-english-40-rows.txt",
        "gdelt_gkg",
        "domain=conocophillips.com&name=ConocoPhillips",
        ["mention_url", r"(?m)^(?:[^\t]*\t){4}(http[^\t]*)\t.*conocophillips"],
        0,
    ),
    answer(
        "youtube/nasa-2026.xml",
        "youtube",
        "UCLA_DiR1FfKNvjuUpBHmylQ",
        ["native_id", "<id>(yt:video:[^<]+)</id>"],
        0,
    ),
    answer("bluesky/author-feed.json", "bluesky_posts", "dril.bsky.social", ["native_id", "feed[].post.uri"], 0),
    // One of the five is an answer to somebody.
    answer("bluesky/author-feed.json", "bluesky_engagements", "dril.bsky.social", ["native_id", "feed[].post.uri"], 4),
    // Eight of the twenty are answers to others.
    answer(
        "mastodon/account-statuses-page1.json",
        "mastodon_engagements",
        "mastodon_host=fosstodon.org&mastodon_user=schochastics",
        ["native_id", "[].uri"],
        12,
    ),
    answer("feeds/biorxiv-rss1.xml", "company_feed", FEED, ["post_url", "(?s)<item .*?<link>([^<]+)</link>"], 0),
    answer("feeds/brave-releases.atom.xml", "company_feed", FEED, ENTRIES, 0),
    answer("feeds/elastic-jsonfeed.json", "company_feed", FEED, ["native_id", "items[].url"], 0),
    answer("feeds/element-blog.xml", "company_feed", FEED, GUIDS, 0),
    answer("feeds/github-releases-cpython.xml", "company_feed", FEED, ENTRIES, 0),
    answer("feeds/heated-substack.xml", "company_feed", FEED, GUIDS, 0),
    answer("feeds/onethingwell-rss.xml", "company_feed", FEED, GUIDS, 0),
    answer("feeds/peertube.xml", "company_feed", FEED, GUIDS, 0),
    answer("feeds/reddit-rust-atom.xml", "company_feed", FEED, ENTRIES, 0),
    answer("feeds/reddit-listing-2026.xml", "company_feed", FEED, ENTRIES, 0),
    answer("feeds/reddit-search-2026.xml", "company_feed", FEED, ENTRIES, 0),
    answer("feeds/reddit-thread-2026.xml", "company_feed", FEED, ENTRIES, 0),
    answer("feeds/spiegel-podcast.xml", "company_feed", FEED, GUIDS, 0),
    answer("feeds/steam-news.xml", "company_feed", FEED, GUIDS, 0),
    answer("feeds/w3c-blog.xml", "company_feed", FEED, GUIDS, 0),
    answer(
        "newsroom/anthropic-newsroom-2026-05.html",
        "company_articles",
        NEWS,
        ["native_id", r#"href="(/news/[^"]+)""#],
        0,
    ),
    answer(
        "newsroom/truffle-press-releases.html",
        "company_articles",
        NEWS,
        ["native_id", r#"href="(/press-releases/[^"]+)""#],
        0,
    ),
    answer("brreg/enheter-search-page1.json", "brreg", "", ["company_name", "_embedded.enheter[].navn"], 0),
    answer("brreg/enheter-search-page2.json", "brreg", "", ["company_name", "_embedded.enheter[].navn"], 0),
    answer("brreg/enheter-search-empty.json", "brreg", "", ["company_name", "_embedded.enheter[].navn"], 0),
    answer("yc-oss/batch-fall-2024.json", "yc", "", ["company_name", "[].name"], 0),
    answer("yc-oss/companies-nonprofit.json", "yc", "", ["company_name", "[].name"], 0),
    // The others are of funds.
    answer("sec-edgar/current-all-start3100-form-d.xml", "sec_form_d", "", FORMS_D, 9),
    answer("sec-edgar/current-all-page1.xml", "sec_form_d", "", FORMS_D, 5),
    answer("producthunt/feed-2026-07.xml", "product_hunt", "", ENTRIES, 0),
    // Of seven people one has an employer where the others have a post.
    answer(
        "team-pages/finland2030-leadership.html",
        "team_page",
        TEAM,
        ["full_name", "((?:Markus|Brian|Mirka|Allan|Praveen|Meike|Richard J.) [A-Z][a-z]+)"],
        1,
    ),
];

#[test]
fn recorded_answers_are_read_item_by_item() {
    let Some(folder) = recordings() else { return };
    let catalog = Catalog::load_with(None, &|_| Some("a key".to_owned())).expect("the built-in sources");
    // Most recordings are of the summer: later some are out of date, and rightly no finding.
    let at = "2026-09-12T00:00:00Z".parse().expect("an instant");
    let mut wrong = Vec::new();
    for Answer { file, source, target, key, told, left_out } in ANSWERS {
        let recording = fs::read(folder.join(file)).expect("a recording");
        let told = told_in(&recording, told);
        let body = whole_answer(source, recording);
        let read = read_answer(catalog.get(source).expect("a source"), target, &body, at);
        let found: Vec<String> = match read {
            Ok(items) => items.iter().map(|item| value_of(item, key)).collect(),
            Err(error) => {
                wrong.push(format!("{file} by {source}: {error}"));
                continue;
            }
        };
        println!("{file} by {source}: {} of {}", found.len(), told.len());
        let strays: Vec<&String> = found.iter().filter(|found| !told.contains(*found)).collect();
        if !strays.is_empty() || found.len() + left_out != told.len() {
            let missing: Vec<&String> = told.iter().filter(|told| !found.contains(told)).collect();
            wrong.push(format!("{file} by {source}: {} findings, missing {missing:?}, strays {strays:?}", found.len()));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What a recording tells at `place`, each once; the addresses of links are those of a page of news.
fn told_in(recording: &[u8], place: &str) -> BTreeSet<String> {
    if !place.contains('(') {
        let values = place.split('.').fold(vec![serde_json::from_slice(recording).expect("JSON")], at_step);
        return values.iter().map(|value| plain(&shown(value))).collect();
    }
    let expression = Regex::new(place).expect("an expression");
    let recording = String::from_utf8_lossy(recording);
    let told = expression.captures_iter(&recording).map(|found| plain(&found[1]));
    let news = Url::parse(NEWS).expect("an address");
    let absolute = |text: String| news.join(&text).map_or(text, String::from);
    if place.starts_with("href") { told.map(absolute).collect() } else { told.collect() }
}

/// The values one step further: `name`, or `name[]` for all of a list.
fn at_step(values: Vec<Value>, step: &str) -> Vec<Value> {
    let (name, is_list) = step.strip_suffix("[]").map_or((step, false), |name| (name, true));
    let inner = values.into_iter().map(|value| if name.is_empty() { value } else { value[name].clone() });
    let all: Vec<Value> = match is_list {
        true => inner.flat_map(|value| value.as_array().cloned().unwrap_or_default()).collect(),
        false => inner.collect(),
    };
    all.into_iter().filter(|value| !value.is_null()).collect()
}

fn value_of(item: &FoundItem, key: &str) -> String {
    if key == "native_id" { plain(&item.native_id) } else { plain(&shown(&item.content[key])) }
}

fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A text without markup and entities, its words one space apart.
fn plain(text: &str) -> String {
    let once = scraper::Html::parse_fragment(text).root_element().text().collect::<String>();
    once.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn whole_answer(source: &str, recording: Vec<u8>) -> Vec<u8> {
    let Some((_, name)) = BARE_LISTS.iter().find(|(bare, _)| *bare == source) else { return recording };
    [format!("{{\"{name}\":").as_bytes(), &recording, b"}"].concat()
}

/// Main documents of 8-K, whose company they are, and who takes which post by them. That of BlackRock repeats what an
/// earlier one reported, that of Nordstrom tells of pay, that of NexPoint has no item about officers.
const FILINGS: &[(&str, &str, Option<[&str; 2]>)] = &[
    ("afc-gamma-cfo", "AFC Gamma", Some(["Brandon Hetzel", "Chief Financial Officer and Treasurer"])),
    ("blackrock", "BlackRock", None),
    ("nordstrom", "Nordstrom", None),
    ("nextpoint", "NexPoint", None),
];

#[test]
fn recorded_filings_tell_who_takes_a_post() {
    let Some(folder) = recordings() else { return };
    let source = include_str!("../../src/sources/builtin/filings/sec_8k_people.toml");
    let head = source.split("[[test]]").next().expect("a source");
    let documents = files(&folder.join("sec-edgar"), "html");
    for (file, company, taken) in FILINGS {
        let document = documents.iter().find(|path| path.to_string_lossy().contains(file)).expect("a recording");
        let document = String::from_utf8_lossy(&fs::read(document).expect("a recording")).into_owned();
        let expected = taken.map_or("expect = []".to_owned(), |_| String::new());
        let finding = taken.map_or_else(String::new, |[name, title]| {
            format!("[[test.expect]]\nfull_name = {name:?}\ntitle = {title:?}\n")
        });
        // A text of JSON is one of TOML.
        let test = format!(
            "[[test]]\ntoken = \"domain=a.example&name={}\"\nresponse = {}\n{expected}\n[test.details]\n\"{FILING}\" = {}\n{finding}",
            company.replace(' ', "+"),
            json!(FILINGS_LIST.replace("COMPANY", company)),
            json!(document),
        );
        let sources = tempfile::tempdir().expect("a folder");
        fs::write(sources.path().join("sec_8k_people.toml"), format!("{head}{test}")).expect("a file");
        let catalog = Catalog::without_builtin(Some(sources.path())).expect("a source");
        assert_eq!(sources::check(catalog.get("sec_8k_people").expect("a source")), Vec::<String>::new(), "{file}");
    }
}

const FILING: &str = "urn:tag:sec.gov,2008:accession-number=0002100001-26-000001";
const FILINGS_LIST: &str = r#"<feed xmlns="http://www.w3.org/2005/Atom"><title>Latest Filings</title>
<entry><title>8-K - COMPANY INC (0002100001) (Filer)</title>
<link rel="alternate" href="https://www.sec.gov/Archives/edgar/data/2100001/000210000126000001/0002100001-26-000001-index.htm"/>
<summary type="html">Item 5.02: Departure of Directors or Certain Officers</summary><updated>2026-11-19T16:31:07-05:00</updated>
<category scheme="https://www.sec.gov/" label="form type" term="8-K"/>
<id>urn:tag:sec.gov,2008:accession-number=0002100001-26-000001</id></entry></feed>"#;

/// A sitemap of news is read like a feed of an operator's own choice: who watches the first words of a title gets it.
#[test]
fn a_recorded_sitemap_of_news_is_read_item_by_item() {
    let Some(folder) = recordings() else { return };
    let recording = fs::read(folder.join("sitemaps/eastafrican-news.xml")).expect("a recording");
    let url = "https://www.theeastafrican.co.ke/news.xml".parse().expect("an address");
    let own = OwnFeed::new(url, None, true).files(&[FeedUse::Mentions], "2026-09-12".parse().expect("a day"));
    let sources = tempfile::tempdir().expect("a folder");
    for file in own.expect("files") {
        fs::write(sources.path().join(format!("{}.toml", file.source_id)), file.text).expect("a file");
    }
    let catalog = Catalog::without_builtin(Some(sources.path())).expect("sources");
    let source = catalog.all().find(|source| source.id.ends_with("keyword")).expect("a source");
    let at = "2026-09-12T00:00:00Z".parse().expect("an instant");
    let each =
        Regex::new(r"(?s)<loc>([^<]+)</loc>\s*<news:news>.*?<news:title><!\[CDATA\[(\w+ \w+)").expect("an expression");
    let text = String::from_utf8_lossy(&recording);
    let told: Vec<_> = each.captures_iter(&text).map(|title| [title[1].to_owned(), title[2].to_owned()]).collect();
    assert_eq!(told.len(), text.matches("<news:title>").count());
    for [address, words] in told {
        let found = read_answer(source, &words, &recording, at).expect("mentions");
        let found: Vec<String> = found.iter().map(|item| value_of(item, "mention_url")).collect();
        assert_eq!(found, [address], "{words}");
    }
}

#[test]
fn blocked_pages_and_broken_feeds_give_no_finding() {
    let Some(folder) = recordings() else { return };
    let catalog = Catalog::load(None).expect("the built-in sources");
    let at = "2026-11-21T00:00:00Z".parse().expect("an instant");
    let blocked = files(&folder.join("blocked-pages"), "html");
    for file in blocked
        .into_iter()
        .chain(["feeds/reuters-truncated.xml", "adzuna/search-truncated-2020-08.json"].map(|file| folder.join(file)))
    {
        let body = fs::read(&file).expect("a recording");
        for (source_id, token) in [
            ("greenhouse", "acme"),
            ("personio", "acme"),
            ("company_feed", "https://a.example.com/"),
            ("jobvite", "acme"),
            ("icims", "acme"),
            ("adzuna", "software"),
            ("brreg", ""),
            ("sec_form_d", ""),
            ("team_page", "https://a.example.com/team"),
        ] {
            let read = read_answer(catalog.get(source_id).expect("a source"), token, &body, at);
            assert!(
                read.as_ref().is_err_and(|_| true) || read.is_ok_and(|items| items.is_empty()),
                "{} by {source_id}",
                file.display()
            );
        }
    }
}
