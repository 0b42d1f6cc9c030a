//! How the keys of a finding's content are made from an item: the checked form of the `[map]` table.

use std::collections::BTreeMap;
use std::sync::Arc;

use regex::Regex;
use serde::Deserialize;
use serde_json_path::JsonPath;

use super::template::Template;
use crate::text::dates::DateFormat;

/// How one key of a finding's content is made.
#[derive(Clone, Debug)]
pub enum Field {
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
    /// The first of several ways that gives a value.
    Either(Vec<Self>),
    /// A way that counts only for some items.
    Guarded {
        /// Must select something.
        when: Option<JsonPath>,
        /// Must select nothing.
        unless: Option<JsonPath>,
        /// The way.
        field: Box<Self>,
    },
}

/// Places in an item and how the values there are read.
#[derive(Clone, Debug)]
pub struct Lookup {
    /// Tried in order; the first that gives a value is taken.
    pub paths: Vec<JsonPath>,
    /// The part of each value that counts: the first group of it.
    pub capture: Option<Arc<Regex>>,
    /// What values stand for; others stand for nothing.
    pub values: Option<Arc<BTreeMap<String, String>>>,
    /// What the values are.
    pub format: Format,
}

/// What the values at a path are.
#[derive(Clone, Debug, PartialEq, Eq)]
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
