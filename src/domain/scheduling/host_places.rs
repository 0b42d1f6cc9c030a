//! How many polls of one host may be under way and wait, so that a slow host delays no other.
//!
//! A host has a share of all places. Polls beyond it wait in memory as long as they get a place within a few seconds; those
//! beyond that are put off, each to the time at which the host will have a place for it. These times are the host's
//! backlog. A feed that was polled goes to its end when its interval ends sooner: otherwise few feeds would be polled again
//! and again and the others never.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

use super::fair_share::Share;

/// The places that one host may take, of all: those that wait for it are bounded by time.
pub const SHARE: Share = Share::one_in(4);
/// How long a poll may wait in memory.
const WAIT_MAX: Duration = Duration::from_secs(3);
/// How many polls of one host wait in memory at most, whatever time they take.
const WAITING_MAX: usize = 128;
/// A poll is put off by this at most: a host that is slow now may be fast again.
const PUT_OFF_MAX: TimeDelta = TimeDelta::minutes(2);
/// Waits in the backlog are whole numbers of these, so that polls that end together wait equally long and are written together.
const WAIT_STEP: Duration = Duration::from_millis(50);

/// How many polls of a host with `share` places may be there, at work or waiting, when one takes `poll_time`.
pub fn polls_max(share: usize, poll_time: Duration) -> usize {
    let rounds = WAIT_MAX.as_micros() / poll_time.as_micros().max(1);
    let waiting = usize::try_from(rounds).unwrap_or(usize::MAX).saturating_mul(share);
    share.saturating_add(waiting.min(WAITING_MAX))
}

/// The time of the next poll that finds the host full at `now`, when its backlog ends at `backlog_ends_at`.
pub fn put_off(
    now: DateTime<Utc>,
    backlog_ends_at: Option<DateTime<Utc>>,
    share: usize,
    poll_time: Duration,
) -> DateTime<Utc> {
    let part = u32::try_from(share.max(1)).unwrap_or(u32::MAX);
    let apart = TimeDelta::from_std(poll_time / part).unwrap_or(PUT_OFF_MAX);
    let wait_max = TimeDelta::from_std(WAIT_MAX).unwrap_or(PUT_OFF_MAX);
    let first = backlog_ends_at.unwrap_or(now).max(now + wait_max);
    (first + apart).min(now + PUT_OFF_MAX)
}

/// The next turn of a feed that was polled until `now`, at the end of the backlog; `None` when its interval ends after that.
pub fn turn_behind_backlog(
    now: DateTime<Utc>,
    interval: Duration,
    backlog_ends_at: Option<DateTime<Utc>>,
    share: usize,
    poll_time: Duration,
) -> Option<DateTime<Utc>> {
    let interval = TimeDelta::from_std(interval).unwrap_or(TimeDelta::MAX);
    backlog_ends_at.filter(|ends_at| *ends_at - now > interval).map(|_| put_off(now, backlog_ends_at, share, poll_time))
}

/// How long a feed waits from `now` until its `turn`.
pub fn wait_until(now: DateTime<Utc>, turn: DateTime<Utc>) -> Duration {
    let steps = (turn - now).to_std().unwrap_or_default().as_micros().div_ceil(WAIT_STEP.as_micros());
    WAIT_STEP * u32::try_from(steps).unwrap_or(u32::MAX)
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

    use super::{PUT_OFF_MAX, SHARE, poll_time, polls_max, put_off, turn_behind_backlog, wait_until};

    #[test]
    fn a_host_has_a_share_and_a_queue_that_is_short_in_time() {
        for (places, poll_ms, expected) in
            [(32, 10_000, 8), (32, 1_500, 24), (32, 200, 128), (32, 0, 136), (1, 10_000, 1), (4, 10_000, 1)]
        {
            let polls = polls_max(SHARE.most(places), Duration::from_millis(poll_ms));
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
    fn a_feed_goes_behind_a_backlog_that_is_longer_than_its_interval() {
        let (now, poll_time) = (DateTime::UNIX_EPOCH, Duration::from_secs(8));
        for (interval_s, backlog_s, expected_s) in [
            (1, None, None),
            (1, Some(-5), None),
            (1, Some(1), None),
            (1, Some(2), Some(4)),
            (1, Some(60), Some(61)),
            (60, Some(60), None),
        ] {
            let backlog_ends_at = backlog_s.map(|backlog_s| now + TimeDelta::seconds(backlog_s));
            let turn = turn_behind_backlog(now, Duration::from_secs(interval_s), backlog_ends_at, 8, poll_time);
            assert_eq!(turn.map(|turn| (turn - now).num_seconds()), expected_s, "{interval_s} s, {backlog_s:?}");
        }
    }

    #[test]
    fn turns_that_are_close_together_are_one_wait() {
        let now = DateTime::UNIX_EPOCH;
        for (turn_us, expected_ms) in [(0, 0), (1, 50), (50_000, 50), (50_001, 100), (-1, 0)] {
            let wait = wait_until(now, now + TimeDelta::microseconds(turn_us));
            assert_eq!(wait, Duration::from_millis(expected_ms), "{turn_us} µs");
        }
    }

    /// A host that serves fewer feeds than are due: each has its turn before any is polled three times more often.
    #[test]
    fn a_host_with_too_many_feeds_serves_all_of_them() {
        const FEEDS: usize = 2_000;
        let (share, poll_time, interval) = (8, Duration::from_millis(80), Duration::from_secs(1));
        let mut now = DateTime::UNIX_EPOCH;
        let (mut due_at, mut polls, mut backlog_ends_at) = (vec![now; FEEDS], vec![0; FEEDS], None);
        for _ in 0..4_000 {
            now += TimeDelta::milliseconds(100);
            let mut due: Vec<usize> = (0..FEEDS).filter(|feed| due_at[*feed] <= now).collect();
            due.sort_by_key(|feed| due_at[*feed]);
            // Ten a round are all that it can do.
            for (place, feed) in due.into_iter().enumerate() {
                let turn = if place < 10 {
                    polls[feed] += 1;
                    turn_behind_backlog(now, interval, backlog_ends_at, share, poll_time)
                } else {
                    Some(put_off(now, backlog_ends_at, share, poll_time))
                };
                backlog_ends_at = turn.or(backlog_ends_at);
                due_at[feed] = turn.unwrap_or(now + TimeDelta::seconds(1));
            }
        }
        let (fewest, most) = (polls.iter().min(), polls.iter().max());
        assert!(fewest > Some(&0) && most <= fewest.map(|fewest| fewest * 3).as_ref(), "{fewest:?} to {most:?}");
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
