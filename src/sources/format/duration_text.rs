//! Durations as people write them in files: `90s`, `30m`, `6h`, `7d`.

use std::time::Duration;

use serde::{Deserialize, Deserializer, de};

use crate::config::duration;

/// A duration read from a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DurationText(pub Duration);

impl<'de> Deserialize<'de> for DurationText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        duration::parse(&text)
            .map(Self)
            .ok_or_else(|| de::Error::custom(format!("`{text}` is no duration such as `90s`, `30m`, `6h` or `7d`")))
    }
}
