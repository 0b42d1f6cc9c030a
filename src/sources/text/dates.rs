//! Dates as sources write them, read into days (decision 6).
//!
//! Duty: a text or a number to a day in the source's own offset. A date that cannot be read is `None`, never today.

use std::sync::Arc;

use chrono::format::{Item, StrftimeItems};
use chrono::{DateTime, Datelike, Days, Months, NaiveDate, NaiveDateTime, SecondsFormat, Utc};
use serde_json::Value;

/// How a source writes its dates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DateFormat {
    /// In a way that has a name.
    Word(DateWord),
    /// In a way that a pattern of strftime describes; without an offset it is UTC.
    Pattern(Arc<str>),
}

/// A way to write dates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DateWord {
    /// `2026-11-17T08:00:00-05:00`; what some call RFC 3339 without an offset is read too, as a day.
    Rfc3339,
    /// `Tue, 17 Nov 2026 08:00:00 GMT`, in the many ways in which feeds write it.
    Rfc2822,
    /// `2026-11-17 08:00:00`, with or without `UTC` behind it, in UTC.
    Utc,
    /// Milliseconds since 1970, UTC.
    EpochMs,
    /// Seconds since 1970, UTC.
    EpochS,
    /// `2026-11-17`.
    Date,
    /// `Posted 3 Days Ago`, counted from the day of the answer.
    Relative,
}

impl DateFormat {
    /// The format that has the name `word`, or that `pattern` describes; `None` where neither is given.
    pub fn given(word: Option<DateWord>, pattern: Option<&str>) -> Result<Option<Self>, String> {
        match (word, pattern) {
            (Some(_), Some(_)) => Err("takes only one of `date` and `date_format`".into()),
            (word, None) => Ok(word.map(Self::Word)),
            (None, Some(pattern)) if StrftimeItems::new(pattern).any(|item| matches!(item, Item::Error)) => {
                Err(format!("`{pattern}` is no pattern of strftime"))
            }
            (None, Some(pattern)) => Ok(Some(Self::Pattern(pattern.into()))),
        }
    }
}

/// The day that `value` names; `now` is what relative ones count from.
pub fn day_of(value: &Value, format: &DateFormat, now: DateTime<Utc>) -> Option<NaiveDate> {
    let day = match format {
        DateFormat::Word(DateWord::Rfc3339 | DateWord::Date) => day_of_text(value.as_str()?),
        DateFormat::Word(DateWord::Relative) => relative_day(value.as_str()?, now),
        DateFormat::Word(DateWord::Rfc2822) => {
            let text = value.as_str()?;
            instant_of_feed(text).map(|instant| instant.date_naive()).or_else(|| day_of_feed(text))
        }
        DateFormat::Word(_) => instant_of(value, format).map(|instant| instant.date_naive()),
        DateFormat::Pattern(pattern) => {
            let text = value.as_str()?.trim();
            let day = DateTime::parse_from_str(text, pattern).map(|instant| instant.date_naive());
            let day = day.or_else(|_| NaiveDateTime::parse_from_str(text, pattern).map(|instant| instant.date()));
            day.or_else(|_| NaiveDate::parse_from_str(text, pattern)).ok()
        }
    };
    day.filter(is_written_in_ten_letters)
}

/// The instant that `value` names; a day alone names none.
pub fn instant_of(value: &Value, format: &DateFormat) -> Option<DateTime<Utc>> {
    let instant = match format {
        DateFormat::Word(DateWord::Date | DateWord::Relative) => None,
        DateFormat::Word(DateWord::Rfc3339) => {
            Some(DateTime::parse_from_rfc3339(value.as_str()?.trim()).ok()?.to_utc())
        }
        DateFormat::Word(DateWord::Rfc2822) => instant_of_feed(value.as_str()?),
        DateFormat::Word(DateWord::Utc) => instant_without_offset(value.as_str()?),
        DateFormat::Word(DateWord::EpochMs) => DateTime::from_timestamp_millis(whole(value)?),
        DateFormat::Word(DateWord::EpochS) => DateTime::from_timestamp(whole(value)?, 0),
        DateFormat::Pattern(pattern) => {
            let text = value.as_str()?.trim();
            let instant = DateTime::parse_from_str(text, pattern).map(|instant| instant.to_utc());
            instant.or_else(|_| NaiveDateTime::parse_from_str(text, pattern).map(|instant| instant.and_utc())).ok()
        }
    };
    instant.filter(|instant| is_written_in_ten_letters(&instant.date_naive()))
}

/// The instant that a feed names, in RFC 3339, in RFC 2822, or in what its makers took for it: another name of the day or
/// none, `UTC` or `Z`, and no seconds.
pub fn instant_of_feed(text: &str) -> Option<DateTime<Utc>> {
    let text = text.trim();
    if let Ok(instant) = DateTime::parse_from_rfc3339(text) {
        return Some(instant.to_utc());
    }
    // A day's name that is wrong would make the date unreadable, and says nothing more.
    let without_day = text.split_once(", ").map_or(text, |(_, rest)| rest);
    let (date, zone) = without_day.rsplit_once(' ')?;
    let zone = if matches!(zone, "UTC" | "Z" | "-0000") { "+0000" } else { zone };
    [format!("{date} {zone}"), format!("{date}:00 {zone}")]
        .iter()
        .find_map(|text| DateTime::parse_from_rfc2822(text).ok())
        .map(|instant| instant.to_utc())
        .or_else(|| instant_without_offset(text))
}

/// A date as a feed names it: the instant, or where it names none the day alone. No time is made up for it.
pub fn date_of_feed(text: &str) -> Option<String> {
    let day = || day_of_feed(text).map(|day| day.to_string());
    instant_of_feed(text).map(text_of_instant).or_else(day)
}

/// The day in `2019-05-01` and `Wed, 01 May 2019`; of a year of two digits nobody knows the century.
fn day_of_feed(text: &str) -> Option<NaiveDate> {
    let text = text.trim();
    let without_name = text.split_once(", ").map_or(text, |(_, rest)| rest);
    let day = || NaiveDate::parse_from_str(without_name, "%d %b %Y").ok().filter(|day| day.year() >= 1_000);
    day_of_text(text).or_else(day).filter(is_written_in_ten_letters)
}

/// An instant in UTC that does not say so in the usual way.
fn instant_without_offset(text: &str) -> Option<DateTime<Utc>> {
    let text = text.trim().trim_end_matches("UTC").trim_end();
    let read = |pattern: &&str| NaiveDateTime::parse_from_str(text, pattern).ok();
    let read = ["%Y-%m-%dT%H:%M:%S%.fZ", "%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f"].iter().find_map(read);
    read.map(|instant| instant.and_utc())
}

/// The day in `Posted Today`, `Posted 3 Days Ago` and the like; `30+ Days Ago` names none.
fn relative_day(text: &str, now: DateTime<Utc>) -> Option<NaiveDate> {
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    let today = now.date_naive();
    if words.iter().any(|word| word == "today") {
        return Some(today);
    }
    if words.iter().any(|word| word == "yesterday") {
        return today.checked_sub_days(Days::new(1));
    }
    let (count, unit) = words.windows(2).find_map(|two| Some((two[0].parse::<u32>().ok()?, two[1].as_str())))?;
    if words.last().is_none_or(|word| word != "ago") {
        return None;
    }
    match unit.trim_end_matches('s') {
        "hour" | "minute" | "second" => Some(today),
        "day" => today.checked_sub_days(Days::new(u64::from(count))),
        "week" => today.checked_sub_days(Days::new(u64::from(count) * 7)),
        "month" => today.checked_sub_months(Months::new(count)),
        _ => None,
    }
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

    use super::{DateFormat, DateWord, date_of_feed, day_of, instant_of, is_over, text_of_instant};

    #[test]
    fn dates_are_read_in_their_own_offset() {
        for (value, format, wanted) in [
            (json!("2026-11-17T23:30:00-05:00"), DateWord::Rfc3339, Some("2026-11-17")),
            (json!("2026-11-16T10:20:30.000+00:00"), DateWord::Rfc3339, Some("2026-11-16")),
            (json!("2026-11-16T10:20:30+0200"), DateWord::Rfc3339, Some("2026-11-16")),
            (json!("2026-11-16 10:20:30"), DateWord::Rfc3339, Some("2026-11-16")),
            (json!("2026-11-16T10:20"), DateWord::Rfc3339, Some("2026-11-16")),
            (json!("2026-11-11"), DateWord::Date, Some("2026-11-11")),
            (json!(1_794_873_600_000_i64), DateWord::EpochMs, Some("2026-11-17")),
            (json!("1795000000"), DateWord::EpochS, Some("2026-11-18")),
            (json!("yesterday"), DateWord::Rfc3339, None),
            (json!("2026-13-40"), DateWord::Date, None),
            (json!("ünicode-text"), DateWord::Date, None),
            (json!("+262142-12-31T23:59:59.9+0000"), DateWord::Rfc3339, None),
            (json!(i64::MAX), DateWord::EpochMs, None),
            (json!(8_210_000_000_000_i64), DateWord::EpochS, None),
            (json!(null), DateWord::EpochMs, None),
            (json!("2026-10-05 08:25:23 UTC"), DateWord::Utc, Some("2026-10-05")),
            (json!("2026-10-05T08:25:23"), DateWord::Utc, Some("2026-10-05")),
            (json!("Thu, 12 Nov 2026 09:00:00 +0100"), DateWord::Rfc2822, Some("2026-11-12")),
            (json!("Posted Today"), DateWord::Relative, Some("2026-11-21")),
            (json!("Posted Yesterday"), DateWord::Relative, Some("2026-11-20")),
            (json!("Posted 3 Days Ago"), DateWord::Relative, Some("2026-11-18")),
            (json!("2 months ago"), DateWord::Relative, Some("2026-09-21")),
            (json!("Posted 30+ Days Ago"), DateWord::Relative, None),
            (json!("5 days"), DateWord::Relative, None),
            (json!("4294967295 months ago"), DateWord::Relative, None),
        ] {
            let now = "2026-11-21T10:00:00Z".parse().unwrap();
            let day = day_of(&value, &DateFormat::Word(format), now).map(|day| day.to_string());
            assert_eq!(day.as_deref(), wanted, "{value}");
        }
    }

    #[test]
    fn feeds_write_dates_in_many_ways() {
        for (text, wanted) in [
            ("Thu, 19 Nov 2026 13:00:05 GMT", Some("2026-11-19T13:00:05")),
            ("Thu, 19 Nov 2026 13:00 GMT", Some("2026-11-19T13:00:00")),
            ("Mon, 19 Nov 2026 13:00:05 EST", Some("2026-11-19T18:00:05")),
            ("19 Nov 2026 13:00:05 +0100", Some("2026-11-19T12:00:05")),
            ("Thursday, 19 Nov 2026 13:00:05 UTC", Some("2026-11-19T13:00:05")),
            ("2026-11-19T13:00:05-05:00", Some("2026-11-19T18:00:05")),
            ("2026-11-19 13:00:05", Some("2026-11-19T13:00:05")),
            ("2019-05-01", Some("2019-05-01")),
            ("Wed, 01 May 2019", Some("2019-05-01")),
            ("1 May 2019", Some("2019-05-01")),
            ("Wed, 01 May 19", None),
            ("Wed, 41 May 2019", None),
            ("soon", None),
            ("", None),
        ] {
            let date = date_of_feed(text);
            assert_eq!(date.as_deref().map(|date| date.get(..19).unwrap_or(date)), wanted, "{text}");
            let day = day_of(&json!(text), &DateFormat::Word(DateWord::Rfc2822), DateTime::UNIX_EPOCH);
            assert_eq!(day.is_some(), wanted.is_some(), "{text}");
        }
    }

    #[test]
    fn patterns_read_what_they_describe() {
        let of = |text: &str, pattern: &str| {
            instant_of(&json!(text), &DateFormat::given(None, Some(pattern)).unwrap().unwrap()).map(text_of_instant)
        };
        assert_eq!(of("20261119T141500Z", "%Y%m%dT%H%M%SZ").as_deref(), Some("2026-11-19T14:15:00.000000Z"));
        assert_eq!(of("19.11.2026 14:15 +0100", "%d.%m.%Y %H:%M %z").as_deref(), Some("2026-11-19T13:15:00.000000Z"));
        assert_eq!(of("19.11.2026", "%d.%m.%Y"), None);
        assert!(DateFormat::given(None, Some("%Q")).is_err());
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
