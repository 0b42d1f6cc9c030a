//! Names of people among the words of a headline, where every word may begin with a capital.

use super::post_words::is_of_posts_as;
use super::word::{Question, Word, bare};
use super::words::{ends_part, is_initial, is_one_of, owner};
use crate::extraction::headlines::companies::is_owner;
use crate::extraction::headlines::name_words::{FIRMS_LIKE_PEOPLE, PARTICLES};
use crate::extraction::headlines::names::{PersonName, begins_large, is_name_word, person_name};
use crate::mentions::{is_common, is_given_name, is_surname};
use crate::text::folding::folded;

/// Words of a name, without titles and suffixes.
const WORDS_MAX: usize = 5;

/// The person at the beginning of `words`, and how many words the name takes, with what is said before and behind it.
pub fn person_at(words: &[Word<'_>]) -> Option<(usize, PersonName)> {
    let titles = words.iter().take_while(|word| word.is_title()).count();
    let rest = &words[titles..];
    // Nearly all words of other texts end here.
    let is_begun = rest.first().is_some_and(|first| begins_large(first));
    let middle = if is_begun { parts(rest[1..].iter()) } else { 0 };
    let longest = if is_begun { rest.len().min(middle + 2) } else { 0 };
    let found = (2..=longest).rev().find_map(|count| {
        let person = person_of(&rest[..count])?;
        let mut length = titles + count;
        // "Van Cleef & Arpels" is a firm.
        if words.get(length).is_some_and(|word| matches!(word.written, "&" | "+")) {
            return None;
        }
        // "Ada Byron, M.D., Ph.D.," is one name.
        while words.get(length).is_some_and(|word| word.is_suffix()) {
            length += 1;
        }
        Some((length, person))
    });
    found.or_else(|| rare_person_at(rest).map(|person| (titles + 2, person)))
}

/// How many of `words` may stand between the first and the last one of a name.
fn parts<'a>(words: impl Iterator<Item = &'a Word<'a>>) -> usize {
    words.take(WORDS_MAX - 2).take_while(|word| is_part(word)).count()
}

/// `Herb Cunitz`: a given name that is a word as well, before a family's name that is none and ends there.
fn rare_person_at(words: &[Word<'_>]) -> Option<PersonName> {
    let ([first, last], behind) = words.split_first_chunk::<2>()?;
    let is_end = || {
        let ends = |next: &Word<'_>| next.is_of_posts() || !next.is_in_name() || is_one_of(next, &["as", "to"]);
        ends_part(last) || behind.first().is_none_or(ends)
    };
    let is_named = first.is_in_name()
        && !first.is_of_posts()
        && !ends_part(first)
        && !is_prefixed(first)
        && !is_owner(first)
        && is_in_name_before_comma(last);
    (is_named && last.bare.chars().count() > 2 && !is_plain(last) && is_end())
        .then(|| person_name(&format!("{} {}", first.written, last.trim_end_matches([',', ';']))))
        .flatten()
}

/// The person whom `words` name by the family's name alone, at their beginning or behind the company that it belongs to.
pub fn surname_alone(words: &[Word<'_>]) -> Option<(usize, PersonName)> {
    let (name, before) = words.split_last()?;
    let is_free = before.last().is_none_or(|word| is_owner(word));
    let is_family = is_surname(&name.bare) || !before.is_empty() && !is_plain(name);
    let is_named = name.is_in_name() && is_family && !name.is_of_posts() && !is_owner(name);
    let person = || PersonName { full: name.written.to_owned(), first: None, last: Some(name.written.to_owned()) };
    (is_free && is_named).then(|| (before.len(), person()))
}

/// The person that `words` name at their end, between a verb and `as`, though the name is in no list; and where the name
/// begins.
pub fn person_between(words: &[Word<'_>]) -> Option<(usize, PersonName)> {
    let suffixes = words.iter().rev().take_while(|word| word.is_suffix()).count();
    let [before @ .., first, last] = &words[..words.len() - suffixes] else { return None };
    let is_named = is_first(first) && is_in_name_before_comma(last) && !last.is_of_posts() && !ends_part(first);
    is_named
        .then(|| person_name(&format!("{} {}", first.written, last.trim_end_matches(','))))
        .flatten()
        .map(|person| (before.len(), person))
}

/// The person at the end of `words`, perhaps with something about the person in between, and where the name begins.
pub fn person_before(words: &[Word<'_>]) -> Option<(usize, PersonName)> {
    let words = match words {
        [rest @ .., last] if is_one_of(last, &["has", "is", "was", "will", "ist", "est", "es"]) => rest,
        words => words,
    };
    let at_end = |words: &[Word<'_>]| {
        if words.last().is_some_and(|word| owner(word).is_some()) {
            return None;
        }
        let suffixes = words.iter().rev().take_while(|word| word.is_suffix()).count();
        let words = &words[..words.len() - suffixes];
        let middle = parts(words.iter().rev().skip(1));
        (2..=words.len().min(middle + 2)).rev().find_map(|count| {
            let start = words.len() - count;
            let person = person_of(&words[start..])?;
            // Whether a name could not go on before it.
            let is_end = |word: &Word<'_>| !is_part(word) || word.is_title() || word.is_of_posts() || ends_part(word);
            let is_free = || words[..start].last().is_none_or(is_end);
            (count == 2 || is_free() || words[start].is_given_name()).then_some((start, person))
        })
    };
    // "Grover Byron joins": what begins a headline and ends with a family's name.
    let whole = || match words {
        [first, last] => {
            let is_family = is_surname(&last.bare) && !is_plain(last);
            let is_named = first.is_in_name() && !first.is_of_posts() && !is_prefixed(first) && last.is_in_name();
            (is_family && is_named && !is_owner(last)).then(|| person_name(&words.join(" "))).flatten()
        }
        _ => None,
    };
    // "Ada Byron, formerly of Quarry," has the name before the comma.
    let aside = words.iter().position(|word| word.ends_with(','));
    at_end(words).or_else(|| match (aside, words.last()) {
        (Some(at), Some(last)) if last.ends_with(',') => at_end(&words[..=at]),
        _ => whole().map(|person| (0, person)),
    })
}

/// The person that all of `words` name; those in the middle may be parts of a name.
fn person_of(words: &[Word<'_>]) -> Option<PersonName> {
    let (last, before) = words.split_last().filter(|_| begins_large(&words[0]))?;
    let (first, middle) = before.split_first()?;
    let is_whole = before.iter().all(|word| !ends_part(word) && !is_owner(word));
    // "Jane Wicks": behind a given name any word may be the family's, if nothing but an initial stands between.
    let is_after_given = || middle.iter().all(|word| is_initial(word) || is_one_letter(word)) && first.is_given_name();
    // "Hunter K. Field": an initial between them makes names of any two words.
    let has_initial = !middle.is_empty() && middle.iter().all(|word| is_initial(word));
    let has_names = || has_initial && may_be_in_name(first) && may_be_in_name(end_of_name(last));
    let is_named =
        || is_first(first) && (is_last(last) || is_after_given() && is_last_behind_given(last)) || has_names();
    if !is_whole || !is_named() || words.iter().any(|word| word.is_suffix()) {
        return None;
    }
    let names = before.iter().map(|word| word.written).chain([end_of_name(last)]);
    person_name(&names.collect::<Vec<_>>().join(" "))
}

/// The last word of a name, without what follows the name.
fn end_of_name<'a>(word: &Word<'a>) -> &'a str {
    word.written.trim_end_matches([',', ';', ':', '.']).trim_end_matches("'s").trim_end_matches("’s")
}

fn is_last(word: &Word<'_>) -> bool {
    let name = end_of_name(word);
    word.once(Question::Last, || is_likely(name) && bare(name).chars().count() > 1)
}

fn is_last_behind_given(word: &Word<'_>) -> bool {
    let name = end_of_name(word);
    let is_last = || is_name_word(name) && !is_of_posts_as(name, &bare(name)) && name.chars().count() > 2;
    word.once(Question::LastBehindGiven, is_last)
}

fn may_be_in_name(word: &str) -> bool {
    is_name_word(word) && !is_of_posts_as(word, &bare(word)) && !has_prefix(word)
}

fn is_in_name_before_comma(word: &Word<'_>) -> bool {
    word.once(Question::InNameBeforeComma, || is_name_word(word.trim_end_matches(',')))
}

fn is_first(word: &Word<'_>) -> bool {
    let is_name = || word.is_in_name() && !is_prefixed(word) && !is_owner(word);
    word.once(Question::First, || is_initial(word) || is_name() && (word.is_given_name() || !is_plain(word)))
}

fn is_part(word: &Word<'_>) -> bool {
    let is_short = || is_initial(word) || is_one_letter(word) || PARTICLES.contains(&word.bare);
    word.once(Question::Middle, || is_short() || is_likely(word))
}

/// Whether names have the word: it is in the lists of names, or in none of other words.
fn is_likely(word: &str) -> bool {
    let is_name_of = |folded: &str| is_given_name(folded) || is_surname(folded) || !is_plain_as(folded);
    is_name_word(word) && !has_prefix(word) && is_name_of(&bare(word))
}

fn is_one_letter(word: &str) -> bool {
    word.chars().count() == 1 && word.chars().all(char::is_uppercase)
}

/// `Ex-Googler` and `Berlin-based` are no names.
fn is_prefixed(word: &Word<'_>) -> bool {
    word.once(Question::Prefixed, || has_prefix(word))
}

fn has_prefix(word: &str) -> bool {
    let lower = folded(word);
    lower.starts_with("ex-") || lower.ends_with("-based") || lower.contains("former") || lower == "veteran"
}

/// A word of which names are not made, unless they are in the lists of names.
fn is_plain(word: &Word<'_>) -> bool {
    word.once(Question::Plain, || is_plain_as(&word.bare))
}

fn is_plain_as(word: &str) -> bool {
    is_common(word) || is_of_posts_as(word, &bare(word)) || word.contains('-') && word.split('-').all(is_common)
}

/// Whether one of the names is known as a name of people, and both together are not known as a firm's.
pub fn is_surely_a_person(person: &PersonName) -> bool {
    if FIRMS_LIKE_PEOPLE.contains(&folded(&person.full).as_str()) {
        return false;
    }
    let is_known = |name: &str| name.split_whitespace().any(|word| is_given_name(&bare(word)));
    let is_family = |name: &str| is_surname(&bare(name)) && !is_common(&bare(name));
    person.first.as_deref().is_some_and(is_known) || person.last.as_deref().is_some_and(is_family)
}
