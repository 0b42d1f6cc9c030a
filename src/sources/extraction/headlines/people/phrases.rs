//! Lists of phrases, found at the beginning of words by their first word: however long a list is, a word is looked up once.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::word::Word;
use outbound::reading;

/// Phrases of one or several words with `|` between them, each list with what it means.
pub struct Phrases<T: 'static> {
    lists: &'static [(T, &'static str)],
    by_first: OnceLock<HashMap<&'static str, Vec<Phrase<T>>>>,
}

/// A phrase.
#[derive(Clone, Debug)]
pub struct Phrase<T> {
    /// As it is listed.
    pub text: &'static str,
    /// How many words it has.
    pub length: usize,
    /// What it means.
    pub meaning: T,
}

impl<T: Copy> Phrases<T> {
    /// The phrases of these lists.
    pub const fn new(lists: &'static [(T, &'static str)]) -> Self {
        Self { lists, by_first: OnceLock::new() }
    }

    /// The longest phrase at the beginning of `words`, with no comma between its words; of those as long the last one.
    pub fn at(&self, words: &[Word<'_>]) -> Option<&Phrase<T>> {
        reading::count(1);
        let (first, others) = words.split_first()?;
        let known = self.by_first.get_or_init(|| self.indexed()).get(first.bare.as_str())?;
        let is_here = |phrase: &&Phrase<T>| {
            let wanted = phrase.text.split(' ').skip(1);
            let is_whole = words.len() >= phrase.length
                && !words[..phrase.length - 1].iter().any(|word| word.ends_with([',', ';', ':']));
            is_whole && wanted.zip(others).all(|(wanted, word)| wanted == word.bare)
        };
        known.iter().filter(is_here).max_by_key(|phrase| phrase.length)
    }

    fn indexed(&self) -> HashMap<&'static str, Vec<Phrase<T>>> {
        let mut by_first: HashMap<_, Vec<_>> = HashMap::new();
        for (meaning, phrases) in self.lists {
            for text in phrases.split('|') {
                let phrase = Phrase { text, length: text.split(' ').count(), meaning: *meaning };
                by_first.entry(text.split(' ').next().unwrap_or_default()).or_default().push(phrase);
            }
        }
        by_first
    }
}

#[cfg(test)]
mod tests {
    use super::{Phrases, Word};

    #[test]
    fn the_longest_phrase_is_found_with_no_comma_inside() {
        static PHRASES: Phrases<u8> = Phrases::new(&[(1, "to be|to|to be its new"), (2, "as|to be")]);
        for (text, wanted) in [
            ("To be its new chief", Some((4, 1))),
            ("to be its", Some((2, 2))),
            ("to, be", Some((1, 1))),
            ("to be, its new", Some((2, 2))),
            ("as", Some((1, 2))),
            ("not to be", None),
            ("", None),
        ] {
            let words: Vec<Word<'_>> = Word::all_of(text).collect();
            assert_eq!(PHRASES.at(&words).map(|found| (found.length, found.meaning)), wanted, "{text}");
        }
    }
}
