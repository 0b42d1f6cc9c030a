//! Posts that stand apart from the person who takes them: `New CFO at Acme: Ada Byron`, `Ada Byron takes the helm at Acme`.

use super::alone::family_beginning;
use super::before::post_before;
use super::employers::{acting_company, company_behind};
use super::leaving::OFFICES;
use super::persons::{is_surely_a_person, person_at};
use super::posts::post;
use super::rows::ROWS;
use super::subject::person_before;
use super::{BEFORE_PERSON_MAX, Move, PersonMove, moved};
use crate::extraction::headlines::companies::company_at;
use crate::extraction::headlines::word::Word;

/// How verbs begin by which people alone are given something to lead.
const GIVEN: &[&str] = &["named", "appointed", "tapped", "hired", "chosen", "picked", "selected", "promoted"];
/// Words behind a verb of which one says what somebody heads.
const OFFICE_WITHIN: usize = 2;
/// What stands between what somebody heads and its company.
const ARTICLES: &[&str] = &[
    "at", "of", "as", "von", "der", "des", "bei", "de", "du", "del", "di", "da", "do", "della", "in", "en", "van",
    "bij", "the",
];

/// `Ada Byron takes the helm at Acme`: the person must be known as one, as many other things have a head.
pub(super) fn heads(before: &[Word<'_>], verb: &[Word<'_>], rest: &[Word<'_>], kind: Move) -> Option<PersonMove> {
    let near = &rest[..rest.len().min(OFFICE_WITHIN)];
    let is_of_office = verb.iter().chain(near).any(|word| word.is_one_of(OFFICES));
    // "Stone named to lead Acme".
    let is_of_people = verb.first().is_some_and(|first| first.is_one_of(GIVEN));
    let named = || family_beginning(before).filter(|_| is_of_office || is_of_people);
    let (start, person) =
        person_before(before).filter(|(_, person)| is_of_office || is_surely_a_person(person)).or_else(named)?;
    let articles = rest.iter().take(2).take_while(|word| word.is_one_of(ARTICLES)).count();
    let behind = || if is_of_office { company_behind(rest) } else { None };
    let company = company_at(&rest[articles..]).or_else(behind).or_else(|| acting_company(&before[..start]));
    let is_stated = company.is_some() || before[..start].last().is_some_and(|word| word.written.ends_with(':'));
    is_stated.then(|| moved(kind, person, company, None, post_before(&before[..start])))
}

/// `New CFO at Acme: Ada Byron`, `Acme has a new CFO: Ada Byron`.
pub(super) fn new(before: &[Word<'_>], rest: &[Word<'_>], kind: Move) -> Option<PersonMove> {
    let found = post(rest)?;
    let (own, behind) = rest.split_at(found.length.min(rest.len()));
    let (at, (length, person)) = (own.len()..rest.len().min(own.len() + BEFORE_PERSON_MAX)).find_map(|at| {
        if at > 0 && leads_to_name(&rest[at - 1]) { Some((at, person_at(&rest[at..])?)) } else { None }
    })?;
    let aside = &behind[..at - own.len()];
    let named = found.company.clone().filter(|name| *name != person.full);
    let company = named.or_else(|| company_at(aside.get(1..)?)).or_else(|| acting_company(before));
    let next = &rest[at + length..];
    let is_over = rest[at + length - 1].ends_part() || next.is_empty() || ROWS.at(next).next().is_some();
    (is_over && is_surely_a_person(&person)).then(|| moved(kind, person, company, Some(found), None))
}

/// `New CFO: Ada Byron`, `el nuevo CFO es Ada Byron`.
fn leads_to_name(word: &Word<'_>) -> bool {
    word.ends_part()
        || word.is_one_of(&["in", "is", "ist", "heisst", "heet", "es", "sera", "est", "sara", "wird", "wordt"])
        || matches!(word.core, "è" | "é")
}

/// `Ada Byron in den Vorstand von Acme berufen`.
pub(super) fn ends(before: &[Word<'_>], kind: Move) -> Option<PersonMove> {
    let named = |at: usize| Some((at, person_at(&before[at..])?));
    let (at, (length, person)) = (0..before.len().min(BEFORE_PERSON_MAX)).find_map(named)?;
    let behind = &before[at + length..];
    let found = post(behind).or_else(|| post_before(&before[..at]));
    let company = found.as_ref().and_then(|post| post.company.clone());
    let company = company.or_else(|| company_behind(behind)).or_else(|| acting_company(&before[..at]));
    let is_stated = found.is_some() || kind == Move::Departure && company.is_some();
    (is_stated && is_surely_a_person(&person)).then(|| moved(kind, person, company, found, None))
}

/// `Personalie: Ada Byron, CFO bei Acme`.
pub(super) fn labelled(label: &[Word<'_>], rest: &[Word<'_>], kind: Move) -> Option<PersonMove> {
    let ends = |word: &Word<'_>| word.written.ends_with(':');
    let from = if label.last().is_some_and(ends) { 0 } else { rest.iter().position(ends)? + 1 };
    let (length, person) = person_at(&rest[from..])?;
    let found = post(&rest[from + length..])?;
    let company = found.company.clone().or_else(|| company_at(rest.get(1..from)?));
    is_surely_a_person(&person).then(|| moved(kind, person, company, Some(found), None))
}
