//! Words of a headline that stand between a verb and what it is about, and say nothing of it.

use crate::extraction::headlines::lexicon::Class;
use crate::extraction::headlines::word::{Word, place_of};

/// How a time begins that somebody was there, and what it is counted in.
const AFTER: &[&str] = &["after", "nach", "na", "tras", "apres", "dopo", "apos", "depois"];
const UNITS: &[&str] = &[
    "years", "year", "months", "decades", "jahren", "jahr", "monaten", "jaar", "maanden", "anos", "ano", "meses",
    "ans", "mois", "anni", "anno", "mesi",
];
/// Words of such a time.
const TIME_WITHIN: usize = 5;

/// The words without those that stand between a verb and what it is about: `officially`, `after 15 years`.
pub(super) fn without_asides(words: Vec<Word<'_>>) -> Vec<Word<'_>> {
    let mut aside_to = 0;
    let is_aside: Vec<bool> = (0..words.len())
        .map(|at| {
            let next = &words[at + 1..words.len().min(at + 1 + TIME_WITHIN)];
            let small =
                next.iter().take_while(|word| word.is_small() || !word.core.contains(char::is_alphabetic)).count();
            if words[at].is_one_of(AFTER)
                && let Some(unit) = place_of(&next[..small], UNITS)
            {
                aside_to = at + unit + 2;
            }
            at < aside_to || words[at].is_small() && words[at].is(Class::Aside) && !words[at].ends_part()
        })
        .collect();
    words.into_iter().zip(is_aside).filter(|(_, is_aside)| !is_aside).map(|(word, _)| word).collect()
}
