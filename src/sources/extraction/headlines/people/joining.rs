//! People who come to a company: `Ada Byron joins Acme as CFO from Quarry`.

use super::alone::{family_beginning, surname_alone};
use super::before::post_before;
use super::persons::is_surely_a_person;
use super::posts::{is_called_a_company, is_of_firms, post};
use super::subject::{person_before, person_beginning};
use super::taken::place_of_as;
use super::{Move, PersonMove, is_of_team, moved};
use crate::extraction::headlines::companies::{company_at, company_in};
use crate::extraction::headlines::lexicon::Class;
use crate::extraction::headlines::word::{Word, place_of};

/// What stands before the employer that is left, and before the one that is come to.
const FROM: &[&str] = &["from", "von", "vom", "van", "da", "verruilt", "ruilt"];
const TO: &[&str] = &["to", "zu", "zur", "zum", "a", "ad", "naar", "in", "voor", "pela", "pelo"];
/// Words of what people alone do to come to a company: `aan de slag bij`, `in dienst bij`, `heuert bei`.
const OF_PEOPLE: &[&str] = &[
    "slag", "dienst", "heuert", "verruilt", "ruilt", "board", "faculty", "job", "post", "position", "ranks", "role",
    "staff", "team",
];
/// Verbs by which people come to a band, a country or a debate as well.
const OF_OTHERS: &[&str] = &["join", "joins", "joined", "joining", "rejoint", "returns", "moves", "heads", "naar"];
/// Words before a company among which it is described.
const DESCRIBED_WITHIN: usize = 3;

/// `Ada Byron joins Acme as CFO from Quarry`.
pub(super) fn joins(
    before: &[Word<'_>],
    verb: &[Word<'_>],
    rest: &[Word<'_>],
    kind: Move,
    is_managed: impl Fn() -> bool,
) -> Option<PersonMove> {
    let described = || surname_alone(before).filter(|(start, _)| *start > 0);
    let known = person_before(before).or_else(described).or_else(|| family_beginning(before));
    let is_known = known.is_some();
    let (start, person) = known.or_else(|| person_beginning(before))?;
    // "wechselt von Quarry zu Acme".
    let is_from = verb.last().is_some_and(|word| word.is_one_of(FROM));
    let to = if is_from { place_of(rest, TO)? + 1 } else { 0 };
    let is_described = is_company_described(&rest[to..]);
    let described = || if is_described { Some(company_in(&rest[to..])?.0) } else { None };
    let company = company_at(&rest[to..]).or_else(described);
    let at_board = place_of(&rest[..rest.len().min(8)], &["board"]);
    // "rejoint le comité exécutif d'Acme".
    let at_once = rest.iter().take(2).position(Word::is_rank);
    let found = [place_of_as(rest), at_board, at_once].into_iter().flatten().find_map(|at| post(&rest[at..]));
    let previous = post_before(&before[..start]);
    let previous_company = place_of(rest, FROM).map(|at| at + 1).or(is_from.then_some(0));
    let previous_company = previous_company.and_then(|from| company_at(&rest[from..]));
    // A name that is in no list is a person's where a post is given that firms do not have.
    if !is_known && (before.len() < 2 || found.as_ref().is_none_or(|post| is_of_firms(&post.title))) {
        return None;
    }
    let is_of_employers = !verb.iter().any(|word| word.is_one_of(OF_OTHERS));
    // A band, a cast or a protest is joined as well.
    let is_of_people = verb.iter().any(|word| word.is_one_of(OF_PEOPLE));
    let is_certain = found.is_some()
        || previous.is_some()
        || (is_of_people || is_to_lead(rest) || is_of_team(rest) || is_described) && is_surely_a_person(&person)
        || before[..start].last().is_some_and(|word| word.is(Class::From))
        || is_surely_a_person(&person) && (company.as_deref().is_some_and(is_called_a_company) || is_managed())
        || is_surely_a_person(&person) && company.is_some() && is_of_employers && previous_company.is_some();
    // "Ada Byron joins as CFO" stands in the newsroom of the company.
    if company.is_none() && found.is_none() || !is_certain && (previous_company.is_none() || is_from) {
        return None;
    }
    let confidence = if is_certain { 0.9 } else { 0.6 };
    let found = moved(kind, person, company, found, previous);
    Some(PersonMove { previous_company: previous_company.or(found.previous_company), confidence, ..found })
}

/// `Acme to lead product development`.
fn is_to_lead(words: &[Word<'_>]) -> bool {
    words.windows(2).any(|words| words[0].bare == "to" && words[1].is(Class::Doing))
}

/// `fashion retailer Acme`.
fn is_company_described(words: &[Word<'_>]) -> bool {
    words.iter().take(DESCRIBED_WITHIN).take_while(|word| word.is_small()).any(|word| word.is(Class::Descriptor))
}
