//! How many polls of one host may be under way and wait, so that a slow host delays no other.
//!
//! A host has a share of all places. Polls beyond it wait in memory as long as they get a place within a few seconds; those
//! beyond that are put off, each to the time at which the host will have a place for it.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

/// A host has one in so many places.
const SHARE: usize = 4;
/// How long a poll may wait in memory.
const WAIT_MAX: Duration = Duration::from_secs(3);
/// How many polls of one host wait in memory at most, whatever time they take.
const WAITING_MAX: usize = 128;
/// A poll is put off by this at most: a host that is slow now may be fast again.
const PUT_OFF_MAX: TimeDelta = TimeDelta::minutes(10);

/// The places that one host may take of `places`.
pub fn share(places: usize) -> usize {
    places.div_ceil(SHARE)
}

/// How many polls of a host with `share` places may be there, at work or waiting, when one takes `poll_time`.
pub fn polls_max(share: usize, poll_time: Duration) -> usize {
    let rounds = WAIT_MAX.as_micros() / poll_time.as_micros().max(1);
    let waiting = usize::try_from(rounds).unwrap_or(usize::MAX).saturating_mul(share);
    share.saturating_add(waiting.min(WAITING_MAX))
}

/// The time of the next poll that finds the host full at `now`, when the one before was put off until `last`.
pub fn put_off(now: DateTime<Utc>, last: Option<DateTime<Utc>>, share: usize, poll_time: Duration) -> DateTime<Utc> {
    let part = u32::try_from(share.max(1)).unwrap_or(u32::MAX);
    let apart = TimeDelta::from_std(poll_time / part).unwrap_or(PUT_OFF_MAX);
    let wait_max = TimeDelta::from_std(WAIT_MAX).unwrap_or(PUT_OFF_MAX);
    let first = last.unwrap_or(now).max(now + wait_max);
    (first + apart).min(now + PUT_OFF_MAX)
}

/// The time that a poll of a host takes, from what was thought before and what the last one took.
pub fn poll_time(before: Duration, last: Duration) -> Duration {
    (before * 3 + last) / 4
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use chrono::{DateTime, TimeDelta};
    use proptest::prelude::*;

    use super::{PUT_OFF_MAX, poll_time, polls_max, put_off, share};

    #[test]
    fn a_host_has_a_share_and_a_queue_that_is_short_in_time() {
        for (places, poll_ms, expected) in
            [(32, 10_000, 8), (32, 1_500, 24), (32, 200, 128), (32, 0, 136), (1, 10_000, 1), (4, 10_000, 1)]
        {
            let polls = polls_max(share(places), Duration::from_millis(poll_ms));
            assert_eq!(polls, expected, "{places} places, {poll_ms} ms");
        }
    }

    #[test]
    fn polls_that_find_no_place_come_back_one_after_the_other() {
        let now = DateTime::UNIX_EPOCH;
        let poll_time = Duration::from_secs(8);
        let first = put_off(now, None, 8, poll_time);
        let second = put_off(now, Some(first), 8, poll_time);
        assert_eq!(((first - now).num_seconds(), (second - now).num_seconds()), (4, 5));
        assert_eq!((put_off(now, Some(now - TimeDelta::hours(1)), 8, poll_time) - now).num_seconds(), 4);
    }

    #[test]
    fn a_host_is_known_by_its_last_polls() {
        let [one, nine] = [1, 9].map(Duration::from_secs);
        assert_eq!(poll_time(one, nine), Duration::from_secs(3));
        let settled = (0..40).fold(one, |before, _| poll_time(before, nine));
        assert!(settled > Duration::from_millis(8_990) && settled <= nine);
    }

    proptest! {
        #[test]
        fn a_poll_is_put_off_and_not_for_ever(last_s in -1_000_i64..1_000_000, share in 0_usize..100, poll_ms in 0_u64..1_000_000) {
            let now = DateTime::UNIX_EPOCH;
            let last = Some(now + TimeDelta::seconds(last_s));
            let until = put_off(now, last, share, Duration::from_millis(poll_ms));
            prop_assert!(until > now && until <= now + PUT_OFF_MAX);
        }

        #[test]
        fn the_slower_a_host_the_fewer_wait_for_it(share in 1_usize..100, one_ms in 0_u64..100_000, other_ms in 0_u64..100_000) {
            let (fast, slow) = (one_ms.min(other_ms), one_ms.max(other_ms));
            let max = |poll_ms| polls_max(share, Duration::from_millis(poll_ms));
            prop_assert!(max(slow) <= max(fast) && max(slow) >= share);
        }
    }
}
