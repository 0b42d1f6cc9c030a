//! Funding rounds in headlines: who raised how much, in which round, from whom.
//!
//! Duty: pure rules over one headline, by the tables of phrases in `rows`. What raises prices, offers, concerns or a fund is
//! no round, nor is one that is only hoped for. Every finding says on which words it stands, and how certain it is.

mod claims;
mod investors;
mod rounds;
pub(super) mod rows;
mod text;

use std::ops::Range;

use self::claims::Claim;
use self::investors::{investors, is_of_investors};
use self::rounds::letter_behind;
use self::rows::{COUNTED, Mark, OTHER_BEGINNINGS, ROWS, Shape};
use self::text::Text;
use super::cleaning::cleaned;
use super::companies::{company_acting, company_before, company_in};
use super::lexicon::Class;
use super::money::Money;
use super::word::{Word, place_of};
use crate::bounds::cut;

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

/// How much of a headline is read, in bytes.
const HEADLINE_BYTES_MAX: usize = 600;
/// Phrases of a headline that are tried.
const PHRASES_MAX: usize = 6;

/// The round that `headline` tells of.
pub fn funding(headline: &str) -> Option<Funding> {
    let headline = cut(headline, HEADLINE_BYTES_MAX).trim();
    let clean = cleaned(headline);
    let words = Word::all_of(&clean);
    let first = words.first()?;
    let is_number = first.written.chars().all(|letter| letter.is_ascii_digit());
    if first.is_one_of(OTHER_BEGINNINGS) || is_number && words.get(1).is_some_and(|word| word.is_one_of(COUNTED)) {
        return None;
    }
    let text = Text::of(&words);
    let found = text.read()?;
    Some(Funding { evidence: headline.to_owned(), ..found })
}

impl Text<'_> {
    fn read(&self) -> Option<Funding> {
        // "after their last raise, Acme": what ends a part is no verb.
        let is_verb_at = |end: usize| !self.words[end - 1].written.ends_with([',', ';', ':']);
        let phrases = |at: usize| ROWS.at(&self.words[at..]).map(move |row| (at, row.length, row.meaning));
        let rows: Vec<_> =
            (0..self.words.len()).flat_map(phrases).filter(|(at, length, _)| is_verb_at(at + length)).collect();
        let is_verb = |shape: Shape| !matches!(shape, Shape::Investing | Shape::Given);
        let verbs = || rows.iter().filter(|(.., shape)| is_verb(*shape)).take(PHRASES_MAX);
        let by_verb =
            || verbs().find_map(|&(at, length, shape)| self.raised(verbs().next()?.0, at, at + length, shape));
        let of = |wanted: Shape| rows.iter().filter(move |(.., shape)| *shape == wanted).take(PHRASES_MAX);
        by_verb()
            .or_else(|| of(Shape::Investing).find_map(|&(at, length, _)| self.invested(at, at + length)))
            .or_else(|| self.owned())
            .or_else(|| of(Shape::Given).find_map(|&(at, length, _)| self.given(at, at + length)))
            .or_else(|| self.labelled())
    }

    /// `Acme raises $10M`.
    fn raised(&self, first_verb: usize, at: usize, rest: usize, shape: Shape) -> Option<Funding> {
        let money = self.money_in(rest..self.words.len());
        let end = money.map_or(rest, |money| money.place.start.max(rest));
        // "plans to raise $10M", "prices an offering to raise $10M".
        let before = at.checked_sub(1).map(|before| &self.words[before]);
        // "plans to expand after raising $10M".
        let told = if self.words[at].bare == "after" { at } else { 0 };
        let is_hoped = self.has(Mark::NotYet, told..end) || before.is_some_and(|word| word.bare == "to");
        if is_hoped || self.has_other(first_verb..at) && at > first_verb {
            return None;
        }
        // "Acme's IPO raises $10M".
        if self.words[..first_verb].last().is_some_and(|word| word.is_one_of(&["ipo", "campaign", "gala", "offering"]))
        {
            return None;
        }
        let company = self.raiser(first_verb)?;
        let claim = Claim::of(self, rest, money);
        let is_stated = claim.is_round(shape)
            && !claim.is_of_a_fund(first_verb)
            && !claim.is_collected(&self.words[..first_verb], &company);
        is_stated.then(|| self.funding(company, rest..self.words.len(), money))
    }

    /// The company before a verb; where it did something else first, that before what it did.
    fn raiser(&self, end: usize) -> Option<String> {
        // "Acme Series C lands $300M".
        let own = (end.saturating_sub(2)..end).find(|at| *at > 0 && self.rounds[*at].is_some()).unwrap_or(end);
        let before = &self.words[..own];
        let last = before.last()?;
        let aside = ["it", "and", "they", "und", "et", "e", "y"];
        let has_said = before.len() > 1 && last.bare == "has" && before[before.len() - 2].bare == "it";
        let is_second = self.words.get(end).is_some_and(|verb| verb.bare == "after")
            || last.is_one_of(&aside)
            || has_said
            || last.written.ends_with(',')
                && !before[..before.len() - 1].iter().any(|word| word.written.ends_with(','));
        let acting = || {
            let comma = before.iter().position(|word| word.written.ends_with(','));
            company_acting(&before[..comma.map_or(before.len() - usize::from(last.is_one_of(&aside)), |at| at + 1)])
        };
        // "Acme: KI-Startup sammelt 100 Millionen Dollar ein".
        let labelled = || {
            let colon = before.iter().position(|word| word.written.ends_with(':'))?;
            let is_described = last.is(Class::Descriptor) && !last.bare.ends_with('s');
            if is_described && before.len() - colon < 4 { label(&before[..=colon]) } else { None }
        };
        if is_second { acting() } else { company_before(before).or_else(labelled) }
    }

    /// `Quarry Capital leads $10M Series A in Acme`, `Quarry Capital backs Acme with $10M`.
    fn invested(&self, at: usize, rest: usize) -> Option<Funding> {
        let words = self.words;
        let money = self.money_in(rest..words.len());
        let is_backing = words[at].bare.starts_with("back");
        let is_investing =
            ["invest", "inject", "pour", "plow", "plough"].iter().any(|verb| words[at].bare.starts_with(verb));
        // "Quarry and Stone lead Series A in Acme", but not "takes the lead in".
        let is_plural = words[at].is_one_of(&["lead", "co-lead"]);
        if is_plural && money.is_none_or(|money| money.place.start != rest) && self.round(rest..rest + 1).is_none() {
            return None;
        }
        let is_direct = is_backing || rest > at + 1 && words[rest - 1].is_one_of(DIRECT_ENDS);
        let lead = if is_direct {
            rest
        } else {
            // "invests $3M for an upgrade" names no company, "leads a round for Acme" does.
            let links: &[&str] = if is_investing { IN } else { &["in", "into", "for", "of"] };
            rest + place_of(&words[rest..], links)? + 1
        };
        let until = if is_backing { words.len() } else { lead };
        let has_round = self.round(rest..until).is_some()
            || words[rest..until].iter().any(|word| word.is_one_of(&["round", "investment", "funding"]))
            || self.has(Mark::Round, rest..until);
        let is_hoped = self.has(Mark::NotYet, 0..lead) || at > 0 && words[at - 1].bare == "to";
        if is_hoped || self.has_other(rest..until) || self.has(Mark::Fund, rest..lead) {
            return None;
        }
        // "backs Acme's $10M round".
        let is_of_round = has_round || self.round(lead..words.len()).is_some();
        let owner = words[lead..].iter().take(4).position(Word::is_owner).filter(|_| is_direct && is_of_round);
        let has_round = has_round || owner.is_some();
        let owned = || owner.and_then(|at| company_before(&words[lead..=lead + at])).map(|name| (name, true));
        let (company, is_described) = owned().or_else(|| company_in(&words[lead..]))?;
        let first = words[lead..].iter().find(|word| company.starts_with(word.core))?;
        // "invests $10M in Workforce Training" is no round.
        let is_named = is_described
            || company.split(' ').count() <= 2 && !first.is_common() && !self.has(Mark::Cause, lead..words.len());
        let is_plain = is_investing || is_direct;
        let investor = company_before(&words[..at])?;
        let is_stated = money.is_some() || is_of_investors(&investor) || is_described && !first.is_common();
        if !(has_round || is_plain && is_named && is_stated) {
            return None;
        }
        let found = self.funding(company, rest..words.len(), money);
        Some(Funding { investors: vec![investor], ..found })
    }

    /// `Acme's Seed Round Led by Quarry Capital`, `Quarry Capital joins Acme's Series A round`.
    fn owned(&self) -> Option<Funding> {
        let words = self.words;
        let at = words.iter().position(Word::is_owner)?;
        let verb = (0..at).find(|at| ROWS.at(&words[*at..]).any(|row| row.meaning == Shape::Investing));
        let rest = at + 1..words.len();
        let is_round = |at: &usize| words[*at].bare == "round" || self.rounds[*at].is_some();
        let near = || rest.clone().take(6);
        let round = near().find(|at| words[*at].bare == "round").or_else(|| near().find(is_round))?;
        let is_led = LED.iter().any(|led| words[round + 1..].iter().take(2).any(|word| word.bare == *led));
        // The round alone may be spoken of for any reason.
        if verb.is_none() && !is_led || self.round(at + 1..round + 1).is_none() {
            return None;
        }
        let company = company_before(&words[verb.map_or(0, |verb| verb + 1)..=at])?;
        let mut found = self.funding(company, rest.clone(), self.money_in(rest));
        if found.investors.is_empty() {
            found.investors = verb.and_then(|verb| company_before(&words[..verb])).into_iter().collect();
        }
        Some(found)
    }

    /// `$10M Series A for Acme`, `28 Millionen Euro für Acme`.
    fn given(&self, at: usize, rest: usize) -> Option<Funding> {
        // "Levée de fonds : 10 millions d'euros pour Acme".
        let begins_at =
            |at: usize| at == 0 || self.words[at - 1].written.ends_with(':') && self.has(Mark::Called, 0..at);
        let money = self.money_in(0..at).filter(|money| begins_at(money.place.start));
        let round = self.round(0..at);
        let is_called = round.is_some() || self.has(Mark::Round, 0..at);
        let begins = money.is_some()
            || round.is_some() && self.words[0].is_one_of(&["series", "serie"])
            || self.words[at].bare != "for" && self.has(Mark::Called, 0..1);
        if !begins || self.has_other(0..at) || self.has(Mark::NotYet, 0..at) {
            return None;
        }
        let (company, is_described) = company_in(&self.words[rest..])?;
        let is_alone = money.is_some_and(|money| money.place.end == at) && self.words[at].bare != "for";
        let is_plain = is_described && !self.has(Mark::Government, rest..self.words.len());
        let is_round = is_called || is_alone && (is_plain || is_coined(&company));
        is_round.then(|| self.funding(company, 0..self.words.len(), money))
    }

    /// `Acme: $10M Series A to build arms`.
    fn labelled(&self) -> Option<Funding> {
        let at = self.words.iter().take(6).position(|word| word.written.ends_with(':'))?;
        let rest = at + 1..self.words.len();
        let money = self.money_in(rest.clone()).filter(|money| money.place.start == at + 1)?;
        let near = at + 1..self.purpose_from(at + 1);
        // "Acme: 10 Millionen Euro für KI-Startup".
        let behind = &self.words[money.place.end..];
        let is_for = behind.first().is_some_and(|word| word.is_one_of(&["fur", "pour", "para", "per"]))
            && behind.iter().take(4).any(|word| word.is(Class::Descriptor));
        if self.round(near.clone()).is_none() && !is_for || self.has_other(near) {
            return None;
        }
        Some(self.funding(label(&self.words[..=at])?, rest, Some(money)))
    }

    fn funding(&self, company: String, rest: Range<usize>, money: Option<&Money>) -> Funding {
        let words = &self.words[rest.clone()];
        let round =
            self.round(rest.clone()).or_else(|| money.and_then(|money| letter_behind(&self.words[money.place.end..])));
        let signs = [self.has(Mark::Round, rest), round.is_some(), money.is_some()];
        let certainty = signs.into_iter().filter(|sign| *sign).count();
        Funding {
            company,
            amount: money.map(|money| money.amount),
            currency: money.and_then(|money| money.currency),
            round,
            investors: investors(words),
            confidence: [0.6, 0.7, 0.85, 0.95][certainty],
            evidence: String::new(),
        }
    }
}

/// The company that `words` name, of which the last ends with a colon.
fn label(words: &[Word<'_>]) -> Option<String> {
    let words: Vec<Word<'_>> = words.iter().map(|word| Word::new(word.written.trim_end_matches(':'))).collect();
    company_before(&words)
}

/// What stands between an investment and the company.
const IN: &[&str] = &["in", "into", "dans", "en", "em", "na", "no", "nel", "nella"];
/// What ends a verb of investors behind which the company stands at once: `Quarry announces investment in Acme`.
const DIRECT_ENDS: &[&str] = &["in", "de", "bei", "an", "on"];
/// What says who leads a round.
const LED: &[&str] = &["led", "co-led"];

/// Whether a name is no German noun: those end in a few ways.
fn is_coined(name: &str) -> bool {
    let ends = [
        "ung", "heit", "keit", "schaft", "tion", "tionen", "bau", "ausbau", "verkehr", "schutz", "kosten", "en", "er",
        "projekt", "projekte", "straße", "energie", "hilfe", "haus", "amt", "stadt", "land",
    ];
    !name.contains(' ') && !ends.iter().any(|end| name.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::funding;

    #[test]
    fn a_word_in_quotes_of_any_kind_may_stand_before_a_round() {
        for quoted in ["“oversubscribed”", "‘oversubscribed’", "\"oversubscribed\"", "«oversubscribed»"] {
            let found = funding(&format!("Quarrelake closes {quoted} Series A round"));
            assert_eq!(found.and_then(|found| found.round).as_deref(), Some("Series A"), "{quoted}");
        }
    }
}
