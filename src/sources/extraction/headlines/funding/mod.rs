//! Funding rounds in headlines: who raised how much, in which round, from whom.
//!
//! Duty: pure rules over one headline, by the tables of phrases in `rows`. What raises prices, offers, concerns or a fund is
//! no round, nor is one that is only hoped for. Every finding says on which words it stands, and how certain it is.

mod appearing;
mod claims;
mod investing;
mod investors;
mod nominal;
mod rounds;
pub(super) mod rows;
mod text;

use std::ops::Range;

use self::claims::Claim;
use self::investors::{investor_behind, investors};
use self::rounds::letter_behind;
use self::rows::{COUNTED, Mark, OTHER_BEGINNINGS, ROWS, Shape};
use self::text::Text;
use super::cleaning::{cleaned, from_capitals};
use super::companies::{company_acting, company_before, company_in};
use super::lexicon::Class;
use super::money::Money;
use super::phrases::Phrase;
use super::word::Word;
use crate::bounds::cut;
use crate::classification::country::country_of_place;
use crate::mentions::is_common;
use crate::text::folding::folded;

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
/// Verbs of who makes an investment, and words between them and it.
const MADE: &[&str] = &["announced", "announces", "bestatigt", "closes", "completed", "completes", "made", "makes"];
const MADE_WITHIN: usize = 5;
/// Phrases of a headline that are tried.
const PHRASES_MAX: usize = 6;

/// The round that `headline` tells of.
pub fn funding(headline: &str) -> Option<Funding> {
    let headline = cut(headline, HEADLINE_BYTES_MAX).trim();
    let clean = from_capitals(cleaned(headline));
    let words = Word::all_of(&clean);
    let first = words.first()?;
    let is_number = first.written.chars().all(|letter| letter.is_ascii_digit());
    // "Round da 5 milioni per Acme".
    let is_one_round = first.bare == "round" && words.get(1).is_some_and(|word| word.is_one_of(&["da", "di"]));
    if first.is_one_of(OTHER_BEGINNINGS) && !is_one_round
        || is_number && words.get(1).is_some_and(|word| word.is_one_of(COUNTED))
    {
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
        let phrases = |at: usize| ROWS.at(&self.words[at..]).filter_map(move |row| self.with_verb(at, row));
        let rows: Vec<_> =
            (0..self.words.len()).flat_map(phrases).filter(|(at, length, _)| is_verb_at(at + length)).collect();
        let is_verb = |shape: Shape| !matches!(shape, Shape::Investing | Shape::Given);
        let verbs = || rows.iter().filter(|(.., shape)| is_verb(*shape)).take(PHRASES_MAX);
        let by_verb =
            || verbs().find_map(|&(at, length, shape)| self.raised(verbs().next()?.0, at, at + length, shape));
        let of = |wanted: Shape| rows.iter().filter(move |(.., shape)| *shape == wanted).take(PHRASES_MAX);
        by_verb()
            .or_else(|| verbs().find_map(|&(at, length, _)| self.joined(at, at + length)))
            .or_else(|| of(Shape::Investing).find_map(|&(at, length, _)| self.invested(at, at + length)))
            .or_else(|| self.owned())
            .or_else(|| of(Shape::Given).find_map(|&(at, length, _)| self.given(at, at + length)))
            .or_else(|| self.labelled())
            .or_else(|| self.armed())
            .or_else(|| self.called())
            .or_else(|| of(Shape::Raising).next().and_then(|&(at, length, _)| self.raised_besides(at, at + length)))
    }

    /// Where a phrase begins, how many words it has, and its shape. Of `makes a growth-oriented investment in` the verb is part.
    fn with_verb(&self, at: usize, phrase: &Phrase<Shape>) -> Option<(usize, usize, Shape)> {
        let from = if phrase.text.starts_with("investment") {
            (at.saturating_sub(MADE_WITHIN)..at).rfind(|at| self.words[*at].is_one_of(MADE))?
        } else {
            at
        };
        Some((from, at + phrase.length - from, phrase.meaning))
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
        let company = self.raiser(first_verb).or_else(|| self.founded(money?.place.end))?;
        // Money that the verb does not lead to may be what the company is worth, and the round stand before it.
        [money, None].into_iter().find_map(|led_to| {
            let claim = Claim::of(self, rest, led_to);
            let is_stated = (claim.is_round(shape) || claim.is_got(shape) && is_only_a_name(&company))
                && !claim.is_of_a_fund(first_verb)
                && !claim.is_collected(&self.words[..first_verb], &company);
            let money = led_to.or_else(|| claim.money_of_round(money?));
            is_stated.then(|| self.funding(company.clone(), rest..self.words.len(), money))
        })
    }

    /// `Rivals worry as Acme raises $10M`.
    fn raised_besides(&self, at: usize, rest: usize) -> Option<Funding> {
        let own = self.words[..at].iter().rposition(|word| word.is_one_of(&["as", "while"]))? + 1;
        let text = Text::of(&self.words[own..]);
        text.raised(at - own, at - own, rest - own, Shape::Raising)
    }

    /// The company of founders who raise money: `Two students raise $10M for their robotics startup Acme`.
    fn founded(&self, from: usize) -> Option<String> {
        let [link, owner, rest @ ..] = &self.words[from..] else { return None };
        let is_theirs = link.bare == "for" && owner.is_one_of(&["their", "his", "her"]);
        company_in(rest).filter(|(_, is_described)| is_theirs && *is_described).map(|(name, _)| name)
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
            let colon = before.iter().position(|word| word.written.ends_with(':') || word.is_dash())?;
            let is_described = last.is(Class::Descriptor) && !last.bare.ends_with('s');
            let name = &before[..colon + usize::from(!before[colon].is_dash())];
            if is_described && before.len() - colon < 4 { label(name) } else { None }
        };
        // "Acme - a market for small firms - raises".
        if let Some(dash) = before.iter().rev().find(|word| !word.is(Class::Adverb)).filter(|word| is_dash(word)) {
            return label(&before[..before.iter().position(|word| word.written == dash.written)?]);
        }
        if is_second { acting() } else { company_before(before).or_else(labelled) }
    }

    fn funding(&self, company: String, rest: Range<usize>, money: Option<&Money>) -> Funding {
        let words = &self.words[rest.clone()];
        let round =
            self.round(rest.clone()).or_else(|| money.and_then(|money| letter_behind(&self.words[money.place.end..])));
        let signs = [self.has(Mark::Round, rest), round.is_some(), money.is_some()];
        let certainty = signs.into_iter().filter(|sign| *sign).count();
        let mut investors = investors(words);
        if let Some(money) = money.filter(|_| investors.is_empty()) {
            investors = investor_behind(&self.words[money.place.end..]);
        }
        Funding {
            company,
            amount: money.map(|money| money.amount),
            currency: money.and_then(|money| money.currency),
            round,
            investors,
            confidence: [0.6, 0.7, 0.85, 0.95][certainty],
            evidence: String::new(),
        }
    }
}

/// Whether companies alone are called so: one word that is none of the language, and no place.
fn is_only_a_name(name: &str) -> bool {
    !name.contains(' ') && !is_common(&folded(name)) && country_of_place(name).is_none()
}

fn is_dash(word: &Word<'_>) -> bool {
    word.is_dash() || word.written == "--"
}

/// The company that `words` name, of which the last ends with a colon.
fn label(words: &[Word<'_>]) -> Option<String> {
    let words: Vec<Word<'_>> = words.iter().map(|word| Word::new(word.written.trim_end_matches(':'))).collect();
    company_before(&words)
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
