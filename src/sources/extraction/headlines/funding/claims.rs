//! Whether what stands behind a verb is a round: how much, what it is called, what it is for.

use std::borrow::Cow;
use std::ops::Range;

use super::investors::investors;
use super::round;
use super::words::{BETWEEN, GOOD_CAUSES, GOVERNMENTS, INVESTORS, OF_MONEY, OF_ROUNDS, OTHER_THINGS};
use crate::extraction::headlines::money::Money;
use crate::text::folding::folded;

/// Less is no round, unless it is called one.
const AMOUNT_MIN: f64 = 20_000.0;
/// Words between a verb and the money.
const BETWEEN_MAX: usize = 12;

/// Whether what stands behind a verb of this kind is a round.
pub(super) fn is_round(kind: &str, rest: &str, money: Option<&Money>) -> bool {
    let has_round = round(rest).is_some();
    let has_words = OF_ROUNDS.is_match(rest);
    let place = money.map(|money| &money.place);
    let until = place.map_or(rest, |place| &rest[..place.start]);
    // Of what stands behind the money the first words count: further on it is said what the money is for.
    let near = place.map_or(rest, |place| until_purpose(&rest[place.start..]));
    let behind = place.map_or(rest, |place| behind(rest, place));
    // "secures $5M from warrant exercises".
    let is_from_other = matches!(kind, "raising" | "taking")
        && !has_round
        && !is_from_investors(rest)
        && place
            .and_then(|place| rest[place.end..].trim_start().strip_prefix("from "))
            .is_some_and(|from| OTHER_THINGS.is_match(until_purpose(from)));
    if is_from_other
        || OTHER_THINGS.is_match(until)
        || OTHER_THINGS.is_match(near)
        || kind == "telling" && !has_round && OTHER_THINGS.is_match(rest)
        || kind != "raising" && !has_round && GOVERNMENTS.is_match(rest)
        || !has_round && !has_words && is_for_a_cause(behind)
    {
        return false;
    }
    let is_large = money.is_some_and(|money| money.amount >= AMOUNT_MIN);
    let is_near = || leads_to(rest, place);
    match kind {
        "raising" if money.is_some() => (is_large || has_round) && is_near(),
        "raising" => (has_round || has_words || starts_with_money(rest)) && is_near(),
        "taking" if money.is_some() => {
            let invests = starts_with_any(behind, &["investment in ", "investment into "]) && !has_round;
            is_large && !invests && is_near() && (has_words || has_round || tells_what_for(behind))
        }
        "taking" | "telling" if money.is_none() => is_named_round(rest, has_round) && is_near(),
        "telling" => {
            let is_plain = starts_with_any(behind, &["in funding", "in new funding", "funding round"])
                && !behind.contains(" for ");
            let says_money = starts_with_money(behind) || OF_MONEY.is_match(until);
            let givers = [" from ", " by ", " von ", " par ", " de ", " auprès "];
            let is_given = is_plain || says_money && has_any(&rest.to_lowercase(), &givers) || is_from_investors(rest);
            is_large && is_near() && (has_words || has_round || is_given)
        }
        _ => money.is_some_and(|money| money.amount >= 100_000.0 && appears_with(rest, &money.place)),
    }
}

/// Whether what stands behind the money says that it is for a cause.
fn is_for_a_cause(behind: &str) -> bool {
    behind.split_once("for ").is_some_and(|(_, purpose)| GOOD_CAUSES.is_match(first_words(purpose)))
}

fn first_words(text: &str) -> &str {
    text.match_indices(' ').nth(3).map_or(text, |(end, _)| &text[..end])
}

fn behind<'a>(rest: &'a str, place: &Range<usize>) -> &'a str {
    rest[place.end..].trim_start_matches([' ', '+', ',', '-'])
}

/// Whether `text` holds one of `phrases`.
pub(super) fn has_any(text: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| text.contains(phrase))
}

fn starts_with_any(text: &str, beginnings: &[&str]) -> bool {
    let lower = text.to_lowercase();
    beginnings.iter().any(|beginning| lower.starts_with(beginning))
}

/// Whether what stands behind the money tells what it is for, from whom it is, or what the company is worth with it.
fn tells_what_for(behind: &str) -> bool {
    let leads = ["to ", "for ", "from ", "as ", "von ", "di ", "da ", "at a ", "at $", "at €", "at £", "now "];
    // "Fueling the next phase".
    let is_doing = behind.split(' ').next().is_some_and(|word| word.len() > 4 && word.ends_with("ing"));
    let is_valued = starts_with_any(behind, &["at "]) && behind.contains("valuation");
    behind.is_empty() || is_doing || is_valued || starts_with_any(behind, &leads) || starts_with_money(behind)
}

/// Whether the first words speak of money.
fn starts_with_money(text: &str) -> bool {
    OF_MONEY.is_match(first_words(text))
}

/// Whether `rest` begins with a round that is called one: a `Series A sedan` is none.
fn is_named_round(rest: &str, has_round: bool) -> bool {
    let near = until_purpose(rest).to_lowercase();
    let has = |words: &[&str]| has_any(&near, words);
    // "closes Series B", "closes a seed".
    let is_alone = || near.split_whitespace().last().is_some_and(|word| word.chars().count() == 1 || word == "seed");
    let is_called = has(&["financing", "funding", "investment", "raise"]);
    let of_somebody = has_any(&rest.to_lowercase(), &[" from ", " by "]);
    let kinds = [
        "strategic investment", "growth investment", "minority investment", "equity investment",
        "million usd investment",
    ];
    of_somebody && has(&kinds)
        || has(&["private placement", "round", "ronda", "finanzierung", "tour de table"])
        || near.contains("-figure") && is_called
        || has_round && (is_called || is_alone())
}

fn is_from_investors(rest: &str) -> bool {
    let of_investors = |name: &String| folded(name).split_whitespace().any(|word| INVESTORS.contains(word));
    rest.contains(" from ") && investors(rest).iter().any(of_investors)
}

/// `launches with $30M in funding`, `reaches $2B valuation with new $90M round`.
fn appears_with(rest: &str, place: &Range<usize>) -> bool {
    let before = folded(&rest[..place.start]);
    let follows = [" with", " after", " following", " as it raises", " in", " on", " thanks to"].iter().any(|word| {
        before.split_whitespace().rev().take(5).any(|last| last == word.trim()) || before.trim_end().ends_with(word)
    });
    let near = until_purpose(&rest[place.start..]);
    let is_money = OF_ROUNDS.is_match(near) || OF_MONEY.is_match(near);
    let is_hidden = before.contains("stealth") || folded(rest).contains("stealth");
    let is_valued = has_any(&before, &["valuation", "unicorn", "valued"]);
    let is_direct = before.trim() == "with";
    let has_purpose = is_direct && starts_with_any(behind(rest, place), &["to ", "from ", "for "]);
    follows
        && (is_money && (is_hidden || is_valued || is_direct || OF_ROUNDS.is_match(near)) || is_hidden || has_purpose)
}

/// Up to where it is said what the money is for.
pub(super) fn until_purpose(text: &str) -> &str {
    let ends =
        [" to ", " for ", " from ", " led by ", " as ", " amid ", " after ", " while ", ", ", "; ", " – ", " — "];
    let end = ends.iter().filter_map(|end| text.find(end)).min().unwrap_or(text.len());
    &text[..end]
}

/// Whether nothing stands between a verb and the money, or the round, but what belongs to them.
fn leads_to(rest: &str, place: Option<&Range<usize>>) -> bool {
    let before = place.map(|place| Cow::Borrowed(&rest[..place.start])).or_else(|| OF_ROUNDS.before(rest));
    let Some(before) = before else { return starts_with_money(rest) };
    let words: Vec<String> = before
        .split_whitespace()
        .take(BETWEEN_MAX + 1)
        .map(|word| folded(word.trim_matches(['(', ')', ',', '“', '”', '"', '‘', '’', '\'', '~'])))
        .collect();
    words.len() <= BETWEEN_MAX
        && words.iter().all(|word| word.len() < 2 || BETWEEN.contains(word.as_str()) || is_round_word(word))
}

fn is_round_word(word: &str) -> bool {
    round(word).is_some() || round(&format!("series {word}")).is_some() && word.len() <= 2
}

#[cfg(test)]
mod tests {
    use super::super::funding;

    #[test]
    fn a_word_in_quotes_of_any_kind_may_stand_before_a_round() {
        for quoted in ["“oversubscribed”", "‘oversubscribed’", "\"oversubscribed\"", "«oversubscribed»"] {
            let found = funding(&format!("Quarrelake closes {quoted} Series A round"));
            assert_eq!(found.and_then(|found| found.round).as_deref(), Some("Series A"), "{quoted}");
        }
    }
}
