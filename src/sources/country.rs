//! Countries as sources write them, read into ISO 3166-1 alpha-2 (decision 6).
//!
//! Duty: name or code to alpha-2. Never a guess: a city, a state or an ambiguous code gives `None`, because a wrong
//! country is worse for a customer than none.

use std::collections::HashMap;
use std::sync::LazyLock;

/// alpha-2, alpha-3, then lower-case names separated by `|`; one country a line.
const NAMES: &str = include_str!("country_names.tsv");

static BY_NAME: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let rows = NAMES.lines().filter_map(|line| line.split_once('\t'));
    rows.filter_map(|(alpha_2, rest)| rest.split_once('\t').map(|(_, names)| (alpha_2, names)))
        .flat_map(|(alpha_2, names)| names.split('|').map(move |name| (name, alpha_2)))
        .collect()
});

static BY_CODE: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let rows = NAMES.lines().filter_map(|line| line.split_once('\t'));
    rows.flat_map(|(alpha_2, rest)| {
        let alpha_3 = rest.split_once('\t').map_or("", |(alpha_3, _)| alpha_3);
        [(alpha_2, alpha_2), (alpha_3, alpha_2)]
    })
    .collect()
});

/// Alpha-2 codes that are also a state or province of the United States, Canada or Australia: `Atlanta, GA`.
const ALSO_A_STATE: &[&str] = &[
    "AL", "AR", "AZ", "BC", "CA", "CO", "DE", "GA", "ID", "IL", "IN", "KY", "LA", "MA", "MD", "ME", "MN", "MO", "MS",
    "MT", "NC", "NE", "NL", "NT", "PA", "PE", "SA", "SC", "SD", "SK", "TN", "VA", "VI", "WA",
];

/// Short words that are also codes of countries.
const ALSO_A_WORD: &[&str] = &["AM", "AND", "AS", "AT", "BE", "DO", "IN", "IS", "IT", "ME", "MY", "NO", "SO", "TO"];

/// Words that say how somebody works, not where.
const NO_PLACE: &[&str] =
    &["remote", "hybrid", "onsite", "on-site", "fully", "based", "in", "within", "anywhere", "only", "office"];

/// Reads a field that holds a country and nothing else: a name in some language, alpha-2 or alpha-3.
pub fn country_of_field(text: &str) -> Option<&'static str> {
    let text = text.trim();
    let code = text.to_uppercase();
    if code == "UK" {
        return Some("GB");
    }
    BY_CODE.get(code.as_str()).or_else(|| BY_NAME.get(text.to_lowercase().as_str())).copied()
}

/// Reads a place as people write it, such as `City, Country` or `Remote - Norway`.
///
/// `None` when a place in it names no country, or two name different ones.
pub fn country_of_place(text: &str) -> Option<&'static str> {
    let places =
        text.split([';', '|', '\n', '•']).flat_map(|part| part.split(" or ")).flat_map(|part| part.split(" & "));
    let mut found = None;
    for place in places.filter(|place| !without_no_place(place).is_empty()) {
        let country = country_of_one_place(place)?;
        if found.is_some_and(|before| before != country) {
            return None;
        }
        found = Some(country);
    }
    found
}

/// The last part that names a country decides: `Atlanta, Georgia, United States`.
fn country_of_one_place(place: &str) -> Option<&'static str> {
    if let Some(code) =
        BY_NAME.get(place.trim().to_lowercase().as_str()).filter(|code| **code != "GE" || is_whole(place))
    {
        return Some(code);
    }
    let parts: Vec<&str> =
        place.split([',', '/', '(', ')', '–', '—', ':']).flat_map(|part| part.split(" - ")).map(str::trim).collect();
    let prefixed: Vec<&str> = parts.iter().filter_map(|part| country_prefix(part)).collect();
    if !prefixed.is_empty() && prefixed.iter().any(|code| country_of_part(code, true).is_none()) {
        return None;
    }
    let is_alone = parts.iter().filter(|part| !without_no_place(part).is_empty()).count() == 1;
    let countries: Vec<&'static str> =
        parts.iter().filter_map(|part| country_of_part(country_prefix(part).unwrap_or(part), is_alone)).collect();
    let last = *countries.last()?;
    // `Dublin, Ireland, Berlin, Germany` names two countries; `Georgia` beside another is the state.
    let others = countries.iter().filter(|country| **country != last && **country != "GE").count();
    (others == 0).then_some(last)
}

/// `US-Chicago` names its country in front.
fn country_prefix(part: &str) -> Option<&str> {
    let (code, city) = part.split_once('-')?;
    let is_code = code.len() == 2 && code.chars().all(|letter| letter.is_ascii_uppercase());
    (is_code && city.starts_with(char::is_uppercase)).then_some(code)
}

fn country_of_part(part: &str, is_alone: bool) -> Option<&'static str> {
    let part = without_no_place(part);
    let upper = part.to_uppercase();
    if part == upper && matches!(part.len(), 2 | 3) {
        let is_ambiguous = ALSO_A_STATE.contains(&part.as_str()) || ALSO_A_WORD.contains(&part.as_str());
        return if is_ambiguous { None } else { country_of_field(&part) };
    }
    let country = BY_NAME.get(part.to_lowercase().as_str()).copied()?;
    // `Atlanta, Georgia` is not in the Caucasus.
    if country == "GE" && !is_alone { None } else { Some(country) }
}

fn is_whole(place: &str) -> bool {
    !place.contains(',')
}

/// `Remote in Canada` and `US-Remote` leave `Canada` and `US`.
fn without_no_place(part: &str) -> String {
    let words = part.split(|letter: char| letter.is_whitespace() || letter == '-').filter(|word| !word.is_empty());
    let kept: Vec<&str> = words.clone().filter(|word| !NO_PLACE.contains(&word.to_lowercase().as_str())).collect();
    if kept.len() == words.count() { part.trim().to_owned() } else { kept.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::{BY_CODE, country_of_field, country_of_place};

    #[test]
    fn fields_hold_names_and_codes() {
        for (text, wanted) in [
            ("NO", Some("NO")),
            ("no", Some("NO")),
            ("DE", Some("DE")),
            ("USA", Some("US")),
            ("UK", Some("GB")),
            ("United States", Some("US")),
            ("Estonia", Some("EE")),
            ("Deutschland", Some("DE")),
            (" Côte d'Ivoire ", Some("CI")),
            ("Czech Republic", Some("CZ")),
            ("Türkiye", Some("TR")),
            ("Korea, Republic of", Some("KR")),
            ("Georgia", Some("GE")),
            ("Atlantis", None),
            ("EU", None),
            ("", None),
        ] {
            assert_eq!(country_of_field(text), wanted, "{text}");
        }
    }

    #[test]
    fn places_are_read_but_never_guessed() {
        for (text, wanted) in [
            ("Bergen, Norway", Some("NO")),
            ("London, UK", Some("GB")),
            ("London, England, United Kingdom", Some("GB")),
            ("Remote - US", Some("US")),
            ("US-Remote", Some("US")),
            ("US-New York, US-Chicago, US-Remote", Some("US")),
            ("US-Chicago, DE-Berlin", None),
            ("CA-Toronto, CA-Montreal", None),
            ("Remote in Canada", Some("CA")),
            ("Remote (Germany)", Some("DE")),
            ("US", Some("US")),
            ("Atlanta, Georgia, United States", Some("US")),
            ("Tbilisi, Georgia", None),
            ("Georgia", Some("GE")),
            ("San Francisco, CA", None),
            ("Wilmington, DE", None),
            ("SF, NYC, SEA, CHI", None),
            ("London", None),
            ("Remote - EU", None),
            ("Remote", None),
            ("Oslo, Norway; Bergen, Norway", Some("NO")),
            ("Oslo, Norway; Paris, France", None),
            ("Dublin, Ireland, Berlin, Germany", None),
            ("New York, NY; Toronto, Canada", None),
            ("Remote; Oslo, Norway", Some("NO")),
            ("London / UK", Some("GB")),
            ("US/Canada", None),
            ("Seoul, South Korea", Some("KR")),
            ("", None),
        ] {
            assert_eq!(country_of_place(text), wanted, "{text}");
        }
    }

    #[test]
    fn the_table_has_every_country_once() {
        assert_eq!(BY_CODE.len(), 2 * 249);
    }
}
