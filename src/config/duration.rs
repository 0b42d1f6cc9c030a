//! Durations as people write them in the configuration: `"5s"`, `"5m"`, `"2h"`, `"60d"`.
//!
//! Duty: text to [`Duration`]. Never here: a clock.

use std::time::Duration;

/// The longest duration that a setting may have: a hundred years, so that adding one to an instant stays in range.
const LONGEST: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

/// Reads a whole number and one of the units `ms`, `s`, `m`, `h`, `d`; `None` for anything else.
pub fn parse(text: &str) -> Option<Duration> {
    let unit_at = text.find(|character: char| !character.is_ascii_digit())?;
    let (number, unit) = text.split_at(unit_at);
    let unit_ms: u64 = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60 * 1_000,
        "h" => 60 * 60 * 1_000,
        "d" => 24 * 60 * 60 * 1_000,
        _ => return None,
    };
    let duration = Duration::from_millis(number.parse::<u64>().ok()?.checked_mul(unit_ms)?);
    (duration <= LONGEST).then_some(duration)
}

#[cfg(test)]
mod tests {
    use super::parse;
    use std::time::Duration;

    #[test]
    fn reads_each_unit() {
        for (text, seconds) in [("0s", 0), ("5s", 5), ("5m", 300), ("2h", 7_200), ("60d", 5_184_000)] {
            assert_eq!(parse(text), Some(Duration::from_secs(seconds)), "{text}");
        }
        assert_eq!(parse("250ms"), Some(Duration::from_millis(250)));
    }

    #[test]
    fn refuses_what_is_no_duration() {
        for text in ["", "5", "s", "soon", "-5s", "1.5h", "5 s", "5S", "1h30m", "99999999999999999999s", "40000d"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
