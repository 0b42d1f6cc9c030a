//! Rounds in which the investor stands before the company: `Quarry Capital backs Acme`.

use super::Funding;
use super::investors::is_of_investors;
use super::rows::{Mark, ROWS, Shape};
use super::text::Text;
use crate::classification::country::country_of_place;
use crate::extraction::headlines::companies::{company_acting, company_before, company_in};
use crate::extraction::headlines::lexicon::Class;
use crate::extraction::headlines::money::Money;
use crate::extraction::headlines::word::{Word, place_of};

/// What stands between an investment and the company.
const IN: &[&str] = &["in", "into", "on", "dans", "en", "em", "na", "no", "nel", "nella"];
/// What ends a verb of investors behind which the company stands at once: `Quarry announces investment in Acme`.
const DIRECT_ENDS: &[&str] = &["in", "de", "da", "do", "di", "bei", "an", "on", "capital"];
/// How verbs begin that say that money is given.
const GIVING: &[&str] = &[
    "invest", "inviert", "inject", "injecte", "inyect", "injet", "pour", "plow", "plough", "bet", "steekt", "stecken",
    "pump",
];
/// How German verbs of them begin: things have a capital as names do there.
const GERMAN: &[&str] = &["investier", "steck", "pump"];
/// Verbs of other languages by which somebody becomes an owner of a company.
const ENTERING: &[&str] = &["steigt", "stieg", "steigen", "sichert", "entre", "entrent", "entra", "bestatigt", "stapt"];
/// How verbs of other languages begin that tell who leads a round, or takes part in it.
const LEADING: &[&str] = &["lider", "guid", "men", "fuhrt", "leidt", "particip", "entr", "faz", "realiza"];
/// What stands between such a round and the company.
const OF_ROUND: &[&str] = &[
    "na", "no", "em", "en", "nel", "nella", "in", "dans", "de", "da", "do", "di", "del", "della", "bei", "von", "van",
    "pour", "para",
];
/// What stands between an investor and its part.
const AS: &[&str] = &["as", "als", "como", "come", "comme"];
/// What stands between an investor and the capital that it has a part of then, and how that is called.
const INTO: &[&str] = &["a", "dans", "en", "nel"];
const CAPITAL: &[&str] = &["capital", "capitale"];
/// Its part.
const INVESTOR: &[&str] = &[
    "investor", "investors", "investoren", "investeerders", "investisseurs", "investeerder", "investisseur",
    "inversor", "investidor", "investitore", "backer",
];
/// What says who leads a round.
const LED: &[&str] = &["led", "co-led"];

impl Text<'_> {
    /// `Quarry Capital leads $10M Series A in Acme`, `Quarry Capital backs Acme with $10M`.
    pub(super) fn invested(&self, at: usize, rest: usize) -> Option<Funding> {
        let words = self.words;
        let money = self.money_in(rest..words.len());
        let is_backing = words[at].bare.starts_with("back");
        let is_investing = begins(&words[at], GIVING);
        let is_direct = is_backing || rest > at + 1 && words[rest - 1].is_one_of(DIRECT_ENDS);
        let lead = if is_direct { rest } else { self.company_from(at, rest, money)? };
        let until = if is_backing { words.len() } else { lead };
        let has_round = self.round(rest..until).is_some()
            || words[rest..until].iter().any(|word| word.is_one_of(&["round", "investment", "funding"]))
            || self.has(Mark::Round, at..until);
        // "returns to back Acme".
        let is_again = at > 1 && words[at - 2].is_one_of(&["returns", "steps"]);
        let is_hoped = self.has(Mark::NotYet, 0..lead) || at > 0 && words[at - 1].bare == "to" && !is_again;
        if is_hoped || !self.gives(at, rest, money) || self.has_other(rest..until) || self.has(Mark::Fund, rest..lead) {
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
        let is_noun = begins(&words[at], GERMAN) && !is_described && is_with_adjective(&words[lead..], &company);
        let is_place = || money.is_none() && country_of_place(&company).is_some();
        let is_written = first.in_sentence && first.is_large();
        let is_unknown = (!first.is_common() || is_written) && !is_noun && !is_place();
        let is_named = is_described
            || (company.split(' ').count() <= 2 || is_direct)
                && is_unknown
                && !self.has(Mark::Cause, lead..words.len());
        let is_plain = is_investing || is_direct;
        let investor = self.investor(at);
        let is_entering = words[at].is_one_of(ENTERING) && words[rest - 1].is_one_of(DIRECT_ENDS);
        let is_stated = money.is_some()
            || investor.as_deref().is_some_and(is_of_investors)
            || is_described && (!first.is_common() || company.contains(' '))
            || is_written
            || is_entering
            || is_written_as_name(&company, &words[at]);
        // "Investors pour $10M into Acme".
        let is_somebody = investor.is_some() || at > 0 && words[at - 1].is_one_of(INVESTOR);
        if !is_somebody || !(has_round || is_plain && is_named && is_stated) {
            return None;
        }
        let found = self.funding(company, rest..words.len(), money);
        let investors = investor.map_or(found.investors, |name| vec![name]);
        Some(Funding { investors, ..found })
    }

    /// Whether the verb at a place says that money is given, with what stands around it.
    fn gives(&self, at: usize, rest: usize, money: Option<&Money>) -> bool {
        let words = self.words;
        match words[at].bare.as_str() {
            // "Quarry and Stone lead Series A in Acme", but not "takes the lead in".
            "lead" | "co-lead" => {
                money.is_some_and(|money| money.place.start == rest) || self.round(rest..rest + 1).is_some()
            }
            "leading" => at > 0 && words[at - 1].written.ends_with(','),
            "back" => money.is_some() || words[rest..].iter().take(4).any(|word| word.is(Class::Descriptor)),
            // "Anders Invest".
            "invest" => words[at].is_small() || !words[at].in_sentence,
            // "Gewinn steigt bei Acme".
            "steigt" | "stieg" | "steigen" => words[rest..].iter().take(8).any(|word| word.bare == "ein"),
            _ => true,
        }
    }

    /// Who stands before the verb at a place.
    fn investor(&self, at: usize) -> Option<String> {
        let before = &self.words[..at];
        let is_aside = before.last().is_some_and(|word| word.written.ends_with(','));
        let is_nobody = before.last().is_some_and(|word| word.is_one_of(INVESTOR));
        let named = || company_before(before).or_else(|| company_acting(before).filter(|_| is_aside));
        if is_nobody { None } else { named() }
    }

    /// Where the company begins that a verb does not lead to at once.
    fn company_from(&self, at: usize, rest: usize, money: Option<&Money>) -> Option<usize> {
        let verb = &self.words[at];
        if begins(verb, LEADING) {
            return self.led_from(rest, money, verb.bare.starts_with("entr"));
        }
        // "invests $3M for an upgrade" names no company, "leads a round for Acme" does.
        let links: &[&str] = if begins(verb, GIVING) { IN } else { &["in", "into", "for", "of"] };
        Some(rest + place_of(&self.words[rest..], links)? + 1)
    }

    /// Where the company begins of whose round is spoken: `lidera rodada de R$ 300 milhões na Acme`, `entra en Acme`.
    fn led_from(&self, rest: usize, money: Option<&Money>, is_entering: bool) -> Option<usize> {
        let words = self.words;
        if is_entering && words.get(rest)?.is_one_of(IN) && words.get(rest + 1)?.is_large() {
            return Some(rest + 1);
        }
        let round = || (rest..words.len()).find(|at| self.has(Mark::Round, *at..at + 1)).map(|at| at + 1);
        let from = money.map(|money| money.place.end).or_else(round)?;
        Some(from + place_of(&words[from..], OF_ROUND)? + 1)
    }

    /// `Acme gewinnt Quarry als neuen Investor`.
    pub(super) fn joined(&self, at: usize, rest: usize) -> Option<Funding> {
        let words = self.words;
        let is_before_part = |word: &Word<'_>| word.is_one_of(AS) || word.is_one_of(INTO);
        let end = rest + words[rest..].iter().position(is_before_part)?;
        let is_in = words[end].is_one_of(INTO);
        let parts = if is_in { CAPITAL } else { INVESTOR };
        let part = end + words[end..].iter().take(5).position(|word| word.is_one_of(parts))?;
        let is_post = words.get(part + 1).is_some_and(|next| next.is_one_of(&["relations", "services"]));
        let from = words[rest..end].iter().rposition(|word| word.is_one_of(&["including", "with", "mit", "dont"]));
        let investor = company_before(&words[from.map_or(rest, |at| rest + at + 1)..end])?;
        let company = company_before(&words[..at]).filter(|name| !is_of_investors(name))?;
        let is_small = !investor.starts_with(|letter: char| letter.is_uppercase() || letter.is_numeric());
        if is_post || is_small || self.has(Mark::NotYet, 0..part) || self.has_other(rest..part) {
            return None;
        }
        let found = self.funding(company, rest..words.len(), self.money_in(rest..words.len()));
        Some(Funding { investors: vec![investor], ..found })
    }

    /// `Acme's Seed Round Led by Quarry Capital`, `Quarry Capital joins Acme's Series A round`.
    pub(super) fn owned(&self) -> Option<Funding> {
        let words = self.words;
        let at = words.iter().position(Word::is_owner)?;
        let verb = (0..at).find(|at| ROWS.at(&words[*at..]).any(|row| row.meaning == Shape::Investing));
        let rest = at + 1..words.len();
        let is_round = |at: &usize| words[*at].bare == "round" || self.rounds[*at].is_some();
        let near = || rest.clone().take(6);
        let round = near().find(|at| words[*at].bare == "round").or_else(|| near().find(is_round))?;
        let is_led = LED.iter().any(|led| words[round + 1..].iter().take(2).any(|word| word.bare == *led));
        // The round alone may be spoken of for any reason.
        let is_stated = self.round(at + 1..round + 1).is_some() || self.money_in(at + 1..round + 1).is_some();
        if verb.is_none() && !is_led || !is_stated {
            return None;
        }
        let company = company_before(&words[verb.map_or(0, |verb| verb + 1)..=at])?;
        let mut found = self.funding(company, rest.clone(), self.money_in(rest));
        if found.investors.is_empty() {
            found.investors = verb.and_then(|verb| company_before(&words[..verb])).into_iter().collect();
        }
        Some(found)
    }
}

fn begins(verb: &Word<'_>, list: &[&str]) -> bool {
    list.iter().any(|begin| verb.bare.starts_with(begin))
}

/// Whether an adjective belongs to `name`, so that it is a thing: `in neues Werk`, `in Künstliche Intelligenz`.
fn is_with_adjective(words: &[Word<'_>], name: &str) -> bool {
    let ends = |word: &str| ["e", "es", "en", "er"].iter().any(|end| word.ends_with(end));
    let first = name.split(' ').next().unwrap_or(name);
    words.first().is_some_and(|word| word.is_small() && ends(&word.bare)) || name.contains(' ') && first.ends_with('e')
}

/// Whether `name`, which a verb without a sum leads to, is written as no thing is: `TheLorry`, `Acme.nl`, or as a name in a
/// language whose nouns are small.
fn is_written_as_name(name: &str, verb: &Word<'_>) -> bool {
    let mut letters = name.chars().skip_while(|letter| !letter.is_lowercase());
    let has_sign = letters.any(|letter| letter.is_uppercase() && !name.contains(' ') || letter == '.');
    let is_of_two = verb.bare == "investiert" && name.contains(' ');
    has_sign || is_of_two || verb.is_one_of(&["investeert", "investit", "investe", "invierte", "steekt"])
}
