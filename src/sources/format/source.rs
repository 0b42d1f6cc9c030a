//! A source: where findings of some radar types come from, and how it is read (decision 7.1).
//!
//! Duty: the checked form of a source file. Never here: the file's syntax, or any request.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde_json_path::JsonPath;
use url::Url;

use super::token_patterns::Discovery;
use crate::domain::radar::radar_type::RadarType;
use crate::sources::text::dates::DateFormat;

/// One source, checked.
#[derive(Clone, Debug)]
pub struct Source {
    pub(in crate::sources) id: String,
    pub(in crate::sources) name: String,
    pub(in crate::sources) kind: SourceKind,
    pub(in crate::sources) radar_types: Vec<RadarType>,
    pub(in crate::sources) disabled_because: Option<String>,
    pub(in crate::sources) terms: Option<Terms>,
    pub(in crate::sources) poll_interval: Duration,
    pub(in crate::sources) tests: Vec<SourceTest>,
}

/// How a source is read.
#[derive(Clone, Debug)]
pub enum SourceKind {
    /// A JSON list of one tenant of a board, described by the file.
    Json(Arc<JsonBoard>),
    /// JobPosting JSON-LD on a company's careers page and the pages that it links to.
    CareersPage,
    /// JobPosting JSON-LD on the pages that a site's sitemap lists.
    Sitemap,
    /// A private provider that hands findings in.
    Push,
}

/// What the operator of a source asks of those who read it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Terms {
    /// What permits the use, in a few words.
    pub licence: String,
    /// Words that must go with what is shown.
    pub attribution: Option<String>,
    /// Where the terms stand.
    pub url: Option<String>,
    /// The day somebody last read them, `YYYY-MM-DD`.
    pub checked: String,
}

/// A board that answers JSON.
#[derive(Clone, Debug)]
pub struct JsonBoard {
    pub(in crate::sources) discovery: Discovery,
    pub(in crate::sources) request: Request,
    pub(in crate::sources) items: Items,
    pub(in crate::sources) paging: Option<Paging>,
    pub(in crate::sources) map: BTreeMap<String, Field>,
    pub(in crate::sources) department_paths: Vec<JsonPath>,
}

/// What is asked of the board.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The address, with `{token}` where the tenant's name goes.
    pub url: String,
    /// Further headers.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// How an unchanged answer is recognised.
    #[serde(default)]
    pub conditional: Conditional,
    /// Whose rules apply: a documented interface is meant for programs, anything else obeys robots.txt.
    #[serde(default)]
    pub robots: Robots,
    /// The longest answer that is read, in MiB; the general cap when absent.
    pub body_mib_max: Option<usize>,
}

/// How an unchanged answer is recognised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Conditional {
    /// The validators that the host sends are sent back, and the body is compared.
    Etag,
    /// Only the body is compared.
    #[default]
    Hash,
    /// Every answer is read.
    None,
}

/// Whether robots.txt is asked first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Robots {
    /// robots.txt decides.
    #[default]
    Obey,
    /// A documented public interface, which robots.txt does not speak of.
    DocumentedApi,
}

/// Where the items of an answer are.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Items {
    /// Selects the one array that holds them; an answer without it is not what the source describes.
    pub list: JsonPath,
    /// Selects the items that count; all of the list when absent.
    pub path: Option<JsonPath>,
    /// Selects an item's own id, within the item.
    pub id: JsonPath,
    /// When a board that a page links to is really there.
    #[serde(default)]
    pub alive: Alive,
}

/// When a board is really there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Alive {
    /// It answers with a list, which may be empty.
    #[default]
    Array,
    /// It lists something: some hosts answer with an empty list for any name.
    NonEmpty,
}

/// Lists that come in pages of `page_size`, by offset.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paging {
    /// Parameter that says how many items to skip.
    pub offset_parameter: String,
    /// Parameter that says how many items to give.
    pub limit_parameter: String,
    /// Items per page; a shorter page is the last.
    pub page_size: usize,
    /// Pages that are read at most.
    pub pages_max: usize,
}

/// How one key of a finding's content is made.
#[derive(Clone, Debug)]
pub enum Field {
    /// Always the same text.
    Constant(String),
    /// The first of several places that gives a value.
    First(Reading),
    /// Several texts, one below the other.
    Join(Vec<Reading>),
}

/// Places in an item and how the values there are read.
#[derive(Clone, Debug)]
pub struct Reading {
    /// Tried in order; the first that gives a value is taken.
    pub paths: Vec<JsonPath>,
    /// What the values are.
    pub format: Format,
}

/// What the values at a path are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Text on one line.
    Line,
    /// Text.
    Plain,
    /// HTML.
    Html,
    /// HTML that was escaped to travel in JSON.
    Entities,
    /// A day.
    Date(DateFormat),
    /// A country, or else a place in which a country may be named.
    CountryField,
    /// A place, in which a country may be named.
    CountryPlace,
}

/// An answer of the source and what must be read from it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceTest {
    /// What was asked for; a page's address for page sources.
    pub token: String,
    /// The answer's body.
    pub response: String,
    /// When it was read, for postings that expire; any time when absent.
    pub at: Option<String>,
    /// One table per finding, in the order of the answer: `native_id`, content keys, and `absent` for keys that are null.
    pub expect: Vec<toml::Table>,
}

impl Source {
    /// The name by which feeds and ingests refer to it.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The name for people.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How it is read.
    pub fn kind(&self) -> &SourceKind {
        &self.kind
    }

    /// The radar types that it serves.
    pub fn radar_types(&self) -> &[RadarType] {
        &self.radar_types
    }

    /// Whether it is used.
    pub fn is_enabled(&self) -> bool {
        self.disabled_because.is_none()
    }

    /// Why it is not used.
    pub fn disabled_because(&self) -> Option<&str> {
        self.disabled_because.as_deref()
    }

    /// What its operator asks.
    pub fn terms(&self) -> Option<&Terms> {
        self.terms.as_ref()
    }

    /// The time between two polls of one feed.
    pub fn poll_interval(&self) -> Duration {
        self.poll_interval
    }

    /// The rules by which pages lead to a tenant, for boards.
    pub fn discovery(&self) -> Option<&Discovery> {
        match &self.kind {
            SourceKind::Json(board) => Some(&board.discovery),
            _ => None,
        }
    }

    /// Whether it is used and serves `radar_type`.
    pub fn serves(&self, radar_type: RadarType) -> bool {
        self.is_enabled() && self.radar_types.contains(&radar_type)
    }
}

impl SourceKind {
    /// The word in the file.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Json(_) => "json",
            Self::CareersPage => "careers_page",
            Self::Sitemap => "sitemap",
            Self::Push => "push",
        }
    }
}

impl Request {
    /// The address for `token`; `None` if that makes no address on the host that the template names.
    pub fn url_of(&self, token: &str) -> Option<Url> {
        // A token is a path segment: escaped whole, so that no token reaches another path or host.
        let escaped = percent_encoding::utf8_percent_encode(token, TOKEN).to_string();
        let url = Url::parse(&self.url.replace("{token}", &escaped)).ok()?;
        let is_segment = !matches!(token, "" | "." | "..");
        (is_segment && matches!(url.scheme(), "http" | "https")).then_some(url)
    }
}

const TOKEN: &percent_encoding::AsciiSet =
    &percent_encoding::NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');
