//! Funding rounds in headlines: who raised how much, in which round, from whom.
//!
//! Duty: pure rules over one headline. What raises prices, offers, concerns or a fund is no round, nor is one that is only
//! hoped for. Every finding says on which words it stands, and how certain it is.

mod claims;
mod investors;
mod words;

use std::sync::LazyLock;

use regex::{Captures, Regex};

use self::claims::{has_any, is_round, until_purpose};
use self::investors::investors;
use self::words::{
    APPEARING, COLLECTORS, FUNDS, INVESTORS, NOT_YET, OF_ROUNDS, OTHER_THINGS, RAISING, TAKING, TELLING,
};
use super::companies::{company_acting, company_before, company_in};
use super::money::{Money, amounts};
use crate::bounds::cut;
use crate::text::folding::folded;
use crate::text::pattern::{Pattern, PlainPattern};

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

static VERB: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let (raising, taking, telling, appearing) = (RAISING, TAKING, TELLING, APPEARING);
    let verbs =
        format!("(?P<raising>{raising})|(?P<taking>{taking})|(?P<telling>{telling})|(?P<appearing>{appearing})");
    // Not a part of a word, and not one of a pair such as `closed-end`.
    Regex::new(&format!(r"(?i)(?:^|[\s,:–—])(?:{verbs})(?:[\s,]|$)")).ok()
});
/// `UPDATE 1-Acme raises`.
static LABEL: Pattern = Pattern::new(r"^(?:UPDATE|BRIEF|RPT|CORRECTED|EXCLUSIVE|REFILE)[A-Z0-9 ]*-");
static IN_BRACKETS: Pattern = Pattern::new(r"\s*[(\[][^)\]]*[)\]]");
static ROUND: PlainPattern = PlainPattern::new(
    r"(?i)\b(?:(?P<before>pre)[ -]?series[ -](?P<next>[a-k])\b|series[ -]?(?P<letter>[a-k])(?P<step>\d|\+)?(?:\b|\s|$)|série (?P<serie>[a-k])\b|serie[- ](?P<german>[a-k])\b|(?P<early>pre-?seed|pre-?semilla|pré-?amorçage|seed|angel|bridge|mezzanine|semilla|amorçage)\b|(?P<growth>growth)[- ](?:equity |funding |capital |stage )?(?:round|funding|investment|equity|financing)\b)",
);
static LEADS: Pattern = Pattern::new(
    r"(?i)^(?P<who>.+?)\s+(?:co-leads|co-led|leads|led|invests|invested|joins?)\s+(?P<what>.*?)\s(?P<in>in|for|into|of)\s+(?P<company>.+)$",
);
/// `Acme's Seed Round Led by Quarry Capital`, `Quarry Capital joins Acme's Series A round`.
static OWNED: Pattern = Pattern::new(
    r"(?i)^(?:(?P<who>.+?)\s+(?:co-leads|leads|joins?|backs)\s+)?(?P<company>[^,:]{2,60}?)['’]s?\s+(?P<what>(?:[^\s\d]{0,3}\d\S*\s(?:million\s|billion\s)?)?(?:pre-?seed|seed|series [a-k])\s(?:(?:funding|financing|investment)\s)?round(?P<by>\s(?:co-)?led by\s.+)?.*)$",
);
/// `Acme: $10M Series A to build arms`.
static AFTER_NAME: Pattern = Pattern::new(r"^(?P<company>[^:]{2,40}): (?P<what>.+)$");
static MONEY_FIRST: Pattern =
    Pattern::new(r"(?i)^(?P<what>\S+(?:\s\S+){1,6}?)\s+(?:raised by|for|goes to)\s+(?P<company>.+)$");

/// How much of a headline is read, in bytes.
const HEADLINE_BYTES_MAX: usize = 600;
/// Verbs of a headline that are tried.
const VERBS_MAX: usize = 3;

/// The round that `headline` tells of.
pub fn funding(headline: &str) -> Option<Funding> {
    let headline = cut(headline, HEADLINE_BYTES_MAX);
    let headline = LABEL.find(headline.trim()).map_or(headline.trim(), |label| headline.trim()[label.end()..].trim());
    if NOT_YET.is_match(headline) {
        return None;
    }
    [raised, led, owned, money_first, after_name].iter().find_map(|read| read(headline))
}

/// `Acme raises $10M`.
fn raised(headline: &str) -> Option<Funding> {
    let verbs: Vec<_> = VERB.as_ref()?.captures_iter(headline).take(VERBS_MAX).collect();
    let subject_end = verbs.first()?.get(0)?.start();
    let company = subject(&IN_BRACKETS.cut_from(&headline[..subject_end]))?;
    verbs.iter().find_map(|verb| {
        let whole = verb.get(0)?;
        let rest = &headline[whole.end()..];
        let kind = ["raising", "taking", "telling", "appearing"].into_iter().find(|name| verb.name(name).is_some())?;
        let money = money_of_round(rest);
        // "prices an offering to raise $10M".
        if OTHER_THINGS.is_match(headline.get(subject_end..whole.start())?) {
            return None;
        }
        let subject = &headline[..subject_end];
        if !is_round(kind, rest, money.as_ref()) || is_of_a_fund(subject, rest) || is_collected(subject, &company, rest)
        {
            return None;
        }
        Some(funding_of(headline, company.clone(), rest, money))
    })
}

/// The company before a verb; where it did something else first, that before what it did.
fn subject(before: &str) -> Option<String> {
    let before = before.trim();
    let ends = [" as it", " as it has", " it", " it has", " and", ","];
    match ends.iter().find_map(|end| before.strip_suffix(end)) {
        Some(first) => company_acting(first.split(", ").next()?.trim_end_matches(',')),
        None => company_before(before),
    }
}

/// `Quarry Capital leads $10M Series A in Acme`.
fn led(headline: &str) -> Option<Funding> {
    let found = LEADS.captures(headline)?;
    let (who, what, rest) = (&found["who"], &found["what"], &found["company"]);
    let money = money_of_round(what);
    let rounds = ["round", "private placement", "investment", "funding"];
    let has_round = round(what).is_some() || has_any(&what.to_lowercase(), &rounds);
    if !has_round || OTHER_THINGS.is_match(what) || FUNDS.is_match(what) {
        return None;
    }
    let investor = company_before(who)?;
    Some(Funding { investors: vec![investor], ..funding_of(headline, company_in(rest)?, what, money) })
}

/// `Acme's Seed Round Led by Quarry Capital`.
fn owned(headline: &str) -> Option<Funding> {
    let found = OWNED.captures(headline)?;
    let (what, who) = (&found["what"], found.name("who"));
    // The round alone may be spoken of for any reason.
    if who.is_none() && found.name("by").is_none() {
        return None;
    }
    let company = company_before(&found["company"])?;
    let mut funding = funding_of(headline, company, what, money_of_round(what));
    if funding.investors.is_empty() {
        funding.investors = who.and_then(|who| company_before(who.as_str())).into_iter().collect();
    }
    Some(funding)
}

/// `$10M Series A for Acme`.
fn money_first(headline: &str) -> Option<Funding> {
    let found = MONEY_FIRST.captures(headline)?;
    let (what, rest) = (&found["what"], &found["company"]);
    let money = money_of_round(what).filter(|money| money.place.start <= 3);
    let has_round = round(what).is_some() || OF_ROUNDS.is_match(what);
    if money.is_none() && round(what).is_none_or(|_| !what.to_lowercase().starts_with("series"))
        || !has_round
        || OTHER_THINGS.is_match(what)
    {
        return None;
    }
    Some(funding_of(headline, company_in(rest)?, headline, money))
}

/// `Acme: $10M Series A`.
fn after_name(headline: &str) -> Option<Funding> {
    let found = AFTER_NAME.captures(headline)?;
    let (name, what) = (&found["company"], &found["what"]);
    let money = money_of_round(what).filter(|money| money.place.start == 0)?;
    let near = until_purpose(what);
    if named_round(near).is_none() || OTHER_THINGS.is_match(near) {
        return None;
    }
    Some(funding_of(headline, company_before(name)?, what, Some(money)))
}

fn funding_of(headline: &str, company: String, rest: &str, money: Option<Money>) -> Funding {
    let round = round(rest);
    let has_words = OF_ROUNDS.is_match(rest);
    let certainty = [has_words, round.is_some(), money.is_some()].into_iter().filter(|sign| *sign).count();
    Funding {
        company,
        amount: money.as_ref().map(|money| money.amount),
        currency: money.as_ref().map(|money| money.currency),
        round,
        investors: investors(&IN_BRACKETS.cut_from(rest)),
        confidence: [0.6, 0.7, 0.85, 0.95][certainty],
        evidence: headline.to_owned(),
    }
}

/// What stands before what a company is worth or has raised so far.
const WORTH: &[&str] = &[
    "valuation of", "valued at", "worth", "valuing it at", "valuing the company at", "at a", "valuation to",
    "valuation hits", "total of", "total to", "funding to", "capital to",
];
/// Where such words are looked for around the money, in bytes.
const NEAR_BYTES: usize = 60;
/// What stands behind money that no round brings.
const VALUES: &[&str] =
    &["valuation", "post-money", "pre-money", "market cap", "in revenue", "in cash", "arr", "in sales", "revenue"];

/// The money of the round: neither what the company is worth, nor what it has raised so far.
fn money_of_round(rest: &str) -> Option<Money> {
    let is_of_round = |money: &Money| {
        let before = &rest[rest.ceil_char_boundary(money.place.start.saturating_sub(NEAR_BYTES))..money.place.start];
        let behind = cut(&rest[money.place.end..], NEAR_BYTES).to_lowercase();
        let before = before.to_lowercase();
        let before = before.trim_end();
        let is_worth = WORTH.iter().any(|words| before.ends_with(words))
            || before.trim() == "at" && money.place.start <= NEAR_BYTES;
        let behind = behind.trim_start_matches([' ', '-', '+', '–']);
        !is_worth && !VALUES.iter().any(|word| behind.starts_with(word))
    };
    amounts(rest).find(is_of_round)
}

/// The round's usual name.
fn round(text: &str) -> Option<String> {
    // Investors are called after growth, seeds and angels as well.
    let until_investors =
        [" led by ", " from ", " backed by ", " von "].iter().filter_map(|words| text.find(words)).min();
    let own = until_investors.map_or(text, |end| &text[..end]);
    named_round(own).or_else(|| named_round(text).filter(|round| round.contains("Series")))
}

fn named_round(text: &str) -> Option<String> {
    ROUND.captures(text, name_of_round)?
}

fn name_of_round(found: &Captures<'_>) -> Option<String> {
    if let Some(next) = found.name("next") {
        return Some(format!("Pre-Series {}", next.as_str().to_uppercase()));
    }
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
        "preseed" | "pre-seed" | "presemilla" | "pre-semilla" | "preamorcage" | "pre-amorcage" => "Pre-Seed".to_owned(),
        "semilla" | "amorcage" => "Seed".to_owned(),
        other => other[..1].to_uppercase() + &other[1..],
    })
}

/// Whether a charity or the like collects money: `nonprofit Acme`, `Acme Foundation`.
fn is_collected(subject: &str, company: &str, rest: &str) -> bool {
    let of_collectors = |word: &str| {
        let word = folded(word.trim_matches(|letter: char| !letter.is_alphanumeric()));
        COLLECTORS.contains(word.as_str())
    };
    let before = subject.rfind(company).and_then(|at| subject[..at].split_whitespace().next_back());
    let named = || company.split_whitespace().any(of_collectors);
    round(rest).is_none() && (before.is_some_and(of_collectors) || named())
}

/// Whether an investor raises a fund.
fn is_of_a_fund(subject: &str, rest: &str) -> bool {
    let subject = folded(subject);
    let is_investor = subject
        .rsplit(|letter: char| !letter.is_alphanumeric())
        .find(|word| !word.is_empty())
        .is_some_and(|word| INVESTORS.contains(word));
    // The funds of those who gave the money do not count.
    let leads = [" led by ", " from ", " by ", " liderada por ", " auprès de ", " von ", " de la mano de "];
    // "to fund a plant" raises no fund.
    let rest = rest.split(" to ").next().unwrap_or(rest);
    let end = leads.iter().filter_map(|lead| rest.find(lead)).min().unwrap_or(rest.len());
    let before_investors = &rest[..end];
    let is_plain = folded(before_investors).contains("in funds");
    FUNDS.is_match(before_investors) && !is_plain || is_investor && round(rest).is_none()
}
