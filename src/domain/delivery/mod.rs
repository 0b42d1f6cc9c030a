//! What the answer to a webhook delivery means: done, later, never, or held (decisions 5.3, 5.4, 5.6).
//!
//! Delays depend only on the schedule, the update and the number of the attempt, so that every process and every run of a
//! simulation computes the same ones.

pub mod endpoint_alert;
pub mod endpoint_health;
pub mod endpoint_limiter;
pub mod job;
pub mod link_token;
pub mod log;
pub mod ready_queue;
pub mod recovery;
pub mod redelivery;
pub mod trace;
pub mod waiting_endpoints;
pub mod waiting_reason;
pub mod webhook_format;
pub mod webhook_url;

use std::time::{Duration, SystemTime};

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use crate::closed;
use crate::delivery::endpoint_health::{EndpointHealth, Observation, RETRY_AFTER_MAX};
use crate::ids::UpdateId;

/// What is kept of an answer, in bytes (decision 5.7).
pub const RESPONSE_BYTES_MAX: usize = 16 * 1024;

closed! {
    /// The outcome of one attempt.
    Outcome {
        /// Any 2xx.
        Ok = "ok",
        /// A redirect, which is not followed.
        Http3xx = "http_3xx",
        /// A 4xx without a class of its own.
        Http4xx = "http_4xx",
        /// The receiver is gone: disables the endpoint.
        Http410 = "http_410",
        /// The receiver asks for fewer deliveries.
        Http429 = "http_429",
        /// A 5xx.
        Http5xx = "http_5xx",
        /// The name could not be resolved.
        Dns = "dns",
        /// No connection, or one that broke.
        Connect = "connect",
        /// No secure connection.
        Tls = "tls",
        /// Not over in time.
        Timeout = "timeout",
        /// A forbidden address.
        BlockedTarget = "blocked_target",
        /// An address that cannot be requested.
        BadTarget = "bad_target",
        /// Not a complete, final HTTP answer.
        BodyError = "body_error",
        /// Given up because the service stops; uses up no attempt.
        Cancelled = "cancelled",
    }
}

closed! {
    /// The state of a delivery.
    DeliveryState {
        /// Entered by publication or release: due at an instant.
        Pending = "pending",
        /// Entered by a 2xx. Final.
        Delivered = "delivered",
        /// Entered when the last attempt fails; left only by a resend.
        Exhausted = "exhausted",
        /// Entered while the endpoint is disabled; left when it is enabled.
        Held = "held",
    }
}

/// The waits between the attempts of one delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetrySchedule {
    waits: Vec<TimeDelta>,
}

/// Why a list of waits is not a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleError {
    /// More than [`RetrySchedule::WAITS_MAX`] waits.
    #[error("must have at most 100 entries")]
    TooLong,
    /// A wait of nothing or of more than [`RetrySchedule::WAIT_MAX`].
    #[error("must have entries above 0 and of at most 7 days")]
    OutOfRange,
}

/// The result of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttemptReport {
    /// The class of the outcome.
    pub outcome: Outcome,
    /// The status, if there was an answer.
    pub status: Option<u16>,
    /// The pause that the receiver asked for, at most 24 hours.
    pub retry_after: Option<TimeDelta>,
    /// When it began.
    pub started_at: DateTime<Utc>,
    /// How long it took, by the service's clock.
    pub duration: TimeDelta,
    /// The address that was dialled, if there was an answer.
    pub remote: Option<String>,
    /// The answer's body as text, at most [`RESPONSE_BYTES_MAX`].
    pub response: Option<String>,
    /// Whether the answer's body was longer.
    pub response_truncated: bool,
}

impl AttemptReport {
    /// Of an attempt that nobody answered, and that took no time.
    pub const fn unanswered(outcome: Outcome, started_at: DateTime<Utc>) -> Self {
        Self {
            outcome,
            status: None,
            retry_after: None,
            started_at,
            duration: TimeDelta::zero(),
            remote: None,
            response: None,
            response_truncated: false,
        }
    }
}

/// A delivery, as far as an attempt changes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// What is delivered.
    pub update_id: UpdateId,
    /// Its state.
    pub state: DeliveryState,
    /// Attempts that were used up.
    pub attempts: u32,
    /// When the next attempt is due; present exactly while pending.
    pub due_at: Option<DateTime<Utc>>,
}

impl Delivery {
    /// Whether it can be sent again: what is held waits for its endpoint to be enabled, and what has had no attempt yet is
    /// on its way.
    pub const fn can_be_resent(&self) -> bool {
        match self.state {
            DeliveryState::Held => false,
            DeliveryState::Pending => self.attempts > 0,
            DeliveryState::Delivered | DeliveryState::Exhausted => true,
        }
    }
}

/// What an attempt changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AfterAttempt {
    /// The endpoint afterwards.
    pub health: EndpointHealth,
    /// The delivery afterwards.
    pub delivery: Delivery,
}

impl Outcome {
    /// The outcome that customers see. They do not learn whether an address is forbidden or a name does not exist: that
    /// would reveal what there is in our network.
    pub const fn disclosed(self) -> Self {
        match self {
            Self::BlockedTarget => Self::Dns,
            other => other,
        }
    }

    /// The meaning of an HTTP status. One that does not end an exchange (1xx), or of no class, is not an answer.
    pub const fn of_status(status: u16) -> Self {
        match status {
            200..=299 => Self::Ok,
            300..=399 => Self::Http3xx,
            410 => Self::Http410,
            429 => Self::Http429,
            400..=499 => Self::Http4xx,
            500..=599 => Self::Http5xx,
            _ => Self::BodyError,
        }
    }

    /// Whether the receiver has the update.
    pub const fn is_success(self) -> bool {
        matches!(self, Self::Ok)
    }

    /// Whether a `Retry-After` is heeded with this outcome.
    pub const fn may_ask_for_a_pause(self) -> bool {
        matches!(self, Self::Http4xx | Self::Http410 | Self::Http429 | Self::Http5xx)
    }
}

impl RetrySchedule {
    /// The most waits that a schedule may have.
    pub const WAITS_MAX: usize = 100;
    /// The longest wait.
    pub const WAIT_MAX: Duration = Duration::from_secs(7 * 24 * 60 * 60);
    /// Jitter adds at most a fifth of a wait.
    const JITTER_SHARE: u64 = 5;

    /// A schedule of one attempt more than `waits`.
    pub fn new(waits: &[Duration]) -> Result<Self, ScheduleError> {
        if waits.len() > Self::WAITS_MAX {
            return Err(ScheduleError::TooLong);
        }
        let in_range = |wait: &&Duration| !wait.is_zero() && **wait <= Self::WAIT_MAX;
        let waits =
            waits.iter().map(|wait| Some(wait).filter(in_range).and_then(|wait| TimeDelta::from_std(*wait).ok()));
        Ok(Self { waits: waits.collect::<Option<_>>().ok_or(ScheduleError::OutOfRange)? })
    }

    /// How long after the failed attempt number `attempt_no` (from 1) of `update` the next one is due, jitter of 0 to
    /// 20 % included; `None` when that was the last.
    pub fn wait_after(&self, update: UpdateId, attempt_no: u32) -> Option<TimeDelta> {
        let wait = *self.waits.get(usize::try_from(attempt_no.checked_sub(1)?).ok()?)?;
        let [a, b, c, d, ..] = *Uuid::new_v5(&update.0, &attempt_no.to_be_bytes()).as_bytes();
        let dice = u64::from(u32::from_be_bytes([a, b, c, d]));
        let micros = u64::try_from(wait.num_microseconds()?).ok()?;
        let jitter = u128::from(micros) * u128::from(dice) / (u128::from(u32::MAX) * u128::from(Self::JITTER_SHARE));
        Some(wait + TimeDelta::microseconds(i64::try_from(jitter).ok()?))
    }

    /// How far ahead the next attempt of a delivery can be that no receiver has asked to wait, by the number of those that
    /// have failed, from one on.
    pub fn longest_waits(&self) -> Vec<TimeDelta> {
        let longest = |wait: &TimeDelta| *wait + *wait / i32::try_from(Self::JITTER_SHARE).unwrap_or(1);
        self.waits.iter().map(longest).collect()
    }
}

/// The pause that a `Retry-After` header asks for at `now`, at most 24 hours; `None` for a past date or garbage.
pub fn retry_after(header: &str, now: DateTime<Utc>) -> Option<TimeDelta> {
    let header = header.trim();
    let pause = if !header.is_empty() && header.bytes().all(|byte| byte.is_ascii_digit()) {
        header.parse().ok().and_then(TimeDelta::try_seconds).unwrap_or(RETRY_AFTER_MAX)
    } else {
        let at: SystemTime = httpdate::parse_http_date(header).ok()?;
        DateTime::<Utc>::from(at) - now
    };
    (pause > TimeDelta::zero()).then(|| pause.min(RETRY_AFTER_MAX))
}

/// What an attempt of `delivery` that ended at `now` as `seen` changes.
pub fn decide(
    health: EndpointHealth,
    delivery: Delivery,
    seen: Observation,
    now: DateTime<Utc>,
    schedule: &RetrySchedule,
) -> AfterAttempt {
    let health = health.after(seen, now);
    let delivery = match seen.outcome {
        Outcome::Cancelled => {
            Delivery { state: DeliveryState::Pending, due_at: delivery.due_at.or(Some(now)), ..delivery }
        }
        outcome => {
            let attempts = delivery.attempts.saturating_add(1);
            let (state, due_at) = if outcome.is_success() {
                (DeliveryState::Delivered, None)
            } else if health.disabled.is_some() {
                (DeliveryState::Held, None)
            } else if let Some(wait) = schedule.wait_after(delivery.update_id, attempts) {
                let pause = seen.retry_after.map_or(wait, |pause| wait.max(pause.min(RETRY_AFTER_MAX)));
                (DeliveryState::Pending, Some(now + pause))
            } else {
                (DeliveryState::Exhausted, None)
            };
            Delivery { state, attempts, due_at, ..delivery }
        }
    };
    AfterAttempt { health, delivery }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::endpoint_health::{DisabledReason, Gate};
    use super::*;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_700_000_000 + seconds, 0).unwrap()
    }

    fn pending(attempts: u32) -> Delivery {
        let update_id = UpdateId(Uuid::from_u128(7));
        Delivery { update_id, state: DeliveryState::Pending, attempts, due_at: Some(at(0)) }
    }

    fn attempt(delivery: Delivery, outcome: Outcome, retry_after: Option<i64>) -> AfterAttempt {
        let seen = Observation { outcome, retry_after: retry_after.map(TimeDelta::seconds), was_probe: false };
        decide(EndpointHealth::default(), delivery, seen, at(0), &schedule())
    }

    /// That of the built-in settings.
    fn schedule() -> RetrySchedule {
        const MINUTE: u64 = 60;
        const HOUR: u64 = 60 * MINUTE;
        let waits = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
        RetrySchedule::new(&waits.map(Duration::from_secs)).unwrap()
    }

    fn attempts_max(schedule: &RetrySchedule) -> u32 {
        u32::try_from(schedule.waits.len()).unwrap() + 1
    }

    #[test]
    fn customers_are_not_told_whether_an_address_is_forbidden_or_a_name_unknown() {
        assert_eq!(Outcome::BlockedTarget.disclosed(), Outcome::Dns.disclosed());
        assert!(Outcome::ALL.iter().all(|outcome| outcome.disclosed() != Outcome::BlockedTarget));
    }

    #[test]
    fn decision_5_3_the_default_schedule_has_ten_attempts_in_about_75_hours() {
        let schedule = schedule();
        assert_eq!(attempts_max(&schedule), 10);
        let total: TimeDelta = schedule.waits.iter().sum();
        assert_eq!(total, TimeDelta::seconds(5 + 5 * 60 + 30 * 60 + (2 + 5 + 10 + 14 + 20 + 24) * 3600));
    }

    #[test]
    fn statuses_have_their_classes() {
        for (status, outcome) in [
            (200, Outcome::Ok),
            (202, Outcome::Ok),
            (204, Outcome::Ok),
            (299, Outcome::Ok),
            (301, Outcome::Http3xx),
            (304, Outcome::Http3xx),
            (400, Outcome::Http4xx),
            (404, Outcome::Http4xx),
            (410, Outcome::Http410),
            (429, Outcome::Http429),
            (500, Outcome::Http5xx),
            (503, Outcome::Http5xx),
            (103, Outcome::BodyError),
            (600, Outcome::BodyError),
        ] {
            assert_eq!(Outcome::of_status(status), outcome, "{status}");
        }
    }

    #[test]
    fn decision_5_8_what_is_held_or_on_its_way_is_not_sent_again() {
        use DeliveryState::{Delivered, Exhausted, Held, Pending};
        for (state, attempts, can) in
            [(Held, 7, false), (Pending, 0, false), (Pending, 1, true), (Delivered, 1, true), (Exhausted, 10, true)]
        {
            assert_eq!(Delivery { state, attempts, ..pending(0) }.can_be_resent(), can, "{state:?} {attempts}");
        }
    }

    #[test]
    fn decision_5_4_success_is_final() {
        let decision = attempt(pending(3), Outcome::Ok, Some(60));
        assert_eq!(
            decision.delivery,
            Delivery { state: DeliveryState::Delivered, attempts: 4, due_at: None, ..pending(3) }
        );
        assert_eq!(decision.health.last_success_at, Some(at(0)));
    }

    #[test]
    fn decision_5_4_every_failure_but_gone_is_tried_again_on_the_schedule() {
        for outcome in Outcome::ALL
            .iter()
            .copied()
            .filter(|outcome| !matches!(outcome, Outcome::Ok | Outcome::Http410 | Outcome::Cancelled))
        {
            let decision = attempt(pending(0), outcome, None);
            assert_eq!((decision.delivery.state, decision.delivery.attempts), (DeliveryState::Pending, 1));
            let due_at = decision.delivery.due_at.unwrap();
            assert!(at(5) <= due_at && due_at <= at(6), "{outcome:?} {due_at}");
        }
    }

    #[test]
    fn the_tenth_failure_is_the_last() {
        let decision = attempt(pending(9), Outcome::Http5xx, None);
        assert_eq!((decision.delivery.state, decision.delivery.due_at), (DeliveryState::Exhausted, None));
    }

    #[test]
    fn decision_5_4_retry_after_moves_the_attempt_later_never_earlier() {
        assert_eq!(attempt(pending(0), Outcome::Http429, Some(100)).delivery.due_at, Some(at(100)));
        assert!(attempt(pending(1), Outcome::Http429, Some(1)).delivery.due_at.unwrap() >= at(300));
        assert_eq!(attempt(pending(0), Outcome::Http5xx, Some(999_999)).delivery.due_at, Some(at(86_400)));
        assert_eq!(attempt(pending(0), Outcome::Http5xx, Some(100)).health.gate(at(0)), Gate::Wait(at(100)));
    }

    #[test]
    fn gone_holds_the_delivery() {
        let decision = attempt(pending(0), Outcome::Http410, None);
        assert_eq!((decision.delivery.state, decision.delivery.due_at), (DeliveryState::Held, None));
        assert_eq!(decision.health.gate(at(0)), Gate::Disabled(DisabledReason::Gone));
    }

    #[test]
    fn a_cancelled_attempt_changes_nothing() {
        let decision = attempt(pending(4), Outcome::Cancelled, None);
        assert_eq!(decision, AfterAttempt { health: EndpointHealth::default(), delivery: pending(4) });
    }

    #[test]
    fn retry_after_is_read_as_seconds_or_date() {
        let now = DateTime::from_timestamp(784_111_777, 0).unwrap();
        for (header, expected) in [
            ("120", Some(120)),
            (" 7 ", Some(7)),
            ("0", None),
            ("-1", None),
            ("", None),
            ("soon", None),
            ("1.5", None),
            ("99999999999999999999999", Some(86_400)),
            ("86401", Some(86_400)),
            ("Sun, 06 Nov 1994 08:50:37 GMT", Some(60)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", None),
            ("Sun, 06 Nov 1994 08:00:00 GMT", None),
            ("Sat, 06 Nov 2094 08:49:37 GMT", Some(86_400)),
        ] {
            assert_eq!(retry_after(header, now), expected.map(TimeDelta::seconds), "{header}");
        }
    }

    #[test]
    fn schedules_out_of_range_are_refused() {
        let day = Duration::from_secs(86_400);
        assert_eq!(RetrySchedule::new(&[Duration::ZERO]), Err(ScheduleError::OutOfRange));
        assert_eq!(RetrySchedule::new(&[day * 8]), Err(ScheduleError::OutOfRange));
        assert_eq!(RetrySchedule::new(&[day; 101]), Err(ScheduleError::TooLong));
        assert_eq!(attempts_max(&RetrySchedule::new(&[]).unwrap()), 1);
        assert_eq!(attempts_max(&RetrySchedule::new(&[day; 3]).unwrap()), 4);
    }

    proptest! {
        /// Never early, at most a fifth late, the same at every asking, and as many attempts as the schedule says.
        #[test]
        fn a_receiver_that_never_answers_gets_the_whole_schedule(
            bits: u128,
            waits in prop::collection::vec(1..=7 * 86_400u64, 0..20),
        ) {
            let waits: Vec<Duration> = waits.into_iter().map(Duration::from_secs).collect();
            let schedule = RetrySchedule::new(&waits).unwrap();
            let update_id = UpdateId(Uuid::from_u128(bits));
            let mut delivery = Delivery { update_id, state: DeliveryState::Pending, attempts: 0, due_at: Some(at(0)) };
            let mut now = at(0);
            for wait in &waits {
                let seen = Observation { outcome: Outcome::Timeout, retry_after: None, was_probe: false };
                let decided = decide(EndpointHealth::default(), delivery.clone(), seen, now, &schedule);
                prop_assert_eq!(&decided, &decide(EndpointHealth::default(), delivery, seen, now, &schedule));
                let wait = TimeDelta::from_std(*wait).unwrap();
                let due_at = decided.delivery.due_at.unwrap();
                prop_assert!(due_at >= now + wait && due_at <= now + wait + wait / 5);
                delivery = decided.delivery;
                now = due_at;
            }
            let seen = Observation { outcome: Outcome::Http5xx, retry_after: None, was_probe: false };
            let last = decide(EndpointHealth::default(), delivery, seen, now, &schedule).delivery;
            prop_assert_eq!((last.state, last.attempts), (DeliveryState::Exhausted, attempts_max(&schedule)));
            let total: TimeDelta = schedule.waits.iter().sum();
            prop_assert!(now - at(0) >= total && now - at(0) <= total + total / 5);
        }

        /// A delivery is due exactly while it is pending, and never before the moment of the decision.
        #[test]
        fn due_exactly_while_pending(attempts in 0..12u32, outcome in 0..13usize, hint in prop::option::of(0..200_000i64)) {
            let decision = attempt(pending(attempts), Outcome::ALL[outcome], hint);
            prop_assert_eq!(decision.delivery.due_at.is_some(), decision.delivery.state == DeliveryState::Pending);
            prop_assert!(decision.delivery.due_at.is_none_or(|due_at| due_at >= at(0)));
            prop_assert!(decision.delivery.attempts == attempts + 1);
        }
    }
}
