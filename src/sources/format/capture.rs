//! Regular expressions of source files.
//!
//! Duty: text to an expression of bounded size, and the part of a text that it tells. Never here: where texts stand.

use std::sync::Arc;

use regex::{Regex, RegexBuilder};

use super::template::Values;
use crate::text::read_from_text;

/// What an expression may take in memory, once compiled.
const EXPRESSION_BYTES_MAX: usize = 1024 * 1024;

/// A regular expression of which the first group counts, or all of it where it has none.
#[derive(Clone, Debug)]
pub struct Capture(Arc<Regex>);

read_from_text!(Capture, Capture::parse);

impl Capture {
    fn parse(text: &str) -> Result<Self, regex::Error> {
        RegexBuilder::new(text).size_limit(EXPRESSION_BYTES_MAX).build().map(|regex| Self(Arc::new(regex)))
    }

    /// What counts of its first match in `text`.
    pub fn of<'a>(&self, text: &'a str) -> Option<&'a str> {
        self.0.captures(text)?.iter().take(2).flatten().last().map(|group| group.as_str())
    }

    /// The names of its groups.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.capture_names().flatten()
    }

    /// Its named groups in the first match in `text`; `None` if one of them is not there.
    pub fn named(&self, text: &str) -> Option<Values> {
        let found = self.0.captures(text)?;
        self.names().map(|name| Some((name.to_owned(), found.name(name)?.as_str().to_owned()))).collect()
    }
}
