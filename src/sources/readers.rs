//! Every reader that strangers feed, by name, as a function of bytes: what the fuzz targets, the tests of memory and the
//! benchmark of CPU time go through, so that none of them forgets one.
//!
//! Duty: a table. Never here: how anything is read, or what must hold of it.

use std::borrow::Cow;
use std::error::Error;
use std::hint::black_box;
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use serde_json_path::JsonPath;
use url::Url;

use super::bounds::{JSON_LD_MEMORY_MAX, JSON_MEMORY_MAX, LINKS_MAX, TITLE_BYTES_MAX, UNPACKED_BYTES_MAX, cut};
use super::check::read_as_in_test;
use super::classification::country::{country_of_field, country_of_place};
use super::classification::role_of;
use super::discovery::profile::feeds::{is_kept_feed, named_feeds};
use super::discovery::profile::lookups::channel_in;
use super::discovery::profile::names::add_names;
use super::discovery::profile::own_accounts::own_accounts;
use super::discovery::profile::page::ReadPage;
use super::discovery::profile::sections::{Section, section_link};
use super::discovery::profile::{person, wikidata};
use super::discovery::{Evidence, Wanted, board_of};
use super::engines::announcements::{HEADLINE_BYTES_MAX, TEXT_BYTES_MAX, tells_nothing};
use super::engines::wire;
use super::extraction::accounts::Account;
use super::extraction::headlines::{
    announced_funding, announced_move, funding, moves_in_sentences, person_move, person_name,
};
use super::extraction::job_posting::postings;
use super::extraction::json::read_json;
use super::extraction::named_posting::named_posting;
use super::extraction::organization::described;
use super::extraction::packed::{Packing, unpacked};
use super::extraction::page::read_page;
use super::extraction::selectors::Selector;
use super::extraction::shown_postings::read_careers_page;
use super::extraction::sitemap::read_sitemap;
use super::extraction::team::TeamPage;
use super::format::catalog::Catalog;
use super::format::source::{Source, SourceKind};
use super::format::wire_format::WireFormat;
use super::mentions::{Mentioned, has_phrase};
use super::text::canonical_url::identity;
use super::text::company_name::likeness;
use super::text::dates::{DateFormat, DateWord, date_of_feed, day_of, day_of_text, is_over};
use super::text::plain::{one_line, plain_of_escaped_html, plain_of_html, tidy};
use domain::{CompanyProfile, RadarType};
use outbound::robots::Rules;
use outbound::web_address::{self, ADDRESS_BYTES_MAX};

/// What the readers are told beside the bytes.
pub struct Around {
    csv: WireFormat,
    tsv: WireFormat,
    html: WireFormat,
    json_in_html: WireFormat,
    paths: Vec<JsonPath>,
    url: Url,
    now: DateTime<Utc>,
    wanted: Wanted,
    mentioned: Vec<Mentioned>,
}

impl Around {
    /// The same at every time.
    ///
    /// # Errors
    /// A table, path or source file that is built in is wrong.
    pub fn new() -> Result<Self, Box<dyn Error>> {
        let html = "rows = \"li, tr, div.job, div > p\"\n[columns]\ntitle = \"h2 a, span b\"\nhref = \"a[href^='/']@href\"\n\
                    own = \"@id\"\nall = \"p\"\nplace = \"div div [class*='place']\"";
        let tsv = "delimiter = \"\\t\"\ncolumns = { id = 0, date = 1, site = 3, url = 4, names = 13, extras = 26 }";
        let paths =
            ["$..*..*", "$..a[?@.b == 1]..*", "$[?search(@.a, '(x+x+)+y')]", "$..[?@.a == @.b]", "$.a[0]['b','c']"];
        let company = |name: &str, sign: &str| Mentioned {
            name: Some(name.to_owned()),
            domain: Some("acme.example".to_owned()),
            ticker: Some("ACME".to_owned()),
            signs: vec![sign.to_owned()],
            own_places: vec!["medium.com/@acme".to_owned()],
        };
        Ok(Self {
            csv: WireFormat::Csv(toml::from_str("has_header = true")?),
            tsv: WireFormat::Csv(toml::from_str(tsv)?),
            html: WireFormat::Html(toml::from_str(html)?),
            json_in_html: WireFormat::JsonInHtml(Selector::parse("body script#data, script[type='application/json']")?),
            paths: paths.iter().map(|path| JsonPath::parse(path)).collect::<Result<_, _>>()?,
            url: Url::parse("https://www.acme.example/about/careers")?,
            now: DateTime::UNIX_EPOCH + TimeDelta::days(20_778),
            wanted: Wanted {
                catalog: Arc::new(Catalog::load_with(None, &|_| Some("1".to_owned()))?),
                radar_type: RadarType::CompanyJobOpenings,
                domain: "acme.example".to_owned(),
            },
            mentioned: vec![company("Ann Lee", "x x"), company("Target", "Ann Lee")],
        })
    }

    /// The sources that show lists, by id.
    pub fn lists(&self) -> impl Iterator<Item = &Source> {
        self.wanted.catalog.all().filter(|source| matches!(source.kind, SourceKind::List(_)))
    }

    /// Reads an answer of `source` as its file says.
    pub fn read_by(&self, source: &Source, body: &[u8]) {
        seen(read_as_in_test(source, body, self.now));
    }
}

/// Reads bytes of strangers; what comes of it is dropped.
pub type Read = fn(&Around, &[u8]);

/// The readers, by name.
pub const READERS: &[(&str, Read)] = &[
    ("csv", |around, body| seen(wire::read(&around.csv, body, None))),
    ("tsv", |around, body| seen(wire::read(&around.tsv, body, None))),
    ("xml", |_, body| seen(wire::read(&WireFormat::Xml, body, None))),
    ("feed", |_, body| seen(wire::read(&WireFormat::Feed, body, None))),
    ("json", |_, body| seen(wire::read(&WireFormat::Json, body, None))),
    ("json_lines", |_, body| seen(wire::read(&WireFormat::JsonLines, body, None))),
    ("articles", |around, body| seen(wire::read_at(&WireFormat::Articles, body, None, &around.url))),
    ("html", |around, body| seen(wire::read(&around.html, body, None))),
    ("json_in_html", |around, body| seen(wire::read(&around.json_in_html, body, None))),
    ("json_path", json_path),
    ("gzip", |_, body| seen(unpacked(Packing::Gzip, body, UNPACKED_BYTES_MAX))),
    ("zip", |_, body| seen(unpacked(Packing::Zip, body, UNPACKED_BYTES_MAX))),
    ("packed_tsv", packed_tsv),
    ("robots", robots),
    ("sitemap", |around, body| seen(read_sitemap(body, &around.url))),
    ("kept_feed", |_, body| seen(is_kept_feed(body, None))),
    ("page", page),
    ("json_ld", json_ld),
    ("team_page", |around, body| seen(TeamPage::read(body, None, &around.url))),
    ("profile", profile),
    ("directory", directory),
    ("filing", filing),
    ("headline", headline),
    ("announcement", announcement),
    ("person_name", |_, body| seen(person_name(&text(body)))),
    ("mention", mention),
    ("title", title),
    ("place", |_, body| seen((country_of_place(&text(body)), country_of_field(&text(body))))),
    ("date", date),
    ("plain_text", plain_text),
    ("address", address),
    ("template", template),
];

/// Something that must be made, though nobody looks at it.
fn seen<T>(made: T) {
    black_box(made);
}

fn text(body: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(body)
}

fn json_path(around: &Around, body: &[u8]) {
    let Ok(value) = read_json(body, JSON_MEMORY_MAX) else { return };
    around.paths.iter().for_each(|path| seen(path.query(&value).all()));
}

fn packed_tsv(around: &Around, body: &[u8]) {
    if let Ok(Some(plain)) = unpacked(Packing::Zip, body, UNPACKED_BYTES_MAX) {
        seen(wire::read(&around.tsv, &plain, None));
    }
}

fn robots(around: &Around, body: &[u8]) {
    let rules = Rules::read(body);
    for path in ["/a/%c3%28b?x=*$".to_owned(), format!("/{}", "a".repeat(2_000))] {
        seen(around.url.join(&path).is_ok_and(|url| rules.allow(&url)));
    }
}

fn page(around: &Around, body: &[u8]) {
    let (page, listed) = read_careers_page(body, None, &around.url, around.now);
    seen(listed);
    seen(Evidence::of(&page, &around.url, None, &around.wanted, around.now));
    seen(named_posting(&page.head, &around.url));
}

fn json_ld(around: &Around, body: &[u8]) {
    if let Ok(value) = read_json(body, JSON_LD_MEMORY_MAX) {
        let blocks = [value];
        seen((postings(&blocks, &around.url, around.now), described(&blocks, &around.url)));
    }
}

/// Three pages of one site, as a profile is made of.
fn profile(around: &Around, body: &[u8]) {
    let page = read_page(body, None, &around.url);
    let described = described(&page.json_ld, &around.url);
    let page =
        ReadPage { url: around.url.clone(), head: page.head, links: page.links, described, lists_articles: false };
    let pages = [page.clone(), page.clone(), page];
    let mut profile = CompanyProfile::default();
    add_names(&mut profile, &pages, &around.wanted.domain);
    seen(own_accounts(&pages, &["Acme", "acme"], "acme"));
    seen(named_feeds(&pages, |_| Some(Section::Blog)));
    seen(section_link(&pages[0].links, &around.url, Section::Newsroom, &["Acme"]));
    seen(channel_in(&pages[0].head));
}

fn directory(around: &Around, body: &[u8]) {
    if let Ok(answer) = read_json(body, JSON_MEMORY_MAX) {
        seen((wikidata::entries(&answer, &around.wanted.domain), person::entries(&answer)));
    }
}

/// The text of a filing, as the list that it was found in says.
fn filing(around: &Around, body: &[u8]) {
    let filings = around.wanted.catalog.get("sec_8k_people");
    if let Some(SourceKind::List(list)) = filings.map(|source| &source.kind) {
        seen(tells_nothing(list, &mut json!({"detail": text(body)})));
    }
    seen(moves_in_sentences(&text(body)));
}

fn headline(_: &Around, body: &[u8]) {
    seen((person_move(&text(body)), funding(&text(body))));
}

/// A headline, and the text below it, as far as they are read.
fn announcement(_: &Around, body: &[u8]) {
    let text = text(body);
    let (headline, below) = text.split_once('\n').unwrap_or((&text, &text));
    let (headline, below) = (cut(headline, HEADLINE_BYTES_MAX), cut(below, TEXT_BYTES_MAX));
    seen((announced_move(headline, below), announced_funding(headline, below)));
}

fn mention(around: &Around, body: &[u8]) {
    let texts = [text(body).into_owned()];
    around.mentioned.iter().for_each(|company| seen(company.evidence(&texts, &[])));
    seen((has_phrase(&texts[0], "x x x y"), likeness(&texts[0], "Acme")));
}

fn date(around: &Around, body: &[u8]) {
    let text = text(body);
    seen((day_of_text(&text), date_of_feed(&text), is_over(&text, around.now)));
    for word in [DateWord::Rfc3339, DateWord::Rfc2822, DateWord::Utc, DateWord::EpochMs, DateWord::Relative] {
        seen(day_of(&Value::from(&*text), &DateFormat::Word(word), around.now));
    }
}

fn plain_text(_: &Around, body: &[u8]) {
    let text = text(body);
    seen((plain_of_html(&text), plain_of_escaped_html(&text), one_line(&text), tidy(&text)));
}

/// A title that is its department's as well, as far as they are read.
fn title(_: &Around, body: &[u8]) {
    let text = text(body);
    let title = cut(&text, TITLE_BYTES_MAX);
    seen(role_of(title, &[title.to_owned()]));
}

/// Addresses, one a line, as many as of a page.
fn address(around: &Around, body: &[u8]) {
    for url in text(body).lines().take(LINKS_MAX).filter_map(|line| web_address::join(&around.url, line)) {
        seen((identity(&url), Account::of(&url)));
        seen(board_of(&around.wanted.catalog, around.wanted.radar_type, &url));
    }
}

/// A token of a board, as pages name it; a longer one is no part of an address.
fn template(around: &Around, body: &[u8]) {
    let text = text(body);
    let token = cut(&text, ADDRESS_BYTES_MAX);
    for source in around.lists() {
        let SourceKind::List(list) = &source.kind else { continue };
        let values = list.needs.values_of(token).unwrap_or_default();
        seen((list.request.address(&values), list.request.body.as_ref().map(|body| body.json(&values))));
    }
}
