//! The company that acts in a headline, beside a move: before its verb, behind a preposition, before a colon.

use crate::extraction::headlines::companies::{company_at, company_before};
use crate::extraction::headlines::lexicon::Class;
use crate::extraction::headlines::word::{Word, place_of};
use crate::mentions::is_common;
use crate::text::folding::folded;

/// What leads to a company.
const LEADS: &[&str] = &[
    "at", "of", "for", "bei", "beim", "chez", "von", "vom", "de", "du", "en", "di", "da", "dal", "dalla", "do", "del",
    "della", "bij", "van", "der",
];
/// Words that may lead to a company behind one post.
const LEADS_MAX: usize = 3;
/// Words of a company before a colon.
const LABEL_MAX: usize = 4;

/// The company that acts: what stands before the first word that tells what it does.
pub(super) fn acting_company(words: &[Word<'_>]) -> Option<String> {
    let (_, before) = words.split_last()?;
    let from = before.iter().rposition(|word| word.written.ends_with(':') || word.is_dash()).map_or(0, |at| at + 1);
    // "Acme AG: Supervisory Board".
    if from > 0 && words[from..].iter().all(Word::is_of_posts) {
        return acting_company(&words[..from]);
    }
    let end = words[from..].iter().position(|word| word.is(Class::Act)).map_or(words.len(), |at| from + at);
    let named = &words[from..end];
    // "Acme's Board of Directors".
    let has_board = place_of(named, &["board", "directors", "shareholders", "stockholders", "trustees"]).is_some();
    let boards = ["board", "supervisory", "shareholders", "stockholders"];
    // "Acme CEO Stone announces".
    let leader = named.iter().skip(1).position(|word| word.is(Class::Whole)).map(|at| at + 1);
    let own = place_of(named, &boards).filter(|_| has_board).or(leader).unwrap_or(named.len());
    // "Führungswechsel bei Acme:".
    let is_label = words.last().is_some_and(|word| word.written.ends_with(':') || word.is_dash());
    company_before(&named[..own]).or_else(|| if is_label { last_company(words) } else { None })
}

/// The company that stands before its verb: there `Chili's` owns nothing, but is called so.
pub(super) fn company_of_verb(before: &[Word<'_>]) -> Option<String> {
    let company = acting_company(before)?;
    let owner = ["'s", "’s"].iter().find(|owner| before.last().is_some_and(|last| last.written.ends_with(**owner)));
    Some(owner.map_or(company.clone(), |owner| format!("{company}{owner}")))
}

/// The company behind an `of`, `at`, `for` and the like: the first behind which one stands.
pub(super) fn company_behind(words: &[Word<'_>]) -> Option<String> {
    let places = (0..words.len()).filter(|at| words[*at].is_one_of(LEADS)).take(LEADS_MAX);
    places.into_iter().find_map(|at| company_at(&words[at + 1..]))
}

/// The company that a label of a headline ends with: `Wechsel an der Spitze von Acme:`.
fn last_company(words: &[Word<'_>]) -> Option<String> {
    let at = words.iter().rposition(|word| word.is_one_of(LEADS))?;
    company_at(&words[at + 1..])
}

/// The company that a headline names before a colon: `Acme: Ada Byron steps down`.
pub(super) fn company_labelled(words: &[Word<'_>]) -> Option<String> {
    let at = words.iter().take(LABEL_MAX).position(|word| word.written.ends_with(':'))?;
    let label = words[at].written.trim_end_matches(':');
    let label: Vec<Word<'_>> = words[..at].iter().map(|word| word.written).chain([label]).map(Word::new).collect();
    company_before(&label).filter(|name| !is_common(&folded(name)))
}
