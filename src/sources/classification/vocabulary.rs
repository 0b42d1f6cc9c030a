//! Phrases with a meaning, and their reading in a row of words.
//!
//! The longest phrase is read first and no word is read twice: `sales engineer` hides `engineer`.

use std::collections::HashMap;

use crate::text::folding::folded;

/// Phrases, found by their first word.
#[derive(Debug)]
pub struct Vocabulary<M> {
    phrases: Vec<(Vec<Pattern>, M)>,
    by_text: HashMap<String, usize>,
    by_first: HashMap<First, Vec<usize>>,
}

/// What the first word of a phrase is found by.
#[derive(Debug, PartialEq, Eq, Hash)]
enum First {
    Word(String),
    Start([u8; 2]),
    End([u8; 2]),
    Any,
}

impl First {
    fn of(pattern: &Pattern) -> Self {
        let letters = pattern.letters.as_bytes();
        match (pattern.is_open_before, pattern.is_open_after, letters.first_chunk(), letters.last_chunk()) {
            (false, false, ..) => Self::Word(pattern.letters.clone()),
            (false, true, Some(start), _) => Self::Start(*start),
            (true, false, _, Some(end)) => Self::End(*end),
            _ => Self::Any,
        }
    }

    /// What phrases that begin with `word` may be found by.
    fn all(word: &str) -> impl Iterator<Item = Self> {
        let letters = word.as_bytes();
        let singular = word.strip_suffix('s').map(|word| Self::Word(word.to_owned()));
        let start = letters.first_chunk().map(|start| Self::Start(*start));
        let end = letters.last_chunk().map(|end| Self::End(*end));
        [Some(Self::Word(word.to_owned())), singular, start, end, Some(Self::Any)].into_iter().flatten()
    }
}

/// A phrase that stands in a row of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match<'a, M> {
    /// The index of its first word.
    pub from: usize,
    /// The index after its last word.
    pub until: usize,
    /// What it means.
    pub meaning: &'a M,
}

/// A word of a phrase; `*` at an end stands for any letters.
#[derive(Debug)]
struct Pattern {
    letters: String,
    is_open_before: bool,
    is_open_after: bool,
}

impl Pattern {
    fn of(word: &str) -> Self {
        let letters = word.trim_matches('*').to_owned();
        Self { letters, is_open_before: word.starts_with('*'), is_open_after: word.ends_with('*') }
    }

    fn fits(&self, word: &str) -> bool {
        let letters = self.letters.as_str();
        match (self.is_open_before, self.is_open_after) {
            (true, true) => word.contains(letters),
            (true, false) => word.ends_with(letters),
            (false, true) => word.starts_with(letters),
            (false, false) => word == letters || (letters.len() > 3 && word.strip_suffix('s') == Some(letters)),
        }
    }
}

impl<M> Vocabulary<M> {
    /// No phrases yet.
    pub fn new() -> Self {
        Self { phrases: Vec::new(), by_text: HashMap::new(), by_first: HashMap::new() }
    }

    /// The meaning of `phrase`, which becomes `meaning` where the phrase is new.
    pub fn entry(&mut self, phrase: &str, meaning: M) -> Option<&mut M> {
        let phrase = folded(phrase.trim());
        let patterns: Vec<Pattern> = phrase.split_whitespace().map(Pattern::of).collect();
        let first = patterns.first()?;
        let next = self.phrases.len();
        let index = *self.by_text.entry(phrase.clone()).or_insert(next);
        if index == next {
            self.by_first.entry(First::of(first)).or_default().push(index);
            self.phrases.push((patterns, meaning));
        }
        self.phrases.get_mut(index).map(|(_, meaning)| meaning)
    }

    /// The phrases in `words`, from left to right: longer ones are preferred, of two as long the one further right.
    pub fn read(&self, words: &[String]) -> Vec<Match<'_, M>> {
        let mut found: Vec<(usize, usize, usize, &M)> = Vec::new();
        for (from, word) in words.iter().enumerate() {
            let indices = First::all(word).filter_map(|first| self.by_first.get(&first)).flatten();
            for (patterns, meaning) in indices.filter_map(|index| self.phrases.get(*index)) {
                let here = &words[from..];
                if patterns.len() <= here.len() && patterns.iter().zip(here).all(|(pattern, word)| pattern.fits(word)) {
                    let letters = patterns.iter().map(|pattern| pattern.letters.len()).sum();
                    found.push((from, patterns.len(), letters, meaning));
                }
            }
        }
        found.sort_by_key(|(from, length, letters, _)| std::cmp::Reverse((*length, *letters, *from)));
        let mut matches: Vec<Match<'_, M>> = Vec::new();
        for (from, length, _, meaning) in found {
            let until = from + length;
            if matches.iter().all(|reading| until <= reading.from || reading.until <= from) {
                matches.push(Match { from, until, meaning });
            }
        }
        matches.sort_by_key(|reading| reading.from);
        matches
    }
}

/// The lines of a table: the section they stand in, the label before `:` if any, and their phrases.
pub fn rows(table: &str) -> Vec<(&str, &str, Vec<&str>)> {
    let mut rows: Vec<(&str, &str, Vec<&str>)> = Vec::new();
    let (mut section, mut label) = ("", "");
    for line in table.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
        if let Some((name, _)) = line.strip_prefix('[').and_then(|line| line.split_once(']')) {
            (section, label) = (name, "");
            continue;
        }
        let labelled = line.split_once(':').filter(|_| !line.starts_with(' '));
        let phrases;
        (label, phrases) = labelled.unwrap_or((label, line));
        rows.push((section, label, phrases.split(',').map(str::trim).filter(|phrase| !phrase.is_empty()).collect()));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::{Vocabulary, rows};

    fn read(phrases: &[&'static str], text: &str) -> Vec<&'static str> {
        let mut vocabulary = Vocabulary::new();
        for phrase in phrases {
            vocabulary.entry(phrase, *phrase).unwrap();
        }
        let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        vocabulary.read(&words).iter().map(|reading| *reading.meaning).collect()
    }

    #[test]
    fn the_longest_phrase_is_read_and_each_word_once() {
        let phrases = ["engineer", "sales engineer", "sales", "customer support", "support engineer"];
        assert_eq!(read(&phrases, "senior sales engineer"), ["sales engineer"]);
        assert_eq!(read(&phrases, "sales and engineers"), ["sales", "engineer"]);
        assert_eq!(read(&phrases, "customer support engineer"), ["support engineer"]);
        assert_eq!(read(&phrases, ""), [""; 0]);
    }

    #[test]
    fn stars_stand_for_letters() {
        assert_eq!(read(&["*entwickler", "vertrieb*"], "softwareentwickler"), ["*entwickler"]);
        assert_eq!(read(&["*ingenieur*", "vertrieb*"], "vertriebsingenieurin"), ["*ingenieur*"]);
        assert_eq!(read(&["Sénior"], "senior"), ["Sénior"]);
        assert_eq!(read(&["account"], "accountant"), [""; 0]);
    }

    #[test]
    fn tables_have_sections_and_labels() {
        let table = "# why\n[roles] said here\nSales: seller, sdr,\n  closer\n\n[ranks]\n  manager, lead\n";
        let wanted: [(&str, &str, Vec<&str>); 3] = [
            ("roles", "Sales", vec!["seller", "sdr"]),
            ("roles", "Sales", vec!["closer"]),
            ("ranks", "", vec!["manager", "lead"]),
        ];
        assert_eq!(rows(table), wanted);
    }
}
