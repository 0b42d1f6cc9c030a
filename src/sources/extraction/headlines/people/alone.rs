//! People who are named by a surname alone that no list has: `hires Quarry's Stone to lead sales`.

use super::before::{is_insider, post_before};
use super::persons::{family, is_abbreviation, is_core_in_name, is_in_name, is_plain, is_surely_a_person};
use super::posts::{Post, ends_as_of_firms, lead, post};
use super::{BEFORE_PERSON_MAX, Move, PersonMove, moved};
use crate::extraction::headlines::lexicon::Class;
use crate::extraction::headlines::names::PersonName;
use crate::extraction::headlines::word::Word;

/// Words before a surname among which its post stands.
const POST_MAX: usize = 8;
/// What leads to a post in German.
const GERMAN_LEADS: &[&str] = &["zum", "zur", "zu", "als", "in", "von"];

/// Who is named by a surname alone: `names Stone president`, `hires Quarry's Stone to lead sales`.
pub(super) fn alone<'a>(
    rest: &'a [Word<'a>],
    kind: Move,
    acting: Option<&String>,
) -> Option<(PersonMove, bool, &'a [Word<'a>])> {
    let (at, person) = surname_among(&rest[..rest.len().min(BEFORE_PERSON_MAX)])?;
    let name = &rest[at];
    let (before, behind) = (&rest[..at], &rest[at + 1..]);
    let next = behind.first().filter(|_| !name.ends_part())?;
    let is_listed = name.is_surname() || name.is_given_name();
    // German nouns begin with a capital as names do.
    if !is_listed && next.is_one_of(GERMAN_LEADS) {
        return None;
    }
    let is_doing = next.bare == "to" && behind.get(1).is_some_and(|word| word.is(Class::Doing));
    let is_article = next.is_one_of(&["a", "an"]);
    let behind = &behind[usize::from(is_article)..];
    let is_led = lead(behind) > 0 || is_article && behind.first()?.is_of_posts();
    let has_post = is_led || behind.first()?.is_of_posts();
    let is_persons = |post: &Post| {
        let is_sure = at > 0 || is_surely_a_person(&person);
        is_sure || !ends_as_of_firms(post) && (is_led || name.is_surname() || is_over(behind, post))
    };
    let found = if has_post { post(behind).filter(is_persons) } else { None };
    let is_stated = next.bare == "from"
        || next.bare == "back" && at > 0
        || is_doing && (at > 0 || is_listed)
        || next.bare == "for" && at > 0;
    if found.is_none() && !is_stated {
        return None;
    }
    let length = found.as_ref().map_or(0, |post| post.length).min(behind.len());
    let found = moved(kind, person, None, found.map(|post| post.at(acting)), post_before(before));
    Some((found, before.iter().any(is_insider), &behind[length..]))
}

/// Whether nothing follows a post but what tells more of it. `names Quarry CEO Stone` and `names Quarry CEO as chair` have a
/// company where the name would stand.
fn is_over(behind: &[Word<'_>], post: &Post) -> bool {
    let (own, next) = behind.split_at(post.length.min(behind.len()));
    own.iter().any(Word::ends_part)
        || next.first().is_none_or(|next| !next.is_large() && lead(&[Word::new(next.written)]) == 0)
}

/// Somebody who is named by a surname alone, which is in no list of names or words.
pub fn rare_surname(name: &Word<'_>) -> Option<PersonName> {
    let is_family = !is_plain(name) || name.in_sentence && name.is_surname() && !name.is_of_posts();
    // "SpaceX", "PDVSA".
    let is_short = name.core.ends_with(char::is_uppercase) && !name.is_surname();
    let is_named = !is_short
        && name.is_large()
        && is_core_in_name(name)
        && is_family
        && !name.is_owner()
        && !name.is(Class::Region);
    (is_named && name.bare.chars().count() > 2).then(|| family(name))
}

/// Where somebody stands among `words` who is named by a surname alone: first of them, or behind what describes people.
fn surname_among(words: &[Word<'_>]) -> Option<(usize, PersonName)> {
    let is_named = |at: usize| {
        let is_over = words[at].ends_part() || words.get(at + 1).is_none_or(ends_surname);
        is_over && (at == 0 || describes(&words[at - 1]) && !words[at - 1].ends_part())
    };
    (0..words.len()).filter(|at| is_named(*at)).find_map(|at| Some((at, rare_surname(&words[at])?)))
}

/// Whether a surname follows the word: `Quarry's Stone`, `CFO Stone`, `software banker Stone`.
pub fn describes(word: &Word<'_>) -> bool {
    word.is_owner() || word.is_rank() || word.is(Class::From)
}

/// Whether a surname ends before the word.
fn ends_surname(next: &Word<'_>) -> bool {
    next.is_small() || next.is_of_posts() || next.is(Class::EndOfPost) || next.is_one_of(&["as", "to", "a", "its"])
}

/// The person behind a post, by a surname alone: `CEO Bennett`; and how many words both take.
pub fn surname_behind_post(words: &[Word<'_>]) -> Option<(usize, PersonName)> {
    let ends = |next: &Word<'_>| !is_in_name(next) || next.is_small() || next.is(Class::EndOfPost);
    let is_named = |at: usize| {
        let name = &words[at];
        let is_over = name.ends_part() || words.get(at + 1).is_none_or(ends);
        words[at - 1].is_rank()
            && name.is_large()
            && is_core_in_name(name)
            && !is_plain(name)
            && !name.is_owner()
            && is_over
    };
    let at = (1..words.len().min(POST_MAX)).find(|at| is_named(*at))?;
    Some((at, family(&words[at])))
}

/// The person whom `words` name by a surname alone, at their end: nothing stands before it, or whom it is of.
pub fn surname_alone(words: &[Word<'_>]) -> Option<(usize, PersonName)> {
    let (name, before) = words.split_last()?;
    // "Quarry's Stone", "CFO Stone", "software pioneer Stone".
    let is_described = |word: &Word<'_>| {
        word.is_rank()
            || word.is(Class::From)
            || word.is_small() && word.is_common() && (word.bare.len() > 3 || word.bare == "as")
    };
    let is_free = before.last().is_none_or(|word| word.is_owner() || is_described(word) && !word.ends_part());
    // "Directeur Quarry stapt op".
    let is_first = before.iter().all(|word| word.is_of_posts() && !is_abbreviation(word));
    let is_of_employer = before.last().is_some_and(|word| word.is_owner() || word.is(Class::From));
    let is_rare = !is_first && !is_plain(name) && (is_of_employer || !name.is_given_name());
    let is_family = name.is_surname() || is_rare;
    let is_named = is_in_name(name) && is_family && !name.is_of_posts() && !name.is_owner();
    (is_free && is_named).then(|| (before.len(), family(name)))
}

/// The person whom a part of a headline begins with, by a family name alone, and where the name stands.
pub fn family_beginning(before: &[Word<'_>]) -> Option<(usize, PersonName)> {
    let (name, others) = before.split_last()?;
    // "Stone und Quarry treten zurück": of two the first counts.
    let (name, others) = match others {
        [others @ .., first, link] if link.is_one_of(&["und", "y", "e", "et"]) => (first, others),
        _ => (name, others),
    };
    let is_part = others.last().is_none_or(Word::ends_part) && name.is_large();
    let is_family = is_part && name.is_surname() && is_core_in_name(name) && !is_plain(name) && !name.is_owner();
    (is_family && !name.ends_part()).then(|| (others.len(), family(name)))
}
