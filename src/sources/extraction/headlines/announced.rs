//! Announcements of two parts: the headline, and the first sentences of the text below it.
//!
//! Duty: pure rules. The headline decides what is announced; the text says what the headline leaves out.

use chrono::NaiveDate;

use super::funding::{Funding, funding};
use super::people::{PersonMove, person_move};
use crate::bounds::cut;
use crate::text::company_name::letters;
use crate::text::pattern::{Pattern, PlainPattern};

/// Sentences of a text that are read.
const SENTENCES_MAX: usize = 3;
/// Sentences of a document that are read.
const DOCUMENT_SENTENCES_MAX: usize = 40;
/// As much of a sentence is read, in bytes.
const SENTENCE_BYTES_MAX: usize = 1_000;

static DATELINE: Pattern = Pattern::new(
    r"(?s)^.{0,160}?(?:\(GLOBE NEWSWIRE\)|/PRNewswire/|\(BUSINESS WIRE\)|\b20\d\d\b[^-–—]{0,40})\s*(?:--|–|—)\s*",
);
/// A headline about somebody who is not named in it.
static UNNAMED: PlainPattern = PlainPattern::new(
    r"(?i)\b(appoint\w*|names?|hires?|promot\w+|welcomes?|adds?|expands?|strengthens?|leadership|executive|new (?:ceo|cfo|coo|cto|chief|president|vice|head|director|chair\w*|member))\b",
);
/// How a document calls the company that it is of.
static OF_COMPANY: Pattern =
    Pattern::new(r"(?i)\s+(?:of|at|for) the (?:company|corporation|registrant|bank|issuer)\b.*$");
static EFFECTIVE: PlainPattern = PlainPattern::new(
    r"(?i)\beffective\s+(?:as of\s+|from\s+|on\s+)?(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?\s+(?P<day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?P<year>20\d\d)\b",
);

/// The move that a headline tells of, with what only the text below it says.
pub fn announced_move(headline: &str, text: &str) -> Option<PersonMove> {
    let sentences = sentences(text, SENTENCES_MAX);
    let in_text = || sentences.iter().find_map(|sentence| person_move(sentence));
    let of_headline = person_move(headline);
    if of_headline.is_none() && !UNNAMED.is_match(headline) {
        return None;
    }
    let of_text = in_text();
    let (mut found, other) = match of_headline {
        Some(found) => (found, of_text),
        None => (of_text?, None),
    };
    let is_of_same = |other: &PersonMove| other.kind == found.kind && is_same(&other.person.full, &found.person.full);
    if let Some(other) = other.filter(is_of_same) {
        found.company = found.company.or(other.company);
        found.title = found.title.or(other.title);
        found.previous_title = found.previous_title.or(other.previous_title);
        found.previous_company = found.previous_company.or(other.previous_company);
    }
    found.effective_on = effective_on(headline).or_else(|| effective_on(text));
    Some(found)
}

/// The moves that the sentences of a company's document tell of, such as a filing. The company is the document's.
pub fn moves_in_sentences(document: &str) -> Vec<PersonMove> {
    let moved = |sentence: &&str| {
        let found = person_move(sentence)?;
        let title = found.title.map(|title| OF_COMPANY.cut_from(&title).into_owned());
        Some(PersonMove { title, company: None, effective_on: effective_on(sentence), ..found })
    };
    sentences(document, DOCUMENT_SENTENCES_MAX).iter().filter_map(moved).collect()
}

/// The funding round that a headline tells of, with what only the text below it says.
pub fn announced_funding(headline: &str, text: &str) -> Option<Funding> {
    let mut found = funding(headline)?;
    let in_text = sentences(text, SENTENCES_MAX).iter().find_map(|sentence| funding(sentence));
    if let Some(other) = in_text.filter(|other| is_same(&other.company, &found.company)) {
        if found.amount.is_none() {
            (found.amount, found.currency) = (other.amount, other.currency);
        }
        found.round = found.round.or(other.round);
        if found.investors.is_empty() {
            found.investors = other.investors;
        }
    }
    Some(found)
}

fn is_same(one: &str, other: &str) -> bool {
    letters(one) == letters(other)
}

/// The first sentences of `text`, without the place and the day before them.
fn sentences(text: &str, most: usize) -> Vec<&str> {
    let begin = DATELINE.find(text).map_or(0, |found| found.end());
    let (mut rest, mut sentences) = (text[begin..].trim(), Vec::new());
    while !rest.is_empty() && sentences.len() < most {
        let end = sentence_end(rest);
        sentences.push(cut(&rest[..end], SENTENCE_BYTES_MAX).trim_end_matches('.'));
        rest = rest[end..].trim_start();
    }
    sentences
}

/// Where the first sentence ends: `Inc. today` and `J. Stone` do not end one.
fn sentence_end(text: &str) -> usize {
    for (at, _) in text.match_indices(['.', '\n']) {
        let (before, behind) = (&text[..at], &text[at + 1..]);
        if text[at..].starts_with('\n') {
            return at + 1;
        }
        // Only then it is worth looking back, so that no word is looked at for each of its dots.
        if !behind.starts_with(char::is_whitespace) {
            continue;
        }
        let last = before.rsplit(|letter: char| letter.is_whitespace()).next().unwrap_or_default();
        let is_short =
            last.chars().filter(|letter| letter.is_alphabetic()).count() <= 4 && last.starts_with(char::is_uppercase);
        let next = behind.trim_start().chars().next();
        if !is_short && next.is_some_and(char::is_uppercase) {
            return at + 1;
        }
    }
    text.len()
}

/// The day from which on something holds.
fn effective_on(text: &str) -> Option<NaiveDate> {
    let day =
        EFFECTIVE.captures(text, |found| format!("{} {} {}", &found["day"], &found["month"][..3], &found["year"]))?;
    NaiveDate::parse_from_str(&day, "%d %b %Y").ok()
}

#[cfg(test)]
mod tests {
    use super::{announced_funding, announced_move, moves_in_sentences, sentences};

    const DATELINE: &str = "OSLO, Norway, Nov. 19, 2026 (GLOBE NEWSWIRE) -- ";

    #[test]
    fn what_the_headline_leaves_out_is_in_the_text() {
        let text = format!(
            "{DATELINE}Quarrelake Inc. today announced the appointment of Ines Varga as Chief Financial Officer, effective January 5, 2027. She is glad."
        );
        let found = announced_move("Quarrelake Names New Chief Financial Officer", &text).unwrap();
        assert_eq!(found.person.full, "Ines Varga");
        assert_eq!(
            (found.title.as_deref(), found.company.as_deref()),
            (Some("Chief Financial Officer"), Some("Quarrelake"))
        );
        assert_eq!(found.effective_on.map(|day| day.to_string()).as_deref(), Some("2027-01-05"));
        let found = announced_funding(
            "Quarrelake Closes Series B Financing",
            "Quarrelake raises $30M Series B led by Tern Capital.",
        );
        assert_eq!(
            found.map(|found| (found.amount, found.investors)),
            Some((Some(30e6), vec!["Tern Capital".to_owned()]))
        );
    }

    #[test]
    fn the_text_alone_announces_nothing() {
        let text =
            format!("{DATELINE}Quarrelake Inc. announced the appointment of Ines Varga as Chief Financial Officer.");
        assert_eq!(announced_move("Quarrelake Reports Third Quarter", &text), None);
        assert_eq!(announced_funding("Quarrelake Opens a Plant", "Quarrelake raises $30M Series B."), None);
    }

    #[test]
    fn sentences_begin_behind_the_dateline_and_do_not_end_at_abbreviations() {
        let text = format!("{DATELINE}Quarrelake Inc. is here. J. Stone is it. Three.\nFour. Five.");
        assert_eq!(sentences(&text, 3), ["Quarrelake Inc. is here", "J. Stone is it", "Three"]);
        assert!(sentences("", 3).is_empty());
    }

    #[test]
    fn a_filing_tells_of_its_moves_in_sentences() {
        let filing = "Departure of Directors or Certain Officers; Election of Directors; Appointment of Certain Officers.\n\
            On November 16, 2026, Erik Sundberg notified Quarrelake, Inc. (the \u{201c}Company\u{201d}) of his retirement.\n\
            On November 17, 2026, the Board of Directors (the \u{201c}Board\u{201d}) appointed Ines Varga, age 48, as Chief \
            Financial Officer of the Company, effective December 1, 2026. Ms. Varga has served as Senior Vice President of \
            Tern Corp. since 2021. On November 18, 2026, the Board promoted Leo Stark to the position of Chief Operating \
            Officer. The Compensation Committee approved grants to Mara Lindqvist, General Counsel.";
        let moves: Vec<_> = moves_in_sentences(filing)
            .into_iter()
            .map(|found| {
                (found.person.full, found.title.unwrap_or_default(), found.effective_on.map(|day| day.to_string()))
            })
            .collect();
        let varga = ("Ines Varga".to_owned(), "Chief Financial Officer".to_owned(), Some("2026-12-01".to_owned()));
        assert_eq!(moves, [varga, ("Leo Stark".to_owned(), "Chief Operating Officer".to_owned(), None)]);
    }
}
