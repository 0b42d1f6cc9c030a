//! What makes a headline about a person something else than a move to or from a post at a company.

use crate::extraction::headlines::phrases::Phrases;
use crate::extraction::headlines::word::Word;
use domain::closed;

closed! {
    /// Where a phrase makes it something else.
    Place {
        /// Anywhere.
        Any = "any",
        /// At the beginning.
        First = "first",
    }
}

static OTHER: Phrases<Place> = Phrases::new(include_str!("other_news.txt"));

/// Whether a headline of these `words` tells of something else.
pub fn is_of_other_news(words: &[Word<'_>]) -> bool {
    let is_other = |at: usize| OTHER.at(&words[at..]).any(|phrase| at == 0 || phrase.meaning == Place::Any);
    words.last().is_some_and(|word| word.written.ends_with('?')) || (0..words.len()).any(is_other)
}
