//! Names of countries, regions and cities, and the countries that they may stand for.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::domain::targets::countries;
use crate::sources::text::folding::folded_words;

/// A country, codes of its regions separated by `,`, names of its regions separated by `|`; `#` begins a comment.
const REGIONS: &str = include_str!("regions.tsv");
/// A name, then the countries that have a place of that name; sorted. Data of GeoNames, see `tools/cities.py`.
const CITIES: &str = include_str!("cities.tsv");

/// A country's alpha-2.
pub type Country = &'static str;

type ByName = HashMap<String, Vec<Country>>;

static COUNTRY_NAMES: LazyLock<ByName> = LazyLock::new(|| {
    by_name(countries::Country::all().flat_map(|country| country.names().map(move |name| (key(name), country.alpha_2))))
});

static COUNTRY_CODES: LazyLock<ByName> = LazyLock::new(|| {
    let codes = countries::Country::all().flat_map(|country| {
        [(country.alpha_2.to_owned(), country.alpha_2), (country.alpha_3.to_owned(), country.alpha_2)]
    });
    by_name(codes.chain([("UK".to_owned(), "GB")]))
});

static REGION_NAMES: LazyLock<ByName> = LazyLock::new(|| {
    by_name(region_rows().flat_map(|(country, _, names)| names.split('|').map(move |name| (key(name), country))))
});

static REGION_CODES: LazyLock<ByName> = LazyLock::new(|| {
    by_name(region_rows().flat_map(|(country, codes, _)| codes.split(',').map(move |code| (code.to_owned(), country))))
});

fn region_rows() -> impl Iterator<Item = (Country, &'static str, &'static str)> {
    let rows = REGIONS.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t'));
    rows.filter_map(|(country, rest)| rest.split_once('\t').map(|(codes, names)| (country, codes, names)))
}

fn by_name(entries: impl Iterator<Item = (String, Country)>) -> ByName {
    let mut by_name = ByName::new();
    for (name, country) in entries.filter(|(name, _)| !name.is_empty()) {
        let countries = by_name.entry(name).or_default();
        if !countries.contains(&country) {
            countries.push(country);
        }
    }
    by_name
}

/// What names are found by: lower case, no accents, words of letters and digits with one space between.
pub fn key(name: &str) -> String {
    folded_words(name).join(" ")
}

/// The country of that name, as `key` gives it.
pub fn country_of_name(key: &str) -> Option<Country> {
    COUNTRY_NAMES.get(key)?.first().copied()
}

/// The country of that alpha-2 or alpha-3, in upper case.
pub fn country_of_code(code: &str) -> Option<Country> {
    COUNTRY_CODES.get(code)?.first().copied()
}

/// The countries with a region of that name, as `key` gives it.
pub fn countries_of_region(key: &str) -> &'static [Country] {
    REGION_NAMES.get(key).map_or(&[], Vec::as_slice)
}

/// The countries with a region of that code, in upper case.
pub fn countries_of_region_code(code: &str) -> &'static [Country] {
    REGION_CODES.get(code).map_or(&[], Vec::as_slice)
}

/// Cities of one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cities {
    /// The countries that have one, the likeliest first.
    pub countries: Vec<Country>,
    /// Whether the name alone does not tell the country.
    pub is_ambiguous: bool,
    /// Whether all of them are small.
    pub is_small: bool,
}

/// The cities of that name, as `key` gives it; `st` is also `saint`.
pub fn cities(key: &str) -> Option<Cities> {
    find(key).or_else(|| {
        let long = |word: &str| match word {
            "st" => "saint".to_owned(),
            "ste" => "sainte".to_owned(),
            "ft" => "fort".to_owned(),
            "mt" => "mount".to_owned(),
            "saint" => "st".to_owned(),
            word => word.to_owned(),
        };
        let other = key.split(' ').map(long).collect::<Vec<String>>().join(" ");
        if other == key { None } else { find(&other) }
    })
}

fn find(key: &str) -> Option<Cities> {
    let (mut from, mut until) = (0, CITIES.len());
    while from < until {
        let middle = from + (until - from) / 2;
        let start = CITIES.as_bytes()[..middle].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let rest = CITIES.get(start..)?;
        let line = rest.lines().next()?;
        let (name, countries) = line.split_once('\t')?;
        match name.cmp(key) {
            std::cmp::Ordering::Less => from = start + line.len() + 1,
            std::cmp::Ordering::Greater => until = start,
            std::cmp::Ordering::Equal => return Some(cities_of_row(countries)),
        }
    }
    None
}

fn cities_of_row(row: &'static str) -> Cities {
    let codes = row.trim_end_matches(['?', '~']);
    let countries = (0..codes.len() / 2).filter_map(|at| codes.get(2 * at..2 * at + 2)).collect();
    Cities { countries, is_ambiguous: row.contains('?'), is_small: row.contains('~') }
}

#[cfg(test)]
mod tests {
    use super::{CITIES, COUNTRY_CODES, REGIONS, cities, country_of_code, key, region_rows};

    #[test]
    fn the_table_of_countries_has_every_country_once() {
        assert_eq!(COUNTRY_CODES.len(), 2 * 249 + 1);
    }

    #[test]
    fn the_table_of_cities_can_be_searched() {
        let names: Vec<&str> = CITIES.lines().map(|line| line.split_once('\t').unwrap().0).collect();
        assert!(names.is_sorted_by(|one, next| one < next));
        assert!(names.iter().all(|name| key(name) == **name));
        for line in CITIES.lines() {
            let (name, row) = line.split_once('\t').unwrap();
            let countries = cities(name).unwrap().countries;
            assert_eq!(countries.concat(), row.trim_end_matches(['?', '~']), "{name}");
            assert!(countries.iter().all(|country| *country == "XK" || country_of_code(country).is_some()), "{line}");
        }
        assert_eq!(cities("nowhere at all"), None);
        assert_eq!(cities("ft worth"), cities("fort worth"));
    }

    #[test]
    fn the_table_of_regions_names_countries() {
        assert!(region_rows().all(|(country, ..)| country_of_code(country) == Some(country)), "{REGIONS}");
        assert!(region_rows().all(|(.., names)| names.split('|').all(|name| key(name) == name)));
    }
}
