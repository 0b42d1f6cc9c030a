//! How many findings from the web a radar is charged for in a day, and what it holds beyond that (decision 4.14).
//!
//! The day is the radar's own: it begins with its first charged finding and lasts 24 hours. So 24 hours across the border of
//! two days may see the charges of both.

use chrono::{DateTime, Duration, Utc};

use crate::ids::{AccountId, RadarId, UpdateId};
use crate::radar_type::RadarType;

/// How long a radar's day is.
pub const RADAR_DAY: Duration = Duration::hours(24);

/// By how much the clocks of two processes may differ.
const SKEW: Duration = Duration::minutes(1);

/// Where a radar stands against the bound of its day. A day begins with the first finding from the web that is charged, and
/// the next one with the first that is charged after its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DailyBound {
    /// When the last day began; `None` before the first.
    pub began_at: Option<DateTime<Utc>>,
    /// How many findings were charged in it.
    pub charged: i64,
    /// How many findings are held beyond the bound.
    pub held: i64,
    /// Since when it holds as many as a day allows, and so reads no further in its feeds.
    pub full_since: Option<DateTime<Utc>>,
    /// When what it holds is released: the end of the last day whose bound was exceeded.
    pub release_at: Option<DateTime<Utc>>,
}

impl DailyBound {
    /// When the day ends that runs at `now`, if one does. One that ends later than a day can was begun by a clock that was
    /// ahead, and does not count.
    pub fn day_ends_at(&self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let runs = |ends_at: &DateTime<Utc>| now < *ends_at && *ends_at <= Self::latest_end(now);
        self.began_at.map(|began_at| began_at + RADAR_DAY).filter(runs)
    }

    /// The latest instant at which a day can end that runs at `now`.
    pub fn latest_end(now: DateTime<Utc>) -> DateTime<Utc> {
        now + RADAR_DAY + SKEW
    }

    /// Where the radar stands once every instant is brought back that a clock noted which was ahead of `now`: what it holds
    /// is released with the end of the day that runs, or at once.
    #[must_use]
    pub fn brought_back(self, now: DateTime<Utc>) -> Self {
        let began_at = self.began_at.map(|began_at| began_at.min(now));
        let full_since = self.full_since.map(|since| since.min(now));
        let back = Self { began_at, full_since, ..self };
        let latest = back.day_ends_at(now).unwrap_or(now);
        Self { release_at: self.release_at.map(|release_at| release_at.min(latest)), ..back }
    }

    /// How many findings were charged in the day that runs at `now`.
    pub fn charged_in_day(&self, now: DateTime<Utc>) -> i64 {
        self.day_ends_at(now).map_or(0, |_| self.charged)
    }

    /// Whether one more finding would exceed the bound.
    pub fn is_reached(&self, findings_per_day: u32, now: DateTime<Utc>) -> bool {
        self.charged_in_day(now) >= i64::from(findings_per_day)
    }

    /// Whether the day is over whose bound was exceeded.
    pub fn is_release_due(&self, now: DateTime<Utc>) -> bool {
        self.release_at.is_some_and(|release_at| release_at <= now)
    }

    /// A finding from the web was charged at `now`.
    pub fn note_charged(&mut self, now: DateTime<Utc>) {
        if self.day_ends_at(now).is_none() {
            *self = Self { began_at: Some(now), charged: 0, ..*self };
        }
        self.charged += 1;
    }

    /// The bound was exceeded at `now`; answers whether that is so for the first time in this day.
    pub fn note_exceeded(&mut self, now: DateTime<Utc>) -> bool {
        let Some(ends_at) = self.day_ends_at(now) else { return false };
        self.release_at.replace(ends_at) != Some(ends_at)
    }

    /// The radar holds `change` more findings than before; answers whether it reads on in its feeds from now on.
    pub fn note_held(&mut self, change: i64, findings_per_day: u32, now: DateTime<Utc>) -> bool {
        self.held = (self.held + change).max(0);
        let was_full = self.full_since.is_some();
        let is_full = self.held >= i64::from(findings_per_day);
        self.full_since = is_full.then(|| self.full_since.unwrap_or(now));
        was_full && !is_full
    }
}

/// A radar's bound was exceeded, for the first time in a day of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundAlert {
    /// What receivers deduplicate on; an alert is delivered like an update.
    pub alert_id: UpdateId,
    /// Whose radar it is.
    pub account_id: AccountId,
    /// The radar.
    pub radar_id: RadarId,
    /// Its type.
    pub radar_type: RadarType,
    /// The bound.
    pub findings_per_day: u32,
    /// When it was exceeded.
    pub exceeded_at: DateTime<Utc>,
    /// When what is held is released.
    pub release_at: DateTime<Utc>,
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Duration, Utc};

    use super::{DailyBound, RADAR_DAY};

    fn at(hours: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + Duration::hours(hours)
    }

    #[test]
    fn decision_4_14_a_day_begins_with_a_charge_and_lasts_for_24_hours() {
        let mut bound = DailyBound::default();
        assert!(!bound.is_reached(1, at(0)), "nothing was charged yet");
        for (hours, charged_before, is_reached_before) in
            [(0, 0, false), (1, 1, false), (23, 2, true), (24, 0, false), (47, 1, false), (100, 0, false)]
        {
            let before = (bound.charged_in_day(at(hours)), bound.is_reached(2, at(hours)));
            assert_eq!(before, (charged_before, is_reached_before), "after {hours} hours");
            bound.note_charged(at(hours));
        }
        assert_eq!((bound.began_at, bound.charged), (Some(at(100)), 1));
    }

    #[test]
    fn a_day_that_a_clock_began_which_was_ahead_does_not_count_and_is_brought_back() {
        let (now, minute) = (at(0), Duration::minutes(1));
        for (ahead, counts) in
            [(Duration::zero(), true), (minute, true), (minute * 2, false), (Duration::days(40), false)]
        {
            let (mut bound, then) = (DailyBound::default(), now + ahead);
            bound.note_charged(then);
            assert!(bound.note_exceeded(then));
            bound.note_held(3, 3, then);
            assert_eq!(bound.day_ends_at(now).is_some(), counts, "{ahead}");
            let back = bound.brought_back(now);
            assert_eq!(back.day_ends_at(now), Some(now + RADAR_DAY), "{ahead}");
            assert_eq!((back.release_at, back.full_since), (Some(now + RADAR_DAY), Some(now)), "{ahead}");
            assert_eq!((back.charged, back.held, back.brought_back(now)), (1, 3, back), "{ahead}");
            // A day that has begun since then has the say.
            bound.note_charged(now);
            assert_eq!(bound.charged, if counts { 2 } else { 1 }, "{ahead}");
            assert_eq!(bound.brought_back(at(1)).release_at, bound.day_ends_at(at(1)), "{ahead}");
        }
    }

    #[test]
    fn a_bound_is_exceeded_once_in_a_day() {
        let mut bound = DailyBound::default();
        bound.note_charged(at(0));
        assert!(bound.note_exceeded(at(1)) && !bound.note_exceeded(at(23)));
        assert!(!bound.is_release_due(at(23)) && bound.is_release_due(at(24)));
        assert!(!bound.note_exceeded(at(24)), "no day runs");
        bound.note_charged(at(30));
        assert!(bound.note_exceeded(at(30)), "another day");
        assert_eq!(bound.release_at, Some(at(54)));
    }

    #[test]
    fn who_holds_as_many_as_a_day_allows_reads_no_further() {
        let mut bound = DailyBound::default();
        for (change, bound_of_day, full_since, reads_on) in [
            (2, 3, None, false),
            (1, 3, Some(at(1)), false),
            (5, 3, Some(at(1)), false),
            (-5, 3, Some(at(1)), false),
            (-1, 3, None, true),
            (-1, 3, None, false),
            (0, 1, Some(at(6)), false),
            (0, 2, None, true),
        ] {
            let now = full_since.unwrap_or(at(9));
            assert_eq!(bound.note_held(change, bound_of_day, now), reads_on);
            assert_eq!(bound.full_since, full_since, "{bound:?}");
        }
    }
}
