//! A calendar month in UTC, the span that usage is counted over (Spec 4.1).

use std::fmt;

use chrono::{DateTime, Datelike, Months, NaiveDate, NaiveTime, Utc};

/// One month of one year.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Month {
    first_day: NaiveDate,
}

impl Month {
    /// The month that `instant` lies in.
    pub fn of(instant: DateTime<Utc>) -> Self {
        let date = instant.date_naive();
        Self { first_day: date.with_day(1).unwrap_or(date) }
    }

    /// Reads `YYYY-MM`; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let first_day = NaiveDate::parse_from_str(&format!("{text}-01"), "%Y-%m-%d").ok()?;
        // Chrono takes more forms than the one.
        Some(Self { first_day }).filter(|month| text.len() == "YYYY-MM".len() && month.to_string() == text)
    }

    /// The first instant of the month.
    pub fn starts_at(self) -> DateTime<Utc> {
        self.first_day.and_time(NaiveTime::MIN).and_utc()
    }

    /// The first instant after the month.
    pub fn ends_at(self) -> DateTime<Utc> {
        self.first_day
            .checked_add_months(Months::new(1))
            .map_or(DateTime::<Utc>::MAX_UTC, |next| next.and_time(NaiveTime::MIN).and_utc())
    }
}

/// Prints `YYYY-MM`.
impl fmt::Display for Month {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.first_day.format("%Y-%m"))
    }
}

#[cfg(test)]
mod tests {
    use super::Month;

    #[test]
    fn spec_4_1_a_month_is_read_and_spans_its_days() {
        let february = Month::parse("2024-02").expect("a month");
        assert_eq!(february.to_string(), "2024-02");
        assert_eq!(february.starts_at().to_rfc3339(), "2024-02-01T00:00:00+00:00");
        assert_eq!(february.ends_at().to_rfc3339(), "2024-03-01T00:00:00+00:00");
        assert_eq!(Month::parse("2024-12").map(|month| Month::of(month.ends_at()).to_string()), Some("2025-01".into()));
        assert_eq!(Month::of(february.ends_at() - chrono::Duration::microseconds(1)), february);
        for text in ["", "2024", "2024-13", "2024-00", "2024-2", "24-02", "2024-02-01", "+024-02", "2024-+2"] {
            assert_eq!(Month::parse(text), None, "{text}");
        }
    }
}
