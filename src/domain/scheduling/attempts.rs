//! Attempts that can end the process: each is counted before it is made, and its count is cleared when it ends.
//!
//! So the count is of attempts in a row that were begun and never ended. Many may have been under way when the process
//! died, and most are innocent: a target with an open attempt is a suspect, and suspects run alone, one at a time.
//! The attempt of an innocent target ends and clears its count; only the guilty one keeps counting.

use std::time::Duration;

use chrono::TimeDelta;

use super::backoff::backoff;

/// After so many open attempts in a row the target is taken to be what ends the process.
pub const OPEN_ATTEMPTS_MAX: u32 = 3;

/// The first rest of a feed whose polls end the process.
const REST_MIN: Duration = Duration::from_secs(60 * 60);
/// The longest.
pub const REST_MAX: Duration = Duration::from_secs(24 * 60 * 60);

/// How long the looks of previews are remembered that did not end.
pub const LOOKS_REMEMBERED_FOR: TimeDelta = TimeDelta::hours(1);

/// Whether a target with so many open attempts is to blame, and not one that ran at the same time.
pub const fn is_to_blame(open_attempts: u32) -> bool {
    open_attempts >= OPEN_ATTEMPTS_MAX
}

/// How long a feed that is to blame is left alone: twice as long after each further attempt that did not end.
pub fn rest_after(open_attempts: u32) -> Duration {
    backoff(open_attempts.saturating_sub(OPEN_ATTEMPTS_MAX) + 1, REST_MIN, REST_MAX)
}

#[cfg(test)]
mod tests {
    use super::{is_to_blame, rest_after};

    #[test]
    fn three_attempts_in_a_row_that_did_not_end_are_enough() {
        assert_eq!([0, 1, 2, 3, 4].map(is_to_blame), [false, false, false, true, true]);
    }

    #[test]
    fn a_feed_that_ends_the_process_rests_longer_each_time() {
        let hours = [3, 4, 5, 6, 7, 8, 100, u32::MAX].map(|open| rest_after(open).as_secs() / 3_600);
        assert_eq!(hours, [1, 2, 4, 8, 16, 24, 24, 24]);
    }
}
