//! How the keys of a finding's content are made from an item: the checked form of the `[map]` table.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json_path::JsonPath;

use super::capture::Capture;
use super::template::Template;
use crate::text::dates::DateFormat;

/// One way to the value of a key of a finding's content.
#[derive(Clone, Debug)]
pub struct Way {
    /// It counts only for items in which this selects something.
    pub when: Option<JsonPath>,
    /// And only for those in which this selects nothing.
    pub unless: Option<JsonPath>,
    /// What it gives.
    pub gives: Gives,
}

impl Way {
    /// Whether it always gives the same.
    pub const fn is_constant(&self) -> bool {
        matches!(self, Self { when: None, unless: None, gives: Gives::Constant(_) })
    }
}

/// What a way gives.
#[derive(Clone, Debug)]
pub enum Gives {
    /// Always the same text.
    Constant(String),
    /// The first of several places that gives a value.
    First(Lookup),
    /// Several texts, one below the other.
    Join(Vec<Lookup>),
    /// A text with values of the item and of the target in it; nothing if one of them is missing.
    Template {
        /// The text.
        template: Template,
        /// The values of the item that go into it, by name.
        with: BTreeMap<String, Lookup>,
    },
}

/// Places in an item and how the values there are read.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lookup {
    /// Tried in order; the first that gives a value is taken.
    pub paths: Vec<JsonPath>,
    /// The part of each value that counts.
    pub capture: Option<Capture>,
    /// What values stand for; others stand for nothing.
    #[serde(skip)]
    pub values: Option<BTreeMap<String, String>>,
    /// What the values are.
    #[serde(default, rename = "text")]
    pub format: Format,
}

/// What the values at a path are.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "TextFormat")]
pub enum Format {
    /// Text.
    Text(TextFormat),
    /// A day.
    Date(DateFormat),
    /// An instant.
    Instant(DateFormat),
    /// A country.
    Country(CountryFormat),
}

impl From<TextFormat> for Format {
    fn from(text: TextFormat) -> Self {
        Self::Text(text)
    }
}

impl Default for Format {
    fn default() -> Self {
        Self::Text(TextFormat::Line)
    }
}

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextFormat {
    /// Text on one line.
    Line,
    /// Text.
    Plain,
    /// HTML.
    Html,
    /// HTML that was escaped to travel in another format.
    Entities,
    /// An address, perhaps relative to that of the answer.
    Url,
}

/// Where a country stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CountryFormat {
    /// A country, or else a place in which a country may be named.
    Field,
    /// A place, in which a country may be named.
    Place,
}
