//! Expressions and sets of words that rules are written with, each made at its first use.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::OnceLock;

use regex::{Captures, Match, Regex};

/// An expression. One that cannot be compiled matches nothing.
pub struct Pattern {
    text: &'static str,
    regex: OnceLock<Option<Regex>>,
}

impl Pattern {
    /// The expression `text`.
    pub const fn new(text: &'static str) -> Self {
        Self { text, regex: OnceLock::new() }
    }

    /// The expression, compiled.
    pub fn regex(&self) -> Option<&Regex> {
        self.regex.get_or_init(|| Regex::new(self.text).ok()).as_ref()
    }

    /// Whether it matches anywhere in `text`.
    pub fn is_match(&self, text: &str) -> bool {
        self.regex().is_some_and(|regex| regex.is_match(text))
    }

    /// Its first match in `text`.
    pub fn find<'a>(&self, text: &'a str) -> Option<Match<'a>> {
        self.regex()?.find(text)
    }

    /// The groups of its first match in `text`.
    pub fn captures<'a>(&self, text: &'a str) -> Option<Captures<'a>> {
        self.regex()?.captures(text)
    }

    /// `text` without its matches.
    pub fn cut_from<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.regex().map_or(Cow::Borrowed(text), |regex| regex.replace_all(text, ""))
    }
}

/// A set of words.
pub struct WordSet {
    text: &'static str,
    words: OnceLock<HashSet<&'static str>>,
}

impl WordSet {
    /// The words of `text`, with white space between them.
    pub const fn new(text: &'static str) -> Self {
        Self { text, words: OnceLock::new() }
    }

    /// Whether `word` is one of them.
    pub fn contains(&self, word: &str) -> bool {
        self.words.get_or_init(|| self.text.split_whitespace().collect()).contains(word)
    }
}

#[cfg(test)]
mod tests {
    use super::{Pattern, WordSet};

    #[test]
    fn what_is_no_expression_matches_nothing() {
        static WORDS: Pattern = Pattern::new(r"(?i)\s*\bof (?<what>\w+)");
        static NONE: Pattern = Pattern::new("(");
        assert!(WORDS.is_match("Head OF Sales") && !NONE.is_match("(") && NONE.captures("(").is_none());
        assert_eq!(WORDS.captures("Head of Sales").unwrap().name("what").unwrap().as_str(), "Sales");
        assert_eq!(
            (WORDS.cut_from("Head of Sales").as_ref(), NONE.cut_from("Head of Sales").as_ref()),
            ("Head", "Head of Sales")
        );
        assert_eq!(WORDS.find("Head of Sales").map(|found| found.range()), Some(4..13));
    }

    #[test]
    fn a_set_holds_whole_words() {
        static SET: WordSet = WordSet::new("one two \n three");
        assert!(SET.contains("three") && !SET.contains("thr") && !SET.contains("one two"));
    }
}
