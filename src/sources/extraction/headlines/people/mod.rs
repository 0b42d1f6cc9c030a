//! Who takes or leaves which post, from a headline: `Acme names Ada Byron CFO`, `Ada Byron joins Acme from Quarry`.
//!
//! Duty: pure rules over one headline. A verb of hiring, the name of a person and a post must all stand in it; awards,
//! obituaries, sport and politics are no moves. Every finding says on which words it stands, and how certain it is.

mod given;
mod persons;
mod phrases;
mod post_words;
mod posts;
mod verbs;
mod word;
mod words;

use chrono::NaiveDate;

use self::given::{given_a_post, is_given_to_people, object, post_before};
use self::persons::{is_surely_a_person, person_at, person_before, surname_alone};
use self::posts::{Post, is_called_a_company, is_of_firms, lead, post};
use self::verbs::{DISMISSING, JOINING, LEAVING, NAMES_TOO, PASSIVE, SUCCEEDING, Verbs, is_of_other_news};
use self::word::Word;
use self::words::{cleaned, company_at, company_behind, company_labelled, ends_part, is_one_of, owner, place_of_as};
use super::companies::{company_before, is_owner};
use super::names::PersonName;
use domain::closed;

/// Words in front of a person that are looked through.
const BEFORE_PERSON_MAX: usize = 12;
/// Words of a headline that are read.
const WORDS_MAX: usize = 100;
/// Verbs of one kind in a headline that are tried.
const VERBS_MAX: usize = 3;

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

/// A move, and where its verb stands.
type Found = (usize, PersonMove);

/// The move that `headline` tells of: of several the one whose verb comes first.
pub fn person_move(headline: &str) -> Option<PersonMove> {
    let headline = headline.trim();
    if is_of_other_news(headline) {
        return None;
    }
    let clean = cleaned(headline);
    let words: Vec<Word<'_>> = Word::all_of(&clean).take(WORDS_MAX).collect();
    let found = [given_a_post, joining, passive, succeeding, leaving, dismissed].map(|read| read(&words));
    let (_, found) = found.into_iter().flatten().min_by_key(|(at, _)| *at)?;
    // Where the post says nothing else, it is one of sport.
    if found.title.as_deref().is_some_and(|title| title.eq_ignore_ascii_case("manager")) {
        return None;
    }
    let company = found.company.or_else(|| company_labelled(&words));
    Some(PersonMove { company, evidence: headline.to_owned(), ..found })
}

/// The first places of one of `verbs`, in the order of the headline; of those at one place the longest.
fn places(words: &[Word<'_>], verbs: &Verbs) -> Vec<(usize, usize, Move)> {
    let place = |at: usize| {
        let verb = verbs.at(&words[at..])?;
        let is_verb = !NAMES_TOO.contains(&verb.text) || words[at].starts_with(char::is_lowercase);
        is_verb.then_some((at, verb.length, verb.meaning))
    };
    (0..words.len()).filter_map(place).take(VERBS_MAX).collect()
}

/// The company of the person behind `words`: `Acme's Ada Byron`.
fn owning_company(words: &[Word<'_>]) -> Option<String> {
    let company = acting_company(words)?;
    Some(owner(&company).unwrap_or(&company).to_owned())
}

/// The company that acts: what stands before the first word that tells what it does.
fn acting_company(words: &[Word<'_>]) -> Option<String> {
    let (_, before) = words.split_last()?;
    let from = before.iter().rposition(|word| word.ends_with(':') || word.written == "-").map_or(0, |at| at + 1);
    // "Acme AG: Supervisory Board".
    if from > 0 && words[from..].iter().all(Word::is_of_posts) {
        return acting_company(&words[..from]);
    }
    let end = words[from..].iter().position(|word| word.is_act()).map_or(words.len(), |at| from + at);
    let named = &words[from..end];
    // "Acme's Board of Directors".
    let has_board =
        named.iter().any(|word| is_one_of(word, &["board", "directors", "shareholders", "stockholders", "trustees"]));
    let is_board = |word: &Word<'_>| is_one_of(word, &["board", "supervisory", "shareholders", "stockholders"]);
    let own = named.iter().position(|word| has_board && is_board(word)).unwrap_or(named.len());
    let name = named[..own].join(" ");
    let is_all = from + own == words.len();
    let name = if is_all { name.trim_end_matches([':', ';', ',']) } else { &name };
    company_before(owner(name).filter(|_| has_board).unwrap_or(name))
}

/// `Ada Byron joins Acme as CFO from Quarry`.
fn joining(words: &[Word<'_>]) -> Option<Found> {
    places(words, &JOINING).into_iter().find_map(|(at, length, kind)| {
        let (start, person) = person_before(&words[..at])?;
        let rest = &words[at + length..];
        let company = company_at(rest);
        let at_board = rest.iter().take(8).position(|word| is_one_of(word, &["board"]));
        let found = [place_of_as(rest), at_board].into_iter().flatten().find_map(|at| post(&rest[at..]));
        let previous = post_before(&words[..start]);
        let previous_company =
            rest.iter().position(|word| is_one_of(word, &["from"])).and_then(|at| company_at(&rest[at + 1..]));
        // A band, a cast or a protest is joined as well.
        let is_certain = found.is_some()
            || previous.is_some()
            || is_surely_a_person(&person) && company.as_deref().is_some_and(is_called_a_company);
        // "Ada Byron joins as CFO" stands in the newsroom of the company.
        if company.is_none() && found.is_none() || !is_certain && previous_company.is_none() {
            return None;
        }
        let confidence = if is_certain { 0.9 } else { 0.6 };
        let found = moved(kind, person, company, found, previous);
        Some((at, PersonMove { previous_company: previous_company.or(found.previous_company), confidence, ..found }))
    })
}

/// `Ada Byron named CFO of Acme`.
fn passive(words: &[Word<'_>]) -> Option<Found> {
    places(words, &PASSIVE).into_iter().find_map(|(at, length, kind)| {
        let named = person_before(&words[..at]);
        let is_alone = named.is_none();
        let (start, person) = named.or_else(|| surname_alone(&words[..at]))?;
        let rest = &words[at + length..];
        // "Pale Harbor named Ada Byron CFO": the name before the verb is the company's.
        let is_led = lead(rest) > 0 || words.get(at + length - 1).is_some_and(|word| is_one_of(word, &["to", "as"]));
        let is_post = is_led || rest.first().is_some_and(Word::is_of_posts);
        if !is_post && object(rest, kind, None).is_some_and(|object| object.found.title.is_some()) {
            return None;
        }
        let found = post(rest).filter(|post| kind == Move::Promotion || is_given_to_people(post, &person))?;
        if length == 1 && !is_taken(&words[at], rest, &found) {
            return None;
        }
        // "Stone named CFO of Acme": a surname alone may be anything else.
        if is_alone && (found.company.is_none() || is_of_firms(&found.title)) {
            return None;
        }
        let before = &words[..start];
        let previous = post_before(before);
        let named = found.company.clone().or_else(|| company_behind(&rest[found.length.min(rest.len())..]));
        let of_before = previous.as_ref().and_then(|post| post.company.clone());
        let is_inside = previous.is_some()
            && kind == Move::Hire
            && named.as_ref().is_none_or(|named| of_before.as_ref() == Some(named));
        let owner = || if previous.is_none() { owning_company(before) } else { None };
        let company = named.or(of_before.clone()).or_else(owner);
        let previous_company = of_before.filter(|of_before| company.as_ref() != Some(of_before));
        let kind = if is_inside { Move::Promotion } else { kind };
        Some((at, PersonMove { previous_company, ..moved(kind, person, company, Some(found), previous) }))
    })
}

/// Whether verbs that say much else tell of a post: `takes CFO job`, not `takes CFO to court`; `is Acme's new CFO`.
fn is_taken(verb: &Word<'_>, rest: &[Word<'_>], post: &Post) -> bool {
    if is_one_of(verb, &["takes", "lands"]) {
        return rest.get(post.length).is_some_and(|word| is_one_of(word, &["role", "job", "post", "seat"]));
    }
    let is_new = |words: &[Word<'_>]| is_owner(&words[0]) && is_one_of(&words[1], &["new", "next"]);
    verb.bare != "is" || rest[..post.length.min(rest.len())].windows(2).any(is_new)
}

/// `Ada Byron succeeds Grace Hopper as CEO of Acme`, `Ada Byron replaces Acme CFO Grace Hopper`.
fn succeeding(words: &[Word<'_>]) -> Option<Found> {
    places(words, &SUCCEEDING).into_iter().find_map(|(at, length, kind)| {
        let (start, person) = person_before(&words[..at]).or_else(|| surname_alone(&words[..at]))?;
        let rest = &words[at + length..];
        let other = (0..rest.len().min(BEFORE_PERSON_MAX)).find_map(|from| Some((from, person_at(&rest[from..])?.0)));
        let other = other.or_else(|| rest.get(1).filter(|word| is_one_of(word, &["as", "als"])).map(|_| (0, 1)));
        let (from, length) = other?;
        let behind = &rest[from + length..];
        let found = post(behind).filter(|_| lead(behind) > 0).or_else(|| post_before(&rest[..from]))?;
        let named = found.company.clone().or_else(|| company_behind(behind));
        let company = named.or_else(|| owning_company(&words[..start]));
        Some((at, moved(kind, person, company, Some(found), None)))
    })
}

/// `Acme CEO Ada Byron steps down`, `Ada Byron resigns as CEO of Acme`.
fn leaving(words: &[Word<'_>]) -> Option<Found> {
    places(words, &LEAVING).into_iter().find_map(|(at, length, kind)| {
        let (start, person) = person_before(&words[..at])?;
        let is_end = ends_part(&words[at + length - 1]);
        let rest = if is_end { &[] } else { &words[at + length..] };
        let before = post_before(&words[..start]);
        let behind_as = rest.iter().take(4).position(|word| is_one_of(word, &["as", "als", "comme", "como", "from"]));
        let left = behind_as.and_then(|at| post(&rest[at + 1..])).or_else(|| post_aside(&words[start..at]));
        let at_once = || rest.first().filter(|word| !word.is_of_posts()).and_then(|_| company_at(rest));
        let is_said = words[..start].iter().any(|word| word.is_act());
        let owner = || owning_company(&words[..start]).filter(|_| before.is_none() || is_said);
        let company = left.iter().chain(&before).find_map(|post| post.company.clone());
        let company = company.or_else(at_once).or_else(|| company_behind(rest)).or_else(owner);
        let post = left.or(before);
        // A band or a party is left as well.
        let is_called = company.as_deref().is_some_and(is_called_a_company);
        if post.is_none() && !(is_called && is_surely_a_person(&person)) {
            return None;
        }
        Some((at, moved(kind, person, company, post, None)))
    })
}

/// The post between the commas behind a name: `Ada Byron, CEO of Acme,`.
fn post_aside(words: &[Word<'_>]) -> Option<Post> {
    let at = words.iter().position(|word| word.ends_with(','))?;
    let aside = &words[at + 1..];
    aside.last().filter(|word| word.ends_with(','))?;
    post(aside)
}

/// `Acme fires CEO Ada Byron`, `Acme announces the retirement of CFO Ada Byron`.
fn dismissed(words: &[Word<'_>]) -> Option<Found> {
    places(words, &DISMISSING).into_iter().find_map(|(at, length, kind)| {
        let rest = &words[at + length..];
        let starts = 0..rest.len().min(BEFORE_PERSON_MAX);
        let found = starts.into_iter().find_map(|start| Some((start, person_at(&rest[start..])?)));
        let (start, (length, person)) = found?;
        let behind = &rest[start + length..];
        let is_listed = rest.get(start + length - 1).is_some_and(|word| word.ends_with(','));
        let is_named = is_listed || behind.first().is_some_and(|word| is_one_of(word, &["as"]));
        let found = post_before(&rest[..start]).or_else(|| post(behind).filter(|_| is_named))?;
        let company = acting_company(&words[..at]).or(found.company.clone()).or_else(|| company_behind(behind));
        Some((at, moved(kind, person, company, Some(found), None)))
    })
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
