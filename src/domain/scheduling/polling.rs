//! When a feed is polled again (decision 7.3).

use std::time::Duration;

use super::backoff::backoff;

/// The shortest and the longest wait after failed polls.
const RETRY_MIN: Duration = Duration::from_secs(60);
const RETRY_MAX: Duration = Duration::from_secs(6 * 60 * 60);

/// How often a feed is polled: `configured` replaces the interval of its source. A feed whose source is no longer known
/// is polled as seldom as one that keeps failing.
pub fn interval(configured: Option<Duration>, of_source: Option<Duration>) -> Duration {
    configured.or(of_source).unwrap_or(RETRY_MAX)
}

/// When a feed is polled again after `failures` failed polls in a row, never sooner than the source asked for.
pub fn retry_after(failures: u32, interval: Duration, asked_for: Option<Duration>) -> Duration {
    let step = backoff(failures, RETRY_MIN.min(interval), RETRY_MAX);
    step.max(asked_for.unwrap_or_default().min(RETRY_MAX))
}

#[cfg(test)]
mod tests {
    use super::{interval, retry_after};
    use std::time::Duration;

    #[test]
    fn the_configuration_replaces_the_interval_of_a_source() {
        let [minute, hour] = [60, 3_600].map(Duration::from_secs);
        assert_eq!(interval(Some(minute), Some(hour)), minute);
        assert_eq!(interval(None, Some(hour)), hour);
        assert_eq!(interval(None, None), 6 * hour);
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
