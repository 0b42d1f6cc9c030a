//! Posts that companies give: the person and the post among the words behind the verb.

use super::persons::{self, person_at};
use super::post_words::DOING;
use super::posts::{self, Post, lead, post};
use super::verbs::{COMPANY_VERBS, DEPARTURES, LEAVING};
use super::word::{Word, bare};
use super::words::{company_at, company_behind, ends_part, is_one_of, place_of_as};
use super::{BEFORE_PERSON_MAX, Found, Move, PersonMove, acting_company, moved, places};
use crate::extraction::headlines::names::PersonName;

/// Words behind a person among which `as` may stand.
const ASIDE_MAX: usize = 14;
/// As many words begin with an `as` that stands among [`ASIDE_MAX`]: it has up to three words.
const AS_WITHIN: usize = ASIDE_MAX + 2;
/// People behind one verb of whom it is asked whether they are given a post.
const PERSONS_MAX: usize = 3;
/// What stands before a post and does not belong to it.
const BEFORE_POST: &[&str] = &[
    "former", "ex", "longtime", "veteran", "current", "its", "a", "the", "as", "new", "first", "first-ever",
    "industry", "experienced", "seasoned", "to", "next", "incoming", "dr", "of",
];

/// `Acme names Ada Byron CFO`, `Acme appoints new CFO Ada Byron`.
pub(super) fn given_a_post(words: &[Word<'_>]) -> Option<Found> {
    let places = places(words, &COMPANY_VERBS);
    places.iter().enumerate().find_map(|(index, &(at, length, kind))| {
        // "announces the promotion of": the verb next to the person counts.
        let end = places.get(index + 1).map_or(words.len(), |(next, ..)| (*next).max(at + length));
        let (before, rest) = (&words[..at], &words[at + length..end]);
        let acting = acting_company(before);
        let Object { found, is_inside, behind } = object(rest, kind, acting.as_ref())?;
        let company = acting.or(found.company).or_else(|| company_behind(behind));
        let kind = if is_inside && kind == Move::Hire { Move::Promotion } else { kind };
        let confidence = if company.is_some() { 0.95 } else { 0.7 };
        Some((at, PersonMove { kind, company, confidence, ..found }))
    })
}

/// Whom a company gives which post.
pub(super) struct Object<'a> {
    /// The move, with the company that is named with the post.
    pub(super) found: PersonMove,
    /// Whether the person had a post at the company before.
    is_inside: bool,
    behind: &'a [Word<'a>],
}

/// The person behind a verb, with the post behind or before the name, which is one at the company that acts.
pub(super) fn object<'a>(rest: &'a [Word<'a>], kind: Move, acting: Option<&String>) -> Option<Object<'a>> {
    let rest = &rest[..rest.iter().position(|word| word.ends_with(';')).map_or(rest.len(), |at| at + 1)];
    let limit = place_of_as(rest).unwrap_or(rest.len());
    let between = persons::person_between(&rest[..limit]);
    let mut persons_left = PERSONS_MAX;
    for start in 0..limit.min(BEFORE_PERSON_MAX) {
        let sure = person_at(&rest[start..]);
        let between =
            || between.as_ref().filter(|(at, _)| *at == start).map(|(_, person)| (limit - start, person.clone()));
        // "Acme hires Quarry's Stone as CEO".
        let is_alone = start > 0 && start + 1 == limit;
        let alone = || if is_alone { persons::surname_alone(&rest[..limit]) } else { None };
        let found = sure.or_else(between).or_else(|| alone().map(|(_, person)| (1, person)));
        let Some((length, person)) = found else { continue };
        persons_left = persons_left.checked_sub(1)?;
        let (before, behind) = (&rest[..start], &rest[start + length..]);
        if before.iter().any(|word| DEPARTURES.contains(&word.bare)) {
            return None;
        }
        // "Acme announces CEO Ada Byron to retire".
        if LEAVING.at(behind).is_some() {
            return None;
        }
        let before_post = post_before(before);
        let is_former = before.iter().any(|word| {
            is_one_of(word, &["former", "ex", "veteran", "vet", "alum", "alumnus", "alumna"])
                || word.get(..3).is_some_and(|begin| begin.eq_ignore_ascii_case("ex-"))
        });
        if let Some(post) =
            post_behind(behind).filter(|post| kind == Move::Promotion || is_given_to_people(post, &person))
        {
            let previous = before_post.filter(|_| !before.iter().any(|word| is_one_of(word, &["new"])));
            let post = post.at(acting);
            let is_inside = !is_former && previous.as_ref().is_some_and(|post| post.company.is_none());
            let behind = &behind[post.length.min(behind.len())..];
            return Some(Object { found: moved(kind, person, None, Some(post), previous), is_inside, behind });
        }
        let behind = behind_others(behind);
        let (employer, behind) = behind_employer(behind).map_or((None, behind), |(name, behind)| (Some(name), behind));
        let is_doing = behind.first().is_some_and(|word| is_one_of(word, &["to"]))
            && behind.get(1).is_some_and(|word| is_one_of(word, DOING));
        // What somebody was does not say what they become.
        let (was, post) = if is_former { (before_post, None) } else { (None, before_post) };
        if is_doing && (start == 0 || is_former) || post.is_some() {
            let mut found = moved(kind, person, None, post, was);
            found.previous_company = found.previous_company.or(employer);
            return Some(Object { found, is_inside: false, behind });
        }
    }
    None
}

/// What stands behind the others that are named with somebody: `and Grace Hopper to lead sales`.
fn behind_others<'a>(behind: &'a [Word<'a>]) -> &'a [Word<'a>] {
    match behind {
        [word, rest @ ..] if is_one_of(word, &["and", "&"]) => {
            person_at(rest).map_or(behind, |(length, _)| &rest[length..])
        }
        _ => behind,
    }
}

/// The employer before, and what stands behind it: `from Quarry to lead sales`.
fn behind_employer<'a>(behind: &'a [Word<'a>]) -> Option<(String, &'a [Word<'a>])> {
    let (_, rest) = behind.split_first().filter(|(word, _)| is_one_of(word, &["from"]))?;
    let at = rest.iter().take(ASIDE_MAX).position(|word| is_one_of(word, &["to"]))?;
    Some((company_at(&rest[..at])?, &rest[at..]))
}

/// The post before a name: `new CFO Ada Byron`, `former Quarry CFO Ada Byron`.
pub(super) fn post_before(before: &[Word<'_>]) -> Option<Post> {
    let before = match before {
        [before @ .., last] if is_one_of(last, &["to", "as"]) => before,
        before => before,
    };
    // "Acme says CFO Ada Byron".
    let said = before.iter().rposition(|word| is_one_of(word, &["says", "said", "announces", "confirms"]));
    let before = said.map_or(before, |at| &before[at + 1..]);
    if let Some(post) = post_of_company(before) {
        return Some(post);
    }
    // "changes on the board, CEO Ada Byron".
    let part =
        before.split_last().and_then(|(_, before)| before.iter().rposition(|word| word.ends_with([',', ';', ':'])));
    let is_other = |at: usize| !before[..=at].iter().any(|word| word.is_of_posts()) || before.len() - at > 1;
    let before = part.filter(|at| is_other(*at) && !before[*at].is_of_posts()).map_or(before, |at| &before[at + 1..]);
    before.last().filter(|word| word.is_of_posts() && (!ends_part(word) || word.ends_with([',', ':'])))?;
    let skipped = before.iter().take_while(|word| is_one_of(word, BEFORE_POST)).count();
    let before = &before[skipped..];
    let found = post(before).filter(|post| post.length == before.len())?;
    // An industry leader has no post.
    if ["leader", "executive", "specialist", "strategist", "architect", "expert"].contains(&bare(&found.title).as_str())
    {
        return None;
    }
    let title = found.title.trim_start_matches("ex-").trim_start_matches("Ex-").to_owned();
    Some(Post { title, ..found })
}

/// The post before a name with its company between them: `The CEO of Acme, Ada Byron,`.
fn post_of_company(before: &[Word<'_>]) -> Option<Post> {
    let before = match before {
        [article, rest @ ..] if is_one_of(article, &["the", "le", "la", "el", "der", "die"]) => rest,
        before => before,
    };
    let (last, rest) = before.split_last().filter(|(last, _)| last.ends_with(','))?;
    let found = post(before).filter(|post| post.company.is_some() && post.length < rest.len())?;
    let is_whole = !rest.iter().any(|word| ends_part(word)) && !last.is_of_posts();
    is_whole.then_some(found)
}

/// The post behind a name: at once, or behind `as` after some words about the person.
fn post_behind(behind: &[Word<'_>]) -> Option<Post> {
    let first = behind.first()?;
    let leads = lead(behind) > 0 || first.is_of_posts();
    let found = leads.then(|| post(behind)).flatten().or_else(|| {
        let at = place_of_as(&behind[..behind.len().min(AS_WITHIN)]).filter(|at| *at < ASIDE_MAX)?;
        // "Ada Byron and Grace Hopper as directors" are two, "Ada Byron; names Grace Hopper as CFO" is another sentence.
        if behind[..at].iter().any(|word| word.ends_with([';', ':']) || word.written == "-") {
            return None;
        }
        let post = post(&behind[at..])?;
        Some(Post { length: at + post.length, ..post })
    });
    // "Ada Byron, former CFO of Quarry, president".
    let behind_aside = || {
        let at = behind.iter().take(ASIDE_MAX).position(|word| word.ends_with(','))?;
        let post = post(&behind[at + 1..]).filter(|_| behind.get(at + 1).is_some_and(|word| word.is_of_posts()))?;
        Some(Post { length: at + 1 + post.length, ..post })
    };
    found.or_else(|| several(behind)).or_else(behind_aside)
}

/// The post of several people: `Ada Byron and Grace Hopper to Board of Directors`.
fn several(behind: &[Word<'_>]) -> Option<Post> {
    let at = behind.iter().take(ASIDE_MAX).position(|word| is_one_of(word, &["to"]))?;
    let found = post(&behind[at..])?;
    Some(Post { length: at + found.length, ..found })
}

/// Firms are partners, advisers, managers and members as well: there the name must be one that people have.
pub(super) fn is_given_to_people(post: &Post, person: &PersonName) -> bool {
    !posts::is_of_firms(&post.title) || persons::is_surely_a_person(person)
}
