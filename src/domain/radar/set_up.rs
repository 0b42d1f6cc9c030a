//! What a failed attempt of a set-up means for its radar (decision 1.3).
//!
//! A site that refuses us and a site without sources have answered: the radar fails at once. A site that is not there
//! just now is asked again, later each time, for a day; only then does its radar fail.

use std::time::Duration;

use chrono::{DateTime, Utc};

use crate::radar::FailureReason;
use crate::scheduling::backoff::backoff;

/// The waits between attempts: the first, and the longest.
const WAIT_MIN: Duration = Duration::from_secs(5);
const WAIT_MAX: Duration = Duration::from_secs(60 * 60);
/// For how long a site that cannot be reached is asked again.
const UNREACHABLE_FOR: chrono::Duration = chrono::Duration::hours(24);
/// How often in a row, and over how long, a name must be unknown before its radar fails.
const UNKNOWN_NAMES_MAX: u32 = 3;
const UNKNOWN_FOR: chrono::Duration = chrono::Duration::hours(1);

/// Why an attempt found no source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The site answers 401, 403 or 451, or forbids us in robots.txt.
    Inaccessible,
    /// The site can be read, and nothing on it leads to a source.
    NoSource,
    /// No answer, or a failure that may pass.
    Unreachable,
    /// The name does not exist, or leads to an address that must not be called.
    UnknownName,
    /// Anything else.
    Unexpected,
}

/// What the attempts so far have come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FailedAttempts {
    /// How many in a row could not reach the site.
    pub failures: u32,
    /// When the first of them was made.
    pub failing_since: Option<DateTime<Utc>>,
    /// How many of the last ones in a row found that the name does not exist.
    pub unknown_names: u32,
    /// When the first of those was made.
    pub unknown_since: Option<DateTime<Utc>>,
}

/// What follows a failed attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextStep {
    /// Another attempt after this wait; until then the radar stays as it is.
    TryAgain(Duration),
    /// The radar fails.
    Fail(FailureReason),
}

impl FailedAttempts {
    /// Adds the attempt that met `obstacle` at `now`, and says what follows.
    pub fn add(&mut self, obstacle: Obstacle, now: DateTime<Utc>) -> NextStep {
        match obstacle {
            Obstacle::Inaccessible => return NextStep::Fail(FailureReason::SourceInaccessible),
            Obstacle::NoSource => return NextStep::Fail(FailureReason::MissingPrerequisites),
            Obstacle::Unexpected => return NextStep::Fail(FailureReason::SetupFailure),
            Obstacle::UnknownName => {
                self.unknown_names = self.unknown_names.saturating_add(1);
                self.unknown_since.get_or_insert(now);
            }
            Obstacle::Unreachable => (self.unknown_names, self.unknown_since) = (0, None),
        }
        self.failures = self.failures.saturating_add(1);
        self.failing_since.get_or_insert(now);
        let lasts = |since: Option<DateTime<Utc>>, long| since.is_some_and(|since| now - since >= long);
        let is_unknown = self.unknown_names >= UNKNOWN_NAMES_MAX && lasts(self.unknown_since, UNKNOWN_FOR);
        if is_unknown || lasts(self.failing_since, UNREACHABLE_FOR) {
            return NextStep::Fail(FailureReason::SourceInaccessible);
        }
        NextStep::TryAgain(self.wait(now))
    }

    /// How far ahead the next attempt can be, by the number of those that have failed, from none on.
    pub fn longest_waits() -> Vec<Duration> {
        (0..)
            .map(|failures| backoff(failures, WAIT_MIN, WAIT_MAX))
            .take_while(|wait| *wait < WAIT_MAX)
            .chain([WAIT_MAX])
            .collect()
    }

    /// Twice as long each time; the last attempt is made when the day is over, not an hour later.
    fn wait(&self, now: DateTime<Utc>) -> Duration {
        let growing = backoff(self.failures, WAIT_MIN, WAIT_MAX);
        let left = self.failing_since.and_then(|since| (since + UNREACHABLE_FOR - now).to_std().ok());
        growing.min(left.unwrap_or(growing))
    }
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Duration, Utc};
    use proptest::prelude::*;

    use super::{FailedAttempts, NextStep, Obstacle, UNKNOWN_FOR, UNREACHABLE_FOR};
    use crate::radar::FailureReason;

    fn start() -> DateTime<Utc> {
        "2026-11-21T00:00:00Z".parse().unwrap()
    }

    /// Meets the obstacles in turn, the last one over and over; answers when the radar failed, why, and the attempts.
    fn meet(obstacles: &[Obstacle]) -> (Duration, FailureReason, usize) {
        let (mut attempts, mut now, mut made) = (FailedAttempts::default(), start(), 0);
        loop {
            let obstacle = obstacles[made.min(obstacles.len() - 1)];
            made += 1;
            match attempts.add(obstacle, now) {
                NextStep::TryAgain(wait) => now += wait,
                NextStep::Fail(reason) => return (now - start(), reason, made),
            }
        }
    }

    #[test]
    fn decision_1_3_a_site_that_answers_settles_it_at_once() {
        for (obstacle, reason) in [
            (Obstacle::Inaccessible, FailureReason::SourceInaccessible),
            (Obstacle::NoSource, FailureReason::MissingPrerequisites),
            (Obstacle::Unexpected, FailureReason::SetupFailure),
        ] {
            assert_eq!(meet(&[obstacle]), (Duration::zero(), reason, 1), "{obstacle:?}");
            let (_, after_silence, made) = meet(&[Obstacle::Unreachable, Obstacle::UnknownName, obstacle]);
            assert_eq!((after_silence, made), (reason, 3), "{obstacle:?}");
        }
    }

    #[test]
    fn decision_1_3_a_site_that_cannot_be_reached_is_asked_for_24_hours() {
        let (after, reason, attempts) = meet(&[Obstacle::Unreachable]);
        assert_eq!((after, reason), (UNREACHABLE_FOR, FailureReason::SourceInaccessible));
        assert!((20..50).contains(&attempts), "{attempts} attempts");
        let mut attempts = FailedAttempts::default();
        let waits = [(); 12].map(|()| match attempts.add(Obstacle::Unreachable, start()) {
            NextStep::TryAgain(wait) => wait.as_secs(),
            NextStep::Fail(reason) => panic!("{reason:?}"),
        });
        assert_eq!(waits, [5, 10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600, 3_600]);
    }

    #[test]
    fn decision_1_3_a_name_that_does_not_exist_is_asked_for_three_times_over_an_hour() {
        let (after, reason, attempts) = meet(&[Obstacle::UnknownName]);
        assert_eq!(reason, FailureReason::SourceInaccessible);
        assert!(after >= UNKNOWN_FOR && after < UNKNOWN_FOR * 2, "after {after}");
        assert!(attempts >= 3);
        let mixed = [Obstacle::UnknownName, Obstacle::Unreachable];
        assert_eq!(meet(&mixed).0, UNREACHABLE_FOR, "one answer of another kind begins the count anew");
        let late = [vec![Obstacle::Unreachable; 12], vec![Obstacle::UnknownName]].concat();
        let (after, _, attempts) = meet(&late);
        assert!(attempts >= 15 && after < UNREACHABLE_FOR, "{attempts} attempts, {after}");
    }

    proptest! {
        #[test]
        fn every_set_up_is_settled_within_a_day_of_its_first_failure(
            unknown in proptest::collection::vec(any::<bool>(), 1..60),
            late_s in proptest::collection::vec(0..100_000i64, 1..60),
        ) {
            let (mut attempts, mut now, mut settled) = (FailedAttempts::default(), start(), None);
            for (is_unknown, late_s) in unknown.iter().cycle().zip(late_s.iter().cycle()).take(100) {
                let obstacle = if *is_unknown { Obstacle::UnknownName } else { Obstacle::Unreachable };
                match attempts.add(obstacle, now) {
                    NextStep::TryAgain(wait) => {
                        prop_assert!(now - start() < UNREACHABLE_FOR, "a day is over");
                        prop_assert!(!wait.is_zero());
                        now += Duration::from_std(wait).unwrap() + Duration::seconds(*late_s);
                    }
                    NextStep::Fail(reason) => {
                        settled = Some(reason);
                        break;
                    }
                }
            }
            prop_assert_eq!(settled, Some(FailureReason::SourceInaccessible));
        }
    }
}
