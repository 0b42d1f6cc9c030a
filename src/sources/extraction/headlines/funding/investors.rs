//! Who gave the money, as headlines name them.

use crate::extraction::headlines::lexicon::Class;
use crate::extraction::headlines::phrases::Phrases;
use crate::extraction::headlines::word::Word;

/// Investors of one round that are taken.
const INVESTORS_MAX: usize = 10;
/// Words of an investor's name.
const NAME_WORDS_MAX: usize = 5;

/// What stands before investors; who leads counts before who is merely named.
static LEADS: Phrases<u8> = Phrases::new(
    "0: co-led by | coled by | led by | backed by | anchored by | von | angefuhrt von | unter fuhrung von | menee par | \
     mene par | aupres de | liderada por | de la mano de | investment by | funding by | round by | round with | \
     placement with | financing with | guidato da | onder leiding van | liderado por | liderado pelos fundos | aupres | \
     inversion de | investimento de | finanzierung durch | strategic investor | lead investor\n1: from",
);
/// What ends the names of investors.
const ENDS: &[&str] = &[
    "to", "for", "at", "as", "in", "with", "after", "amid", "zu", "pour", "para", "um", "on", "despite", "bringing",
    "valuing", "ahead",
];
/// What begins with one of these names nobody.
const OTHERS: &[&str] = &[
    "stealth", "others", "other", "investors", "existing", "new", "more", "angel", "series", "seed", "pre-seed", "top",
    "leading", "institutional", "accredited", "investoren", "investisseurs", "inversores", "investidores", "business",
];
/// What stands behind a number that is a sum.
const UNITS: &[&str] = &["mio", "mrd", "millionen", "milliarden", "million"];

/// Who invested, as the words behind `led by` and the like name them.
pub fn investors(rest: &[Word<'_>]) -> Vec<String> {
    let mut claims: Vec<(u8, Vec<String>)> = Vec::new();
    let mut at = 0;
    while at < rest.len() {
        match LEADS.at(&rest[at..]).next() {
            Some(lead) => {
                at += lead.length;
                let (length, names) = names(&rest[at..]);
                claims.push((lead.meaning, names));
                at += length;
            }
            None => at += 1,
        }
    }
    claims.sort_by_key(|(rank, _)| *rank);
    claims.into_iter().map(|(_, names)| names).find(|names| !names.is_empty()).unwrap_or_default()
}

/// Who invested, where an investor's name stands next to the money: `10 milioni da Quarry Ventures`.
pub fn investor_behind(money_end: &[Word<'_>]) -> Vec<String> {
    let [link, rest @ ..] = money_end else { return Vec::new() };
    let is_link = link.is_one_of(&["de", "da", "do", "van", "par"]);
    if is_link { names(rest).1.into_iter().filter(|name| is_of_investors(name)).collect() } else { Vec::new() }
}

/// The names at the beginning of `words`, and how many words they take.
fn names(words: &[Word<'_>]) -> (usize, Vec<String>) {
    let mut names: Vec<String> = Vec::new();
    let (mut at, mut begun) = (0, 0);
    loop {
        let word = words.get(at);
        let is_over = word.is_none_or(|word| {
            let is_lead = LEADS.length_at(&words[at..]) > 0;
            at > 0 && word.is_one_of(ENDS) || word.is_dash() || is_lead
        });
        let is_between = word
            .is_some_and(|word| matches!(word.bare.as_str(), "and" | "und" | "y" | "et" | "e") || word.written == "&");
        if is_over || is_between {
            names.extend(name(&words[begun..at]));
            begun = at + 1;
        }
        let Some(word) = word.filter(|_| !is_over) else { break };
        at += 1;
        let is_end = word.written.ends_with([';', ':'])
            || word.written.ends_with('.') && word.ends_part() && !word.core.contains('.');
        if !is_between && (is_end || word.written.ends_with(',')) {
            names.extend(name(&words[begun..at]));
            begun = at;
        }
        if is_end {
            break;
        }
    }
    names.truncate(INVESTORS_MAX);
    (at, names)
}

fn name(words: &[Word<'_>]) -> Option<String> {
    let (first, last) = (words.first()?, words.last()?);
    let begins = first.core.starts_with(|letter: char| letter.is_uppercase() || letter.is_numeric())
        || first.is_small() && first.core.chars().any(char::is_numeric);
    // "Quarry-backed angels".
    let is_kind = words.len() > 1 && matches!(last.core, "angels" | "investors" | "funds");
    let is_number = first.core.starts_with(char::is_numeric);
    let is_unit = |next: &Word<'_>| next.is_small() || next.is_one_of(UNITS);
    let is_sum = first.written.contains(['€', '$', '£']) || is_number && words.get(1).is_some_and(is_unit);
    let is_name = begins && !is_sum && !is_kind && !first.is_one_of(OTHERS) && words.len() <= NAME_WORDS_MAX;
    let written: Vec<&str> = words.iter().map(|word| word.written).collect();
    let name = written.join(" ");
    let name = ["d'", "d’", "D'", "D’"].iter().find_map(|article| name.strip_prefix(article)).unwrap_or(&name);
    is_name.then(|| name.trim_end_matches([',', '.', ')', ';', ':']).to_owned())
}

/// Whether `name` has a word that investors are called.
pub fn is_of_investors(name: &str) -> bool {
    Word::all_of(name).iter().any(|word| word.is(Class::Investor))
}
