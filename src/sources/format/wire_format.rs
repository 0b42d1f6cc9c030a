//! In which form a source answers.
//!
//! Whatever it is, an answer is read into one JSON value first; paths lead through that. How, is said in
//! `sources::engines::wire`.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::extraction::selectors::Selector;

/// In which form a source answers.
#[derive(Clone, Debug)]
pub enum WireFormat {
    /// JSON.
    Json,
    /// A JSON value on each line.
    JsonLines,
    /// XML, whose elements become objects by local name.
    Xml,
    /// RSS, Atom or JSON Feed, whose entries have the same names in all of them.
    Feed,
    /// HTML that lists articles, which have the names of a feed's entries.
    Articles,
    /// HTML, of which selectors make rows.
    Html(HtmlRows),
    /// Rows of separated values.
    Csv(CsvRows),
    /// JSON in an element of an HTML page.
    JsonInHtml(Selector),
}

/// What becomes a row of an HTML page, and its columns.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HtmlRows {
    /// Selects the elements that are rows.
    pub rows: Selector,
    /// Selects the columns within a row: the text of an element, or an attribute of it after `@`.
    pub columns: BTreeMap<String, Column>,
}

/// A column of a row.
#[derive(Clone, Debug)]
pub struct Column {
    /// The element within the row; the row itself when absent.
    pub selector: Option<Selector>,
    /// The attribute; the text when absent.
    pub attribute: Option<String>,
}

/// What separated values look like.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CsvRows {
    /// What stands between two values.
    #[serde(default = "comma")]
    pub delimiter: char,
    /// Whether the first row names the columns.
    #[serde(default)]
    pub has_header: bool,
    /// The columns that are read, by name, from 0, where no header names them.
    #[serde(default)]
    pub columns: BTreeMap<String, usize>,
}

const fn comma() -> char {
    ','
}

impl WireFormat {
    /// The word in the file.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::JsonLines => "json_lines",
            Self::Xml => "xml",
            Self::Feed => "feed",
            Self::Articles => "articles",
            Self::Html(_) => "html",
            Self::Csv(_) => "csv",
            Self::JsonInHtml(_) => "json_in_html",
        }
    }

    /// Where the list is, as a JSON pointer, where a file need not say it.
    pub const fn list(&self) -> Option<&'static str> {
        match self {
            Self::Json | Self::Xml | Self::JsonInHtml(_) => None,
            Self::JsonLines | Self::Html(_) | Self::Csv(_) => Some(""),
            Self::Feed | Self::Articles => Some("/entries"),
        }
    }

    /// The `Accept` header.
    pub const fn accept(&self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::JsonLines => "application/x-ndjson,application/json;q=0.9,*/*;q=0.5",
            Self::Xml => "application/xml,text/xml;q=0.9,*/*;q=0.5",
            Self::Feed => {
                "application/atom+xml,application/rss+xml,application/feed+json,application/xml;q=0.9,text/xml;q=0.9,*/*;q=0.5"
            }
            Self::Articles | Self::Html(_) | Self::JsonInHtml(_) => "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5",
            Self::Csv(_) => "text/csv,text/tab-separated-values,*/*;q=0.5",
        }
    }
}
