//! Expressions and sets of words that rules are written with, each made at its first use.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::OnceLock;

use regex::{Captures, Match, Regex};

use super::folding::plain_ascii;
use outbound::reading;

/// Letters that are looked through in one step.
pub const LETTERS_PER_STEP: usize = 16;

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

/// An expression that is looked for without regard to accents (`plain_ascii`), so that a text with accents takes no
/// longer than one without: word boundaries are slow in it otherwise. Of what is found only ASCII letters are told.
pub struct PlainPattern(Pattern);

impl PlainPattern {
    /// The expression `text`.
    pub const fn new(text: &'static str) -> Self {
        Self(Pattern::new(text))
    }

    fn regex(&self) -> Option<&Regex> {
        let Pattern { text, regex } = &self.0;
        regex.get_or_init(|| Regex::new(&plain_ascii(text)).ok()).as_ref()
    }

    /// Whether it matches anywhere in `text`.
    pub fn is_match(&self, text: &str) -> bool {
        self.regex().is_some_and(|regex| regex.is_match(&looked_at(text)))
    }

    /// What `read` makes of the groups of its first match in `text`, in ASCII.
    pub fn captures<T>(&self, text: &str, read: impl FnOnce(&Captures<'_>) -> T) -> Option<T> {
        self.regex()?.captures(&looked_at(text)).map(|found| read(&found))
    }
}

/// `text` in ASCII, counted by what it takes to look through it.
fn looked_at(text: &str) -> Cow<'_, str> {
    reading::count(text.len() / LETTERS_PER_STEP + 1);
    plain_ascii(text)
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
    use super::{Pattern, PlainPattern, WordSet};

    #[test]
    fn what_is_no_expression_matches_nothing() {
        static WORDS: Pattern = Pattern::new(r"(?i)\s*\bof (?<what>\w+)");
        static NONE: Pattern = Pattern::new("(");
        assert!(WORDS.find("Head OF Sales").is_some() && NONE.find("(").is_none() && NONE.captures("(").is_none());
        assert_eq!(WORDS.captures("Head of Sales").unwrap().name("what").unwrap().as_str(), "Sales");
        assert_eq!(
            (WORDS.cut_from("Head of Sales").as_ref(), NONE.cut_from("Head of Sales").as_ref()),
            ("Head", "Head of Sales")
        );
        assert_eq!(WORDS.find("Head of Sales").map(|found| found.range()), Some(4..13));
    }

    #[test]
    fn a_plain_expression_regards_no_accents() {
        static ROUND: PlainPattern = PlainPattern::new(r"(?i)\b(?:levée|runde) [$€](?P<sum>\d)");
        for text in ["Acme: levée $5", "Acme: LEVEE €5", "Acmé: levée €5"] {
            assert!(ROUND.is_match(text), "{text}");
            assert_eq!(ROUND.captures(text, |found| found["sum"].to_owned()).as_deref(), Some("5"));
        }
        assert!(!ROUND.is_match("élevée €5"));
    }

    #[test]
    fn a_set_holds_whole_words() {
        static SET: WordSet = WordSet::new("one two \n three");
        assert!(SET.contains("three") && !SET.contains("thr") && !SET.contains("one two"));
    }
}
