//! Values of a template that the clock gives: `today`, and `days_ago_7` for the day seven days before. All days are of UTC.
//!
//! Duty: names to days. Never here: what time it is.

use chrono::{DateTime, Days, Utc};

use super::Values;

const TODAY: &str = "today";
const DAYS_AGO: &str = "days_ago_";
/// No day further back is asked for.
const DAYS_MAX: u64 = 366;

/// How many days ago the day of `name` is; `None` for a name that stands for no day.
fn days_of(name: &str) -> Option<u64> {
    if name == TODAY {
        return Some(0);
    }
    let digits = name.strip_prefix(DAYS_AGO)?;
    let days = digits.parse().ok().filter(|days| (1..=DAYS_MAX).contains(days))?;
    (digits == days.to_string()).then_some(days)
}

/// Whether the clock gives the value of `name`.
pub fn is_clock_value(name: &str) -> bool {
    days_of(name).is_some()
}

/// Those of `names` that the clock gives, as they are at `now`, written `YYYY-MM-DD`.
pub fn clock_values<'a>(names: impl IntoIterator<Item = &'a str>, now: DateTime<Utc>) -> Values {
    let day = |name: &str| now.date_naive().checked_sub_days(Days::new(days_of(name)?));
    names.into_iter().filter_map(|name| Some((name.to_owned(), day(name)?.to_string()))).collect()
}

#[cfg(test)]
mod tests {
    use super::{clock_values, is_clock_value};

    #[test]
    fn days_are_counted_back_from_the_day_in_utc() {
        let now = "2026-03-01T00:30:00+01:00".parse().unwrap();
        let values = clock_values(["today", "days_ago_1", "days_ago_366", "domain"], now);
        let days: Vec<_> = values.iter().map(|(name, day)| (name.as_str(), day.as_str())).collect();
        assert_eq!(days, [("days_ago_1", "2026-02-27"), ("days_ago_366", "2025-02-27"), ("today", "2026-02-28")]);
    }

    #[test]
    fn only_bounded_days_are_values() {
        for (name, wanted) in [
            ("today", true),
            ("days_ago_1", true),
            ("days_ago_366", true),
            ("days_ago_0", false),
            ("days_ago_367", false),
            ("days_ago_07", false),
            ("days_ago_", false),
            ("days_ago_-1", false),
            ("days_ago_99999999999999999999", false),
            ("tomorrow", false),
        ] {
            assert_eq!(is_clock_value(name), wanted, "{name}");
        }
    }
}
