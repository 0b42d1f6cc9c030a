//! Durations as people write them: `"5s"`, `"5m"`, `"2h"`, `"60d"`.

use std::time::Duration;

/// The longest duration that is read: a hundred years, so that adding one to an instant stays in range.
const LONGEST: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

/// Reads a duration; `None` for anything else.
pub fn parse(text: &str) -> Option<Duration> {
    humantime::parse_duration(text).ok().filter(|duration| *duration <= LONGEST)
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
        for text in ["", "5", "s", "soon", "-5s", "5S", "99999999999999999999s", "40000d"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
