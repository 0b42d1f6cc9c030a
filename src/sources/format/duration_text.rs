//! Durations as people write them in files: `90s`, `30m`, `6h`, `7d`.

use std::time::Duration;

use serde::{Deserialize, Deserializer, de};

/// A duration read from a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DurationText(pub Duration);

impl<'de> Deserialize<'de> for DurationText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        parse(&text)
            .map(Self)
            .ok_or_else(|| de::Error::custom(format!("`{text}` is no duration such as `90s`, `30m`, `6h` or `7d`")))
    }
}

fn parse(text: &str) -> Option<Duration> {
    let split_at = text.find(|letter: char| !letter.is_ascii_digit())?;
    let (count, unit) = text.split_at(split_at);
    let seconds = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 60 * 60,
        "d" => 24 * 60 * 60,
        _ => return None,
    };
    count.parse::<u64>().ok()?.checked_mul(seconds).map(Duration::from_secs)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn durations_are_read() {
        for (text, seconds) in [
            ("90s", Some(90)),
            ("30m", Some(1_800)),
            ("6h", Some(21_600)),
            ("7d", Some(604_800)),
            ("6", None),
            ("h", None),
            ("1 h", None),
            ("", None),
        ] {
            assert_eq!(parse(text).map(|duration| duration.as_secs()), seconds, "{text}");
        }
    }
}
