//! What it means that a source shows an item: that it is news for a radar, or was there before it (decisions 4.14, 7.2).

use chrono::{DateTime, TimeDelta, Utc};

use crate::closed;

closed! {
    /// What the list of a source holds.
    Presence {
        /// All that is there now, such as the postings of a board: what is listed is there, whatever its date.
        Snapshot = "snapshot",
        /// The newest of a longer list, such as a time line, a log, or a file that takes the place of the last one.
        Window = "window",
    }
}

/// What a source shows, as its file declares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Showing {
    /// What its list holds.
    pub presence: Presence,
    /// How long after its own date an item may well appear.
    pub lag: TimeDelta,
}

impl Showing {
    /// All that is there now.
    pub const SNAPSHOT: Self = Self { presence: Presence::Snapshot, lag: TimeDelta::zero() };

    /// Whether an item that is dated `dated_at` was there before a radar that was created at `created_at`: it is neither
    /// charged nor published. One without a date is judged as if it were of today.
    pub fn is_baseline(self, dated_at: Option<DateTime<Utc>>, created_at: DateTime<Utc>) -> bool {
        let watched_since = match self.presence {
            Presence::Snapshot => None,
            Presence::Window => created_at.checked_sub_signed(self.lag),
        };
        watched_since.zip(dated_at).is_some_and(|(watched_since, dated_at)| dated_at < watched_since)
    }
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, TimeDelta, Utc};

    use super::{Presence, Showing};

    #[test]
    fn decision_4_14_what_is_dated_before_the_radar_is_baseline_but_on_boards() {
        let created_at = "2026-11-20T10:00:00Z";
        for (presence, lag_hours, dated_at, is_baseline) in [
            (Presence::Window, 0, Some("2019-03-01T00:00:00Z"), true),
            (Presence::Snapshot, 0, Some("2019-03-01T00:00:00Z"), false),
            (Presence::Window, 0, Some("2026-11-20T09:59:59Z"), true),
            (Presence::Window, 0, Some("2026-11-20T10:00:00Z"), false),
            (Presence::Window, 0, Some("2031-01-01T00:00:00Z"), false),
            (Presence::Window, 24, Some("2026-11-19T10:00:00Z"), false),
            (Presence::Window, 24, Some("2026-11-19T09:59:59Z"), true),
            (Presence::Window, i64::MAX / 4_000_000, Some("2019-03-01T00:00:00Z"), false),
            (Presence::Window, 0, None, false),
        ] {
            let at = |text: &str| text.parse::<DateTime<Utc>>().expect("an instant");
            let shows = Showing { presence, lag: TimeDelta::hours(lag_hours) };
            assert_eq!(
                shows.is_baseline(dated_at.map(at), at(created_at)),
                is_baseline,
                "{} less {lag_hours} hours: {dated_at:?}",
                presence.as_str()
            );
        }
    }
}
