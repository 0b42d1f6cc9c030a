//! Amounts of money in headlines: `$12M`, `12 Mio. Euro`, `SEK 50 million`.
//!
//! Duty: words to amounts, their currencies and where they stand. Pure.

use std::borrow::Cow;
use std::ops::Range;

use super::word::Word;
use crate::text::folding::folded;

/// An amount of money in a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Money {
    /// How much, in units of the currency.
    pub amount: f64,
    /// ISO 4217; `None` where the text names millions and no currency.
    pub currency: Option<&'static str>,
    /// The words that it takes.
    pub place: Range<usize>,
}

/// Currencies, each with its signs before an amount and with its names behind one, folded; names go on as they like.
const CURRENCIES: &[(&str, &str, &str)] = &[
    ("USD", "us$ $us usd $", "dollar dolar us$ $ usd"),
    ("CAD", "ca$ c$ cad cdn$", "cad"),
    ("AUD", "au$ a$ aud", "aud"),
    ("NZD", "nz$ nzd", ""),
    ("SGD", "s$ sgd", "sgd"),
    ("HKD", "hk$ hkd", ""),
    ("BRL", "r$ brl", "reais"),
    ("TWD", "nt$", ""),
    ("MXN", "mx$", ""),
    ("AED", "aed", ""),
    ("SAR", "sar", ""),
    ("ZAR", "zar", ""),
    ("NGN", "ngn", ""),
    ("KES", "kes", ""),
    ("EGP", "egp", ""),
    ("MYR", "myr rm", ""),
    ("IDR", "idr", ""),
    ("THB", "thb", ""),
    ("CZK", "czk", ""),
    ("HUF", "huf", ""),
    ("EUR", "eur €", "euro € eur"),
    ("GBP", "gbp £", "pound pfund libra livre £ gbp"),
    ("CHF", "chf", "franken franc chf"),
    ("SEK", "sek", "sek"),
    ("NOK", "nok", "nok"),
    ("DKK", "dkk", "dkk"),
    ("INR", "inr rs ₹", "rupee inr"),
    ("JPY", "jpy ¥", "yen"),
    ("CNY", "cny rmb", "yuan"),
    ("KRW", "krw ₩", ""),
    ("PLN", "pln", ""),
    ("ILS", "ils ₪", ""),
];
/// Words behind a number, each row with what they multiply it by.
const UNITS: &[(f64, &str)] = &[
    (1e3, "k thousand tausend mille mil"),
    (1e5, "l lac lacs lakh lakhs"),
    (
        1e6,
        "m mi mm mn mln mio million millions millionen millones milioni milhoes miljoen miljoner millioner milhao millon milione",
    ),
    (1e7, "cr crs crore crores"),
    (
        1e9,
        "b bi bn billion billions md mds mrd mld milliarden milliarde milliards milliard miliardi miljard bilhoes bilhao \
         miliardo",
    ),
];
/// Millions that newspapers of some languages name without a currency.
const PLAIN_MILLIONS: &[&str] = &[
    "millions", "millionen", "millones", "milioni", "milhoes", "miljoen", "milliarden", "milliards", "miliardi",
    "miljard",
];
/// One of such millions: `haalt miljard op`, `lève un million`.
const ONE: &[&str] = &["un", "uma", "um", "een", "eine", "una"];
const ONE_UNIT: &[&str] =
    &["million", "milliard", "millon", "milhao", "miljoen", "miljard", "milliarde", "milione", "miliardo", "bilhao"];
/// What stands behind such millions, which are no users or items.
const BEHIND_PLAIN: &[&str] = &[
    "pour", "para", "per", "fur", "von", "et", "e", "y", "und", "zur", "zum", "um", "bei", "aupres", "op", "nach",
    "mit", "avec", "con", "com", "dans", "in", "em", "por", "voor", "van", "a", "ein", "eingesammelt", "binnen",
    "leves", "levees", "recaudados", "captados", "raccolti", "guidato", "liderada", "liderado", "en", "af", "aan",
    "auf",
];
/// What ends a word of an amount of millions: `10-Millionen-Finanzierung`.
const ENDS_OF_MONEY: &[&str] = &["finanzierung", "finanzierungsrunde", "runde", "investment", "investition", "spritze"];
/// What such millions are of, where they are money.
const OF_MONEY: &[&str] = &[
    "investimento", "investimenti", "inversion", "investissement", "financiacion", "financiamiento", "financiamento",
    "finanziamento", "financement", "capital", "capitale", "fonds",
];
/// Groups of three figures behind a number.
const GROUPS_MAX: usize = 3;
/// Numbers of one text that may be amounts and are looked at.
const NUMBERS_MAX: usize = 12;

/// The amounts in `words`, in order. A number with neither a currency nor millions of money is none.
pub fn amounts(words: &[Word<'_>]) -> Vec<Money> {
    let is_one = |at: usize| words[at].is_one_of(ONE) && words.get(at + 1).is_some_and(|next| next.is_one_of(ONE_UNIT));
    let is_number = |at: &usize| words[*at].written.contains(|letter: char| letter.is_ascii_digit()) || is_one(*at);
    let numbers = (0..words.len()).filter(is_number);
    numbers.take(NUMBERS_MAX).filter_map(|at| money(words, at)).collect()
}

/// The amount whose number stands in the word at a place.
fn money(words: &[Word<'_>], at: usize) -> Option<Money> {
    let (written, last) = grouped(words, at);
    let word = written.trim_matches(|letter: char| "()[]~+<>“”\"‘’',;:.?!*".contains(letter));
    let word = ["d'", "d’", "D'", "D’"].iter().find_map(|article| word.strip_prefix(article)).unwrap_or(word);
    let (sign, rest) = word.split_at(word.find(|letter: char| letter.is_ascii_digit())?);
    let end = rest.find(|letter: char| !(letter.is_ascii_digit() || ",.'".contains(letter))).unwrap_or(rest.len());
    let number = number_before(rest, end)?;
    let sign = folded(sign.trim_start_matches(['~', '+', '<', '>']));
    let before =
        at.checked_sub(1).map(|before| folded(words[before].written.trim_matches(['.', '(']))).unwrap_or_default();
    let signed =
        |sign: &str| CURRENCIES.iter().find(|row| row.1.split(' ').any(|known| known == sign)).map(|row| row.0);
    let own = signed(&sign);
    if own.is_none() && !sign.is_empty() {
        return None;
    }
    let mut place = at..last + 1;
    let before = if own.is_none() { signed(&before) } else { None };
    place.start -= usize::from(before.is_some());
    // What stands behind the number in its word, and up to three words behind it.
    let (mut unit, mut behind, is_named) = tail(&folded(rest[end..].trim_start_matches('-')))?;
    let is_open = !words[last].written.ends_with([',', ';', ':']);
    for (next_at, next) in words.iter().enumerate().skip(last + 1).take(4).take_while(|_| is_open) {
        let part = next.bare.strip_prefix("d'").unwrap_or(&next.bare);
        let first = part.split('-').next().unwrap_or_default();
        let is_linked = matches!(part, "de" | "di" | "of" | "in" | "d" | "us");
        let is_code = next.core.len() == 3 && next.core.chars().all(char::is_uppercase);
        let sign = next.written.trim_start_matches(['d', 'D', '\'', '’']).trim_end_matches([',', '.']);
        let name = || part.split('-').find_map(named).or_else(|| named(sign));
        match (factor(first), name()) {
            (Some(factor), _) if unit.is_none() && first != "l" => {
                unit = Some(factor);
                behind =
                    behind.or(next.written.char_indices().next_back().and_then(|(at, _)| named(&next.written[at..])));
            }
            // "3 mil millones".
            (Some(1e6), _) if unit == Some(1e3) && words[next_at - 1].bare == "mil" => unit = Some(1e9),
            (_, Some(name)) if behind.is_none() && (is_code || own.or(before).is_none()) => behind = Some(name),
            _ if is_linked && unit.is_some() && behind.or(own).or(before).is_none() => continue,
            _ => break,
        }
        place.end = next_at + 1;
        if next.written.ends_with([',', ';', ':']) {
            break;
        }
    }
    let currency = behind.or(own).or(before);
    let is_money = currency.is_some() || is_named || is_plain(words, last);
    // To the cent: 4.1 million is not 4,099,999.9999999995.
    let amount = (number * unit.unwrap_or(1.0) * 100.0).round() / 100.0;
    (is_money && amount > 0.0 && amount.is_finite()).then_some(Money { amount, currency, place })
}

/// What the end of a number's word says: the unit, the currency, and whether it is of money: `12m€`, `10-Millionen-Runde`.
fn tail(text: &str) -> Option<(Option<f64>, Option<&'static str>, bool)> {
    let (mut unit, mut behind, mut is_named) = (None, None, false);
    let tail = text.split('+').next().unwrap_or_default();
    for part in tail.split('-').filter(|part| !part.is_empty()) {
        let letters = part.trim_end_matches(['€', '$', '£']);
        let sign = named(&part[letters.len()..]);
        match (factor(letters), named(letters)) {
            (Some(factor), _) if unit.is_none() => unit = Some(factor),
            (_, Some(name)) => behind = Some(name),
            _ if letters.is_empty() || unit.is_some() => is_named |= ENDS_OF_MONEY.contains(&letters),
            _ => return None,
        }
        behind = behind.or(sign);
    }
    Some((unit, behind, is_named))
}

/// The number in the word at a place, and the last word that it takes: `400 000` is one, and `un` million is one million.
fn grouped<'a>(words: &[Word<'a>], at: usize) -> (Cow<'a, str>, usize) {
    let first = words[at].written;
    let is_begun = first.ends_with(|letter: char| letter.is_ascii_digit())
        && first.trim_start_matches(|letter: char| !letter.is_ascii_digit()).len() <= 3;
    let is_group = |word: &&Word<'_>| {
        let rest = word.written.trim_start_matches(|letter: char| letter.is_ascii_digit());
        word.written.len() - rest.len() == 3 && !rest.contains(|letter: char| letter.is_ascii_digit())
    };
    if words[at].is_one_of(ONE) {
        return ("1".into(), at);
    }
    let groups = words[at + 1..].iter().take(GROUPS_MAX).take_while(|word| is_begun && is_group(word));
    let groups: Vec<&str> = groups.map(|word| word.written).collect();
    (if groups.is_empty() { first.into() } else { (first.to_owned() + &groups.concat()).into() }, at + groups.len())
}

/// Whether millions of money stand at a place without their currency: `lève 300 millions pour grandir`.
fn is_plain(words: &[Word<'_>], at: usize) -> bool {
    let is_of_money = || words.get(at + 3).is_some_and(|of| of.is_one_of(OF_MONEY) || of.is_large());
    let is_behind = |next: &Word<'_>| {
        next.is_one_of(BEHIND_PLAIN) || next.is_dash() || next.is_one_of(&["de", "di"]) && is_of_money()
    };
    let is_over = |unit: &Word<'_>| unit.ends_part() || words.get(at + 2).is_none_or(is_behind);
    words.get(at + 1).is_some_and(|unit| unit.is_one_of(PLAIN_MILLIONS) && is_over(unit))
}

/// The number that the first `end` bytes of `word` are: `6.006M` are six millions and a bit.
fn number_before(word: &str, end: usize) -> Option<f64> {
    let figures = word[..end].trim_end_matches([',', '.', '\'']);
    let is_point = figures.matches('.').count() == 1 && !figures.contains(',');
    if is_point && word[end..].starts_with(['M', 'm', 'B', 'b']) { figures.parse().ok() } else { number(figures) }
}

/// The currency that is called so behind an amount: codes as they are, names in any form.
fn named(word: &str) -> Option<&'static str> {
    let is_it = |known: &str| word == known || known.len() > 3 && word.starts_with(known);
    CURRENCIES.iter().find(|row| row.2.split_whitespace().any(is_it)).map(|row| row.0)
}

fn factor(word: &str) -> Option<f64> {
    UNITS.iter().find(|row| row.1.split(' ').any(|known| known == word)).map(|row| row.0)
}

/// `1,200.5`, `1.200`, `12,5` and `12.5` as numbers.
fn number(text: &str) -> Option<f64> {
    let groups = text.split([',', '.', '\'']).collect::<Vec<_>>();
    let is_grouped = groups.len() > 1 && groups[1].len() == 3;
    if !is_grouped {
        return text.replace(',', ".").parse().ok();
    }
    let (whole, fraction) = match text.rsplit_once('.') {
        Some((whole, fraction)) if fraction.len() != 3 => (whole, fraction),
        _ => (text, "0"),
    };
    let digits: String = whole.chars().filter(char::is_ascii_digit).collect();
    format!("{digits}.{fraction}").parse().ok()
}
#[cfg(test)]
mod tests {
    use super::{Money, Word, amounts};

    fn found(text: &str) -> Vec<Money> {
        amounts(&Word::all_of(text))
    }

    #[test]
    fn amounts_are_read_in_the_forms_of_several_countries() {
        for (text, wanted) in [
            ("raises $12M Series A", Some((12e6, "USD"))),
            ("raises US$12 million", Some((12e6, "USD"))),
            ("raises $1.5 billion", Some((1.5e9, "USD"))),
            ("raises €4,5 Mio. from", Some((4.5e6, "EUR"))),
            ("sammelt 12 Millionen Euro ein", Some((12e6, "EUR"))),
            ("lève 12 millions d'euros", Some((12e6, "EUR"))),
            ("levanta 3 millones de euros", Some((3e6, "EUR"))),
            ("£750k seed", Some((750e3, "GBP"))),
            ("SEK 50m", Some((50e6, "SEK"))),
            ("CHF 2 million", Some((2e6, "CHF"))),
            ("Rs 40 crore", Some((400e6, "INR"))),
            ("A$30m", Some((30e6, "AUD"))),
            ("$1,250,000", Some((1.25e6, "USD"))),
            ("A$6.006M", Some((6.006e6, "AUD"))),
            ("1.200 Millionen Euro", Some((1.2e9, "EUR"))),
            ("R$150 mi", Some((150e6, "BRL"))),
            ("$US25 million", Some((25e6, "USD"))),
            ("$2M Audio company", Some((2e6, "USD"))),
            ("2 million audiences", None),
            ("$2.75M CAD", Some((2.75e6, "CAD"))),
            ("chiude un round da 3 milioni di euro", Some((3e6, "EUR"))),
            ("$12-million round", Some((12e6, "USD"))),
            ("12 million users", None),
            ("raises 12 points", None),
            ("offers 12 things", None),
            ("lève 300 millions pour grandir", Some((300e6, "-"))),
            ("gewinnt 3 Millionen Kunden", None),
            ("Series B", None),
            ("annonce une levée de 400 000 euros", Some((400e3, "EUR"))),
            ("lève 1 250 000€ pour", Some((1.25e6, "EUR"))),
            ("lève d’1,1 million d’€", Some((1.1e6, "EUR"))),
            ("lève un million d'euros", Some((1e6, "EUR"))),
            ("erhält 44 Millionen US-Dollar", Some((44e6, "USD"))),
            ("capta 3 mil millones de dólares", Some((3e9, "USD"))),
            ("recebe 25 milhões de investimento", Some((25e6, "-"))),
            ("atinge 25 milhões de utilizadores", None),
        ] {
            let amounts = found(text).first().map(|money| (money.amount, money.currency.unwrap_or("-")));
            assert_eq!(amounts, wanted, "{text}");
        }
    }

    #[test]
    fn several_amounts_are_kept_apart() {
        let amounts = found("valued at $2 billion in €20 million round");
        assert_eq!(amounts.iter().map(|money| money.amount).collect::<Vec<_>>(), [2e9, 20e6]);
        let amounts = found("raises $12M at a $90M valuation");
        assert_eq!(amounts.iter().map(|money| money.amount).collect::<Vec<_>>(), [12e6, 90e6]);
        assert_eq!(amounts[0].place, 1..2);
    }
}
