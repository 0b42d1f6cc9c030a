//! The health of a webhook receiver: circuit breaker, requested pauses, disabling (decisions 5.4, 5.5, 5.6).
//!
//! States: *enabled with a closed breaker* (deliveries go), *enabled with an open breaker* (they wait, without using up
//! attempts, until one probe may go), *disabled* (they are held). Any success closes the breaker; only enabling ends
//! disabled.

use chrono::{DateTime, TimeDelta, Utc};

use crate::closed;
use crate::delivery::Outcome;

/// Failures in a row that open the breaker.
pub const BREAKER_FAILURES: u32 = 5;
/// How long the breaker stays open the first time; each failed probe doubles it.
pub const BREAKER_WAIT_MIN: TimeDelta = TimeDelta::seconds(30);
/// How long the breaker stays open at most.
pub const BREAKER_WAIT_MAX: TimeDelta = TimeDelta::hours(1);
/// How long a breaker is open before the account gets an alert.
pub const ALERT_AFTER: TimeDelta = TimeDelta::hours(1);
/// How long an endpoint fails before it is disabled.
pub const DISABLE_AFTER: TimeDelta = TimeDelta::days(5);
/// How many attempts have failed, at least, before an endpoint is disabled.
pub const DISABLE_ATTEMPTS: u32 = 20;
/// How exactly the last success of a healthy endpoint is kept.
pub const SUCCESS_PRECISION: TimeDelta = TimeDelta::minutes(1);
/// The longest pause that a receiver may ask for.
pub const RETRY_AFTER_MAX: TimeDelta = TimeDelta::hours(24);

closed! {
    /// Why an endpoint is disabled.
    DisabledReason {
        /// It answered 410.
        Gone = "gone",
        /// It has not answered well for [`DISABLE_AFTER`] and [`DISABLE_ATTEMPTS`].
        Failing = "failing",
        /// An operator disabled it.
        Operator = "operator",
    }
}

closed! {
    /// Whether deliveries to an endpoint are attempted.
    EndpointState {
        /// They are, as far as the breaker lets them.
        Enabled = "enabled",
        /// They are held.
        Disabled = "disabled",
    }
}

/// What is known about an endpoint. [`Default`] is one that nothing was ever sent to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EndpointHealth {
    /// Why and since when it is disabled.
    pub disabled: Option<(DisabledReason, DateTime<Utc>)>,
    /// Failures since the last success or enabling.
    pub consecutive_failures: u32,
    /// Attempts since the last success.
    pub attempts_since_success: u32,
    /// The first failure since the last success or enabling.
    pub failing_since: Option<DateTime<Utc>>,
    /// The last success, to within [`SUCCESS_PRECISION`] while all goes well.
    pub last_success_at: Option<DateTime<Utc>>,
    /// Set while the breaker is open: the instant from which one probe may go.
    pub breaker_open_until: Option<DateTime<Utc>>,
    /// How often the breaker has opened since the last success.
    pub breaker_opens: u32,
    /// The instant before which the receiver asked to be left alone.
    pub next_allowed_at: Option<DateTime<Utc>>,
    /// The instant from which the account is to be alerted; `None` when nothing is wrong, and once it was alerted.
    pub alert_at: Option<DateTime<Utc>>,
}

/// What may be sent to an endpoint now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// All that is due.
    Open,
    /// One delivery, to find out whether the receiver is back.
    Probe,
    /// Nothing before this instant.
    Wait(DateTime<Utc>),
    /// Nothing: what is due is held.
    Disabled(DisabledReason),
}

/// What one attempt says about the health.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Observation {
    /// The outcome of the attempt.
    pub outcome: Outcome,
    /// The pause that the receiver asked for.
    pub retry_after: Option<TimeDelta>,
    /// Whether the attempt was let through as [`Gate::Probe`].
    pub was_probe: bool,
}

impl EndpointHealth {
    /// Whether it is enabled.
    pub const fn state(&self) -> EndpointState {
        if self.disabled.is_some() { EndpointState::Disabled } else { EndpointState::Enabled }
    }

    /// Whether the endpoint gets few places: it has failed lately, or has never answered well.
    pub const fn is_suspect(&self) -> bool {
        self.consecutive_failures > 0 || self.last_success_at.is_none()
    }

    /// Whether one more success at `now` would change nothing that is worth writing: the endpoint is well, and that is
    /// known to within [`SUCCESS_PRECISION`].
    pub fn is_well_known(&self, now: DateTime<Utc>) -> bool {
        let is_recent = self.last_success_at.is_some_and(|at| now - at < SUCCESS_PRECISION);
        is_recent && *self == Self { last_success_at: self.last_success_at, ..Self::default() }
    }

    /// What may be sent at `now`.
    pub fn gate(&self, now: DateTime<Utc>) -> Gate {
        if let Some((reason, _)) = self.disabled {
            return Gate::Disabled(reason);
        }
        match self.next_allowed_at.max(self.breaker_open_until).filter(|&until| until > now) {
            Some(until) => Gate::Wait(until),
            None if self.breaker_open_until.is_some() => Gate::Probe,
            None => Gate::Open,
        }
    }

    /// The health while a probe is under way, until `lease_until` at most: until then no other probe goes.
    #[must_use]
    pub fn with_probe_until(mut self, lease_until: DateTime<Utc>) -> Self {
        self.breaker_open_until = Some(lease_until);
        self
    }

    /// The health after an attempt that ended at `now`.
    #[must_use]
    pub fn after(mut self, seen: Observation, now: DateTime<Utc>) -> Self {
        match seen.outcome {
            Outcome::Cancelled => {
                if seen.was_probe {
                    self.breaker_open_until = Some(now);
                }
                self
            }
            Outcome::Ok => Self {
                disabled: self.disabled,
                alert_at: self.alert_at.filter(|_| self.disabled.is_some()),
                last_success_at: Some(now),
                next_allowed_at: self.next_allowed_at.filter(|&until| until > now),
                ..Self::default()
            },
            failure => self.after_failure(failure, seen, now),
        }
    }

    /// The health once a customer or an operator has enabled the endpoint: it starts afresh. A test that succeeds enables
    /// nothing.
    #[must_use]
    pub fn enabled(self) -> Self {
        Self {
            attempts_since_success: self.attempts_since_success,
            last_success_at: self.last_success_at,
            ..Self::default()
        }
    }

    /// The health once the endpoint is disabled; what disabled it first stands.
    #[must_use]
    pub fn disabled(mut self, reason: DisabledReason, now: DateTime<Utc>) -> Self {
        if self.disabled.is_none() {
            self.disabled = Some((reason, now));
            self.alert_at = Some(now);
        }
        self
    }

    /// The health once the account was alerted.
    #[must_use]
    pub fn alerted(self) -> Self {
        Self { alert_at: None, ..self }
    }

    /// The health with every instant brought back that lies further ahead of `now` than it can: a clock was ahead when it
    /// was noted. A probe takes no longer than `lease`.
    #[must_use]
    pub fn brought_back(self, now: DateTime<Utc>, lease: TimeDelta) -> Self {
        let within = |at: Option<DateTime<Utc>>, wait: TimeDelta| at.map(|at| at.min(now + wait));
        let open = breaker_wait(self.breaker_opens).max(lease);
        Self {
            disabled: self.disabled.map(|(reason, since)| (reason, since.min(now))),
            failing_since: within(self.failing_since, TimeDelta::zero()),
            last_success_at: within(self.last_success_at, TimeDelta::zero()),
            breaker_open_until: within(self.breaker_open_until, open),
            next_allowed_at: within(self.next_allowed_at, RETRY_AFTER_MAX),
            alert_at: within(self.alert_at, ALERT_AFTER),
            ..self
        }
    }

    fn after_failure(mut self, outcome: Outcome, seen: Observation, now: DateTime<Utc>) -> Self {
        self.consecutive_failures = self.consecutive_failures.saturating_add(1);
        self.attempts_since_success = self.attempts_since_success.saturating_add(1);
        let failing_since = *self.failing_since.get_or_insert(now);

        let requested = seen.retry_after.map(|pause| now + pause.clamp(TimeDelta::zero(), RETRY_AFTER_MAX));
        self.next_allowed_at = self.next_allowed_at.max(requested);

        // An attempt that began before the breaker opened says nothing about how long it should stay open.
        let opens =
            seen.was_probe || self.breaker_open_until.is_none() && self.consecutive_failures >= BREAKER_FAILURES;
        if opens {
            if self.breaker_opens == 0 {
                self.alert_at = Some(now + ALERT_AFTER);
            }
            self.breaker_opens = self.breaker_opens.saturating_add(1);
            self.breaker_open_until = Some(now + breaker_wait(self.breaker_opens));
        }

        let has_failed_for_long =
            now - failing_since >= DISABLE_AFTER && self.attempts_since_success >= DISABLE_ATTEMPTS;
        match outcome {
            Outcome::Http410 => self.disabled(DisabledReason::Gone, now),
            _ if has_failed_for_long => self.disabled(DisabledReason::Failing, now),
            _ => self,
        }
    }
}

/// 30 s, 1 min, 2 min … 1 h.
fn breaker_wait(opens: u32) -> TimeDelta {
    let doublings = opens.saturating_sub(1).min(7);
    (BREAKER_WAIT_MIN * (1 << doublings)).min(BREAKER_WAIT_MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_700_000_000 + seconds, 0).unwrap()
    }

    fn seen(outcome: Outcome) -> Observation {
        Observation { outcome, retry_after: None, was_probe: false }
    }

    fn after_failures(count: i64) -> EndpointHealth {
        (0..count).fold(EndpointHealth::default(), |health, second| health.after(seen(Outcome::Http5xx), at(second)))
    }

    #[test]
    fn what_was_noted_while_a_clock_was_ahead_is_brought_back() {
        let ahead =
            |opens: i64| after_failures(BREAKER_FAILURES.into()).after(seen(Outcome::Http5xx), at(7_200 + opens));
        let lease = TimeDelta::seconds(45);
        let health = EndpointHealth { last_success_at: Some(at(7_200)), failing_since: Some(at(7_200)), ..ahead(0) };
        let health = EndpointHealth { breaker_open_until: Some(at(7_230)), ..health };
        let back = health.clone().brought_back(at(0), lease);
        assert_eq!((back.last_success_at, back.failing_since), (Some(at(0)), Some(at(0))));
        assert_eq!(back.breaker_open_until, Some(at(45)));
        assert_eq!(health.clone().brought_back(at(7_200), lease), health, "what is within its bounds stays");
    }

    #[test]
    fn the_breaker_opens_at_the_fifth_failure_in_a_row() {
        assert_eq!(after_failures(4).gate(at(4)), Gate::Open);
        assert_eq!(after_failures(5).gate(at(4)), Gate::Wait(at(34)));
        let mended = after_failures(4).after(seen(Outcome::Ok), at(5)).after(seen(Outcome::Timeout), at(6));
        assert_eq!(mended.gate(at(6)), Gate::Open);
    }

    #[test]
    fn an_open_breaker_lets_one_probe_through_and_waits_longer_after_each_that_fails() {
        let mut health = after_failures(5);
        let mut now = at(34);
        for wait in [60, 120, 240, 480, 960, 1920, 3600, 3600, 3600] {
            assert_eq!(health.gate(now), Gate::Probe);
            health = health.with_probe_until(now + TimeDelta::seconds(30));
            assert_eq!(health.gate(now), Gate::Wait(now + TimeDelta::seconds(30)));
            health = health.after(Observation { was_probe: true, ..seen(Outcome::Timeout) }, now);
            assert_eq!(health.gate(now), Gate::Wait(now + TimeDelta::seconds(wait)));
            now += TimeDelta::seconds(wait);
        }
        let mended = health.after(Observation { was_probe: true, ..seen(Outcome::Ok) }, now);
        assert_eq!(mended, EndpointHealth { last_success_at: Some(now), ..EndpointHealth::default() });
    }

    #[test]
    fn a_lost_or_cancelled_probe_makes_room_for_the_next() {
        let probing = after_failures(5).with_probe_until(at(100));
        assert_eq!(probing.gate(at(100)), Gate::Probe);
        let cancelled = probing.after(Observation { was_probe: true, ..seen(Outcome::Cancelled) }, at(50));
        assert_eq!(cancelled.gate(at(50)), Gate::Probe);
        assert_eq!(cancelled.consecutive_failures, 5);
    }

    #[test]
    fn attempts_that_were_under_way_when_the_breaker_opened_do_not_keep_it_open_longer() {
        let straggled = after_failures(5).after(seen(Outcome::Http5xx), at(10));
        assert_eq!((straggled.gate(at(10)), straggled.breaker_opens), (Gate::Wait(at(34)), 1));
    }

    #[test]
    fn decision_5_4_retry_after_moves_the_endpoint_later_never_earlier_and_at_most_a_day() {
        let hinted = |health: EndpointHealth, seconds: i64, now: i64| {
            let retry_after = Some(TimeDelta::seconds(seconds));
            health.after(Observation { retry_after, ..seen(Outcome::Http429) }, at(now))
        };
        let health = hinted(EndpointHealth::default(), 100, 0);
        assert_eq!(health.gate(at(0)), Gate::Wait(at(100)));
        assert_eq!(hinted(health.clone(), 10, 1).gate(at(1)), Gate::Wait(at(100)));
        assert_eq!(hinted(health.clone(), 999_999, 1).gate(at(1)), Gate::Wait(at(86_401)));
        assert_eq!(health.clone().after(seen(Outcome::Ok), at(2)).gate(at(2)), Gate::Wait(at(100)));
        assert_eq!(health.gate(at(100)), Gate::Open);
    }

    #[test]
    fn decision_5_4_gone_disables_at_once_and_only_enabling_ends_it() {
        let gone = EndpointHealth::default().after(seen(Outcome::Http410), at(0));
        assert_eq!(gone.gate(at(1)), Gate::Disabled(DisabledReason::Gone));
        let answered = gone.after(seen(Outcome::Ok), at(2)).after(seen(Outcome::Http5xx), at(3));
        assert_eq!(answered.disabled, Some((DisabledReason::Gone, at(0))));
        assert_eq!(answered.enabled().gate(at(4)), Gate::Open);
    }

    #[test]
    fn failing_disables_after_five_days_and_twenty_attempts_and_not_before() {
        let five_days = DISABLE_AFTER.num_seconds();
        for (failures_before, now, disabled) in
            [(19, five_days, true), (18, five_days, false), (19, five_days - 1, false), (40, five_days - 1, false)]
        {
            let mut health = EndpointHealth::default().after(seen(Outcome::Dns), at(0));
            for _ in 1..failures_before {
                health = health.after(seen(Outcome::Dns), at(1));
            }
            health = health.after(seen(Outcome::Dns), at(now));
            assert_eq!(health.disabled.is_some(), disabled, "{failures_before} {now}");
        }
    }

    #[test]
    fn an_endpoint_is_suspect_until_it_has_answered_and_while_it_fails() {
        let fresh = EndpointHealth::default();
        let proven = fresh.clone().after(seen(Outcome::Ok), at(0));
        let failing = proven.clone().after(seen(Outcome::Http4xx), at(1));
        assert_eq!([&fresh, &proven, &failing].map(EndpointHealth::is_suspect), [true, false, true]);
    }

    #[test]
    fn a_success_of_an_endpoint_that_fares_well_is_written_once_a_minute() {
        let proven = EndpointHealth::default().after(seen(Outcome::Ok), at(0));
        assert!(proven.is_well_known(at(59)) && !proven.is_well_known(at(60)));
        let asked_to_wait = EndpointHealth { next_allowed_at: Some(at(5)), ..proven.clone() };
        let failing = proven.clone().after(seen(Outcome::Timeout), at(1));
        for other in [EndpointHealth::default(), asked_to_wait, failing, proven.disabled(DisabledReason::Gone, at(1))] {
            assert!(!other.is_well_known(at(2)), "{other:?}");
        }
    }

    proptest! {
        /// A closed gate opens by itself within a day at the latest, unless the endpoint is disabled.
        #[test]
        fn no_wait_is_longer_than_a_day(steps in prop::collection::vec((0..13usize, 0..200_000i64, 0..4000i64, any::<bool>()), 0..60)) {
            let mut health = EndpointHealth::default();
            let mut now = at(0);
            for (outcome, hint, elapsed, was_probe) in steps {
                now += TimeDelta::seconds(elapsed);
                let retry_after = Some(TimeDelta::seconds(hint));
                let before = health.clone();
                health = health.after(Observation { outcome: Outcome::ALL[outcome], retry_after, was_probe }, now);
                if let Gate::Wait(until) = health.gate(now) {
                    prop_assert!(until <= now + RETRY_AFTER_MAX);
                }
                prop_assert!(before.disabled.is_none() || health.disabled == before.disabled);
            }
        }
    }
}
