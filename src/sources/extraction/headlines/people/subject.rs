//! Who stands before a verb, whole or by a surname alone, with what is said about them in between.

use super::persons::{
    MIDDLE_MAX, family, is_core_in_name, is_plain, is_surely_a_person, may_begin, named, person_at, person_at_end,
};
use crate::extraction::headlines::lexicon::Class;
use crate::extraction::headlines::names::PersonName;
use crate::extraction::headlines::word::Word;

/// What stands between a person and the verb: `Ada Byron announces that she steps down`.
const HELPERS: &[&str] = &[
    "has", "is", "was", "will", "ist", "est", "es", "hat", "ha", "announces", "announced", "says", "that", "he", "she",
    "anuncia", "anuncio", "que", "annonce", "qu'il", "qu'elle", "annuncia", "che", "dass", "er", "sie", "officially",
    "nun", "jetzt", "kundigt", "confirma", "confirms",
];
/// Of these words those that may stand together.
const HELPERS_MAX: usize = 3;
/// The person whom a part of a headline begins with, by a name that is in no list, and where it does: `Melnyk resigns as
/// director`.
pub fn person_beginning(before: &[Word<'_>]) -> Option<(usize, PersonName)> {
    // "El fin de una era: Stone deja de ser CEO".
    let part = before.iter().rposition(|word| word.written.ends_with(':') || word.is_dash()).map_or(0, |at| at + 1);
    let person = match &before[part..] {
        [name]
            if is_core_in_name(name)
                && !is_plain(name)
                && !name.is_owner()
                && !name.ends_part()
                && !name.is(Class::Pronoun) =>
        {
            Some(family(name)).filter(|_| name.bare.chars().count() > 2)
        }
        [first, last] if may_begin(first) && is_core_in_name(last) && !last.is_of_posts() && !last.is_owner() => {
            named(&[first], last).filter(|_| !last.is(Class::CompanyEnd) && !last.is_form())
        }
        _ => None,
    }?;
    Some((part, person))
}

/// The person at the end of `words`, perhaps with something about the person in between, and where the name begins.
pub fn person_before(words: &[Word<'_>]) -> Option<(usize, PersonName)> {
    let helpers = words.iter().rev().take(HELPERS_MAX).take_while(|word| word.is_one_of(HELPERS)).count();
    let words = &words[..words.len() - helpers];
    let last = words.last()?;
    // "Ada Byron, formerly of Quarry," has the name before the comma.
    let aside = words.iter().position(|word| word.written.ends_with(',')).filter(|_| last.written.ends_with(','));
    let found = person_at_end(words)
        .or_else(|| aside.and_then(|at| person_at_end(&words[..=at])))
        .or_else(|| whole(words))
        .or_else(|| described(words))
        .or_else(|| family_described(words))
        .or_else(|| behind_post(words))?;
    Some(first_of_two(&words[..found.0]).unwrap_or(found))
}

/// `Grover Byron joins`: what begins a headline and ends with a surname.
fn whole(words: &[Word<'_>]) -> Option<(usize, PersonName)> {
    match words {
        [first, last] if last.is_surname() && !is_plain(last) && may_begin(first) && !last.is_owner() => {
            named(&[first], last).map(|person| (0, person))
        }
        _ => None,
    }
}

/// `Ada Byron of Quarry`, `Ada Byron, Chief Financial Officer`: the name stands first.
fn described(words: &[Word<'_>]) -> Option<(usize, PersonName)> {
    let (length, person) = person_at(words)?;
    let (last, next) = (&words[length - 1], words.get(length)?);
    let is_of = next.is_one_of(&["of", "from", "at", "von", "bei", "de", "di"]);
    let is_listed = last.written.ends_with(',');
    let is_post = is_listed && next.is_of_posts() && words.last().is_some_and(Word::is_of_posts);
    // "Ada Byron, the engineer who built Acme".
    let is_one_part = || !words[length..words.len() - 1].iter().any(Word::ends_part);
    let is_aside = is_listed && next.is_small() && is_one_part() && is_surely_a_person(&person);
    (is_of || is_post || is_aside).then_some((0, person))
}

/// `Stone, former banker at Acme,`.
fn family_described(words: &[Word<'_>]) -> Option<(usize, PersonName)> {
    let [name, next, .., last] = words else { return None };
    let is_aside = name.written.ends_with(',') && last.written.ends_with(',');
    let is_described = next.is_of_posts() || next.is(Class::BeforePost);
    let is_named = is_core_in_name(name) && !is_plain(name) && !name.is_owner();
    (is_aside && is_described && is_named).then(|| (0, family(name)))
}

/// `CEO Charly Classen`: behind a post both names may be in no list.
fn behind_post(words: &[Word<'_>]) -> Option<(usize, PersonName)> {
    let [others @ .., rank, first, last] = words else { return None };
    let is_behind = rank.is_rank() && !rank.ends_part();
    let is_named = may_begin(first) && last.is_surname() && !is_plain(last) && !last.is_owner();
    let person = if is_behind && is_named { named(&[first], last) } else { None };
    Some((others.len() + 1, person?))
}

/// Who stands before an `and` at the end of `words`: of two who move together the first counts.
fn first_of_two(words: &[Word<'_>]) -> Option<(usize, PersonName)> {
    let (link, before) = words.split_last()?;
    let is_link = link.written == "&" || link.is_one_of(&["and", "und", "et", "y", "e", "en"]);
    if is_link { person_at_end(before) } else { None }
}

/// Whose name ends `words`: `Ada Byron's appointment`.
pub fn person_owning(words: &[Word<'_>]) -> Option<(usize, PersonName)> {
    let is_last = |at: &usize| person_at(&words[*at..]).is_some_and(|(length, _)| at + length == words.len());
    let from = words.len().saturating_sub(MIDDLE_MAX + 2);
    let at = (from..words.len()).find(is_last).filter(|_| words.last().is_some_and(Word::is_owner))?;
    Some((at, person_at(&words[at..])?.1))
}
