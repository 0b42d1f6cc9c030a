//! The countries of ISO 3166-1, with their names: the one table of them.

/// alpha-2, alpha-3, then names in lower case with `|` between; one country a line, sorted by alpha-2.
const TABLE: &str = include_str!("countries.tsv");

/// A country.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Country {
    /// The officially assigned alpha-2 code.
    pub alpha_2: &'static str,
    /// The officially assigned alpha-3 code.
    pub alpha_3: &'static str,
    names: &'static str,
}

impl Country {
    /// All countries, by alpha-2.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.lines().filter_map(|line| {
            let mut columns = line.split('\t');
            Some(Self { alpha_2: columns.next()?, alpha_3: columns.next()?, names: columns.next()? })
        })
    }

    /// Its names in several languages, in lower case.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.names.split('|')
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{Country, TABLE};

    #[test]
    fn decision_2_4_the_table_is_whole_and_sorted() {
        let countries: Vec<Country> = Country::all().collect();
        assert_eq!((countries.len(), TABLE.lines().count()), (249, 249));
        assert!(countries.is_sorted_by(|one, next| one.alpha_2 < next.alpha_2));
        let is_code =
            |code: &str, length: usize| code.len() == length && code.bytes().all(|it| it.is_ascii_uppercase());
        assert!(countries.iter().all(|country| is_code(country.alpha_2, 2) && is_code(country.alpha_3, 3)));
        assert!(countries.iter().all(|country| country.names().all(|name| !name.is_empty())));
        let alpha_3: HashSet<&str> = countries.iter().map(|country| country.alpha_3).collect();
        assert_eq!(alpha_3.len(), 249);
    }
}
