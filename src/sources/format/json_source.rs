//! What a source of kind `json` says beside what every source says: what is asked, where the items are, how they become
//! content.
//!
//! Duty: the checked form of these tables. Never here: the file's syntax, or any request.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, de};
use serde_json_path::JsonPath;
use url::Url;

use super::token_patterns::Discovery;
use crate::domain::radar::radar_type::RadarType;
use crate::sources::text::dates::DateFormat;

/// A source that answers JSON.
#[derive(Clone, Debug)]
pub struct JsonBoard {
    /// The type whose content its items carry; all the types that it serves carry the same keys.
    pub(in crate::sources) radar_type: RadarType,
    pub(in crate::sources) discovery: Discovery,
    pub(in crate::sources) request: Request,
    pub(in crate::sources) items: Items,
    pub(in crate::sources) paging: Option<Paging>,
    pub(in crate::sources) map: BTreeMap<String, Field>,
    pub(in crate::sources) department_paths: Vec<JsonPath>,
}

/// The request that is sent.
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
    /// A documented interface is meant for programs; anything else obeys robots.txt.
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
    /// Select an item's own id, within the item: the first that is there counts.
    #[serde(deserialize_with = "one_or_more_paths")]
    pub id: Vec<JsonPath>,
    /// When a board that a page links to is really there.
    #[serde(default)]
    pub alive: Alive,
}

/// One path, or a list of them.
fn one_or_more_paths<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<JsonPath>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a path or a list of paths")]
    enum Paths {
        One(String),
        More(Vec<String>),
    }
    let paths = match Paths::deserialize(deserializer)? {
        Paths::One(path) => vec![path],
        Paths::More(paths) => paths,
    };
    if paths.is_empty() {
        return Err(de::Error::custom("at least one path is needed"));
    }
    paths.iter().map(|path| JsonPath::parse(path).map_err(de::Error::custom)).collect()
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
    First(Lookup),
    /// Several texts, one below the other.
    Join(Vec<Lookup>),
}

/// Places in an item and how the values there are read.
#[derive(Clone, Debug)]
pub struct Lookup {
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
    /// An instant.
    Instant(DateFormat),
    /// A country, or else a place in which a country may be named.
    CountryField,
    /// A place, in which a country may be named.
    CountryPlace,
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
