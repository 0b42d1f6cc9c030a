//! Dates as sources write them, read into days (decision 6).
//!
//! Duty: a text or a number to a day in the source's own offset. A date that cannot be read is `None`, never today.

use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, SecondsFormat, Utc};
use serde_json::Value;

/// How a source writes its dates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DateFormat {
    /// `2026-11-17T08:00:00-05:00`; what some call RFC 3339 without an offset is read too.
    Rfc3339,
    /// Milliseconds since 1970, UTC.
    EpochMs,
    /// Seconds since 1970, UTC.
    EpochS,
    /// `2026-11-17`.
    Date,
}

/// The day that `value` names.
pub fn day_of(value: &Value, format: DateFormat) -> Option<NaiveDate> {
    match format {
        DateFormat::Rfc3339 | DateFormat::Date => day_of_text(value.as_str()?),
        DateFormat::EpochMs | DateFormat::EpochS => instant_of(value, format).map(|instant| instant.date_naive()),
    }
}

/// The instant that `value` names; a day alone names none.
pub fn instant_of(value: &Value, format: DateFormat) -> Option<DateTime<Utc>> {
    let instant = match format {
        DateFormat::Date => None,
        DateFormat::Rfc3339 => Some(DateTime::parse_from_rfc3339(value.as_str()?.trim()).ok()?.to_utc()),
        DateFormat::EpochMs => DateTime::from_timestamp_millis(whole(value)?),
        DateFormat::EpochS => DateTime::from_timestamp(whole(value)?, 0),
    };
    instant.filter(|instant| is_written_in_ten_letters(&instant.date_naive()))
}

/// An instant as `content` carries it (decision 1.7).
pub fn text_of_instant(instant: DateTime<Utc>) -> String {
    instant.to_rfc3339_opts(SecondsFormat::Micros, true)
}

/// The day that an ISO 8601 text names, in the text's own offset.
pub fn day_of_text(text: &str) -> Option<NaiveDate> {
    let text = text.trim();
    let day = DateTime::parse_from_rfc3339(text)
        .or_else(|_| DateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S%.f%z"))
        .or_else(|_| DateTime::parse_from_str(text, "%Y-%m-%dT%H:%M%:z"))
        .map(|instant| instant.date_naive());
    let day = day.ok().or_else(|| {
        // What follows the day is neither an offset nor needed.
        let (day, rest) = (text.get(..10)?, text.get(10..)?);
        let is_day_alone = rest.chars().next().is_none_or(|next| next == 'T' || next.is_whitespace());
        if is_day_alone { NaiveDate::parse_from_str(day, "%Y-%m-%d").ok() } else { None }
    });
    day.filter(is_written_in_ten_letters)
}

/// Whether `YYYY-MM-DD` can hold the day.
fn is_written_in_ten_letters(day: &NaiveDate) -> bool {
    (0..=9_999).contains(&day.year())
}

/// Whether a `validThrough` is over at `now`. A day without a time lasts to its end, wherever that is.
pub fn is_over(valid_through: &str, now: DateTime<Utc>) -> bool {
    let text = valid_through.trim();
    if let Ok(instant) = DateTime::parse_from_rfc3339(text) {
        return instant < now;
    }
    let end = NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S").ok();
    let end = end.or_else(|| day_of_text(text).and_then(|day| day.and_hms_opt(23, 59, 59)));
    // The latest zone is twelve hours behind UTC. An end that no calendar holds is far away.
    end.and_then(|end| end.checked_add_signed(chrono::Duration::hours(12))).is_some_and(|end| end.and_utc() < now)
}

fn whole(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_str()?.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Utc};
    use serde_json::json;

    use super::{DateFormat, day_of, is_over};

    #[test]
    fn dates_are_read_in_their_own_offset() {
        for (value, format, wanted) in [
            (json!("2026-11-17T23:30:00-05:00"), DateFormat::Rfc3339, Some("2026-11-17")),
            (json!("2026-11-16T10:20:30.000+00:00"), DateFormat::Rfc3339, Some("2026-11-16")),
            (json!("2026-11-16T10:20:30+0200"), DateFormat::Rfc3339, Some("2026-11-16")),
            (json!("2026-11-16 10:20:30"), DateFormat::Rfc3339, Some("2026-11-16")),
            (json!("2026-11-16T10:20"), DateFormat::Rfc3339, Some("2026-11-16")),
            (json!("2026-11-11"), DateFormat::Date, Some("2026-11-11")),
            (json!(1_794_873_600_000_i64), DateFormat::EpochMs, Some("2026-11-17")),
            (json!("1795000000"), DateFormat::EpochS, Some("2026-11-18")),
            (json!("yesterday"), DateFormat::Rfc3339, None),
            (json!("2026-13-40"), DateFormat::Date, None),
            (json!("ünicode-text"), DateFormat::Date, None),
            (json!("+262142-12-31T23:59:59.9+0000"), DateFormat::Rfc3339, None),
            (json!(i64::MAX), DateFormat::EpochMs, None),
            (json!(8_210_000_000_000_i64), DateFormat::EpochS, None),
            (json!(null), DateFormat::EpochMs, None),
        ] {
            let day = day_of(&value, format).map(|day| day.to_string());
            assert_eq!(day.as_deref(), wanted, "{value}");
        }
    }

    #[test]
    fn a_posting_is_over_after_its_last_day_everywhere() {
        let now: DateTime<Utc> = "2026-11-21T10:00:00Z".parse().unwrap();
        for (valid_through, over) in [
            ("2026-11-20", false),
            ("2026-11-19", true),
            ("2026-12-31", false),
            ("2026-11-21T09:59:59Z", true),
            ("2026-11-21T12:30:00+02:00", false),
            ("2020-01-01T00:00", true),
            ("open until filled", false),
            ("+262142-12-31T23:59:59", false),
            ("-262143-01-01T00:00:00", true),
        ] {
            assert_eq!(is_over(valid_through, now), over, "{valid_through}");
        }
    }
}
