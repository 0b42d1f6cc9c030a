//! Quotas of requests: so many in any span of a length, several of them at once.

use std::collections::VecDeque;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

/// A quota holds no more requests than this: their times are remembered.
pub const REQUESTS_MAX: usize = 10_000;

/// So many requests in any span of this length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// How many, at least one and at most [`REQUESTS_MAX`].
    pub requests: usize,
    /// The length of the span.
    pub per: Duration,
}

/// The times of the last requests, the oldest first.
#[derive(Clone, Debug, Default)]
pub struct SentRequests(VecDeque<DateTime<Utc>>);

impl SentRequests {
    /// Notes a request at `now` that all `quotas` permit.
    ///
    /// # Errors
    /// How long it is until they do.
    pub fn note(&mut self, quotas: &[Quota], now: DateTime<Utc>) -> Result<(), Duration> {
        let wait = quotas.iter().map(|quota| self.wait(*quota, now)).max().unwrap_or_default();
        if !wait.is_zero() {
            return Err(wait);
        }
        self.0.push_back(now);
        let remembered = quotas.iter().map(|quota| quota.requests).max().unwrap_or_default().min(REQUESTS_MAX);
        while self.0.len() > remembered {
            self.0.pop_front();
        }
        Ok(())
    }

    /// How long it is until `quota` permits one more request.
    fn wait(&self, quota: Quota, now: DateTime<Utc>) -> Duration {
        let index = self.0.len().checked_sub(quota.requests.max(1));
        let Some(first) = index.and_then(|index| self.0.get(index)) else { return Duration::ZERO };
        let per = TimeDelta::from_std(quota.per).unwrap_or(TimeDelta::MAX);
        let free_at = first.checked_add_signed(per).unwrap_or(DateTime::<Utc>::MAX_UTC);
        (free_at - now).to_std().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use chrono::{DateTime, TimeDelta};
    use proptest::prelude::*;

    use super::{Quota, SentRequests};

    fn quota(requests: usize, seconds: u64) -> Quota {
        Quota { requests, per: Duration::from_secs(seconds) }
    }

    #[test]
    fn every_quota_must_permit_a_request() {
        let quotas = [quota(2, 60), quota(3, 86_400)];
        let mut sent = SentRequests::default();
        for (at, wait) in [(0, 0), (10, 0), (20, 40), (60, 0), (70, 86_330), (86_400, 0), (86_401, 9)] {
            let noted = sent.note(&quotas, DateTime::UNIX_EPOCH + TimeDelta::seconds(at));
            assert_eq!(noted.err().unwrap_or_default(), Duration::from_secs(wait), "at {at}");
        }
        assert_eq!(sent.note(&[], DateTime::UNIX_EPOCH), Ok(()));
    }

    proptest! {
        #[test]
        fn no_span_holds_more_than_a_quota_permits(
            [few, many] in [1_usize..4, 4..9],
            [short_s, long_s] in [1_u64..50, 50..500],
            steps in proptest::collection::vec(0_i64..40, 1..200),
        ) {
            let quotas = [quota(few, short_s), quota(many, long_s)];
            let (mut sent, mut permitted, mut now) = (SentRequests::default(), Vec::new(), DateTime::UNIX_EPOCH);
            for step in steps {
                now += TimeDelta::seconds(step);
                if sent.note(&quotas, now).is_ok() {
                    permitted.push(now);
                }
            }
            for quota in quotas {
                let per = TimeDelta::from_std(quota.per).unwrap();
                for window in permitted.windows(quota.requests + 1) {
                    prop_assert!(window[quota.requests] - window[0] >= per);
                }
            }
        }
    }
}
