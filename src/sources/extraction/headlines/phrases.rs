//! Tables of phrases, each with what it means, and the one matcher that reads headlines by them: a phrase is found by its
//! first word, so however long a table is, a word is looked up once.

use std::collections::HashMap;
use std::str::FromStr;
use std::sync::OnceLock;

use super::table::rows;
use super::word::Word;
use outbound::reading;

/// Phrases of one or several folded words with `|` between them, by what they mean.
pub struct Phrases<T: 'static> {
    table: &'static str,
    by_first: OnceLock<HashMap<&'static str, Vec<Phrase<T>>>>,
}

/// A phrase.
#[derive(Clone, Copy, Debug)]
pub struct Phrase<T> {
    /// As it stands in the table.
    pub text: &'static str,
    /// How many words it has.
    pub length: usize,
    /// What it means.
    pub meaning: T,
}

impl<T: FromStr + Copy> Phrases<T> {
    /// The phrases of a table.
    pub const fn new(table: &'static str) -> Self {
        Self { table, by_first: OnceLock::new() }
    }

    /// The phrases at the beginning of `words`, with no comma between their words, the longest first and those as long in
    /// the order of the table.
    pub fn at<'a>(&'a self, words: &'a [Word<'_>]) -> impl Iterator<Item = &'a Phrase<T>> {
        reading::count(1);
        let known = words.first().and_then(|first| self.index().get(first.bare.as_str()));
        let is_whole = |own: &[Word<'_>], phrase: &Phrase<T>| {
            !own[..own.len() - 1].iter().any(|word| word.written.ends_with([',', ';', ':']))
                && phrase.text.split(' ').zip(own).all(|(wanted, word)| wanted == word.bare)
        };
        let is_here = move |phrase: &&Phrase<T>| words.get(..phrase.length).is_some_and(|own| is_whole(own, phrase));
        known.into_iter().flatten().filter(is_here)
    }

    /// How long the longest phrase at the beginning of `words` is.
    pub fn length_at(&self, words: &[Word<'_>]) -> usize {
        self.at(words).next().map_or(0, |phrase| phrase.length)
    }

    fn index(&self) -> &HashMap<&'static str, Vec<Phrase<T>>> {
        self.by_first.get_or_init(|| {
            let mut by_first: HashMap<_, Vec<_>> = HashMap::new();
            for (meaning, phrases) in rows(self.table) {
                for text in phrases.split('|').map(str::trim) {
                    let phrase = Phrase { text, length: text.split(' ').count(), meaning };
                    by_first.entry(text.split(' ').next().unwrap_or_default()).or_default().push(phrase);
                }
            }
            by_first.values_mut().for_each(|phrases| phrases.sort_by_key(|phrase| std::cmp::Reverse(phrase.length)));
            by_first
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Phrases, Word};

    #[test]
    fn the_longest_phrase_is_found_with_no_comma_inside() {
        static PHRASES: Phrases<u8> = Phrases::new("1: to be | to\n  to be its new\n2: as | to be");
        for (text, wanted) in [
            ("To be its new chief", vec![(4, 1), (2, 1), (2, 2), (1, 1)]),
            ("to be its", vec![(2, 1), (2, 2), (1, 1)]),
            ("to, be", vec![(1, 1)]),
            ("as", vec![(1, 2)]),
            ("not to be", vec![]),
            ("", vec![]),
        ] {
            let words = Word::all_of(text);
            let found: Vec<_> = PHRASES.at(&words).map(|found| (found.length, found.meaning)).collect();
            assert_eq!(found, wanted, "{text}");
        }
    }
}
