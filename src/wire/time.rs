//! Instants on the wire: RFC 3339, UTC, `Z`, six fractional digits everywhere (decision 1.7).

use chrono::{DateTime, SecondsFormat, SubsecRound, Utc};
use serde::{Serialize, Serializer};

/// An instant in the form of the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instant(pub DateTime<Utc>);

impl Serialize for Instant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&text(self.0))
    }
}

/// The text of an instant, such as `2026-01-31T12:00:00.000000Z`.
pub fn text(instant: DateTime<Utc>) -> String {
    instant.to_rfc3339_opts(SecondsFormat::Micros, true)
}

/// Reads an instant with any offset; parts below the microsecond, which the store does not keep, are cut.
pub fn parse(text: &str) -> Option<DateTime<Utc>> {
    DateTime::parse_from_rfc3339(text).ok().map(|instant| instant.with_timezone(&Utc).trunc_subsecs(6))
}

#[cfg(test)]
mod tests {
    use super::{parse, text};

    #[test]
    fn decision_1_7_any_offset_is_read_and_utc_is_printed() {
        for (read, printed) in [
            ("2026-01-31T12:00:00Z", "2026-01-31T12:00:00.000000Z"),
            ("2026-01-31T12:00:00.5+02:00", "2026-01-31T10:00:00.500000Z"),
            ("2026-01-31t12:00:00.123456789z", "2026-01-31T12:00:00.123456Z"),
        ] {
            assert_eq!(parse(read).map(text).as_deref(), Some(printed));
        }
        for refused in ["", "2026-01-31", "2026-01-31T12:00:00", "2026-02-30T12:00:00Z", "1769860800"] {
            assert_eq!(parse(refused), None, "{refused}");
        }
    }
}
