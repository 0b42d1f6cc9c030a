//! Whether what stands behind a verb is a round: how much, what it is called, what it is for.

use std::ops::Range;

use super::investors::{investors, is_of_investors};
use super::rounds::letter_behind;
use super::rows::{CLOSING, GOT, Mark, SECURED, Shape};
use super::text::Text;
use crate::extraction::headlines::lexicon::Class;
use crate::extraction::headlines::money::Money;
use crate::extraction::headlines::word::{Word, place_of};

/// Less is no round, unless it is called one.
const AMOUNT_MIN: f64 = 20_000.0;
/// Less is no round that is told beside something else.
const ASIDE_MIN: f64 = 100_000.0;
/// Words behind the money that name who gave it.
const FROM_MAX: usize = 6;
/// Words from the name of a round to its money.
const ROUND_BEFORE_MONEY_MAX: usize = 6;
/// Words between a verb and the money.
const BETWEEN_MAX: usize = 16;

/// What a verb says that somebody got.
pub struct Claim<'a> {
    /// The headline.
    pub text: &'a Text<'a>,
    /// How much, if it is said.
    pub money: Option<&'a Money>,
    /// Where the words behind the verb begin.
    pub rest: usize,
    /// Where the money begins.
    pub start: usize,
    /// What stands behind the money.
    pub behind: usize,
    has_round: bool,
    has_words: bool,
}

impl<'a> Claim<'a> {
    /// What stands behind a verb that ends before the word `rest`.
    pub fn of(text: &'a Text<'a>, rest: usize, money: Option<&'a Money>) -> Self {
        let end = text.words.len();
        let place = money.map_or(end..rest, |money| money.place.clone());
        let has_letter = money.is_some() && letter_behind(&text.words[place.end..]).is_some();
        let has_round = text.round(rest..end).is_some() || has_letter;
        let has_words = text.has(Mark::Round, rest..end);
        Self { text, money, rest, start: place.start, behind: place.end, has_round, has_words }
    }

    /// Whether it is a round, said by a verb of this shape.
    pub fn is_round(&self, shape: Shape) -> bool {
        let (rest, money) = (self.rest..self.text.words.len(), self.money);
        let is_large = money.is_some_and(|money| money.amount >= AMOUNT_MIN);
        let is_called = self.has_words || self.has_round;
        !self.is_something_else(shape)
            && match (shape, money) {
                (Shape::Raising, Some(_)) => (is_large || self.has_round) && self.leads_to(),
                (Shape::Raising, None) => {
                    // "raises from Quarry Capital".
                    let is_from = self.has_word(self.rest..rest.end.min(self.rest + 1), &["from"]);
                    (is_called || self.text.starts_with_money(self.rest)) && self.leads_to()
                        || is_from && self.is_from_investors()
                }
                (Shape::Taking | Shape::Telling, None) => {
                    let is_sure =
                        self.is_from_investors() || shape == Shape::Taking && self.text.has(Mark::Value, rest);
                    let is_backed = self.text.starts_with_money(self.rest) && (is_sure || self.is_all_there_is());
                    (is_backed || self.is_named_round(shape)) && self.leads_to() || self.appears_after()
                }
                (Shape::Taking, Some(_)) => {
                    let invests = self.has_behind(Mark::Invests) && !self.has_round;
                    is_large && !invests && self.leads_to() && (is_called || self.tells_what_for())
                }
                (Shape::Telling, Some(_)) => {
                    let is_had = self.text.words[self.rest - 1].is_one_of(GOT);
                    let is_for = || self.has_word(self.behind..rest.end, &["for"]);
                    let is_plain = self.has_behind(Mark::Plain) && (is_had || !is_for());
                    let says_money =
                        self.text.starts_with_money(self.behind) || self.text.has(Mark::Money, self.until());
                    let next = self.behind..rest.end.min(self.behind + 1);
                    let is_given = self.text.has(Mark::Giver, rest.clone())
                        || self.has_word(rest.clone(), &["from", "by", "von", "par"])
                        || self.has_word(next, &["de"]);
                    // "receives $10M investment", not "announces $10M investment".
                    let is_got = is_had && (self.has_behind(Mark::Money) || self.text.has(Mark::Money, self.until()));
                    // "startup Acme receives $10M for".
                    let is_startup = || self.text.words[..self.rest].iter().any(|word| word.is(Class::Descriptor));
                    let is_got = is_got || is_had && is_startup() && self.tells_what_for();
                    let is_stated = is_plain || says_money && is_given || is_got || self.is_from_investors();
                    is_large && self.leads_to() && (is_called || is_stated)
                }
                (Shape::Stating, _) => true,
                (_, Some(money)) => money.amount >= ASIDE_MIN && self.appears_with(money),
                (_, None) => self.appears_after(),
            }
    }

    /// Whether something else is raised, closed or won.
    fn is_something_else(&self, shape: Shape) -> bool {
        let rest = self.rest..self.text.words.len();
        // Of what stands behind the money the first words count: further on it is said what the money is for.
        let near = if self.money.is_some() { self.start..self.text.purpose_from(self.start) } else { rest.clone() };
        // "secures $5M from warrant exercises".
        let is_from_other = matches!(shape, Shape::Raising | Shape::Taking)
            && !self.has_round
            && self.money.is_some()
            && self.has_word(self.behind..rest.end.min(self.behind + 1), &["from", "via", "through"])
            && !self.is_from_investors()
            && self.text.has_other(self.behind + 1..self.text.purpose_from(self.behind));
        // "for" whom it is collected.
        let purpose = place_of(&self.text.words[self.behind..], &["for"]).map_or(rest.end, |at| self.behind + at + 1);
        let is_for_a_cause = self.text.has(Mark::Cause, purpose..rest.end.min(purpose + 4));
        is_from_other
            || self.text.has_other(self.until())
            || self.text.has_other(near)
            || !self.has_round
                && (shape == Shape::Telling && self.text.has_other(rest.clone())
                    || shape != Shape::Raising && self.text.has(Mark::Government, rest)
                    || !self.has_words && is_for_a_cause)
    }

    /// `receives $26M`, `gets $2.3M to develop`: money that nobody but a company that is called like none other gets so.
    pub fn is_got(&self, shape: Shape) -> bool {
        let is_next = self.text.words.get(self.behind).is_none_or(|next| next.bare == "to");
        let is_large = self.money.is_some_and(|money| money.amount >= ASIDE_MIN);
        let is_verb =
            shape == Shape::Telling && self.text.words[self.rest - 1].is_one_of(GOT) || shape == Shape::Taking;
        is_large && is_verb && is_next && self.leads_to() && !self.is_something_else(shape)
    }

    /// The words between the verb and the money.
    pub fn until(&self) -> Range<usize> {
        self.rest..self.start
    }

    /// Whether the word behind the money has a mark.
    pub fn has_behind(&self, mark: Mark) -> bool {
        self.text.has(mark, self.behind..self.text.words.len().min(self.behind + 1))
    }

    /// Whether one of `list` stands in `range`.
    pub fn has_word(&self, range: Range<usize>, list: &[&str]) -> bool {
        place_of(&self.text.words[range], list).is_some()
    }

    /// Whether what stands behind the money tells what it is for, from whom it is, or what the company is worth with it.
    fn tells_what_for(&self) -> bool {
        let is_more = self.has_word(self.behind..self.text.words.len().min(self.behind + 1), &["more", "extra", "mas"]);
        let behind = self.behind + usize::from(is_more);
        let Some(first) = self.text.words.get(behind) else { return true };
        let next = self.text.words.get(behind + 1).map_or("", |word| word.written);
        let is_valued = next == "a"
            || next.starts_with(['$', '€', '£'])
            || self.text.has(Mark::Value, self.behind..self.text.words.len());
        // "Fueling the next phase".
        let is_doing = first.bare.len() > 4 && first.bare.ends_with("ing");
        let leads = [
            "to", "for", "from", "as", "von", "di", "da", "now", "para", "pour", "per", "fur", "voor", "um", "afin",
            "ein", "van", "binnen", "auf", "aan", "af", "aupres",
        ];
        let is_over = self.text.words[self.behind - 1].written.ends_with(',')
            && self.text.words[self.rest - 1].is_one_of(SECURED);
        is_over
            || self.text.words[self.behind - 1].written.ends_with(':')
            || first.bare == "at" && is_valued
            || is_doing
            || first.is_one_of(&leads)
            || first.is_dash()
            || self.text.starts_with_money(self.behind)
    }

    /// Whether it begins with a round that is called one: a `Series A sedan` is none.
    fn is_named_round(&self, shape: Shape) -> bool {
        let near = self.rest..self.text.purpose_from(self.rest);
        let words = &self.text.words[near.clone()];
        let has = |parts: &[&str]| words.iter().any(|word| parts.iter().any(|part| word.bare.contains(part)));
        let is_called = has(&["financing", "funding", "investment", "raise"]);
        // "closes Series B", "closes a seed".
        let is_alone =
            words.last().is_some_and(|word| word.bare.chars().count() == 1 || word.is_one_of(&["seed", "extension"]));
        let rest = self.rest..self.text.words.len();
        // "secures strategic investment to grow", but not "announces strategic investment in AI".
        let is_got = || shape == Shape::Taking && !self.has_word(rest.clone(), &["in", "into"]);
        let of_somebody = || self.has_word(rest.clone(), &["from", "by"]) || is_got();
        // "announces strategic growth investment in Acme" is of whom it invests in.
        let is_in = |pair: &[Word<'_>]| pair[0].bare == "investment" && matches!(pair[1].bare.as_str(), "in" | "into");
        let is_in_other = shape == Shape::Telling && words.windows(2).any(is_in);
        if is_in_other {
            return false;
        }
        self.text.has(Mark::Called, near.clone())
            || self.text.has(Mark::Kind, near) && of_somebody()
            || has(&["-figure"]) && is_called
            || self.has_round && (is_called || is_alone)
            || has(&["finanzierung"])
            || self.text.round(rest).is_some_and(|_| self.is_closed())
    }

    /// `schließt Series B erfolgreich ab`: the round stands next to a verb by which rounds end.
    fn is_closed(&self) -> bool {
        let verb = &self.text.words[self.rest - 1].bare;
        let near = self.rest..self.text.words.len().min(self.rest + 3);
        CLOSING.iter().any(|begin| verb.starts_with(begin)) && self.text.round(near).is_some()
    }

    /// The money beside a round that the verb leads to: `finalise sa série B pour un montant de 21 millions`.
    pub fn money_of_round(&self, money: &'a Money) -> Option<&'a Money> {
        let near = money.place.start.saturating_sub(ROUND_BEFORE_MONEY_MAX).max(self.rest)..money.place.start;
        let is_whole = !self.text.words[near.clone()].iter().any(Word::ends_part);
        let is_named = self.text.round(near.clone()).is_some() || self.text.has(Mark::Round, near);
        Some(money).filter(|_| is_whole && is_named)
    }

    /// `secures new funding`: a headline that says nothing else.
    fn is_all_there_is(&self) -> bool {
        let is_part = |at: usize| self.text.words[at].is(Class::Between) || self.text.has(Mark::Money, at..at + 1);
        (self.rest..self.text.words.len()).all(is_part)
    }

    fn is_from_investors(&self) -> bool {
        let rest = &self.text.words[self.rest..];
        let behind = &self.text.words[self.behind..];
        let is_next = behind.first().is_some_and(|word| word.is_one_of(&["de", "da", "do", "van", "von", "aupres"]));
        is_next && behind.iter().take(FROM_MAX).any(|word| word.is(Class::Investor))
            || place_of(rest, &["from", "von", "aupres"]).is_some()
                && investors(rest).iter().any(|name| is_of_investors(name))
    }

    /// Whether nothing stands between a verb and the money, or the round, but what belongs to them.
    fn leads_to(&self) -> bool {
        let is_round = |at: usize| self.text.has(Mark::Round, at..at + 1) || self.text.rounds[at].is_some();
        let belongs = |at: usize| {
            let word = &self.text.words[at];
            // "a star-studded $10M round".
            let is_adjective = || word.bare.contains('-') && word.is_small();
            word.bare.chars().count() < 2
                || word.is(Class::Between)
                || self.text.has(Mark::Priced, at..at + 1)
                || self.text.rounds[at].is_some()
                || self.text.has(Mark::Round, at..at + 1)
                || self.has_words && is_adjective()
        };
        let leads = |end: usize| end.saturating_sub(self.rest) <= BETWEEN_MAX && (self.rest..end).all(belongs);
        let near = || self.rest..self.text.purpose_from(self.rest);
        match self.money.map(|_| self.start).or_else(|| near().find(|at| is_round(*at))) {
            Some(end) => leads(end),
            // "investment by Quarry".
            None => {
                self.text.starts_with_money(self.rest)
                    || near().find(|at| self.text.has(Mark::Kind, *at..at + 1)).is_some_and(leads)
            }
        }
    }

    /// Whether a charity or the like collects money: `nonprofit Acme`, `Acme Foundation`.
    pub fn is_collected(&self, subject: &[Word<'_>], company: &str) -> bool {
        let of_company = |word: &Word<'_>| company.split(' ').any(|part| part == word.core);
        let first = subject.iter().position(of_company).unwrap_or_default();
        let is_collector = subject[first.saturating_sub(1)..].iter().any(|word| word.is(Class::Collector));
        is_collector && self.text.round(self.rest..self.text.words.len()).is_none()
    }

    /// Whether an investor raises a fund.
    pub fn is_of_a_fund(&self, subject_end: usize) -> bool {
        let words = self.text.words;
        // The funds of those who gave the money do not count, nor does "to fund a plant".
        let ends = ["from", "by", "von", "aupres", "liderada", "liderado", "guidato", "menee", "to", "mano"];
        let end = place_of(&words[self.rest..], &ends).map_or(words.len(), |at| self.rest + at);
        let is_investor = words[..subject_end].last().is_some_and(|word| word.is(Class::Investor))
            || self.text.has(Mark::Investor, subject_end.saturating_sub(4)..subject_end);
        let is_fund = self.text.has(Mark::Fund, self.rest..end) && !self.text.has(Mark::Plain, self.rest..end);
        let is_round = || {
            self.text.has(Mark::Called, self.rest..end)
                || self.text.has(Mark::Kind, self.rest..end)
                || self.text.round(self.rest..words.len()).is_some()
        };
        is_fund || is_investor && !is_round()
    }
}
