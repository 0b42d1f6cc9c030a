//! Names of people among the words of a headline, where every word may begin with a capital.

use crate::extraction::headlines::known_names::{is_family_name, is_given_name};
use crate::extraction::headlines::lexicon::Class;
use crate::extraction::headlines::names::{PersonName, begins_large, is_name_word, is_short_family_name, person_name};
use crate::extraction::headlines::word::{Question, Word};
use crate::mentions::{self, is_common};
use crate::text::folding::folded;

/// Words of a name between the first and the last one.
pub const MIDDLE_MAX: usize = 3;
/// Firms that are called like people, and are taken on as advisers or partners.
const FIRMS_LIKE_PEOPLE: &[&str] = &[
    "baker mckenzie", "baker tilly", "charles schwab", "clifford chance", "edward jones", "eli lilly", "goldman sachs",
    "grant thornton", "hogan lovells", "houlihan lokey", "john deere", "john lewis", "jones day", "jp morgan",
    "korn ferry", "merrill lynch", "morgan stanley", "norton rose", "oliver wyman", "piper sandler", "raymond james",
    "roland berger", "russell reynolds", "spencer stuart", "thomson reuters", "wells fargo", "william blair",
];

/// The person at the beginning of `words`, and how many words the name takes, with what is said before and behind it.
pub fn person_at(words: &[Word<'_>]) -> Option<(usize, PersonName)> {
    let titles = words.iter().take_while(|word| word.is(Class::Title)).count();
    let rest = &words[titles..];
    // Nearly all words of other texts end here.
    let middle = if begins_large(rest.first()?.written) { parts(rest[1..].iter()) + 2 } else { 0 };
    let (count, person) = (2..=rest.len().min(middle))
        .rev()
        .find_map(|count| Some((count, person_of(&rest[..count])?)))
        .or_else(|| Some((2, rare_person_at(rest)?)))
        .or_else(|| Some((1, titled(&words[..titles], rest.first()?)?)))?;
    let suffixes = rest[count..].iter().take_while(|word| word.is(Class::Suffix)).count();
    let (last, next) = (&rest[count - 1], rest.get(count));
    // "Van Cleef & Arpels" is a firm, as is the employer in "Morgan Stanley banker Stone" and "DS Smith's Ada Byron".
    let is_firm = next.is_some_and(|next| {
        matches!(next.written, "&" | "+") || next.is_small() && next.is(Class::From) && !next.bare.starts_with("ex-")
    });
    let is_employer = last.is_owner() && next.is_some_and(|next| next.is_large() && !next.is_of_posts());
    (!is_firm && !is_employer).then_some((titles + count + suffixes, person))
}

/// `Dr. Byron`: behind a title a surname alone is enough.
fn titled(titles: &[Word<'_>], name: &Word<'_>) -> Option<PersonName> {
    let is_title = titles.last()?.is(Class::Title);
    let is_named = is_core_in_name(name) && !is_plain(name) && !name.is_owner() && name.bare.chars().count() > 2;
    (is_title && is_named).then(|| family(name))
}

/// Somebody who is named by a surname alone.
pub fn family(name: &Word<'_>) -> PersonName {
    PersonName { full: name.core.to_owned(), first: None, last: Some(name.core.to_owned()) }
}

/// How many of `words` may stand between the first and the last one of a name.
fn parts<'a>(words: impl Iterator<Item = &'a Word<'a>>) -> usize {
    words.take(MIDDLE_MAX).take_while(|word| is_part(word)).count()
}

/// `Herb Cunitz`: a given name that is a word as well, before a surname that is none and ends there.
fn rare_person_at(words: &[Word<'_>]) -> Option<PersonName> {
    let ([first, last], behind) = words.split_first_chunk::<2>()?;
    let ends = |next: &Word<'_>| next.is_of_posts() || !is_in_name(next) || next.is_one_of(&["as", "to"]);
    let is_named = may_begin(first)
        && !last.is_owner()
        && is_core_in_name(last)
        && last.bare.chars().count() > 2
        && !is_plain(last)
        && (last.ends_part() || behind.first().is_none_or(ends));
    if is_named { named(&[first], last) } else { None }
}

/// The person that `words` name at their end, between a verb and `as`, though the name is in no list; and where the name
/// begins.
pub fn person_between(words: &[Word<'_>]) -> Option<(usize, PersonName)> {
    let [before @ .., first, last] = without_suffixes(words) else { return None };
    let is_named = is_first(first) && is_core_in_name(last) && !last.is_of_posts() && !first.ends_part();
    let person = if is_named && !last.is_owner() { named(&[first], last) } else { None };
    person.map(|person| (before.len(), person))
}

/// The person whose name ends `words`, and where it begins.
pub fn person_at_end(words: &[Word<'_>]) -> Option<(usize, PersonName)> {
    if words.last()?.written.ends_with("'s") || words.last()?.written.ends_with("’s") {
        return None;
    }
    let words = without_suffixes(words);
    let middle = parts(words.iter().rev().skip(1));
    let titled = || match words {
        [before @ .., name] => Some((before.len().checked_sub(1)?, titled(before, name)?)),
        [] => None,
    };
    let named = (2..=words.len().min(middle + 2)).rev().find_map(|count| {
        let start = words.len() - count;
        let person = person_of(&words[start..])?;
        // Whether a name could not go on before it.
        let is_end =
            |word: &Word<'_>| !is_part(word) || word.is(Class::Title) || word.is_of_posts() || word.ends_part();
        let is_free = || words[..start].last().is_none_or(is_end);
        (count == 2 || is_free() || words[start].is_given_name()).then_some((start, person))
    });
    named.or_else(titled)
}

fn without_suffixes<'a, 'b>(words: &'a [Word<'b>]) -> &'a [Word<'b>] {
    &words[..words.len() - words.iter().rev().take_while(|word| word.is(Class::Suffix)).count()]
}

/// The person that all of `words` name; those in the middle may be parts of a name.
fn person_of(words: &[Word<'_>]) -> Option<PersonName> {
    let [first, middle @ .., last] = words else { return None };
    let before = &words[..words.len() - 1];
    let is_whole = !before.iter().any(|word| word.ends_part() || word.is_owner());
    // "Morgan Stanley Banker", "ABN AMRO".
    let is_other = |word: &Word<'_>| word.is(Class::Suffix) || word.is(Class::From);
    let is_name = |word: &Word<'_>| word.is_given_name() || word.is_surname();
    let is_short = || words.iter().any(|word| is_abbreviation(word) && word.core.len() > 2 && !is_name(word));
    // "Whistleblower Ada Byron": what is no name stands before a given name.
    let is_known =
        |word: &Word<'_>| word.is_given_name() || word.is_surname() || word.is_initial() || is_one_letter(word);
    let is_given = |word: &Word<'_>| word.is_given_name() && !word.is(Class::Particle);
    if middle.first().is_some_and(is_given) && !is_known(first) {
        return None;
    }
    if !is_whole || !begins_large(first.written) || is_short() || words.iter().any(is_other) {
        return None;
    }
    // "Jane Wicks": behind a given name any word may be the family's, if nothing but an initial stands between.
    let has_initial = middle.iter().all(|word| word.is_initial() || is_one_letter(word));
    let is_long = || last.core.chars().count() > 2 || is_short_family_name(&last.bare);
    let is_family = || is_core_in_name(last) && !last.is_of_posts() && is_long();
    let has_particles = || !middle.is_empty() && middle.iter().all(|word| word.is(Class::Particle) && word.is_small());
    let is_after_given = || {
        (has_initial && (first.in_sentence || mentions::is_given_name(&first.bare)) || has_particles())
            && first.is_given_name()
            && is_family()
    };
    // "Hunter K. Field": an initial between them makes names of any two words.
    let has_names =
        || !middle.is_empty() && has_initial && may_begin(first) && is_core_in_name(last) && !last.is_of_posts();
    let is_last = || is_likely(last) && last.bare.chars().count() > 1;
    let is_named = is_first(first) && (is_last() || is_after_given()) || has_names();
    if is_named { named(&before.iter().collect::<Vec<_>>(), last) } else { None }
}

/// The person of these names.
pub fn named(before: &[&Word<'_>], last: &Word<'_>) -> Option<PersonName> {
    let mut names: Vec<&str> = before.iter().map(|word| word.written).chain([last.core]).collect();
    // "la nomination d'Ada Byron".
    if let Some(first) = names.first_mut() {
        *first = ["d'", "d’"].iter().find_map(|link| first.strip_prefix(link)).unwrap_or(first);
    }
    person_name(&names.join(" "))
}

/// Whether it may stand inside a name, with what stands around it.
pub fn is_in_name(word: &Word<'_>) -> bool {
    word.once(Question::InName, || is_name_word(word.written))
}

/// Whether it may stand inside a name, without what stands around it.
pub fn is_core_in_name(word: &Word<'_>) -> bool {
    word.once(Question::CoreInName, || is_name_word(word.core))
}

/// Whether it may be the first word of a name, however common it is.
pub fn may_begin(word: &Word<'_>) -> bool {
    is_in_name(word)
        && !word.is_of_posts()
        && !has_prefix(word)
        && !word.is_owner()
        && !word.is(Class::From)
        && !word.is(Class::Descriptor)
}

fn is_first(word: &Word<'_>) -> bool {
    let is_name = || {
        is_in_name(word)
            && !has_prefix(word)
            && !word.is_owner()
            && !word.is(Class::From)
            && !word.is(Class::Descriptor)
    };
    word.is_initial() || is_name() && (word.is_given_name() || !is_plain(word))
}

fn is_part(word: &Word<'_>) -> bool {
    let is_whole = || is_in_name(word) && is_likely(word);
    word.is_initial() || is_one_letter(word) || word.is(Class::Particle) || is_whole()
}

/// Whether names have the word: it is in the lists of names, or in none of other words.
fn is_likely(word: &Word<'_>) -> bool {
    let is_name = || word.is_given_name() || word.is_surname() || !is_plain(word);
    word.once(Question::Likely, || is_core_in_name(word) && !has_prefix(word) && is_name())
}

fn is_one_letter(word: &Word<'_>) -> bool {
    word.written.chars().count() == 1 && word.written.chars().all(char::is_uppercase)
}

/// `ABN`, `SBS`.
pub fn is_abbreviation(word: &Word<'_>) -> bool {
    (2..=4).contains(&word.core.len()) && word.core.chars().all(char::is_uppercase)
}

/// `Ex-Googler` and `Berlin-based` are no names.
fn has_prefix(word: &Word<'_>) -> bool {
    let bare = word.bare.as_str();
    bare.starts_with("ex-") || bare.ends_with("-based") || bare.contains("former") || bare == "veteran"
}

/// A word of which names are not made, unless they are in the lists of names.
pub fn is_plain(word: &Word<'_>) -> bool {
    word.is_common() || word.is_of_posts() || word.bare.contains('-') && word.bare.split('-').all(is_common)
}

/// Whether one of the names is known as a name of people, and both together are not known as a firm's.
pub fn is_surely_a_person(person: &PersonName) -> bool {
    let is_known = |name: &str| name.split([' ', '-']).any(|word| is_given_name(&folded(word)));
    let is_family = |name: &str| {
        let name = folded(name);
        (is_family_name(&name) || is_given_name(&name)) && !is_common(&name)
    };
    let has_initial = || person.full.split(' ').skip(1).any(|word| word.len() == 2 && word.ends_with('.'));
    !FIRMS_LIKE_PEOPLE.contains(&folded(&person.full).as_str())
        && (has_initial()
            || person.first.as_deref().is_some_and(is_known)
            || person.last.as_deref().is_some_and(is_family))
}
