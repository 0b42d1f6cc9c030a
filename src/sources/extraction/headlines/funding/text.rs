//! A headline about money, with what its words mark.

use std::ops::Range;

use super::rounds::round_at;
use super::rows::{MARKS, Mark};
use crate::extraction::headlines::lexicon::Class;
use crate::extraction::headlines::money::{Money, amounts};
use crate::extraction::headlines::word::Word;

/// What stands before something else in the same headline.
const ARTICLES: &[&str] = &["le", "la", "les", "l", "der", "die", "das", "den", "el", "los", "las", "il", "lo", "o"];

/// The words of a headline, and what begins with each.
pub struct Text<'a> {
    /// Its words.
    pub words: &'a [Word<'a>],
    marks: Vec<u32>,
    /// The round that is named by what begins with each word.
    pub rounds: Vec<Option<String>>,
    amounts: Vec<Money>,
}

impl<'a> Text<'a> {
    /// The headline of these words.
    pub fn of(words: &'a [Word<'a>]) -> Self {
        // Up to where a phrase goes whose words mean nothing else.
        let mut mixed_until = 0;
        let marks_at = |at: usize| {
            let mut marks = 0;
            for phrase in MARKS.at(&words[at..]) {
                marks |= phrase.meaning.bit();
                if phrase.meaning == Mark::Mixed {
                    mixed_until = at + phrase.length;
                }
            }
            if at < mixed_until { marks & !Mark::Other.bit() } else { marks }
        };
        Self {
            words,
            marks: (0..words.len()).map(marks_at).collect(),
            rounds: (0..words.len()).map(|at| round_at(&words[at..])).collect(),
            amounts: amounts(words),
        }
    }

    /// Whether one of the words in `range` has a mark.
    pub fn has(&self, mark: Mark, range: Range<usize>) -> bool {
        self.marks.get(range).is_some_and(|marks| marks.iter().any(|marks| marks & mark.bit() != 0))
    }

    /// Whether something else than a round is spoken of in `range`; a private placement has a price as well.
    pub fn has_other(&self, range: Range<usize>) -> bool {
        self.has(Mark::Other, range.clone())
            || self.has(Mark::Priced, range) && !self.has(Mark::Placed, 0..self.words.len())
    }

    /// The round that is named in `range`.
    pub fn round(&self, range: Range<usize>) -> Option<String> {
        let rounds = self.rounds.get(range.clone())?;
        let is_giver = |at: &usize| self.marks[range.start + at] & Mark::Giver.bit() != 0;
        let own = (1..rounds.len()).find(is_giver).unwrap_or(rounds.len());
        // Investors are called after growth, seeds and angels as well.
        let of_givers = || rounds[own..].iter().flatten().find(|round| round.contains("Series"));
        rounds[..own].iter().flatten().next().or_else(of_givers).cloned()
    }

    /// Whether the first words in `range` speak of money.
    pub fn starts_with_money(&self, from: usize) -> bool {
        self.has(Mark::Money, from..self.words.len().min(from + 4))
    }

    /// The money of the round: neither what the company is worth, nor what it has raised so far.
    pub fn money_in(&self, range: Range<usize>) -> Option<&Money> {
        let is_valued = |before: &[Word<'_>]| {
            let from = range.start + before.len().saturating_sub(4);
            self.has(Mark::Value, from..range.start + before.len())
                && !self.has(Mark::Round, from..range.start + before.len())
        };
        let is_of_round = |money: &&Money| {
            let before = &self.words[range.start..money.place.start];
            let behind = &self.words[money.place.end..];
            let two: Vec<&str> = before.iter().rev().take(2).map(|word| word.bare.as_str()).collect();
            let is_worth = match two[..] {
                ["worth", ..] | ["a", "at"] | ["of", "valuation"] | ["hits", "valuation"] | ["at", "valued"] => true,
                ["to", "valuation" | "total" | "funding" | "capital"] => true,
                ["of", "total"] => before.len() > 3,
                ["to" | "of" | "at" | "tops" | "hits" | "reaches" | "em" | "de", ..] if is_valued(before) => true,
                ["at", ..] => before.len() == 1 || before.iter().any(|word| word.bare == "valuing"),
                _ => false,
            };
            let next: Vec<&str> = behind.iter().take(2).map(|word| word.bare.as_str()).collect();
            let is_over = self.words[money.place.end - 1].written.ends_with(',');
            let is_value = !is_over
                && matches!(
                    next[..],
                    ["valuation" | "post-money" | "pre-money" | "arr" | "revenue", ..]
                        | ["market", "cap"]
                        | ["in", "revenue" | "cash" | "sales"]
                );
            !is_worth && !is_value
        };
        self.amounts
            .iter()
            .filter(|money| range.contains(&money.place.start) && money.place.end <= range.end)
            .find(is_of_round)
    }

    /// Where it is said what the money is for, or the next part begins.
    pub fn purpose_from(&self, start: usize) -> usize {
        let stops = [
            "to", "for", "from", "as", "at", "amid", "after", "ahead", "while", "fur", "pour", "para", "per", "voor",
            "afin", "nach", "apres", "apos",
        ];
        let is_end = |at: usize| {
            let word = &self.words[at];
            let is_led = word.bare == "led" && self.words.get(at + 1).is_some_and(|next| next.bare == "by");
            // "et le rachat de", "und den Kauf von".
            let is_next_thing = word.is_one_of(&["et", "und", "y", "e"])
                && self.words.get(at + 1).is_some_and(|next| next.is_one_of(ARTICLES));
            let is_next_act = word.bare == "and" && self.words.get(at + 1).is_some_and(|next| next.is(Class::Act));
            word.is_one_of(&stops)
                || is_led
                || is_next_thing
                || is_next_act
                || word.is_dash()
                || self.words[at - 1].written.ends_with([',', ';'])
        };
        (start + 1..self.words.len()).find(|at| is_end(*at)).unwrap_or(self.words.len())
    }
}
