//! Names of countries, regions and cities, and the countries that they may stand for.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::text::folding::folded_words;
use domain::targets::countries;

/// A country, codes of its regions separated by `,`, names of its regions separated by `|`; `#` begins a comment.
const REGIONS: &str = include_str!("regions.tsv");
/// Names and the countries that have a place of that name, sorted, in blocks that begin with a whole name. Data of GeoNames;
/// `tools/cities.py` says how a row is written.
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

/// The one country that `countries` are; two different ones are none.
pub fn the_one_country(mut countries: impl Iterator<Item = Country>) -> Option<Country> {
    let first = countries.next()?;
    countries.all(|country| country == first).then_some(first)
}

/// Whether `word` may be a code of a country or of a region.
pub fn is_code(word: &str) -> bool {
    matches!(word.len(), 2..=4) && word.chars().all(|letter| letter.is_ascii_uppercase())
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
    /// Whether they are so small that only a text without other words means them.
    pub is_tiny: bool,
}

/// The cities of that name, as `key` gives it; `st` is also `saint`, and `el` is `al`, as Arabic articles are written.
pub fn cities(key: &str) -> Option<Cities> {
    find(key).or_else(|| {
        let long = |word| match word {
            "st" => "saint",
            "ste" => "sainte",
            "ft" => "fort",
            "mt" => "mount",
            "saint" | "sankt" => "st",
            "el" => "al",
            word => word,
        };
        find(&key.split(' ').map(long).collect::<Vec<&str>>().join(" "))
    })
}

static BLOCKS: LazyLock<Vec<&str>> = LazyLock::new(|| CITIES.split("\n\n").collect());

fn find(key: &str) -> Option<Cities> {
    let is_before = |block: &&'static str| split_row(block).is_some_and(|(_, name, _)| name <= key);
    let block = BLOCKS.partition_point(is_before).checked_sub(1).and_then(|at| BLOCKS.get(at))?;
    let mut name = String::new();
    for (kept, rest, countries) in block.lines().filter_map(split_row) {
        name.truncate(kept);
        name.push_str(rest);
        if name == key {
            return Some(cities_of_row(countries));
        }
    }
    None
}

/// How many bytes the name has of the one before it, its rest, and its countries.
fn split_row(row: &'static str) -> Option<(usize, &'static str, &'static str)> {
    let (kept, rest) = row.split_at_checked(1)?;
    let (name, countries) = rest.split_at_checked(rest.find(|letter: char| letter.is_ascii_uppercase())?)?;
    Some((usize::from(kept.as_bytes()[0] - b'A'), name, countries))
}

fn cities_of_row(row: &'static str) -> Cities {
    let codes = row.trim_end_matches(['?', '~', '.']);
    let countries = (0..codes.len() / 2).filter_map(|at| codes.get(2 * at..2 * at + 2)).collect();
    let is_tiny = row.ends_with('.');
    Cities { countries, is_ambiguous: row.contains('?'), is_small: row.ends_with('~') || is_tiny, is_tiny }
}

#[cfg(test)]
mod tests {
    use super::{CITIES, COUNTRIES, REGIONS, cities, cities_of_row, country_of, key, region_rows, split_row};

    #[test]
    fn the_table_of_countries_has_every_country_once() {
        let is_code = |name: &&String| name.bytes().all(|letter| letter.is_ascii_uppercase());
        assert_eq!(COUNTRIES.keys().filter(is_code).count(), 2 * 249 + 1);
    }

    #[test]
    fn the_table_of_cities_can_be_searched() {
        let mut before = String::new();
        for (kept, rest, row) in CITIES.lines().filter_map(split_row) {
            let name = format!("{}{rest}", &before[..kept]);
            assert!(before < name && key(&name) == name, "{name}");
            let countries = cities_of_row(row).countries;
            assert_eq!(countries.concat(), row.trim_end_matches(['?', '~', '.']), "{name}");
            assert!(kept % 5 > 0 || cities(&name).unwrap().countries == countries, "{name}");
            assert!(countries.iter().all(|country| *country == "XK" || country_of(country).is_some()), "{name}");
            before = name;
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
