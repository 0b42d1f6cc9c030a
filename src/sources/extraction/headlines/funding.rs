//! Funding rounds in headlines: who raised how much, in which round, from whom.
//!
//! Duty: pure rules over one headline and, where there is one, the beginning of its text. What raises prices, offers,
//! concerns or a fund is no round. Every finding says on which words it stands, and how certain it is.

use std::sync::LazyLock;

use regex::Regex;

use super::money::{Money, amounts};
use crate::sources::text::company_name::without_legal_form;
use crate::sources::text::folding::folded;

/// A funding round as a headline tells it.
#[derive(Clone, Debug, PartialEq)]
pub struct Funding {
    /// The company that raised it.
    pub company: String,
    /// How much, in units of the currency.
    pub amount: Option<f64>,
    /// ISO 4217.
    pub currency: Option<&'static str>,
    /// The round in its usual form, such as `Series A`.
    pub round: Option<String>,
    /// Who invested, the leader first.
    pub investors: Vec<String>,
    /// From 0 to 1.
    pub confidence: f64,
    /// The words that it stands on.
    pub evidence: String,
}

/// Verbs that mean a round by themselves, and those that need a word of funding beside them.
const RAISING: &str = r"raises|raised|to raise|has raised|rakes in|sammelt|lève|levanta|lleva a cabo|recauda|capta";
const GETTING: &str = r"secures|secured|closes|closed|lands|landed|bags|bagged|nabs|nabbed|snags|snagged|scores|scored|gets|receives|received|completes|completed|announces|announced|picks up|pulls in|attracts|nets|wins|hauls in|obtains|erhält|sichert sich|bekommt|holt sich|schließt|obtient|boucle|annonce|cierra|consigue|obtiene|logra";
/// What only a round has.
const FUNDING_WORDS: &str = r"\b(funding|financing|investment|round|pre-?seed|seed|series [a-k]\d?|venture|equity|led by|investors?|growth capital|finanzierung\w*|finanzierungsrunde|wachstumskapital|levée de fonds|tour de table|ronda|financiación|inversión|amorçage|kapital\w*)\b";
/// What is raised, closed or won besides.
const OTHER_THINGS: &str = r"\b(prices?|concerns?|questions?|doubts?|alarms?|awareness|eyebrows|guidance|outlook|forecasts?|dividend|wages?|salar(y|ies)|rates?|tariffs?|taxes|fees?|stakes?|bids?|offers?|targets?|estimates?|ratings?|bar|flags?|minimum|bonds?|notes? offering|senior notes|convertible notes|ipo|initial public offering|public offering|share sale|bond sale|rights issue|private placement of units|credit facility|loans?|term loan|debt facility|revolving|contracts?|orders?|lawsuit|settlement|fine|grants?|donations?|charity|fundraiser|gala|hospital|school|cancer|campaign|relief|scholarships?|crowdfund\w* for|super pac|preise|gebühren|prix|precios|dividende|prognose)\b";
/// What stands before a company's name and is none of it.
const DESCRIPTORS: &[&str] = &[
    "startup",
    "start-up",
    "fintech",
    "insurtech",
    "healthtech",
    "biotech",
    "edtech",
    "proptech",
    "climatetech",
    "deeptech",
    "medtech",
    "agritech",
    "scaleup",
    "scale-up",
    "unicorn",
    "company",
    "firm",
    "maker",
    "platform",
    "provider",
    "developer",
    "specialist",
    "app",
    "player",
    "giant",
    "spinout",
    "spin-off",
    "spinoff",
    "business",
    "operator",
    "manufacturer",
    "jungunternehmen",
    "pousse",
    "empresa",
    "compañía",
    "jeune",
    "based",
    "group's",
    "rival",
    "newcomer",
    "pioneer",
    "leader",
];

fn pattern(cell: &'static LazyLock<Option<Regex>>) -> Option<&'static Regex> {
    cell.as_ref()
}

static VERB: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(&format!(r"(?i)\b(?:(?P<raising>{RAISING})|(?P<getting>{GETTING}))\b")).ok());
static FUNDING: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(&format!("(?i){FUNDING_WORDS}")).ok());
static OTHER: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(&format!("(?i){OTHER_THINGS}")).ok());
static FUND: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)\b(funds?|fonds|final close|first close|buyout|investment vehicle)\b").ok());
static ROUND: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:series[ -]?(?P<letter>[a-k])(?P<step>\d)?\b|série (?P<serie>[a-k])\b|serie[- ](?P<german>[a-k])\b|(?P<early>pre-?seed|seed|angel|bridge|mezzanine)\b|(?P<growth>growth)[- ](?:equity |funding |capital )?(?:round|funding|investment|equity)\b)").ok()
});
static LED_BY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:led by|co-led by|backed by|from|angeführt von|unter führung von|menée par|mené par|auprès de|liderada por|von|de la mano de)\s+(?P<who>.+?)(?:\s+(?:to|for|at|as|zu|pour|para|in)\s|[;.–—]|$)").ok()
});

/// The round that `headline` tells of.
pub fn funding(headline: &str) -> Option<Funding> {
    let headline = headline.trim();
    let verb = pattern(&VERB)?.captures(headline)?;
    let whole = verb.get(0)?;
    let (subject, rest) = (&headline[..whole.start()], &headline[whole.end()..]);
    let money = amounts(rest).into_iter().next();
    let round = round(rest).or_else(|| round(subject));
    let has_funding_words = pattern(&FUNDING)?.is_match(rest);
    let is_raising = verb.name("raising").is_some();
    let is_round = if is_raising {
        money.is_some() || round.is_some()
    } else {
        has_funding_words && (money.is_some() || round.is_some())
    };
    if !is_round || is_something_else(rest, money.as_ref(), round.is_some()) || is_of_a_fund(subject, rest) {
        return None;
    }
    let company = company(subject)?;
    let certainty = [has_funding_words, round.is_some(), money.is_some()].into_iter().filter(|sign| *sign).count();
    Some(Funding {
        company,
        amount: money.as_ref().map(|money| money.amount),
        currency: money.as_ref().map(|money| money.currency),
        round,
        investors: investors(rest),
        confidence: [0.0, 0.7, 0.85, 0.95][certainty],
        evidence: headline.to_owned(),
    })
}

/// The round's usual name.
fn round(text: &str) -> Option<String> {
    let found = pattern(&ROUND)?.captures(text)?;
    let letter = ["letter", "serie", "german"].iter().find_map(|name| found.name(name));
    if let Some(letter) = letter {
        let step = found.name("step").map_or("", |step| step.as_str());
        return Some(format!("Series {}{step}", letter.as_str().to_uppercase()));
    }
    if found.name("growth").is_some() {
        return Some("Growth".to_owned());
    }
    let early = folded(found.name("early")?.as_str());
    Some(match early.as_str() {
        "preseed" | "pre-seed" => "Pre-Seed".to_owned(),
        other => other[..1].to_uppercase() + &other[1..],
    })
}

/// Whether what is raised is something else: the words right behind the verb, or all of them where no round is named.
fn is_something_else(rest: &str, money: Option<&Money>, has_round: bool) -> bool {
    let Some(other) = &*OTHER else { return true };
    let until_money = money.map_or(rest, |money| &rest[..money.place.start]);
    if other.is_match(until_money) {
        return true;
    }
    !has_round && other.is_match(rest)
}

/// Whether an investor raises a fund.
fn is_of_a_fund(subject: &str, rest: &str) -> bool {
    let Some(fund) = &*FUND else { return true };
    let folded = folded(subject);
    let is_investor = ["capital", "ventures", "partners", "vc", "investors", "equity"]
        .iter()
        .any(|word| folded.split(|letter: char| !letter.is_alphanumeric()).any(|part| part == *word));
    let before_investors = rest.split(" led by ").next().unwrap_or(rest);
    let before_investors = before_investors.split(" from ").next().unwrap_or(before_investors);
    fund.is_match(before_investors) && (is_investor || !before_investors.to_lowercase().contains("funding"))
}

/// The company that the subject of a headline names.
fn company(subject: &str) -> Option<String> {
    // "Exclusive: Acme", "Report – Acme", "Acme, which makes anvils,".
    let subject = subject.rsplit([':', '|']).next()?.trim();
    let subject = match subject.split_once(", ") {
        Some((name, aside)) if aside.starts_with(|letter: char| letter.is_lowercase()) || aside.ends_with(',') => name,
        _ => subject,
    };
    let words: Vec<&str> = subject.split_whitespace().collect();
    let is_descriptor = |word: &str| {
        let word = folded(word);
        DESCRIPTORS.contains(&word.as_str())
            || word.ends_with("-based")
            || word.ends_with("-backed")
            || word.ends_with("-focused")
    };
    let is_small = |word: &str| matches!(word, "of" | "the" | "and" | "&" | "de" | "la" | "für" | "und");
    let is_name =
        |word: &str| word.chars().any(|letter| letter.is_uppercase() || letter.is_numeric()) || word.contains('.');
    let mut from = words.len();
    while from > 0 {
        let word = words[from - 1];
        let belongs = is_name(word) || (is_small(word) && from < words.len());
        if is_descriptor(word) || !belongs {
            break;
        }
        from -= 1;
    }
    while from < words.len() && is_small(words[from]) {
        from += 1;
    }
    // A name without any capital is all there is.
    let from = if from == words.len() && words.len() == 1 { 0 } else { from };
    let trim = |letter: char| matches!(letter, ',' | '"' | '“' | '”' | '\'' | '(' | ')');
    let name = words[from..].join(" ");
    let name = without_legal_form(name.trim_matches(trim)).trim_end_matches("'s").trim_end_matches("’s").to_owned();
    let is_company = (1..=6).contains(&name.split_whitespace().count()) && name.chars().any(char::is_alphanumeric);
    is_company.then_some(name)
}

/// Who invested, as the words behind `led by` and the like name them.
fn investors(rest: &str) -> Vec<String> {
    let Some(found) = LED_BY.as_ref().and_then(|led_by| led_by.captures(rest)) else { return Vec::new() };
    let who = found.name("who").map_or("", |who| who.as_str());
    let parts = who.split(", ").flat_map(|part| part.split(" and ")).flat_map(|part| part.split(" & "));
    let is_name = |part: &&str| part.starts_with(|letter: char| letter.is_uppercase() || letter.is_numeric());
    let names = parts.map(|part| part.trim().trim_start_matches("and ").trim_end_matches(',').trim()).filter(is_name);
    names.filter(|name| name.split_whitespace().count() <= 5).take(10).map(str::to_owned).collect()
}
