//! Names of companies in headlines, and the words around them that are none of it.
//!
//! Duty: pure rules. `Berlin-based robotics startup Acme, Inc.` is Acme.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::text::folding::folded;
use crate::text::pattern::WordSet;
use domain::content::company_name::is_plain_legal_form;
use domain::targets::countries::Country;
use outbound::reading;

/// Words of a company's name.
const NAME_WORDS_MAX: usize = 7;

/// What stands before a company's name and is none of it; in the plural it names many.
static DESCRIPTORS: WordSet = WordSet::new(
    "app apps assistant backer based biotech biopharma brand business chain chipmaker climatetech \
     company creator cleantech d2c deeptech deep-tech developer distributor drugmaker edtech empresa compania \
     startups companies firms founders entrepreneurs investors vcs fintech firm foodtech agtech agritech \
     aggregator giant group's healthtech insurtech insurer greentech agrotech neurotech govtech traveltech jeune \
     jungunternehmen legaltech lender maker manufacturer marketplace medtech newcomer neobank operator outfit \
     pioneer player pousse producer proptech provider publisher regtech retailer rival scale-up scaleup site \
     specialist spin-off spin-out spinoff spinout start-up startup supplier tool unicorn unternehmen upstart \
     vendor website wealthtech martech adtech hrtech spacetech femtech decacorn soonicorn entreprise societe \
     plattform nbfc saas agency owner anbieter hersteller entwickler pionier spezialist plataforma fabricante \
     fabricant editeur automaker carmaker airline bank-holding scandal-hit leader notetaker",
);
/// Words that tell what a company is where its name follows, and end a name where nothing does.
static KINDS: WordSet =
    WordSet::new("platform service studio venture exchange hub solution foundry app agency brand business company");
/// Who is no company.
static NO_COMPANIES: WordSet = WordSet::new(
    "archdiocese alumni biden campaign candidate charity church city club committee community comedian \
     congress congressman congresswoman council councilman councilwoman county democrat democrats department \
     diocese district donors family fans fed festival friends gala gop government governor hacienda harris he \
     hospital i it king labour library mayor minister ministry museum obama pac parents parliament party police \
     pope prince queen regulator republicans residents school senate senator she state students team teen \
     telethon they town treasury trump union village volunteers we woman man you boy girl mother father runner \
     actor actress singer fundraiser concert auction event invitational presale pre-sale tournament tories \
     walkathon marathon classic foundation tax sale ride appeal startups companies firms founders investors vcs",
);

/// What tells what a company does: its name ends before it.
static ACTS: WordSet = WordSet::new(
    "accelerates says said confirms adds advances announce announced announces appoint appointed \
     appoints bolsters boosts broadens builds celebrates completes continues creates deepens drives elevates \
     elects enhances enters establishes expands forms fortifies further grows has hires increases is launches \
     makes names opens plans promotes proudly reinforces reports reshapes restructures rounds scales sets shakes \
     shuffles solidifies strengthens taps today to unveils updates welcomes will with baut verstarkt gibt \
     renforce annonce refuerza anuncia ousts fires selects brings transitions prepares following provides \
     declares ramps doubles raises secures closes achieves reaches automates wins joins introduces releases \
     acquires signs marks",
);

/// Places, which raise money but are no companies; and countries under all of their names.
static PLACES: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let others =
        ["america", "britain", "california", "colorado", "eu", "europe", "nevada", "ohio", "texas", "uk", "us"];
    let countries = Country::all().flat_map(|country| country.names()).map(folded);
    countries.chain(others.map(str::to_owned)).collect()
});
/// How a headline begins that says something else first: `Backed by Quarry, Acme raises`.
const BEGINNINGS: &[&str] =
    &["after ", "amid ", "armed with ", "backed by ", "despite ", "following ", "fresh off ", "led by ", "with "];
/// Words that tell what a company is, and that names end with as well.
static NAME_ENDS: WordSet = WordSet::new("agency biopharma biotech companies company exchange foundry studio venture");
/// Words between a company and its verb.
static ADVERBS: WordSet = WordSet::new("also has have just now officially quietly recently successfully today which");

/// The company that stands at the end of `text`, which is what precedes a verb.
pub fn company_before(text: &str) -> Option<String> {
    // "Exclusive: Acme", "Report - Acme".
    let text = text.rsplit([':', '|', '–', '—']).next()?;
    let text = text.rsplit(" - ").next()?.trim();
    let lower = text.to_lowercase();
    let is_begun = BEGINNINGS.iter().any(|beginning| lower.starts_with(beginning));
    let text = text.rsplit(", ").next().filter(|_| is_begun).unwrap_or(text);
    let text = match text.split_once(", ") {
        Some((name, aside)) if is_aside(aside) => name,
        _ => text,
    };
    // "A startup that Acme backs" names nobody.
    if text.starts_with("A ")
        && text.split_whitespace().any(|word| word.starts_with(char::is_lowercase) && is_descriptor(word))
    {
        return None;
    }
    let mut words: Vec<&str> = text.split_whitespace().collect();
    while words.len() > 1 && words.last().is_some_and(|word| ADVERBS.contains(&word.to_lowercase())) {
        words.pop();
    }
    let words = without_owner(without_forms(&words));
    // What begins a headline with a small letter is called so.
    let is_small_name = words.len() <= 3 && words.first().is_some_and(|word| word.starts_with(char::is_lowercase));
    if is_small_name && !words.iter().any(|word| is_descriptor(word) || is_small(word)) {
        return named(words);
    }
    let mut from = words.len();
    while from > 0 {
        let word = words[from - 1];
        // "Ford Motor Company" is a name, "a robotics company" is none.
        let is_last = from == words.len()
            && from > 1
            && NAME_ENDS.contains(&folded(word.trim_end_matches(',')))
            && is_name(word)
            && is_name(words[from - 2]);
        let belongs = is_name(word) || is_form(word) || (is_small(word) && from < words.len());
        let is_kind = from < words.len() && KINDS.contains(&folded(word));
        if !is_last && (is_descriptor(word) || is_kind || !belongs) {
            break;
        }
        from -= 1;
    }
    while from < words.len() && is_small(words[from]) {
        from += 1;
    }
    // The founder of a company is not the company.
    let before = from.checked_sub(1).map(|at| folded(words[at]));
    let founders = ["founder", "co-founder", "cofounder", "entrepreneur", "founders", "ceo", "billionaire", "investor"];
    if before.is_some_and(|word| founders.contains(&word.as_str())) {
        return None;
    }
    // A name without any capital is all there is.
    let from = if from == words.len() && words.len() == 1 && !is_descriptor(words[0]) { 0 } else { from };
    named(&words[from..])
}

/// The company at the beginning of `text`, before what it does: `Acme opens a plant`.
pub fn company_acting(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let acts = |word: &&str| {
        let is_small_verb = word.starts_with(char::is_lowercase) && !is_small(word) && !is_descriptor(word);
        is_act(word) || is_small_verb && !word.contains(|letter: char| letter.is_uppercase() || letter == '.')
    };
    let end = words.iter().skip(1).position(acts).map_or(words.len(), |at| at + 1);
    company_before(&words[..end].join(" "))
}

/// Whether `word` tells what a company does, so that no name goes on behind it.
pub fn is_act(word: &str) -> bool {
    reading::count(1);
    ACTS.contains(folded(word.trim_matches(|letter: char| !letter.is_alphanumeric())).as_str())
}

/// The company at the beginning of `text`, behind a description of it: `robotics startup Acme to build arms`.
pub fn company_in(text: &str) -> Option<String> {
    let end = text.find([',', ';', '–', '—', '|']).unwrap_or(text.len());
    let words: Vec<&str> = text[..end].split_whitespace().collect();
    let stops = ["to", "as", "at", "that", "which", "after", "amid", "with", "for", "aiming", "on", "in", "valuing"];
    let end = words.iter().position(|word| stops.contains(word)).unwrap_or(words.len());
    let words = &words[..end];
    // What describes the company stands before its name.
    let is_before = |word: &&str| is_descriptor(word) || is_owner(word);
    let from = words.iter().rposition(is_before).map_or(0, |at| at + 1);
    let lower = words[from..].iter().rposition(|word| !is_name(word) && !is_small(word)).map_or(0, |at| at + 1);
    named(&words[from + lower..])
}

/// The name that `words` are, without what surrounds it.
fn named(words: &[&str]) -> Option<String> {
    let trim = |letter: char| ",\"“”‘()*;!".contains(letter);
    let words: Vec<&str> = words.iter().map(|word| word.trim_matches(trim)).filter(|word| !word.is_empty()).collect();
    let name = without_forms(&words);
    let is_nobody = |word: &&str| NO_COMPANIES.contains(folded(word).as_str());
    let is_company = (1..=NAME_WORDS_MAX).contains(&name.len())
        && name.iter().any(|word| word.chars().any(char::is_alphanumeric))
        && !PLACES.contains(&folded(&name.join(" ")))
        && !name.first().is_some_and(is_nobody)
        && (!name.last().is_some_and(is_nobody) || name.contains(&"of") || name.ends_with(&["Credit", "Union"]));
    is_company.then(|| name.join(" "))
}

/// A name without the legal forms at its end; one of nothing else keeps a word.
fn without_forms<'a, 'b>(words: &'a [&'b str]) -> &'a [&'b str] {
    let forms = words.iter().rev().take_while(|word| is_form(word)).count();
    &words[..words.len() - forms.min(words.len().saturating_sub(1))]
}

/// What stands behind a comma and tells about the company; `Inc.` does not.
fn is_aside(aside: &str) -> bool {
    let articles = ["A ", "An ", "The "];
    aside.starts_with(char::is_lowercase) || aside.ends_with(',') || articles.iter().any(|word| aside.starts_with(word))
}

/// `Acme's`, `Quarrylakes'`.
pub fn is_owner(word: &str) -> bool {
    ["'s", "’s", "s'", "s’"].iter().any(|ending| word.ends_with(ending))
}

/// `India's Quarry` is Quarry; `Quarry's` alone stays.
fn without_owner<'a, 'b>(words: &'a [&'b str]) -> &'a [&'b str] {
    match words.iter().rposition(|word| is_owner(word)) {
        // "startup Locum's Nest" is called so itself.
        Some(at) if at + 1 < words.len() && !(at > 0 && is_descriptor(words[at - 1])) => &words[at + 1..],
        _ => words,
    }
}

fn is_descriptor(word: &str) -> bool {
    reading::count(1);
    let word = folded(word.trim_matches(|letter: char| !letter.is_alphanumeric()));
    let endings = [
        "-based", "-start-up", "-backed", "-focused", "-incubated", "-owned", "-founded", "-funded", "-led",
        "-powered", "-listed", "-headquartered", "-first", "-native", "-hit",
    ];
    // "drone-maker".
    let end = word.rsplit('-').next().unwrap_or_default();
    DESCRIPTORS.contains(word.as_str())
        || DESCRIPTORS.contains(end)
        || endings.iter().any(|ending| word.ends_with(ending))
}

/// A legal form, which people leave away. `Group` and `Holdings` are parts of names in headlines, `Limited` and `LP` are not.
pub fn is_form(word: &str) -> bool {
    is_plain_legal_form(word) || matches!(word.trim_end_matches(['.', ',']), "Limited" | "LIMITED" | "LP" | "L.P")
}

fn is_small(word: &str) -> bool {
    matches!(word, "of" | "the" | "and" | "&" | "+" | "de" | "la" | "für" | "und" | "by" | "x")
}

fn is_name(word: &str) -> bool {
    reading::count(1);
    word.chars().any(|letter| letter.is_uppercase() || letter.is_numeric()) || word.trim_end_matches('.').contains('.')
}
