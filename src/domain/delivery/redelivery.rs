//! How much may be sent again (decision 5.8): so many deliveries of an account in a day, and so many in a second to a host,
//! of all accounts together. First deliveries and their retries are not counted.

use chrono::{DateTime, TimeDelta, Utc};
use url::Url;

use crate::field_limits::UPDATE_RETENTION_DAYS;
use crate::rejection::Rejection;
use crate::scheduling::retention::kept_from;

/// How far ahead recoveries take turns at a host: what is asked for one by one waits no longer because of them.
pub const AHEAD_MAX: TimeDelta = TimeDelta::seconds(10);

/// How long a recovery waits that has nothing left but what found no turn: its hosts do not stand idle meanwhile.
pub const RECOVERY_WAIT: TimeDelta = TimeDelta::seconds(5);

/// What the operator sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RedeliveryLimits {
    /// Deliveries of one account that are sent again in one day (UTC).
    pub per_day: u32,
    /// Deliveries that are sent again to one host in a second; at least one.
    pub per_second: u32,
    /// How long updates are kept: older ones are not sent again, whether removed yet or not.
    pub kept_for: TimeDelta,
}

impl Default for RedeliveryLimits {
    fn default() -> Self {
        Self { per_day: 10_000, per_second: 10, kept_for: TimeDelta::days(UPDATE_RETENTION_DAYS) }
    }
}

/// What an account has sent again on a day, counted in days since 1970.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RedeliveryDay {
    /// The day.
    pub day: i64,
    /// How many.
    pub used: u32,
}

/// The turns at one host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostTurns {
    next_at: DateTime<Utc>,
    gap: TimeDelta,
}

/// The account has sent as much again today as it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the redeliveries of the day are used up until {resumes_at}")]
pub struct QuotaUsedUp {
    /// The end of the day.
    pub resumes_at: DateTime<Utc>,
}

impl QuotaUsedUp {
    /// The answer to who asks at `now`.
    pub fn rejection(self, now: DateTime<Utc>) -> Rejection {
        let left_s = (self.resumes_at - now).num_seconds();
        Rejection::RedeliveriesUsedUp { retry_after_s: u64::try_from(left_s).unwrap_or_default() + 1 }
    }
}

impl RedeliveryLimits {
    /// How far ahead a turn at a host can lie: as far as what one account may have sent again in a day takes its turns there,
    /// and recoveries beside that.
    pub fn longest_wait(self) -> TimeDelta {
        TimeDelta::seconds(i64::from(self.per_day / self.per_second.max(1))) + AHEAD_MAX
    }

    /// From which publication on updates are sent again at `now`.
    pub fn kept_from(self, now: DateTime<Utc>) -> DateTime<Utc> {
        kept_from(now, self.kept_for)
    }
}

impl RedeliveryDay {
    /// Counts one more at `now`; what another day has counted is no matter.
    pub fn take(&mut self, limits: RedeliveryLimits, now: DateTime<Utc>) -> Result<(), QuotaUsedUp> {
        let today = day_of(now);
        let used = if self.day == today { self.used } else { 0 };
        if used >= limits.per_day {
            let resumes_at = DateTime::from_timestamp((today + 1) * DAY_S, 0).unwrap_or(now);
            return Err(QuotaUsedUp { resumes_at });
        }
        *self = Self { day: today, used: used + 1 };
        Ok(())
    }
}

impl HostTurns {
    /// The turns at a host whose next is at `next_at`.
    pub fn new(limits: RedeliveryLimits, next_at: DateTime<Utc>, now: DateTime<Utc>) -> Self {
        let gap = TimeDelta::microseconds(1_000_000 / i64::from(limits.per_second.max(1)));
        Self { next_at: next_at.max(now), gap }
    }

    /// When the next turn is that nobody has.
    pub const fn next_at(&self) -> DateTime<Utc> {
        self.next_at
    }

    /// Whether a recovery may take the next turn at `now`.
    pub fn is_free_for_recovery(&self, now: DateTime<Utc>) -> bool {
        self.next_at <= now + AHEAD_MAX
    }

    /// Takes the next turn.
    pub fn take(&mut self) -> DateTime<Utc> {
        let turn = self.next_at;
        self.next_at += self.gap;
        turn
    }
}

/// The host of an endpoint, whatever its port. A name may end in a dot, and is the same name then.
pub fn host_of(url: &str) -> String {
    let host = |url: Url| url.host_str().map(|host| host.trim_end_matches('.').to_owned());
    Url::parse(url).ok().and_then(host).unwrap_or_default()
}

const DAY_S: i64 = 24 * 60 * 60;

fn day_of(now: DateTime<Utc>) -> i64 {
    now.timestamp().div_euclid(DAY_S)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: RedeliveryLimits = RedeliveryLimits { per_day: 2, per_second: 10, kept_for: TimeDelta::MAX };

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().expect("an instant")
    }

    #[test]
    fn decision_5_8_a_day_ends_at_midnight_whatever_the_clock_showed_before() {
        let (evening, midnight) = (at("2026-01-01T23:59:59.5Z"), at("2026-01-02T00:00:00Z"));
        let mut day = RedeliveryDay::default();
        assert_eq!([day.take(LIMITS, evening), day.take(LIMITS, evening)], [Ok(()), Ok(())]);
        assert_eq!(day.take(LIMITS, evening), Err(QuotaUsedUp { resumes_at: midnight }));
        assert_eq!(day.take(LIMITS, midnight), Ok(()));
        assert_eq!(day.take(LIMITS, evening), Ok(()), "the clock was set back");
    }

    #[test]
    fn decision_5_8_turns_at_a_host_are_apart_and_recoveries_take_few_ahead() {
        let now = at("2026-01-01T00:00:00Z");
        let mut turns = HostTurns::new(LIMITS, now - TimeDelta::hours(5), now);
        assert_eq!([turns.take(), turns.take()], [now, now + TimeDelta::milliseconds(100)]);
        let of_recovery = std::iter::repeat_with(|| turns.is_free_for_recovery(now).then(|| turns.take()));
        assert_eq!(of_recovery.take_while(Option::is_some).count(), 99);
        assert!(turns.is_free_for_recovery(now + RECOVERY_WAIT) && turns.next_at() > now + RECOVERY_WAIT);
        assert_eq!(turns.take(), now + TimeDelta::milliseconds(10_100), "one by one they go on");
    }

    #[test]
    fn a_host_is_one_whatever_its_port_and_path() {
        let hosts =
            ["http://a.example:81/x", "https://a.example/y?z", "https://A.example.:81/", "http://[2001:db8::1]:9/"];
        assert_eq!(hosts.map(host_of), ["a.example", "a.example", "a.example", "[2001:db8::1]"]);
    }

    #[test]
    fn an_account_that_sends_all_again_that_it_may_waits_no_longer_than_the_longest_wait() {
        let now = at("2026-01-01T00:00:00Z");
        for (per_day, per_second) in [(5_000, 10), (10_000, 10), (7, 3), (100, 1), (3, 1_000)] {
            let limits = RedeliveryLimits { per_day, per_second, ..LIMITS };
            let mut turns = HostTurns::new(limits, now, now);
            let last = std::iter::repeat_with(|| turns.take()).nth(per_day as usize - 1).expect("a turn");
            assert!(
                last - now <= limits.longest_wait() && limits.longest_wait() - (last - now) < TimeDelta::seconds(12)
            );
        }
    }
}
