//! Who gave the money, as headlines name them.

use crate::text::folding::folded;
use crate::text::pattern::{Pattern, WordSet};
use crate::text::plain::split_at_all;

/// Investors of one round that are taken.
const INVESTORS_MAX: usize = 10;

/// Places of one headline where investors are named that are looked at.
const CLAIMS_MAX: usize = 4;

/// Who invested: up to what the money is for, or where the next part begins.
static LED_BY: Pattern = Pattern::new(
    r"(?i)(?:^|[^\p{L}\p{M}\p{N}_])(?P<by>co-?led by|led by|backed by|anchored by|von|angeführt von|unter führung von|menée par|mené par|auprès de|liderada por|de la mano de|investment by|funding by|round by|(?:round|placement|financing) with|from)\s+(?P<who>.+?)(?:,?\s+(?:to|for|at|as|in|with|after|amid|zu|pour|para|um|on|despite|bringing|valuing|ahead)\s|[;.–—|]\s|\s-\s|[;.]?$)",
);

/// Who invested, as the words behind `led by` and the like name them.
pub fn investors(rest: &str) -> Vec<String> {
    let rest = with_initials(rest);
    let rest = rest.as_str();
    // Who leads counts before who is merely named.
    let mut found: Vec<(usize, &str)> = Vec::new();
    let mut at = 0;
    while let Some(captures) =
        rest.get(at..).filter(|_| found.len() < CLAIMS_MAX).and_then(|rest| LED_BY.captures(rest))
    {
        let (Some(by), Some(who)) = (captures.name("by"), captures.name("who")) else { break };
        let rank = usize::from(by.as_str().eq_ignore_ascii_case("from"));
        found.push((rank, who.as_str()));
        at += by.end();
    }
    found.sort_by_key(|(rank, _)| *rank);
    found.iter().map(|(_, who)| names(who)).find(|names| !names.is_empty()).unwrap_or_default()
}

/// Stands for the dot of an initial, which ends no sentence.
const DOT_OF_INITIAL: char = '\u{2024}';

/// `T. Rowe Price` with a dot that ends no sentence.
fn with_initials(text: &str) -> String {
    let (mut marked, mut before) = (String::with_capacity(text.len()), [' '; 2]);
    for letter in text.chars() {
        let is_initial = letter == '.' && before[1].is_uppercase() && !before[0].is_alphanumeric();
        marked.push(if is_initial { DOT_OF_INITIAL } else { letter });
        before = [before[1], letter];
    }
    marked
}

/// Words that begin what names nobody.
static OTHERS: WordSet = WordSet::new(
    "stealth others other investors existing new more angel series seed pre-seed top leading institutional accredited",
);

/// What stands between the names of investors.
const BETWEEN_NAMES: &[&str] = &[", ", " and ", " & ", " und ", " y ", " et "];

fn names(who: &str) -> Vec<String> {
    let begins_like_a_name = |part: &&str| {
        part.starts_with(|letter: char| letter.is_uppercase() || letter.is_numeric())
            || part.starts_with(|letter: char| letter.is_lowercase()) && part.chars().any(char::is_numeric)
    };
    let parts = split_at_all(who, BETWEEN_NAMES).into_iter();
    let parts = parts.map(|part| part.trim().trim_start_matches("and ").trim_end_matches([',', '.', ')']).trim());
    let is_others = |part: &&str| {
        let word = folded(part.split_whitespace().next().unwrap_or_default());
        OTHERS.contains(&word)
    };
    // "Quarry-backed angels".
    let is_kind = |part: &&str| part.ends_with(" angels") || part.ends_with(" investors") || part.ends_with(" funds");
    let names = parts.filter(begins_like_a_name).filter(|part| !is_others(part) && !is_kind(part));
    names
        .filter(|name| name.split_whitespace().count() <= 5)
        .take(INVESTORS_MAX)
        .map(|name| name.replace(DOT_OF_INITIAL, "."))
        .collect()
}
