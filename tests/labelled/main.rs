//! How well titles, places and headlines are read; the titles and places are real ones that no rule was made from.
//!
//! `cargo test --test labelled -- --nocapture` prints every class and every miss.

#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "tests fail by a panic"
)]

mod headlines;

use std::collections::BTreeMap;

use sources::{country_of_place, departments_of, seniorities_of};

const TITLES: &str = include_str!("titles.tsv");
const PLACES: &str = include_str!("places.tsv");

/// Least macro-F1 of departments and of seniorities.
const MACRO_F1_MIN: f64 = 0.92;
/// Least part of places with the right country.
const COUNTRIES_MIN: f64 = 0.97;

#[derive(Clone, Copy, Default)]
struct Class {
    right: u32,
    wrong: u32,
    missed: u32,
}

impl Class {
    fn precision(self) -> f64 {
        f64::from(self.right) / f64::from(self.right + self.wrong).max(1.0)
    }

    fn recall(self) -> f64 {
        f64::from(self.right) / f64::from(self.right + self.missed).max(1.0)
    }

    fn f1(self) -> f64 {
        2.0 * f64::from(self.right) / f64::from(2 * self.right + self.wrong + self.missed).max(1.0)
    }
}

#[derive(Default)]
struct Classes(BTreeMap<String, Class>);

impl Classes {
    fn count(&mut self, title: &str, wanted: &[&str], found: &[&str]) {
        if wanted != found {
            println!("{title}: {wanted:?}, read as {found:?}");
        }
        for name in wanted {
            let class = self.0.entry((*name).to_owned()).or_default();
            *(if found.contains(name) { &mut class.right } else { &mut class.missed }) += 1;
        }
        for name in found.iter().filter(|name| !wanted.contains(name)) {
            self.0.entry((*name).to_owned()).or_default().wrong += 1;
        }
    }

    /// Prints each class; the mean of their F1.
    fn macro_f1(&self) -> f64 {
        for (name, class) in &self.0 {
            let (precision, recall, f1) = (class.precision(), class.recall(), class.f1());
            println!(
                "{name:26} precision {precision:.3} recall {recall:.3} F1 {f1:.3} of {}",
                class.right + class.missed
            );
        }
        let sum: f64 = self.0.values().map(|class| class.f1()).sum();
        sum / self.0.values().count().max(1) as f64
    }
}

fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    table.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect())
}

fn labels(text: &str) -> Vec<&str> {
    text.split(", ").filter(|label| !label.is_empty()).collect()
}

#[test]
fn decision_6_2_titles_are_read_as_they_are_labelled() {
    let (mut departments, mut seniorities) = (Classes::default(), Classes::default());
    let (mut titles, mut right) = (0, 0);
    for row in rows(TITLES) {
        let (wanted_departments, wanted_seniorities) = (labels(row[1]), labels(row[2]));
        let found_departments: Vec<&str> =
            departments_of(row[0], &[]).iter().map(|department| department.as_str()).collect();
        let found_seniorities: Vec<&str> = seniorities_of(row[0]).iter().map(|seniority| seniority.as_str()).collect();
        departments.count(row[0], &wanted_departments, &found_departments);
        seniorities.count(row[0], &wanted_seniorities, &found_seniorities);
        titles += 1;
        right += u32::from(wanted_departments == found_departments && wanted_seniorities == found_seniorities);
    }
    let (of_departments, of_seniorities) = (departments.macro_f1(), seniorities.macro_f1());
    println!(
        "macro-F1: departments {of_departments:.3}, seniorities {of_seniorities:.3}; both right: {right} of {titles}"
    );
    assert!(titles >= 600);
    assert_eq!((departments.0.len(), seniorities.0.len()), (24, 9));
    assert!(of_departments >= MACRO_F1_MIN && of_seniorities >= MACRO_F1_MIN);
}

#[test]
fn places_are_read_as_they_are_labelled() {
    let (mut places, mut right) = (0, 0);
    for row in rows(PLACES) {
        let (place, wanted) = (row[0], row[1]);
        let found = country_of_place(place).unwrap_or_default();
        if found != wanted {
            println!("{place}: `{wanted}`, read as `{found}`");
        }
        places += 1;
        right += u32::from(found == wanted);
    }
    let part = f64::from(right) / f64::from(places);
    println!("countries: {right} of {places}, {part:.3}");
    assert!(places >= 500);
    assert!(part >= COUNTRIES_MIN);
}
