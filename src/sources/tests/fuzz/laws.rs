//! What must hold of what is read, by reader.

use chrono::{DateTime, Utc};
use url::Url;

use crate::bounds::{CSV_COLUMNS_MAX, ITEMS_MAX, cut};
use crate::classification::role_of;
use crate::engines::wire;
use crate::extraction::headlines::{funding, person_move, person_name};
use crate::extraction::job_posting::postings;
use crate::extraction::json::{memory_of, read_json};
use crate::extraction::packed::{Packing, unpacked};
use crate::extraction::page::read_page;
use crate::extraction::sitemap::read_sitemap;
use crate::extraction::team::{TEAM_MIN, TeamPage};
use crate::format::wire_format::WireFormat;
use crate::readers::Around;
use crate::tests::hostile::{assert_sitemap_within_bounds, assert_within_bounds};
use crate::text::canonical_url::{canonical, identity};
use crate::text::dates::{day_of_text, instant_of_feed};
use crate::text::plain::{one_line, plain_of_escaped_html, plain_of_html};
use domain::TitleExpression;
use outbound::robots::{ROBOTS_BYTES_MAX, Rules};
/// What must hold of a document.
pub type Law = fn(&Around, &[u8]);

/// What must hold of documents of `target`, beside what holds of all.
pub fn law_of(target: &str) -> Law {
    match target {
        "csv" | "tsv" => rows,
        "feed" => feed,
        "json_ld" => json_ld,
        "page" => |_, body| assert_within_bounds(&read_page(body, Some("text/html"), &url())),
        "team_page" => team_page,
        "sitemap" => |_, body| read_sitemap(body, &url()).iter().for_each(assert_sitemap_within_bounds),
        "robots" => robots,
        "gzip" => |_, body| bounded(Packing::Gzip, body),
        "zip" => |_, body| bounded(Packing::Zip, body),
        "plain_text" => plain_text,
        "headline" => headline,
        "person_name" => name,
        "title" => title,
        "date" => date,
        "address" => address,
        _ => |_, _| {},
    }
}

fn url() -> Url {
    Url::parse("https://acme.example/careers").unwrap()
}

fn now() -> DateTime<Utc> {
    "2026-11-21T00:00:00Z".parse().unwrap()
}

fn rows(_: &Around, body: &[u8]) {
    let format = WireFormat::Csv(toml::from_str("delimiter = \"\\t\"\nhas_header = true").unwrap());
    let Ok(rows) = wire::read(&format, body, None) else { return };
    let rows = rows.as_array().unwrap();
    assert!(rows.len() <= ITEMS_MAX && rows.len() <= body.len());
    assert!(rows.iter().all(|row| row.as_object().unwrap().len() <= CSV_COLUMNS_MAX));
}

fn feed(_: &Around, body: &[u8]) {
    if let Ok(feed) = wire::read(&WireFormat::Feed, body, None) {
        let entries = feed["entries"].as_array().unwrap();
        assert!(entries.iter().all(|entry| entry["categories"].is_array() && entry.get("element").is_some()));
    }
}

fn json_ld(_: &Around, body: &[u8]) {
    assert!(memory_of(body) >= body.len());
    if let Ok(value) = read_json(body, usize::MAX) {
        assert!(postings(&[value], &url(), now()).iter().all(|posting| !posting.title.is_empty()));
    }
    let page = [b"<script type='application/ld+json'>", body, b"</script>"].concat();
    assert_within_bounds(&read_page(&page, None, &url()));
}

fn team_page(_: &Around, body: &[u8]) {
    let team = TeamPage::read(body, None, &url());
    assert!(team.members.is_empty() || team.members.len() >= TEAM_MIN);
    assert!(team.members.iter().all(|member| member.name.last.is_some() && !member.title.is_empty()));
}

fn robots(_: &Around, body: &[u8]) {
    let rules = Rules::read(body);
    assert!(rules.bytes() <= 64 * body.len().min(ROBOTS_BYTES_MAX) + 256);
    for path in ["/", "/private/jobs", "/a/%c3%28b?x=*$", "/robots.txt"] {
        let allowed = rules.allow(&url().join(path).unwrap());
        assert!(allowed || path != "/robots.txt");
    }
}

fn bounded(packing: Packing, body: &[u8]) {
    const BYTES_MAX: usize = 1_000;
    assert!(unpacked(packing, body, BYTES_MAX).ok().flatten().is_none_or(|plain| plain.len() <= BYTES_MAX));
}

fn plain_text(_: &Around, body: &[u8]) {
    let text = String::from_utf8_lossy(body);
    // A reference to a character may be shorter than the character, but never by much.
    assert!(plain_of_html(&text).len() <= 3 * text.len() + 16);
    assert!(plain_of_escaped_html(&text).len() <= 3 * text.len() + 16);
    let line = one_line(&text);
    assert!(!line.contains(['\n', '\t', '\r']) && one_line(&line) == line);
    for bytes_max in [0, 1, body.len() / 2, body.len()] {
        assert!(text.starts_with(cut(&text, bytes_max)) && cut(&text, bytes_max).len() <= bytes_max);
    }
}

/// What is found in a headline stands in it.
fn headline(_: &Around, body: &[u8]) {
    let text = String::from_utf8_lossy(body);
    if let Some(found) = person_move(&text) {
        assert!(!found.person.full.trim().is_empty() && found.person.full.len() <= 2 * text.len());
    }
    if let Some(found) = funding(&text) {
        assert!(!found.company.trim().is_empty() && found.company.len() <= 2 * text.len());
        assert!(found.amount.is_none_or(|amount| amount.is_finite() && amount >= 0.0));
    }
}

fn name(_: &Around, body: &[u8]) {
    let text = String::from_utf8_lossy(body);
    if let Some(name) = person_name(&text) {
        assert!(!name.full.is_empty() && name.full.len() <= 2 * text.len(), "{name:?}");
    }
}

fn title(_: &Around, body: &[u8]) {
    let text = String::from_utf8_lossy(body);
    let role = role_of(&text, &[text.to_string()]);
    assert_eq!(role.title, text);
    if let Ok(expression) = TitleExpression::parse(&text) {
        assert_eq!(TitleExpression::from_stored(expression.as_str().to_owned()), Ok(expression.clone()));
        expression.matches(&text);
    }
}

fn date(_: &Around, body: &[u8]) {
    let text = String::from_utf8_lossy(body);
    assert!(day_of_text(&text).is_none_or(|day| day.to_string().len() == 10));
    assert!(instant_of_feed(&text).is_none_or(|instant| instant.to_rfc3339().parse::<DateTime<Utc>>() == Ok(instant)));
}

/// An address that was made plain is plain.
fn address(_: &Around, body: &[u8]) {
    for url in String::from_utf8_lossy(body).lines().filter_map(|line| Url::parse(line).ok()) {
        let plain = canonical(&url);
        assert_eq!(canonical(&plain), plain);
        assert_eq!(identity(&plain), identity(&url));
    }
}
