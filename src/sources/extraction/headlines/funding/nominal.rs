//! Rounds without a verb: `$10M for Acme`, `Acme: $10M Series A`.

use super::claims::Claim;
use super::rows::{Mark, ROWS, Shape};
use super::text::Text;
use super::{Funding, label};
use crate::classification::country::country_of_place;
use crate::extraction::headlines::companies::{company_acting, company_before, company_in};
use crate::extraction::headlines::lexicon::Class;
use crate::extraction::headlines::word::Word;

/// Words of what a headline says first, before a comma.
const ARMED_WITHIN: usize = 14;
/// Words at the beginning of a headline among which a round is named: `Neue Finanzierungsrunde für Acme`.
const CALLED_WITHIN: usize = 5;

/// Words behind the money among which the round is named.
const NAMED_WITHIN: usize = 4;
/// What stands before money of some time ago, or that is not the round of who acts.
const NOT_OWN: &[&str] = &[
    "after", "following", "since", "despite", "weeks", "months", "years", "valuing", "than", "from", "of", "on", "for",
    "founded",
];

impl Text<'_> {
    /// `$10M Series A for Acme`, `28 Millionen Euro für Acme`.
    pub(super) fn given(&self, at: usize, rest: usize) -> Option<Funding> {
        // "Levée de fonds : 10 millions d'euros pour Acme".
        let begins_at =
            |at: usize| at == 0 || self.words[at - 1].written.ends_with(':') && self.has(Mark::Called, 0..at);
        let link = self.words[at].bare.as_str();
        let round = self.round(0..at);
        let is_called = round.is_some() || self.has(Mark::Round, 0..at) || self.has(Mark::Called, 0..at);
        let is_first = self.has(Mark::Called, 0..at.min(CALLED_WITHIN))
            || (self.has(Mark::Round, 0..at.min(2)) || self.has(Mark::Money, 0..1)) && self.money_in(0..at).is_some();
        let is_named = match link {
            "for" => false,
            // "New funding round values Acme at $2 billion".
            "values" => self.has(Mark::Round, 0..at),
            _ => is_first,
        };
        let money = self.money_in(0..at).filter(|money| is_named || begins_at(money.place.start));
        let begins = money.is_some() || is_named || round.is_some() && self.words[0].is_one_of(&["series", "serie"]);
        if !begins || self.has_other(0..at) || self.has(Mark::NotYet, 0..at) {
            return None;
        }
        let (company, is_described) = company_in(&self.words[rest..])?;
        let is_alone = money.is_some_and(|money| money.place.end == at)
            && link != "for"
            && !self.has(Mark::Other, rest..self.words.len().min(rest + 3));
        let is_plain = is_described && !self.has(Mark::Government, rest..self.words.len());
        // "$10M boost for robotics startup Acme".
        let is_boost = money.is_some_and(|money| self.has(Mark::Money, money.place.end..at)) && is_plain;
        let is_round = is_called || is_boost || is_alone && (is_plain || is_coined(&company));
        is_round.then(|| self.funding(company, 0..self.words.len(), money))
    }

    /// `Acme sips $12M in Series C`: a round that is called one next to its money, whatever the verb.
    pub(super) fn called(&self) -> Option<Funding> {
        let words = self.words;
        let money = self.money_in(1..words.len())?;
        let (start, end) = (money.place.start, self.purpose_from(money.place.start));
        let near = money.place.end..end.min(money.place.end + NAMED_WITHIN).max(money.place.end);
        let is_round = self.round(near.clone()).is_some() || self.has(Mark::Called, near);
        let at = (1..start).find(|at| is_verb(&words[*at]))?;
        let is_other = words[at..start].iter().any(|word| word.is_one_of(NOT_OWN) || word.ends_part());
        let is_hoped = self.has(Mark::NotYet, 0..end) || words[at - 1].bare == "to" || self.has_other(at..end);
        let gives = self.has(Mark::Invests, at..end)
            || (at..start).any(|at| ROWS.at(&words[at..]).any(|row| row.meaning == Shape::Investing));
        if !is_round || is_other || is_hoped || gives || Claim::of(self, at + 1, Some(money)).is_of_a_fund(at) {
            return None;
        }
        Some(self.funding(company_before(&words[..at])?, at + 1..words.len(), Some(money)))
    }

    /// `With $10M from investors, Acme builds arms`.
    pub(super) fn armed(&self) -> Option<Funding> {
        let words = self.words;
        let comma = words.iter().take(ARMED_WITHIN).position(|word| word.written.ends_with(','))?;
        let money = self.money_in(1..comma + 1);
        let is_stated = money.is_some() && self.has(Mark::Round, 1..comma + 1) || self.has(Mark::Called, 1..comma);
        let is_armed = words[0].is_one_of(&["with", "avec", "mit", "con", "com", "met"]) && is_stated;
        if !is_armed || self.has_other(0..comma) || !words.get(comma + 1)?.is_large() {
            return None;
        }
        Some(self.funding(company_acting(&words[comma + 1..])?, 0..comma + 1, money))
    }

    /// `Acme: $10M Series A to build arms`.
    pub(super) fn labelled(&self) -> Option<Funding> {
        let is_called = |at: usize| self.has(Mark::Called, at + 1..self.words.len().min(at + 3));
        // "Acme, nuovo round da 5 milioni".
        let is_label = |at: &usize| {
            let word = self.words[*at].written;
            word.ends_with(':') || word.ends_with(',') && is_called(*at)
        };
        let at = (0..self.words.len().min(6)).find(is_label)?;
        let rest = at + 1..self.words.len();
        let money = self.money_in(rest.clone()).filter(|money| money.place.start == at + 1 || is_called(at))?;
        let near = at + 1..self.purpose_from(at + 1);
        // "Acme: 10 Millionen Euro für KI-Startup".
        let behind = &self.words[money.place.end..];
        let is_for = behind.first().is_some_and(|word| word.is_one_of(&["fur", "pour", "para", "per", "voor"]))
            && behind.iter().take(4).any(|word| word.is(Class::Descriptor));
        let is_round = self.round(near.clone()).is_some() || self.has(Mark::Round, near.clone());
        if !is_round && !is_for || self.has_other(near) {
            return None;
        }
        // "Rescued: 10 Millionen Euro für Fintech Acme".
        let given = || {
            company_in(behind.get(1..)?)
                .filter(|(name, is_described)| *is_described && country_of_place(name).is_none())
        };
        let company = given().filter(|_| is_for).map(|(name, _)| name).or_else(|| label(&self.words[..=at]))?;
        Some(self.funding(company, rest, Some(money)))
    }
}

/// Whether it is a verb of a headline, such as `sips`.
fn is_verb(word: &Word<'_>) -> bool {
    let ends = word.bare.ends_with('s') && !word.bare.ends_with("ss") || word.bare.ends_with("ed");
    ends && word.is_common() && !word.is_owner() && !word.is(Class::Descriptor) && !word.is(Class::CompanyEnd)
}

/// Whether a name is no German noun: those end in a few ways.
fn is_coined(name: &str) -> bool {
    let ends = [
        "ung", "heit", "keit", "schaft", "tion", "tionen", "bau", "ausbau", "verkehr", "schutz", "kosten", "en", "er",
        "projekt", "projekte", "straße", "energie", "hilfe", "haus", "amt", "stadt", "land",
    ];
    !name.contains(' ') && !ends.iter().any(|end| name.ends_with(end))
}
