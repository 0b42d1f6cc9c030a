//! Days as people write them: `November 21, 2026`, `21. November 2026`, `21.11.2026`, `2026-11-21`.
//!
//! Duty: a short text to the one day that it names. Where day and month may be meant either way there is none.

use chrono::{Datelike, NaiveDate};

use super::dates::day_of_text;
use super::folding::folded_words;

/// The months, each with the beginnings of its names in English, German, French, Spanish, Italian, Portuguese, Dutch and the
/// Nordic languages, folded.
const MONTHS: [&[&str]; 12] = [
    &["jan", "ene", "gen"],
    &["feb", "fev"],
    &["mar", "maerz", "mrz", "maa"],
    &["apr", "avr", "abr"],
    &["may", "mai", "mag", "mei", "maj"],
    &["jun", "juin", "giu"],
    &["jul", "juil", "lug"],
    &["aug", "aou", "ago"],
    &["sep", "set"],
    &["oct", "okt", "ott", "out"],
    &["nov"],
    &["dec", "dez", "dic", "des"],
];
/// Longer texts say more than a day, in bytes and in words.
const TEXT_BYTES_MAX: usize = 60;
const WORDS_MAX: usize = 8;
/// Years in which something may have been published on the web.
const YEARS: std::ops::RangeInclusive<i32> = 1990..=2100;

/// The day that `text` names; `None` where it names none, or more than a day.
pub fn written_day(text: &str) -> Option<NaiveDate> {
    if text.len() > TEXT_BYTES_MAX {
        return None;
    }
    let day = day_of_text(text).or_else(|| {
        let words = folded_words(text);
        (words.len() <= WORDS_MAX).then(|| in_words(&words).or_else(|| in_numbers(text, &words))).flatten()
    });
    day.filter(|day| YEARS.contains(&day.year()))
}

/// A day whose month is a word.
fn in_words(words: &[String]) -> Option<NaiveDate> {
    let months: Vec<u32> = words.iter().filter_map(|word| month_of(word)).collect();
    let numbers: Vec<u32> = words.iter().filter_map(|word| number_of(word)).collect();
    match (months.as_slice(), numbers.as_slice()) {
        ([month], [year, day] | [day, year]) if *year > 31 && *day <= 31 => {
            NaiveDate::from_ymd_opt((*year).try_into().ok()?, *month, *day)
        }
        _ => None,
    }
}

/// A day of three numbers: the year first or last, with dots the day before the month.
fn in_numbers(text: &str, words: &[String]) -> Option<NaiveDate> {
    let numbers: Vec<u32> = words.iter().map(|word| word.parse().ok()).collect::<Option<_>>()?;
    let [first, second, third] = numbers.as_slice() else { return None };
    let date = |year: u32, month: u32, day: u32| NaiveDate::from_ymd_opt(year.try_into().ok()?, month, day);
    match (*first, *second, *third) {
        (year, month, day) if year > 31 => date(year, month, day),
        (day, month, year) if text.contains('.') || day > 12 => date(year, month, day),
        (month, day, year) if day > 12 || month == day => date(year, month, day),
        _ => None,
    }
}

fn month_of(word: &str) -> Option<u32> {
    let is_letters = word.len() >= 3 && word.chars().all(char::is_alphabetic);
    let begins = |names: &&[&str]| names.iter().any(|name| word.starts_with(name));
    let at = MONTHS.iter().position(|names| is_letters && begins(names))?;
    u32::try_from(at + 1).ok()
}

/// A number, with what English puts behind the number of a day.
fn number_of(word: &str) -> Option<u32> {
    let digits = ["st", "nd", "rd", "th"].iter().find_map(|ending| word.strip_suffix(ending)).unwrap_or(word);
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::written_day;

    #[test]
    fn days_are_read_in_the_ways_in_which_pages_write_them() {
        for (text, wanted) in [
            ("November 21, 2026", Some("2026-11-21")),
            ("Nov 21st, 2026", Some("2026-11-21")),
            ("21 Nov 2026", Some("2026-11-21")),
            ("Saturday, 21. November 2026", Some("2026-11-21")),
            ("21.11.2026", Some("2026-11-21")),
            ("3. März 2026", Some("2026-03-03")),
            ("le 4 août 2026", Some("2026-08-04")),
            ("1 de diciembre de 2026", Some("2026-12-01")),
            ("5 maggio 2026", Some("2026-05-05")),
            ("2 oktober 2026", Some("2026-10-02")),
            ("2026-11-21", Some("2026-11-21")),
            ("2026/11/21", Some("2026-11-21")),
            ("11/21/2026", Some("2026-11-21")),
            ("21/11/2026", Some("2026-11-21")),
            ("05/06/2026", None),
            ("05.06.2026", Some("2026-06-05")),
            ("November 2026", None),
            ("31 February 2026", None),
            ("5 min read", None),
            ("Nov 21, 1026", None),
            ("Decided on May 5 and June 6, 2026", None),
            ("Version 21.11.2026.4", None),
            ("", None),
        ] {
            assert_eq!(written_day(text).map(|day| day.to_string()).as_deref(), wanted, "{text}");
        }
    }
}
