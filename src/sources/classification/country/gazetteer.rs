//! Names of countries, regions and cities, and the countries that they may stand for.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::text::folding::folded_words;
use domain::targets::countries;

/// A country, codes of its regions separated by `,`, names of its regions separated by `|`; `#` begins a comment.
const REGIONS: &str = include_str!("regions.tsv");
/// A name, then the countries that have a place of that name; sorted. Data of GeoNames, see `tools/cities.py`.
const CITIES: &str = include_str!("cities.tsv");

/// A country's alpha-2.
pub type Country = &'static str;

type ByName = HashMap<String, Vec<Country>>;

/// Countries by their names, as [`key`] writes them, and by their codes, in upper case.
static COUNTRIES: LazyLock<ByName> = LazyLock::new(|| {
    let entries = countries::Country::all().flat_map(|country| {
        let codes = [country.alpha_2, country.alpha_3].map(str::to_owned);
        country.names().map(key).chain(codes).map(move |name| (name, country.alpha_2))
    });
    by_name(entries.chain([("UK".to_owned(), "GB")]))
});

/// The countries that have a region, by its name and by its code in the same way.
static COUNTRIES_OF_REGIONS: LazyLock<ByName> = LazyLock::new(|| {
    by_name(region_rows().flat_map(|(country, codes, names)| {
        names.split('|').map(key).chain(codes.split(',').map(str::to_owned)).map(move |name| (name, country))
    }))
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

/// The country of that name, as `key` gives it, or of that alpha-2 or alpha-3, in upper case.
pub fn country_of(name: &str) -> Option<Country> {
    COUNTRIES.get(name)?.first().copied()
}

/// That country, and those with a region of that name or code.
pub fn countries_of(name: &str) -> Vec<Country> {
    country_of(name).into_iter().chain(COUNTRIES_OF_REGIONS.get(name).into_iter().flatten().copied()).collect()
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
    /// Whether only postal codes know them.
    pub is_tiny: bool,
}

/// The cities of that name, as `key` gives it; `st` is also `saint`.
pub fn cities(key: &str) -> Option<Cities> {
    find(key).or_else(|| {
        let long = |word| match word {
            "st" => "saint",
            "ste" => "sainte",
            "ft" => "fort",
            "mt" => "mount",
            "saint" => "st",
            word => word,
        };
        find(&key.split(' ').map(long).collect::<Vec<&str>>().join(" "))
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
    Cities { countries, is_ambiguous: row.contains('?'), is_small: row.contains('~'), is_tiny: row.ends_with("~~") }
}

#[cfg(test)]
mod tests {
    use super::{CITIES, COUNTRIES, REGIONS, cities, country_of, key, region_rows};

    #[test]
    fn the_table_of_countries_has_every_country_once() {
        let is_code = |name: &&String| name.bytes().all(|letter| letter.is_ascii_uppercase());
        assert_eq!(COUNTRIES.keys().filter(is_code).count(), 2 * 249 + 1);
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
            assert!(countries.iter().all(|country| *country == "XK" || country_of(country).is_some()), "{line}");
        }
        assert_eq!(cities("nowhere at all"), None);
        assert_eq!(cities("ft worth"), cities("fort worth"));
    }

    #[test]
    fn the_table_of_regions_names_countries() {
        assert!(region_rows().all(|(country, ..)| country_of(country) == Some(country)), "{REGIONS}");
        assert!(region_rows().all(|(.., names)| names.split('|').all(|name| key(name) == name)));
    }
}
