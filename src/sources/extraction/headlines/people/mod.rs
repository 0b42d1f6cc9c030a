//! Who takes or leaves which post, from a headline: `Acme names Ada Byron CFO`, `Ada Byron joins Acme from Quarry`.
//!
//! Duty: pure rules over one headline. A verb of hiring, the name of a person and a post must all stand in it; awards,
//! obituaries, sport and politics are no moves. Every finding says on which words it stands, and how certain it is.

mod posts;
mod verbs;
mod words;

use self::posts::{POST_WORDS, former_post, post, post_behind, without_as};
use self::verbs::{COMPANY_VERBS, JOINING, LEAVING, NO_MOVES, PASSIVE};
use self::words::{POST_ENDS, behind, company, company_behind, find, is_one_of, name_of, until_end};
use super::names::{PersonName, is_name_word, person_name};
use crate::sources::text::folding::folded;

/// What somebody does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Comes to a company, or is given a post there by it.
    Hire,
    /// Gets a higher post where they are.
    Promotion,
    /// Leaves a post.
    Departure,
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
    /// From 0 to 1.
    pub confidence: f64,
    /// The words that it stands on.
    pub evidence: String,
}

/// The move that `headline` tells of.
pub fn person_move(headline: &str) -> Option<PersonMove> {
    let headline = headline.trim();
    let lower =
        format!(" {} ", folded(headline).replace(|letter: char| !letter.is_alphanumeric() && letter != '-', " "));
    let is_other = |words: &&str| lower.contains(&format!(" {} ", folded(words)));
    if NO_MOVES.iter().any(is_other) {
        return None;
    }
    let words: Vec<&str> = headline.split_whitespace().collect();
    let found =
        given_a_post(&words).or_else(|| joining(&words)).or_else(|| passive(&words)).or_else(|| leaving(&words));
    found.map(|found| PersonMove { evidence: headline.to_owned(), ..found })
}

/// `Acme names Ada Byron CFO`, `Acme appoints new CFO Ada Byron`.
fn given_a_post(words: &[&str]) -> Option<PersonMove> {
    let (at, verb, kind) = COMPANY_VERBS.iter().find_map(|(verb, kind)| Some((find(words, verb)?, *verb, *kind)))?;
    let rest = &words[at + verb.split(' ').count()..];
    let company = company(&words[..at]);
    // `Ada Byron named CFO` is done to the person; `Pale Harbor names` is no person's doing.
    let is_passive = matches!(verb, "named" | "appointed");
    if is_passive && person_before(&words[..at]).is_some_and(|(start, _)| start == 0) {
        return None;
    }
    let (person, title) = person_and_post(rest)?;
    let company = company.or_else(|| company_behind(rest));
    let confidence = if company.is_some() { 0.95 } else { 0.7 };
    Some(PersonMove { title: Some(title), ..moved(kind, person, company, confidence) })
}

/// `Ada Byron joins Acme as CFO from Quarry`.
fn joining(words: &[&str]) -> Option<PersonMove> {
    let (at, length) = JOINING.iter().find_map(|verb| Some((find(words, verb)?, verb.split(' ').count())))?;
    let (_, person) = person_before(&words[..at])?;
    let rest = &words[at + length..];
    let end = rest.iter().position(|word| {
        is_one_of(word, &["as", "from", "after", "to", "als", "in", "comme", "como", "amid", "following"])
    });
    let company = name_of(&rest[..end.unwrap_or(rest.len())])?;
    let title = post_behind(rest, &["as", "als", "comme", "como"]);
    // A band, a cast or a protest is joined as well.
    let is_certain = title.is_some() || former_post(&words[..at]);
    let previous_company = behind(rest, &["from"]).and_then(name_of);
    let confidence = if is_certain { 0.9 } else { 0.6 };
    (is_certain || previous_company.is_some()).then(|| PersonMove {
        title,
        previous_company,
        ..moved(Move::Hire, person, Some(company), confidence)
    })
}

/// `Ada Byron named CFO of Acme`.
fn passive(words: &[&str]) -> Option<PersonMove> {
    let (at, length, kind) =
        PASSIVE.iter().find_map(|(verb, kind)| Some((find(words, verb)?, verb.split(' ').count(), *kind)))?;
    let (start, person) = person_before(&words[..at])?;
    let rest = &words[at + length..];
    let title = post(without_as(rest))?;
    let company = company_behind(rest).or_else(|| company(&words[..start]));
    let confidence = if company.is_some() { 0.9 } else { 0.7 };
    Some(PersonMove { title: Some(title), ..moved(kind, person, company, confidence) })
}

/// `Acme CEO Ada Byron steps down`, `Ada Byron leaves Acme`.
fn leaving(words: &[&str]) -> Option<PersonMove> {
    let (at, length) = LEAVING.iter().find_map(|verb| Some((find(words, verb)?, verb.split(' ').count())))?;
    let (start, person) = person_before(&words[..at])?;
    let rest = &words[at + length..];
    let before = &words[..start];
    let post_at = (0..before.len()).find(|index| is_one_of(before[*index], POST_WORDS));
    let title =
        post_behind(rest, &["as", "als", "comme", "como"]).or_else(|| post_at.and_then(|index| post(&before[index..])));
    let left = || {
        let place =
            if rest.first().is_some_and(|word| is_one_of(word, POST_ENDS)) { None } else { name_of(until_end(rest)) };
        place.or_else(|| company_behind(rest))
    };
    let company = company(&before[..post_at.unwrap_or(before.len())]).or_else(left);
    let title = title?;
    let confidence = if company.is_some() { 0.9 } else { 0.7 };
    Some(PersonMove { title: Some(title), ..moved(Move::Departure, person, company, confidence) })
}

fn moved(kind: Move, person: PersonName, company: Option<String>, confidence: f64) -> PersonMove {
    let evidence = String::new();
    PersonMove { kind, person, title: None, company, previous_company: None, confidence, evidence }
}

/// The person at the end of `words`, and where the name begins.
fn person_before(words: &[&str]) -> Option<(usize, PersonName)> {
    let words = match words {
        [rest @ .., last] if is_one_of(last, &["has", "is", "was", "will"]) => rest,
        words => words,
    };
    // "Ada Byron, formerly of Quarry," has the name before the comma.
    let end = words.iter().position(|word| word.ends_with(',')).map_or(words.len(), |at| at + 1);
    let words = &words[..end];
    let most = words.len().min(5);
    (2..=most).rev().find_map(|count| {
        let start = words.len() - count;
        let name = words[start..].join(" ");
        let has_post = words[start..].iter().any(|word| is_one_of(word, POST_WORDS));
        let follows = start == 0
            || is_one_of(words[start - 1], POST_WORDS)
            || !is_name_word(words[start - 1])
            || words[start - 1].ends_with([':', ',']);
        let person = person_name(name.trim_end_matches(',')).filter(|_| !has_post && (follows || count == 2))?;
        Some((start, person))
    })
}

/// The person and the post behind a verb, in either order.
fn person_and_post(rest: &[&str]) -> Option<(PersonName, String)> {
    // The person first: as long a name as leaves a post behind it.
    for count in (2..=rest.len().min(6)).rev() {
        let name = rest[..count].join(" ");
        let is_free = !rest[..count].iter().skip(1).any(|word| is_one_of(word, POST_WORDS));
        if let (true, Some(person)) = (is_free, person_name(name.trim_end_matches(',')))
            && let Some(title) = post(without_as(&rest[count..]))
        {
            return Some((person, title));
        }
    }
    // The post first.
    let rest = without_as(rest);
    let rest = match rest {
        [first, others @ ..] if is_one_of(first, &["new", "first", "veteran", "former", "ex"]) => others,
        rest => rest,
    };
    let ends = (1..rest.len()).rev().filter(|end| is_one_of(rest[end - 1], POST_WORDS));
    for end in ends {
        let name = rest[end..].iter().copied().take(4).collect::<Vec<_>>();
        for count in (2..=name.len()).rev() {
            if let (Some(person), Some(title)) = (person_name(&name[..count].join(" ")), post(&rest[..end])) {
                return Some((person, title));
            }
        }
    }
    None
}
