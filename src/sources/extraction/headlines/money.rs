//! Amounts of money in headlines: `$12M`, `12 Mio. Euro`, `SEK 50 million`.
//!
//! Duty: text to an amount, its currency and where it stands. Pure.

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use outbound::reading;

/// An amount of money in a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Money {
    /// How much, in units of the currency.
    pub amount: f64,
    /// ISO 4217.
    pub currency: &'static str,
    /// Where it stands, in bytes.
    pub place: Range<usize>,
}

/// Currencies, each with its signs and with its names behind an amount.
const CURRENCIES: &[(&str, &str, &str)] = &[
    ("USD", "us$ usd $", "dollar dólar dolar usd us$ $"),
    ("CAD", "ca$ c$ cad", "cad"),
    ("AUD", "au$ a$ aud", "aud"),
    ("NZD", "nz$ nzd", ""),
    ("SGD", "s$ sgd", "sgd"),
    ("HKD", "hk$ hkd", ""),
    ("BRL", "r$ brl", ""),
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
    ("EUR", "eur €", "euro eur €"),
    ("GBP", "gbp £", "pound pfund libra livre gbp £"),
    ("CHF", "chf", "franken franc chf"),
    ("SEK", "sek", "sek"),
    ("NOK", "nok", "nok"),
    ("DKK", "dkk", "dkk"),
    ("INR", "inr rs. rs ₹", "rupee inr"),
    ("JPY", "jpy ¥", "yen"),
    ("CNY", "cny rmb", ""),
    ("KRW", "krw ₩", ""),
    ("PLN", "pln", ""),
    ("ILS", "ils ₪", ""),
];

/// Numbers of one text that may be amounts and are looked at.
const NUMBERS_MAX: usize = 12;

/// The amounts in `text`, in order. A number without a currency is none.
pub fn amounts(text: &str) -> impl Iterator<Item = Money> {
    static AMOUNT: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let signs = one_of(CURRENCIES.iter().flat_map(|(_, signs, _)| signs.split(' ')));
        let names = one_of(CURRENCIES.iter().flat_map(|(_, _, names)| names.split_whitespace()));
        Regex::new(&format!(
            r"(?xi) (?:(?P<sign>{signs})\s?)? (?P<number>\d{{1,3}}(?:[,.\u{{a0}}']\d{{3}})+(?:\.\d+)?|\d+(?:[.,]\d{{1,2}})?)
            (?:[\s\u{{a0}}-]?(?P<unit>thousand|tausend|mille|mil|millionen|millones|milioni|millions|million|miljoner|millioner|mio\.?|mln|mn|mm|m|
            milliarden|milliards|milliard|miliardi|billion|billions|mrd\.?|bn|b|k|crores?|crs?|lakhs?|lacs?|l)\b\.?)?
            (?:[\s\u{{a0}}-]*(?:d'|d’|de\s|di\s|of\s|in\s)?\s?(?P<name>{names})[\p{{L}}]*)?",
        ))
        .ok()
    });
    let mut from = 0;
    let next = move || {
        reading::count(1);
        let captures = AMOUNT.as_ref()?.captures_at(text, from)?;
        let (whole, number) = (captures.get(0)?, captures.name("number")?);
        let name = captures.name("name").filter(|name| is_next_sign(text, name.end()));
        from = name.map_or(whole.end(), |name| name.start()).max(number.end());
        Some(money(text, &captures))
    };
    std::iter::from_fn(next).take(NUMBERS_MAX).flatten()
}

/// A pattern of `words`, the longer before those that they begin with.
fn one_of<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let mut words: Vec<String> = words.map(regex::escape).collect();
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    words.join("|")
}

/// The currency whose signs or names, as `part` picks them, have `text` among them.
fn currency(
    text: &str,
    part: impl Fn(&(&'static str, &'static str, &'static str)) -> &'static str,
) -> Option<&'static str> {
    let text = text.to_lowercase();
    CURRENCIES.iter().find(|row| part(row).split(' ').any(|known| known == text)).map(|(code, ..)| *code)
}

/// Whether a currency that ends there is the sign of the next amount: `$2 billion in €20 million round`.
fn is_next_sign(text: &str, end: usize) -> bool {
    text[end..].trim_start().starts_with(|letter: char| letter.is_ascii_digit())
}

fn money(text: &str, found: &Captures<'_>) -> Option<Money> {
    let whole = found.get(0)?;
    let sign = found.name("sign").filter(|sign| stands_apart(text, sign.start(), sign.as_str()));
    let before = sign.and_then(|sign| currency(sign.as_str(), |(_, signs, _)| signs));
    let (next, name) = match found.name("name") {
        Some(name) if is_next_sign(text, name.end()) => (Some(name), None),
        name => (None, name),
    };
    let end = next.and(found.name("unit").or(found.name("number"))).map_or(whole.end(), |last| last.end());
    let behind = name.and_then(|name| currency(name.as_str(), |(_, _, names)| names));
    // "$2M CAD".
    let is_code = name.is_some_and(|name| {
        name.as_str().len() == 3 && name.as_str().chars().all(char::is_uppercase) && name.end() == whole.end()
    });
    let is_word = name.is_some_and(|name| name.as_str().len() > 3 || name.end() == whole.end());
    let currency = behind.filter(|_| is_code).or(before).or(behind.filter(|_| is_word))?;
    let number = number(found.name("number")?.as_str())?;
    // To the cent: 4.1 million is not 4,099,999.9999999995.
    let amount = (number * found.name("unit").map_or(1.0, |unit| factor(unit.as_str())) * 100.0).round() / 100.0;
    (amount > 0.0 && amount.is_finite()).then_some(Money { amount, currency, place: whole.start()..end })
}

/// Whether a currency's letters are no end of another word: `offers 12` names no rupees.
fn stands_apart(text: &str, start: usize, sign: &str) -> bool {
    let is_letter = sign.starts_with(char::is_alphabetic);
    !is_letter || !text[..start].ends_with(char::is_alphanumeric)
}

/// `1,200.5`, `1.200`, `12,5` and `12.5` as numbers.
fn number(text: &str) -> Option<f64> {
    let groups = text.split([',', '.', '\u{a0}', '\'']).collect::<Vec<_>>();
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

fn factor(unit: &str) -> f64 {
    match unit.to_lowercase().trim_end_matches('.') {
        "k" | "thousand" | "tausend" | "mille" | "mil" => 1e3,
        "l" | "lac" | "lacs" | "lakh" | "lakhs" => 1e5,
        "cr" | "crs" | "crore" | "crores" => 1e7,
        "b" | "bn" | "billion" | "billions" | "mrd" | "milliarden" | "milliards" | "milliard" | "miliardi" => 1e9,
        _ => 1e6,
    }
}

#[cfg(test)]
mod tests {
    use super::amounts;

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
            ("$2M Audio company", Some((2e6, "USD"))),
            ("2 million audiences", None),
            ("$2.75M CAD", Some((2.75e6, "CAD"))),
            ("chiude un round da 3 milioni di euro", Some((3e6, "EUR"))),
            ("$12-million round", Some((12e6, "USD"))),
            ("12 million users", None),
            ("raises 12 points", None),
            ("offers 12 things", None),
            ("Series B", None),
        ] {
            let found = amounts(text).next().map(|money| (money.amount, money.currency));
            assert_eq!(found, wanted, "{text}");
        }
    }

    #[test]
    fn several_amounts_are_kept_apart() {
        let found: Vec<_> = amounts("valued at $2 billion in €20 million round").collect();
        assert_eq!(found.iter().map(|money| money.amount).collect::<Vec<_>>(), [2e9, 20e6]);
        let found: Vec<_> = amounts("raises $12M at a $90M valuation").collect();
        assert_eq!(found.iter().map(|money| money.amount).collect::<Vec<_>>(), [12e6, 90e6]);
        assert_eq!(&"raises $12M at"[found[0].place.clone()], "$12M");
    }
}
