//! Names of companies among the words of headlines, and the words around them that are none of it.
//!
//! Duty: pure rules. `Berlin-based robotics startup Acme, Inc.` is Acme.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::lexicon::Class;
use super::word::Word;
use crate::text::folding::folded;
use domain::targets::countries::Country;

/// Words of a company's name.
const NAME_WORDS_MAX: usize = 7;

/// Places, which raise money but are no companies; and countries under all of their names.
static PLACES: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let others =
        ["america", "britain", "california", "colorado", "eu", "europe", "nevada", "ohio", "texas", "uk", "us"];
    let countries = Country::all().flat_map(|country| country.names()).map(folded);
    countries.chain(others.map(str::to_owned)).collect()
});
/// What stands before a company's name.
const ARTICLES: &[&str] =
    &["the", "its", "der", "die", "das", "den", "dem", "la", "le", "les", "el", "los", "il", "lo", "a", "o", "het"];
/// Months, which stand where companies do.
const MONTHS: &[&str] = &[
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december", "januar", "februar", "marz", "mai", "juni", "juli", "oktober", "dezember", "janvier", "juin", "enero",
];
/// How a headline begins that says something else first: `Backed by Quarry, Acme raises`.
const BEGINNINGS: &[&str] =
    &["after", "amid", "armed", "as", "backed", "despite", "following", "fresh", "led", "months", "with", "year"];
/// The same in other languages, where such words stand elsewhere as well.
const OTHER_BEGINNINGS: &[&str] = &[
    "sur", "apres", "avec", "pour", "nach", "mit", "fur", "tras", "con", "para", "dopo", "per", "com", "apos", "na",
    "met",
];
/// Who founded a company, or leads it, is not the company.
const FOUNDERS: &[&str] =
    &["founder", "co-founder", "cofounder", "entrepreneur", "founders", "ceo", "billionaire", "investor"];

/// The company that stands at the end of `words`, which are what precedes a verb.
pub fn company_before(words: &[Word<'_>]) -> Option<String> {
    // "Exclusive: Acme", "Report - Acme".
    let ends = |word: &Word<'_>| word.is_dash() || word.written.ends_with([':', '|', '–', '—']);
    let labels = &words[..words.len().saturating_sub(1)];
    let words = &words[labels.iter().rposition(ends).map_or(0, |at| at + 1)..];
    let comma = |word: &Word<'_>| word.written.ends_with(',');
    let words = match words.iter().rposition(comma).filter(|at| is_begun(words) && at + 1 < words.len()) {
        Some(at) => &words[at + 1..],
        None => words,
    };
    let words = match words.iter().position(comma) {
        Some(at) if is_aside(&words[at + 1..]) => &words[..=at],
        _ => words,
    };
    // "A startup that Acme backs" and "Les startups françaises" name nobody.
    if words.first()?.is_one_of(&["a", "les", "las", "los"])
        && words[0].is_large()
        && words.iter().any(|word| word.is_small() && word.describes_company())
    {
        return None;
    }
    let adverbs = words.iter().rev().take_while(|word| word.is(Class::Adverb)).count();
    let words = without_owner(without_forms(&words[..words.len() - adverbs.min(words.len() - 1)]));
    // What begins a headline with a small letter is called so.
    let is_small_name = words.len() <= 3 && words.first().is_some_and(Word::is_small);
    if is_small_name && !words.iter().any(|word| word.describes_company() || is_small(word)) {
        return named(words);
    }
    // "startup kausable", "YC-backed telli".
    if let [.., descriptor, name] = words
        && descriptor.describes_company()
        && name.is_small()
        && !name.describes_company()
    {
        return named(std::slice::from_ref(name));
    }
    let mut from = words.len();
    while from > 0 {
        let word = &words[from - 1];
        // "Ford Motor Company" and "Quarry & Company" are names, "a robotics company" is none.
        let is_behind_name = || is_name(&words[from - 2]) || words[from - 2].written == "&";
        let is_last = from == words.len() && from > 1 && word.is(Class::NameEnd) && word.is_large() && is_behind_name();
        let belongs = is_name(word) || word.is_form() || is_small(word) && from < words.len();
        let is_kind = words.get(from).is_some_and(|next| word.is(Class::Kind) && !next.is(Class::Investor));
        let describes = word.describes_company() || from == 1 && word.is(Class::Descriptor);
        if !is_last && (describes || is_kind || !belongs) {
            break;
        }
        from -= 1;
    }
    while from < words.len() && is_small(&words[from]) {
        from += 1;
    }
    if from > 0 && words[from - 1].is_one_of(FOUNDERS) {
        return None;
    }
    // A name without any capital is all there is.
    let is_all = from == words.len() && words.len() == 1 && !words[0].describes_company();
    named(&words[if is_all { 0 } else { from }..])
}

/// Whether a headline says something else first.
fn is_begun(words: &[Word<'_>]) -> bool {
    words.iter().take(3).any(|word| word.is_one_of(BEGINNINGS))
        || words.first().is_some_and(|word| word.is_one_of(OTHER_BEGINNINGS))
}

/// The company at the beginning of `words`, before what it does: `Acme opens a plant`.
pub fn company_acting(words: &[Word<'_>]) -> Option<String> {
    let acts = |word: &Word<'_>| {
        let is_small_verb = word.is_small() && !is_small(word) && !word.describes_company();
        word.is(Class::Act) || is_small_verb && !word.is_large() && !word.written.contains('.')
    };
    let end = words.iter().skip(1).position(acts).map_or(words.len(), |at| at + 1);
    company_before(&words[..end])
}

/// The company at the beginning of `words`, behind a description of it: `robotics startup Acme to build arms`; and whether
/// there is one.
pub fn company_in(words: &[Word<'_>]) -> Option<(String, bool)> {
    let is_end = |word: &Word<'_>| word.written.ends_with([',', ';', ':']) || word.is_dash();
    let words =
        &words[..words.iter().position(is_end).map_or(words.len(), |at| at + usize::from(!words[at].is_dash()))];
    let stops = [
        "to", "as", "at", "that", "which", "after", "amid", "with", "for", "aiming", "on", "in", "valuing", "led",
        "um", "pour", "zur", "von", "para", "per", "afin",
    ];
    // In small letters only: names have them as well.
    let small_stops = [
        "em", "en", "dans", "nel", "nella", "na", "no", "ein", "con", "com", "avec", "mit", "bei", "au", "aux", "a",
        "e", "y", "et",
    ];
    let is_stop = |word: &Word<'_>| word.is_one_of(&stops) || word.is_small() && word.is_one_of(&small_stops);
    let articles = words.iter().take_while(|word| word.is_small() && word.is_one_of(ARTICLES)).count();
    let words = &words[articles..];
    let words = &words[..words.iter().position(is_stop).unwrap_or(words.len())];
    // What describes the company stands before its name.
    let is_before = |word: &Word<'_>| word.describes_company() || word.is_owner();
    let from = words.iter().rposition(is_before).map_or(0, |at| at + 1);
    let lower = words[from..].iter().rposition(|word| !is_name(word) && !is_small(word)).map_or(0, |at| at + 1);
    // "in production of Acme" is not Acme.
    if lower > 0 && words[from + lower..].first().is_some_and(|word| word.is_small()) {
        return None;
    }
    Some((named(&words[from + lower..])?, from > 0))
}

/// The company at the beginning of `words`, behind `at` or `of`.
pub fn company_at(words: &[Word<'_>]) -> Option<String> {
    // "joins The Daily" has it in the name.
    let first = words.first()?;
    let is_apart = first.is_one_of(ARTICLES) && !(first.in_sentence && first.is_large());
    let words = &words[usize::from(is_apart)..];
    // "steps down in September".
    if words.first()?.is_one_of(MONTHS) {
        return None;
    }
    let is_part = |word: &Word<'_>| {
        word.is_large() || is_link(word) || matches!(word.written, "&" | "of" | "the" | "and" | "for" | "+")
    };
    // "Quarry Asset Management" is a name, "Quarry Management Team" is its people.
    let is_behind = |at: usize| {
        let is_name = at > 0
            && words[at].written == "Management"
            && !words.get(at + 1).is_some_and(|next| next.is_one_of(&["team", "board"]));
        words[at].is(Class::AfterCompany) && !is_name
    };
    let mut end = 0;
    while let Some(word) = words.get(end).filter(|word| is_part(word) && !is_behind(end)) {
        end += 1;
        // "Acme's" owns what follows, and "Acme," is complete, but for "Acme, Inc.".
        let has_form = words.get(end).is_some_and(Word::is_form);
        if word.is_owner() && !word.written.ends_with(['\'', '’']) || word.ends_part() && !has_form {
            break;
        }
    }
    let end = words[..end].iter().rposition(Word::is_large).map_or(0, |last| last + 1);
    company_before(&words[..end])
}

/// The name that `words` are, without what surrounds it.
fn named(words: &[Word<'_>]) -> Option<String> {
    let name = without_forms(words);
    let (first, last) = (name.first()?, name.last()?);
    let trim = |letter: char| ",\"“”‘()*;!:".contains(letter);
    let written = name.iter().map(|word| word.written.trim_matches(trim)).filter(|word| !word.is_empty());
    let text = written.collect::<Vec<_>>().join(" ");
    let text = ["l'", "l’", "d'", "d’", "dell'", "dell’", "all'", "all’"]
        .iter()
        .find_map(|article| text.strip_prefix(article))
        .unwrap_or(&text);
    let text = ["'s", "’s", "'", "’"].iter().find_map(|owner| text.strip_suffix(owner)).unwrap_or(text);
    let is_nobody = |word: &Word<'_>| word.is(Class::NoCompany);
    let is_union = name.len() > 1 && name[name.len() - 2].bare == "credit" && last.bare == "union";
    let is_year = text.len() == 4 && matches!(text.parse(), Ok(1900..=2100));
    let is_company = name.len() <= NAME_WORDS_MAX
        && !is_year
        && text.chars().any(char::is_alphanumeric)
        && !PLACES.contains(&folded(text))
        && !is_nobody(first)
        && (!is_nobody(last) || name.iter().any(|word| word.written == "of") || is_union);
    is_company.then(|| text.to_owned())
}

/// A name without the legal forms at its end; one of nothing else keeps a word.
fn without_forms<'a, 'b>(words: &'a [Word<'b>]) -> &'a [Word<'b>] {
    let forms = words.iter().rev().take_while(|word| word.is_form()).count();
    let words = &words[..words.len() - forms.min(words.len().saturating_sub(1))];
    let links = words.iter().rev().take_while(|word| forms > 0 && matches!(word.written, "&" | "+")).count();
    &words[..words.len() - links]
}

/// What stands behind a comma and tells about the company; `Inc.` does not.
fn is_aside(words: &[Word<'_>]) -> bool {
    let begins = |word: &Word<'_>| word.is_small() || matches!(word.written, "A" | "An" | "The");
    words.first().is_some_and(begins) || words.last().is_some_and(|word| word.written.ends_with(','))
}

/// What joins two parts of a name in Romance languages: `Casa da Arquitetura`.
fn is_link(word: &Word<'_>) -> bool {
    matches!(
        word.written,
        "de" | "du" | "da" | "do" | "das" | "dos" | "del" | "della" | "dei" | "delle" | "degli" | "di" | "des"
    )
}

/// `India's Quarry` is Quarry; `Quarry's` alone stays.
fn without_owner<'a, 'b>(words: &'a [Word<'b>]) -> &'a [Word<'b>] {
    match words.iter().rposition(Word::is_owner) {
        // "startup Locum's Nest" is called so itself.
        Some(at) if at + 1 < words.len() && !(at > 0 && words[at - 1].describes_company()) => &words[at + 1..],
        _ => words,
    }
}

fn is_small(word: &Word<'_>) -> bool {
    is_link(word)
        || matches!(
            word.written,
            "of" | "the" | "and" | "&" | "+" | "la" | "für" | "und" | "by" | "x" | "o" | "il" | "el" | "le"
        )
}

fn is_name(word: &Word<'_>) -> bool {
    word.is_large() || word.written.trim_end_matches('.').contains('.')
}
