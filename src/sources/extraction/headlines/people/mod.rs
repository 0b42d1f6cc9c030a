//! Who takes or leaves which post, from a headline: `Acme names Ada Byron CFO`, `Ada Byron joins Acme from Quarry`.
//!
//! Duty: pure rules over one headline, by the table of phrases in `rows`. A verb of hiring, the name of a person and a post
//! must all stand in it; awards, obituaries, sport and politics are no moves. Every finding says on which words it stands,
//! and how certain it is.

mod alone;
mod apart;
mod asides;
mod before;
mod employers;
mod joining;
mod leaving;
pub(super) mod other_news;
mod particles;
mod persons;
mod posts;
pub(super) mod rows;
mod subject;
mod taken;

use chrono::NaiveDate;

use self::alone::{family_beginning, rare_surname, surname_alone};
use self::asides::without_asides;
use self::before::post_before;
use self::employers::{acting_company, company_behind, company_labelled, company_of_verb};
use self::joining::joins;
use self::leaving::{OFFICES, has_participle, leaves, loses};
use self::other_news::is_of_other_news;
use self::particles::with_particles;
use self::persons::{is_surely_a_person, person_at};
use self::posts::{Post, ends_as_of_firms, is_called_a_company, lead, post};
use self::rows::{MANAGEMENT, ROWS, Row, Shape, is_verb_at};
use self::subject::{person_before, person_owning};
use self::taken::{hired, is_given_to_people, named_after_post, taken};
use super::cleaning::{cleaned, from_capitals, in_capitals};
use super::companies::company_at;
use super::known_names::is_club;
use super::lexicon::Class;
use super::names::PersonName;
use super::word::{Word, place_of};
use crate::text::folding::folded;
use domain::closed;

/// Words in front of a person that are looked through.
const BEFORE_PERSON_MAX: usize = 12;
/// Words behind a name among which it is said that they come to a team.
const TEAM_WITHIN: usize = 7;
/// Phrases of a headline that are tried.
const PHRASES_MAX: usize = 8;

closed! {
    /// What somebody does.
    Move {
        /// Comes to a company, or is given a post there by it.
        Hire = "hire",
        /// Gets a higher post where they are.
        Promotion = "promotion",
        /// Leaves a post.
        Departure = "departure",
    }
}

/// A move as a headline tells it.
#[derive(Clone, Debug, PartialEq)]
pub struct PersonMove {
    /// What somebody does.
    pub kind: Move,
    /// Who.
    pub person: PersonName,
    /// The post that is taken or left.
    pub title: Option<String>,
    /// Where.
    pub company: Option<String>,
    /// The employer before.
    pub previous_company: Option<String>,
    /// The post before.
    pub previous_title: Option<String>,
    /// From when on.
    pub effective_on: Option<NaiveDate>,
    /// From 0 to 1.
    pub confidence: f64,
    /// The words that it stands on.
    pub evidence: String,
}

/// The move that `headline` tells of: of several the one whose verb comes first.
pub fn person_move(headline: &str) -> Option<PersonMove> {
    let headline = headline.trim();
    let clean = in_capitals(from_capitals(cleaned(headline)));
    let words = with_particles(without_asides(Word::all_of(&clean)));
    let rows = |at: usize| ROWS.at(&words[at..]).map(move |row| (at, at + row.length, row));
    let places: Vec<_> = (0..words.len())
        .flat_map(rows)
        .filter(|(at, _, row)| is_verb_at(&words, *at, row.text))
        .map(|(at, rest, row)| (at, rest, row.meaning))
        .take(PHRASES_MAX)
        .collect();
    if places.is_empty() || is_of_other_news(&words) {
        return None;
    }
    // Where it is about posts anyway, less needs to be said of each.
    let is_managed = || (0..words.len()).any(|at| words[at].is(Class::Whole) || MANAGEMENT.length_at(&words[at..]) > 0);
    let found = places.iter().find_map(|&(at, rest, Row { shape, kind })| {
        let verb = &words[at..rest];
        let (before, rest) = (&words[..at], &words[rest..]);
        match shape {
            Shape::Takes | Shape::Hires => {
                // "announces the promotion of": the verb next to the person counts.
                let next =
                    places.iter().find(|(next, _, row)| matches!(row.shape, Shape::Takes | Shape::Hires) && *next > at);
                let end = next.map_or(words.len(), |(next, ..)| (*next).max(words.len() - rest.len()));
                // "Ada Byron appointed Acme CEO" and "Acme appointed Ada Byron CEO" have the same verb.
                let is_becoming = places.iter().any(|(place, _, row)| *place == at && row.shape == Shape::Becomes);
                let becoming = if is_becoming && is_person(before) { becomes(before, verb, rest, kind) } else { None };
                becoming.or_else(|| takes(before, &words[words.len() - rest.len()..end], kind, shape == Shape::Hires))
            }
            Shape::Loses => loses(before, verb, rest, kind),
            // "assume liderança executiva da Acme".
            Shape::Joins if rest.iter().take(2).any(|word| word.is_one_of(OFFICES)) => {
                apart::heads(before, verb, rest, kind)
            }
            Shape::Joins => joins(before, verb, rest, kind, is_managed),
            Shape::Becomes => becomes(before, verb, rest, kind),
            Shape::Heads => apart::heads(before, verb, rest, kind),
            Shape::New => apart::new(before, rest, kind),
            Shape::Ends => apart::ends(before, kind),
            Shape::Label => apart::labelled(verb, rest, kind),
            Shape::Follows => follows(before, rest, kind, is_managed),
            Shape::Leaves => leaves(before, verb, rest, kind, is_managed).or_else(|| {
                // "Dimite el CEO Ada Byron": the verb stands first.
                let is_first = before.last().is_none_or(Word::ends_part) && !has_participle(verb);
                if is_first { loses(before, verb, rest, kind) } else { None }
            }),
        }
    });
    // Where the post says nothing else, it is one of sport.
    let found =
        found.filter(|found| !found.title.as_deref().is_some_and(|title| title.eq_ignore_ascii_case("manager")))?;
    let company = found.company.or_else(|| company_labelled(&words));
    // Who comes to a club or leaves it, without a post, plays there.
    let has_post = found.title.is_some() || found.previous_title.is_some();
    if !has_post && company.iter().chain(&found.previous_company).any(|name| is_club(&folded(name))) {
        return None;
    }
    Some(PersonMove { company, evidence: headline.to_owned(), ..found })
}

/// `Acme names Ada Byron CFO`.
fn takes(before: &[Word<'_>], rest: &[Word<'_>], kind: Move, is_sure: bool) -> Option<PersonMove> {
    let acting = company_of_verb(before);
    let named_last = || named_after_post(rest, kind, acting.as_ref());
    let is_to_team = |behind: &[Word<'_>]| behind.first().is_some_and(|word| word.bare == "to") && is_of_team(behind);
    // "Acme Bank Welcomes Ada Byron".
    let is_welcomed = |behind: &[Word<'_>]| behind.is_empty() && acting.as_deref().is_some_and(is_called_a_company);
    let hired = || hired(rest, kind).filter(|(.., behind)| is_sure || is_to_team(behind) || is_welcomed(behind));
    let (found, is_inside, behind) = taken(rest, kind, acting.as_ref()).or_else(named_last).or_else(hired)?;
    let company = acting.or(found.company).or_else(|| company_behind(behind));
    let kind = if is_inside && kind == Move::Hire { Move::Promotion } else { kind };
    let confidence = if company.is_some() { 0.95 } else { 0.7 };
    Some(PersonMove { kind, company, confidence, ..found })
}

/// Whether nothing but somebody's whole name stands before a verb.
fn is_person(before: &[Word<'_>]) -> bool {
    person_before(before)
        .is_some_and(|(start, person)| start == 0 && person.first.is_some() && is_surely_a_person(&person))
}

/// `to its leadership team`.
fn is_of_team(behind: &[Word<'_>]) -> bool {
    place_of(&behind[..behind.len().min(TEAM_WITHIN)], &["team", "staff", "faculty"]).is_some()
}

/// `Ada Byron named CFO of Acme`.
fn becomes(before: &[Word<'_>], verb: &[Word<'_>], rest: &[Word<'_>], kind: Move) -> Option<PersonMove> {
    let named = person_before(before).or_else(|| person_owning(before));
    let is_alone = named.is_none();
    // "Acme announces new CEO".
    let is_new = || ROWS.at(verb).any(|row| row.meaning.shape == Shape::New);
    if before.last().is_some_and(|word| word.is(Class::Act)) && is_new() {
        return None;
    }
    let (start, person) = named.or_else(|| surname_alone(before)).or_else(|| family_beginning(before))?;
    // "Pale Harbor named Ada Byron CFO": the name before the verb is the company's.
    let is_led = lead(rest) > 0 || verb.last().is_some_and(|word| word.is_one_of(&["to", "as"]));
    let is_post = is_led || rest.first().is_some_and(Word::is_of_posts);
    if !is_post
        && taken(rest, kind, None).is_some_and(|(found, ..)| found.title.is_some() && found.person.first.is_some())
    {
        return None;
    }
    // "named to lead talks".
    if is_led && rest.first().is_some_and(|word| word.is(Class::Doing)) {
        return None;
    }
    let found = post(rest).or_else(|| post_behind_company(rest));
    let found = found.filter(|post| kind == Move::Promotion || is_given_to_people(post, &person))?;
    if verb.len() == 1 && !is_taken(&verb[0], rest, &found) {
        return None;
    }
    // "Stone named CFO of Acme": a surname alone may be anything else.
    let before = &before[..start];
    let is_at_company = found.company.is_some() || acting_company(before).is_some();
    if is_alone && (!is_at_company || ends_as_of_firms(&found) && !is_surely_a_person(&person)) {
        return None;
    }
    let previous = post_before(before);
    let named = found.company.clone().or_else(|| company_behind(&rest[found.length.min(rest.len())..]));
    let of_before = previous.as_ref().and_then(|post| post.company.clone());
    let is_inside = previous.is_some()
        && kind == Move::Hire
        && named.as_ref().is_none_or(|named| of_before.as_ref() == Some(named));
    let owner = || if previous.is_none() { acting_company(before) } else { None };
    let company = named.or(of_before.clone()).or_else(owner);
    let previous_company = of_before.filter(|of_before| company.as_ref() != Some(of_before));
    let kind = if is_inside { Move::Promotion } else { kind };
    Some(PersonMove { previous_company, ..moved(kind, person, company, Some(found), previous) })
}

/// `steigt auf bei Acme zur Vertriebschefin`: the company stands before the post.
fn post_behind_company(rest: &[Word<'_>]) -> Option<Post> {
    let company = company_at(rest.get(1..).filter(|_| rest[0].is_one_of(&["at", "bei", "bij", "chez"]))?)?;
    let at = place_of(&rest[..rest.len().min(BEFORE_PERSON_MAX)], &["zum", "zur", "als", "as", "tot", "comme"])?;
    let found = post(&rest[at..])?;
    Some(Post { company: Some(company), length: at + found.length, ..found })
}

/// Whether verbs that say much else tell of a post: `takes CFO job`, not `takes CFO to court`; `is Acme's new CFO`.
fn is_taken(verb: &Word<'_>, rest: &[Word<'_>], post: &Post) -> bool {
    if verb.is_one_of(&["takes", "lands"]) {
        return rest.get(post.length).is_some_and(|word| word.is_one_of(&["role", "job", "post", "seat"]));
    }
    // "Acme nomme une directrice" is said of a company.
    if verb.core == "nomme" || verb.core == "Nomme" {
        return false;
    }
    let is_new = |words: &[Word<'_>]| words[0].is_owner() && words[1].is_one_of(&["new", "next"]);
    verb.bare != "is" || rest[..post.length.min(rest.len())].windows(2).any(is_new)
}

/// `Ada Byron succeeds Grace Hopper as CEO of Acme`, `Ada Byron replaces Acme CFO Grace Hopper`.
fn follows(before: &[Word<'_>], rest: &[Word<'_>], kind: Move, is_managed: impl Fn() -> bool) -> Option<PersonMove> {
    let alone = || surname_alone(before).or_else(|| family_beginning(before));
    let (start, person) = person_before(before).or_else(alone)?;
    let other = (0..rest.len().min(BEFORE_PERSON_MAX)).find_map(|from| Some((from, person_at(&rest[from..])?.0)));
    let other = other.or_else(|| rest.get(1).filter(|word| word.is_one_of(&["as", "als"])).map(|_| (0, 1)));
    // "Stone löst Quarry ab", where it is said of which post or company.
    let is_of_office = || place_of(rest, OFFICES).is_some() || is_managed();
    let family =
        || rare_surname(rest.first()?).filter(|_| rest.get(1).is_none_or(|next| next.is_small())).map(|_| (0, 1));
    let (from, length) = other.or_else(|| family().filter(|_| is_of_office()))?;
    let behind = &rest[from + length..];
    let found = post(behind).filter(|_| lead(behind) > 0).or_else(|| post_before(&rest[..from]));
    let named = found.as_ref().and_then(|post| post.company.clone()).or_else(|| company_behind(behind));
    let company = named.or_else(|| acting_company(&before[..start]));
    // "Ada Byron sustituye a Grace Hopper": of two people, where it is said at which company.
    let is_labelled = start > 0 && before[start - 1].written.ends_with(':');
    let is_stated = length > 1 && (company.is_some() || is_labelled) || is_of_office();
    let is_job = found.is_some() || is_surely_a_person(&person) && is_stated;
    is_job.then(|| moved(kind, person, company, found, None))
}

/// A move to or from `post` at `company`, or where the post says; where that is known, it is more certain.
fn moved(
    kind: Move,
    person: PersonName,
    company: Option<String>,
    post: Option<Post>,
    previous: Option<Post>,
) -> PersonMove {
    let parts = |post: Option<Post>| post.map_or((None, None), |post| (Some(post.title), post.company));
    let ((title, of_post), (previous_title, previous_company)) = (parts(post), parts(previous));
    let company = company.or(of_post);
    let confidence = if company.is_some() { 0.9 } else { 0.7 };
    let (effective_on, evidence) = (None, String::new());
    PersonMove { kind, person, title, company, previous_company, previous_title, effective_on, confidence, evidence }
}
