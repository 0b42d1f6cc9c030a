//! When a feed is polled again (decision 7.3).

use std::time::Duration;

use super::backoff::backoff;

/// The shortest wait after failed polls.
const RETRY_MIN: Duration = Duration::from_secs(60);
/// The longest.
pub const RETRY_MAX: Duration = Duration::from_secs(6 * 60 * 60);

/// No feed is polled more often because it shows too little.
const HASTENED_MIN: Duration = Duration::from_secs(60);
/// The most halvings.
const HALVINGS_MAX: u32 = 16;

/// How often a feed may be polled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PollIntervals {
    /// The interval of a feed of which nothing is known yet.
    pub usual: Duration,
    /// The interval of a busy feed.
    pub min: Duration,
    /// The interval of a quiet feed.
    pub max: Duration,
}

/// What tells an unchanged page without reading it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Validators {
    /// The `ETag` header.
    pub etag: Option<String>,
    /// The `Last-Modified` header, as it was sent.
    pub last_modified: Option<String>,
    /// SHA-256 of the body, in hex: some hosts send validators that they do not honour.
    pub body_hash: Option<String>,
}

impl PollIntervals {
    /// The same interval for every feed.
    pub const fn fixed(interval: Duration) -> Self {
        Self { usual: interval, min: interval, max: interval }
    }

    /// How often a feed is polled: `configured` replaces the intervals of its source. A feed whose source is no longer
    /// known is polled as seldom as one that keeps failing.
    pub fn of(configured: Option<Duration>, of_source: Option<Self>) -> Self {
        configured.map(Self::fixed).or(of_source).unwrap_or(Self::fixed(RETRY_MAX))
    }

    /// The intervals of a feed that shows less than comes between two polls: each halved so many times.
    pub fn hastened(self, halvings: u32) -> Self {
        let hastened =
            |interval: Duration| (interval / (1 << halvings.min(HALVINGS_MAX))).max(HASTENED_MIN).min(interval);
        Self { usual: hastened(self.usual), min: hastened(self.min), max: hastened(self.max) }
    }

    /// The interval that holds after `last`; the usual one where no poll has succeeded yet.
    pub fn current(self, last: Option<Duration>) -> Duration {
        last.unwrap_or(self.usual).min(self.max).max(self.min)
    }

    /// The interval after a poll with success: half of the last one when something was new, an eighth more than the last one
    /// when nothing was.
    pub fn next(self, last: Option<Duration>, found_new: bool) -> Duration {
        let Some(last) = last else { return self.current(None) };
        let next = if found_new { last / 2 } else { last.saturating_add(last / 8) };
        self.current(Some(next))
    }
}

/// When a feed is polled again after `failures` failed polls in a row, never sooner than the source asked for.
pub fn retry_after(failures: u32, interval: Duration, asked_for: Option<Duration>) -> Duration {
    let step = backoff(failures, RETRY_MIN.min(interval), RETRY_MAX);
    step.max(asked_for.unwrap_or_default().min(RETRY_MAX))
}

#[cfg(test)]
mod tests {
    use super::{PollIntervals, retry_after};
    use proptest::prelude::*;
    use std::time::Duration;

    const MINUTE: Duration = Duration::from_secs(60);
    const INTERVALS: PollIntervals = PollIntervals {
        usual: Duration::from_secs(60 * 60),
        min: Duration::from_secs(30 * 60),
        max: Duration::from_secs(120 * 60),
    };

    #[test]
    fn the_configuration_replaces_the_intervals_of_a_source() {
        assert_eq!(PollIntervals::of(Some(MINUTE), Some(INTERVALS)), PollIntervals::fixed(MINUTE));
        assert_eq!(PollIntervals::of(None, Some(INTERVALS)), INTERVALS);
        assert_eq!(PollIntervals::of(None, None), PollIntervals::fixed(360 * MINUTE));
    }

    #[test]
    fn busy_feeds_are_polled_more_often_and_quiet_ones_less() {
        for (last, found_new, minutes) in [
            (None, false, 60 * 8),
            (None, true, 60 * 8),
            (Some(60), true, 30 * 8),
            (Some(60), false, 60 * 8 + 60),
            (Some(30), true, 30 * 8),
            (Some(110), false, 120 * 8),
            (Some(120), true, 60 * 8),
            (Some(1), false, 30 * 8),
            (Some(10_000), true, 120 * 8),
        ] {
            let next = INTERVALS.next(last.map(|minutes| minutes * MINUTE), found_new);
            assert_eq!(next * 8, minutes * MINUTE, "eighths of minutes after {last:?}, new: {found_new}");
        }
        assert_eq!(PollIntervals::fixed(MINUTE).next(Some(360 * MINUTE), false), MINUTE, "other settings hold at once");
    }

    #[test]
    fn a_feed_that_shows_too_little_is_polled_more_often_but_not_without_end() {
        for (halvings, minutes) in [(0, [30, 60, 120]), (1, [15, 30, 60]), (2, [8, 15, 30]), (40, [1, 1, 1])] {
            let PollIntervals { usual, min, max } = INTERVALS.hastened(halvings);
            assert_eq!([min, usual, max].map(|interval| interval.as_secs().div_ceil(60)), minutes, "{halvings}");
        }
        let short = PollIntervals::fixed(Duration::from_secs(1));
        assert_eq!(short.hastened(2), short);
    }

    proptest! {
        #[test]
        fn an_interval_stays_within_its_bounds_and_goes_the_right_way(
            [min_s, usual_s, max_s] in [60_u64..1_000, 1_000..10_000, 10_000..1_000_000],
            polls in proptest::collection::vec(any::<bool>(), 0..100),
        ) {
            let [min, usual, max] = [min_s, usual_s, max_s].map(Duration::from_secs);
            let intervals = PollIntervals { usual, min, max };
            let mut last = intervals.next(None, false);
            prop_assert_eq!(last, usual);
            for found_new in polls {
                let next = intervals.next(Some(last), found_new);
                prop_assert!(min <= next && next <= max);
                let is_right_way = if found_new { next <= last } else { next >= last };
                prop_assert!(is_right_way);
                last = next;
            }
            for (found_new, end) in [(true, min), (false, max)] {
                let settled = (0..100).fold(last, |last, _| intervals.next(Some(last), found_new));
                prop_assert_eq!(settled, end);
            }
        }
    }

    #[test]
    fn failed_polls_are_repeated_later_each_time_and_never_before_the_source_asked() {
        let hour = Duration::from_secs(3600);
        for (failures, asked_for_s, expected_s) in
            [(1, None, 60), (2, None, 120), (3, None, 240), (20, None, 21_600), (1, Some(900), 900), (2, Some(5), 120)]
        {
            let asked_for = asked_for_s.map(Duration::from_secs);
            assert_eq!(retry_after(failures, hour, asked_for), Duration::from_secs(expected_s), "{failures}");
        }
        assert_eq!(
            retry_after(1, Duration::from_secs(1), None),
            Duration::from_secs(1),
            "a short interval retries soon"
        );
    }
}
