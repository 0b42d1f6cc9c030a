//! Whether a text mentions a company: by its domain, or by its name, which an ambiguous one does only together with a
//! second sign.
//!
//! Duty: pure rules. Second signs are the domain, the ticker, another name of the company, a product or a person of it,
//! or a legal form behind the name. What the company publishes itself is no mention.

use std::iter;
use std::ops::Range;

use url::Url;

use super::ambiguity::{Ambiguity, is_common};
use super::words::{Word, Words, is_same};
use crate::bounds::cut;
use crate::text::pattern::{Pattern, WordSet};
use domain::content::company_name::is_plain_legal_form;
use outbound::reading;

/// Endings of domains that are kept for examples (RFC 2606).
const ENDINGS_OF_TESTS: &[&str] = &["example", "invalid", "test"];
/// Bytes of a text without white space in which a host is looked for at once; longer than a host and what stands before it.
const PIECE_BYTES_MAX: usize = 400;
/// Where shares are traded, as texts write it before a symbol.
static EXCHANGES: WordSet = WordSet::new("amex asx bse euronext hkex lse nasdaq nse nyse omx otc six tse tsx xetra");

/// A company as texts mention it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mentioned {
    /// Its name.
    pub name: Option<String>,
    /// Its domain.
    pub domain: Option<String>,
    /// The symbol of its shares.
    pub ticker: Option<String>,
    /// Its other names, its products and its people.
    pub signs: Vec<String>,
    /// The beginnings of the addresses of its own accounts, without the scheme.
    pub own_places: Vec<String>,
}

/// Why an item counts as a mention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// The domain stands in a text, or a link leads there.
    Domain,
    /// The name, which means nothing else.
    Name,
    /// The name, and the ticker.
    NameAndTicker,
    /// The name, and another name, a product or a person.
    NameAndSign,
    /// The name, and a legal form behind it.
    NameAndLegalForm,
}

impl Mentioned {
    /// Why an item with these texts mentions the company; `None` where it does not. The first of the addresses is the
    /// item's own, the others are links in it.
    pub fn evidence(&self, texts: &[String], addresses: &[Url]) -> Option<Evidence> {
        if addresses.first().is_some_and(|url| self.is_own(url)) {
            return None;
        }
        let links = addresses.iter().skip(1).any(|url| url.host_str().is_some_and(|host| self.is_own_host(host)));
        if links || texts.iter().any(|text| hosts_in(text).any(|(_, host)| self.is_own_host(&host))) {
            return Some(Evidence::Domain);
        }
        let plain: Vec<String> = texts.iter().map(|text| without_hosts(text)).collect();
        let texts: Vec<Words<'_>> = plain.iter().map(|text| Words::of(text)).collect();
        self.by_name(&texts)
    }

    /// Whether the page at `url` is published by the company itself.
    pub fn is_own(&self, url: &Url) -> bool {
        let Some(host) = url.host_str() else { return false };
        let address = format!("{}{}", without_www(host), url.path()).to_lowercase();
        let is_below = |place: &String| {
            let place = without_www(place.trim_end_matches('/')).to_lowercase();
            let rest = address.strip_prefix(&place);
            !place.is_empty() && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        self.is_own_host(host) || self.own_places.iter().any(is_below)
    }

    fn is_own_host(&self, host: &str) -> bool {
        let Some(domain) = self.domain.as_deref().filter(|domain| !domain.is_empty()) else { return false };
        host.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    }

    fn by_name(&self, texts: &[Words<'_>]) -> Option<Evidence> {
        let name = self.name.as_deref()?;
        let phrase = Words::of(name);
        let places = texts.iter().flat_map(|text| text.places(&phrase).map(move |place| (text, place)));
        let mut places: Vec<Place<'_>> = places.collect();
        if places.is_empty() {
            return None;
        }
        let as_written = |(text, place): &Place<'_>| is_written_as(&text.all()[place.clone()], phrase.all());
        match Ambiguity::of(name) {
            Ambiguity::Distinct => return Some(Evidence::Name),
            Ambiguity::AsWritten => {
                let is_single = phrase.all().len() == 1;
                // In a headline capitals say nothing, but what a headline begins with is its subject.
                let is_named = |text: &Words<'_>| {
                    let is_free = is_single || !text.is_headline();
                    text.places(&phrase).any(|place| (is_free || place.start == 0) && as_written(&(text, place)))
                };
                if texts.iter().any(is_named) {
                    return Some(Evidence::Name);
                }
            }
            Ambiguity::Ambiguous(_) => places.retain(as_written),
        }
        self.second_sign(texts, &places)
    }

    /// What else in the texts says that the name means the company.
    fn second_sign(&self, texts: &[Words<'_>], places: &[Place<'_>]) -> Option<Evidence> {
        if places.is_empty() {
            return None;
        }
        if self.ticker.as_ref().is_some_and(|ticker| texts.iter().any(|text| has_ticker(text, ticker))) {
            return Some(Evidence::NameAndTicker);
        }
        let has_sign = |sign: &String| {
            is_telling(sign, self.name.as_deref()) && texts.iter().any(|text| text.have(&Words::of(sign)))
        };
        if self.signs.iter().any(has_sign) {
            return Some(Evidence::NameAndSign);
        }
        let mut behind = places.iter().filter_map(|(text, place)| text.all().get(place.end));
        behind.any(|word| is_plain_legal_form(&word.folded)).then_some(Evidence::NameAndLegalForm)
    }
}

/// A text, and where the name stands in it.
type Place<'a> = (&'a Words<'a>, Range<usize>);

/// Whether `sign` says something that the name does not.
fn is_telling(sign: &str, name: Option<&str>) -> bool {
    let words = Words::of(sign);
    let is_name = name.is_some_and(|name| is_same(Words::of(name).all(), words.all()));
    match words.all() {
        [] => false,
        [word] => !is_name && word.folded.chars().count() > 3 && !is_common(&word.folded),
        _ => !is_name,
    }
}

/// Whether a place is written as a name: abbreviations exactly, other names with capitals where the name has them.
fn is_written_as(place: &[Word<'_>], name: &[Word<'_>]) -> bool {
    place.iter().zip(name).all(|(word, wanted)| {
        let is_abbreviation = wanted.is_all_capitals() && (2..=3).contains(&wanted.written.chars().count());
        word.written == wanted.written || word.folded == "the" || !is_abbreviation && word.is_capitalised()
    })
}

/// Whether `ticker` stands in a text as the symbol of shares: `$ACM`, `NYSE: ACM`, `(ACM)`, or alone where it is long.
fn has_ticker(text: &Words<'_>, ticker: &str) -> bool {
    let symbol = Words::of(ticker);
    let words = text.all();
    let is_exact =
        |place: &[Word<'_>]| place.iter().map(|word| word.written).eq(symbol.all().iter().map(|word| word.written));
    let is_symbol = |(at, place): (usize, &[Word<'_>])| {
        let (before, gap) = (words[..at].last(), place[0].gap);
        let is_exchange = |word: &Word<'_>| EXCHANGES.contains(&word.folded);
        let is_marked = before.is_some_and(|word| word.written == "$" && gap.is_empty() || is_exchange(word));
        let is_in_brackets =
            gap.ends_with('(') && words.get(at + place.len()).is_none_or(|next| next.gap.starts_with(')'));
        is_marked || is_in_brackets || ticker.len() > 3
    };
    words.windows(symbol.all().len().max(1)).enumerate().filter(|(_, place)| is_exact(place)).any(is_symbol)
}

/// The hosts that a text names.
pub fn hosts(text: &str) -> impl Iterator<Item = String> {
    hosts_in(text).map(|(_, host)| host)
}

/// The hosts that a text names, as domains, addresses or e-mail addresses, each with the place where it stands.
fn hosts_in(text: &str) -> impl Iterator<Item = (Range<usize>, String)> {
    let runs = text.split(char::is_whitespace).filter(|run| !run.is_empty()).take_while(|_| reading::goes_on());
    let found = runs.flat_map(move |run| {
        let at = run.as_ptr().addr() - text.as_ptr().addr();
        addresses_in(run).map(move |(place, host)| (at + place.start..at + place.end, host))
    });
    found.filter_map(|(place, host)| Some((place, known_host(host)?)))
}

/// What looks like an address in a text without white space: where it stands, and its host. The expression is handed one
/// short piece after the other: it looks to the end of a piece for an `@`, from each host in it.
fn addresses_in(run: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    static ADDRESS: Pattern = Pattern::new(
        r"(?:https?://)?(?:[\p{L}\p{N}._%+-]+@)?((?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+\p{L}{2,24})",
    );
    let mut at = 0;
    iter::from_fn(move || {
        while at < run.len() && reading::goes_on() {
            let piece = piece_of(&run[at..]);
            let Some(found) = ADDRESS.captures(piece) else {
                at += piece.len();
                continue;
            };
            let (whole, host) = (found.get(0)?, found.get(1)?);
            let (start, end) = (at + whole.start(), at + whole.end());
            at = end + path_bytes(&run[end..]);
            return Some((start..at, host.as_str()));
        }
        None
    })
}

/// The beginning of `run`; of a long one up to a sign that no host has in it, so that none is cut in two.
fn piece_of(run: &str) -> &str {
    let piece = cut(run, PIECE_BYTES_MAX);
    if piece.len() == run.len() {
        return run;
    }
    let is_between = |letter: char| !letter.is_alphanumeric() && !"._%+-@".contains(letter);
    let end = piece.rfind(is_between).filter(|end| *end > 0).unwrap_or(piece.len());
    &piece[..end]
}

/// How much of what stands behind a host belongs to its address: of text without blanks up to the next sign of its own.
fn path_bytes(behind: &str) -> usize {
    let ends = |letter: char| {
        let is_of_text =
            matches!(letter, '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ff65}') && !letter.is_alphanumeric();
        is_of_text || matches!(letter, '<' | '>')
    };
    match behind.starts_with(['/', '?', '#', ':']) {
        true => behind.find(ends).unwrap_or(behind.len()),
        false => 0,
    }
}

/// What looks like a host, if it is one, in lower case and ASCII.
fn known_host(host: &str) -> Option<String> {
    // "today.In" is the end of a sentence.
    let ending = host.rsplit('.').next()?;
    let is_written = ending.chars().all(char::is_lowercase) || ending.chars().all(char::is_uppercase);
    let host = host.to_lowercase();
    let host =
        if host.is_ascii() { host } else { Url::parse(&format!("https://{host}/")).ok()?.host_str()?.to_owned() };
    let is_host =
        ENDINGS_OF_TESTS.contains(&ending) || psl::suffix(host.as_bytes()).is_some_and(|suffix| suffix.is_known());
    (is_written && is_host).then_some(host)
}

/// `text` with a blank in the place of every host, so that no part of one is taken for a word.
fn without_hosts(text: &str) -> String {
    let (mut rest, mut at) = (String::with_capacity(text.len()), 0);
    for (place, _) in hosts_in(text) {
        rest.push_str(&text[at..place.start]);
        rest.push_str(" \u{b7}\u{b7} ");
        at = place.end;
    }
    rest.push_str(&text[at..]);
    rest
}

fn without_www(address: &str) -> &str {
    address.strip_prefix("www.").unwrap_or(address)
}
