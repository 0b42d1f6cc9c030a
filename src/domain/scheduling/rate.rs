//! How many requests an account may make (Spec 8.1, decision 3.11).
//!
//! Two buckets refill continuously, one with the budget of a minute, one with that of a second. A request takes its
//! tokens from both or from neither. All numbers are integers: a bucket of `budget` tokens per period counts in
//! units of which a token has as many as the period has microseconds, so that it gains exactly `budget` units in each.

use chrono::{DateTime, Duration, Utc};

const SECOND_US: u64 = 1_000_000;
const MINUTE_US: u64 = 60 * SECOND_US;
const HOUR_US: u64 = 60 * MINUTE_US;

/// The budgets of one bucket pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Tokens per minute, and the most that can be saved up.
    pub per_minute: u32,
    /// Tokens per second, and the most that can be saved up.
    pub per_second: u32,
    /// Whether the tokens of the minute are those of an hour: of what may be done seldom, but as fast as one likes.
    pub is_hourly: bool,
}

/// The bucket pair of one account for one kind of requests.
#[derive(Clone, Debug)]
pub struct RateBuckets {
    minute: Bucket,
    second: Bucket,
}

/// What a request asks of its buckets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spending {
    /// So many tokens of the minute and one of the second. A bulk begins with none: how many it needs is not known yet.
    Request(u32),
    /// The tokens of the minute of a bulk that was begun. If there are too few, the token of the second is given back.
    Items(u32),
    /// Nothing: what is left.
    Look,
}

/// A bucket pair as it is stored: what is spent of each and has not come back, in its units, and as of when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spent {
    /// Of the minute, or of the hour in its place.
    pub minute_units: i64,
    /// Of the second.
    pub second_units: i64,
    /// When that was so.
    pub at: DateTime<Utc>,
}

/// The numbers of the `X-RateLimit-*` headers after a request that was let through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remaining {
    /// The per-minute budget.
    pub limit: u32,
    /// Whole tokens left in the minute bucket.
    pub remaining: u32,
    /// Seconds until the minute bucket is full, rounded up.
    pub reset_s: u64,
}

/// Which bucket lacks tokens (Spec 7, rule 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RejectedBy {
    /// The per-minute budget is exhausted, or that of the hour for what is counted by the hour.
    Minute,
    /// The per-second limit was hit.
    Burst,
}

/// The numbers of a 429.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateRejection {
    /// The bucket to name; the minute's when both lack tokens.
    pub by: RejectedBy,
    /// The per-minute budget.
    pub limit: u32,
    /// Whole tokens left in the minute bucket.
    pub remaining: u32,
    /// Seconds until both buckets hold enough, rounded up, at least 1.
    pub retry_after_s: u64,
}

impl Budget {
    /// Whether `tokens` are more than the minute can ever hold; waiting does not help then (Spec 8.1, rule 4).
    pub const fn can_never_grant(self, tokens: u32) -> bool {
        tokens > self.per_minute
    }
}

impl RateBuckets {
    /// Full buckets.
    pub fn new(budget: Budget, now: DateTime<Utc>) -> Self {
        let long_us = if budget.is_hourly { HOUR_US } else { MINUTE_US };
        Self {
            minute: Bucket::full(budget.per_minute, long_us, now),
            second: Bucket::full(budget.per_second, SECOND_US, now),
        }
    }

    /// Buckets from which that much is spent.
    pub fn after(budget: Budget, spent: Spent) -> Self {
        let mut buckets = Self::new(budget, spent.at);
        buckets.minute.units = buckets.minute.units.saturating_sub(spent.minute_units.unsigned_abs());
        buckets.second.units = buckets.second.units.saturating_sub(spent.second_units.unsigned_abs());
        buckets
    }

    /// What is spent.
    pub fn spent(&self) -> Spent {
        let spent = |bucket: &Bucket| i64::try_from(bucket.capacity() - bucket.units).unwrap_or(i64::MAX);
        let (minute_units, second_units) = (spent(&self.minute), spent(&self.second));
        Spent { minute_units, second_units, at: self.minute.refilled_at }
    }

    /// The same buckets under other budgets: what is spent stays spent.
    pub fn set_budget(&mut self, budget: Budget, now: DateTime<Utc>) {
        self.minute.set_budget(budget.per_minute, now);
        self.second.set_budget(budget.per_second, now);
    }

    /// Takes what a request asks for, or nothing at all.
    ///
    /// # Errors
    /// [`RateRejection`] when either bucket lacks tokens.
    pub fn spend(&mut self, spending: Spending, now: DateTime<Utc>) -> Result<Remaining, RateRejection> {
        match spending {
            Spending::Request(tokens) => self.take(tokens, 1, now),
            Spending::Items(tokens) => self.take(tokens, 0, now).inspect_err(|_| self.give_back_second()),
            Spending::Look => self.take(0, 0, now),
        }
    }

    /// Takes `from_minute` and `from_second` tokens, or nothing at all.
    ///
    /// # Errors
    /// [`RateRejection`] when either bucket lacks tokens.
    pub fn take(&mut self, from_minute: u32, from_second: u32, now: DateTime<Utc>) -> Result<Remaining, RateRejection> {
        self.minute.refill(now);
        self.second.refill(now);
        let wait_us = self.minute.wait_us(from_minute).max(self.second.wait_us(from_second));
        if wait_us > 0 {
            let by = if self.minute.wait_us(from_minute) > 0 { RejectedBy::Minute } else { RejectedBy::Burst };
            return Err(RateRejection {
                by,
                limit: self.minute.budget,
                remaining: self.minute.tokens(),
                retry_after_s: wait_us.div_ceil(SECOND_US).max(1),
            });
        }
        self.minute.spend(from_minute);
        self.second.spend(from_second);
        Ok(Remaining {
            limit: self.minute.budget,
            remaining: self.minute.tokens(),
            reset_s: self.minute.wait_us(self.minute.budget).div_ceil(SECOND_US),
        })
    }

    /// Whether they were left alone for so long that both are full, as new ones would be.
    pub fn are_full_again(&self, now: DateTime<Utc>) -> bool {
        now - self.minute.refilled_at >= Duration::microseconds(self.minute.period_us.cast_signed())
    }

    /// Gives back one token of the second: of a request that was let through and then refused by the minute.
    fn give_back_second(&mut self) {
        self.second.units = (self.second.units + self.second.period_us).min(self.second.capacity());
    }
}

#[derive(Clone, Debug)]
struct Bucket {
    budget: u32,
    period_us: u64,
    /// At most `budget * period_us`, which fits: 2^32 times 6 * 10^7.
    units: u64,
    refilled_at: DateTime<Utc>,
}

impl Bucket {
    fn full(budget: u32, period_us: u64, now: DateTime<Utc>) -> Self {
        Self { budget, period_us, units: u64::from(budget) * period_us, refilled_at: now }
    }

    fn capacity(&self) -> u64 {
        u64::from(self.budget) * self.period_us
    }

    /// A clock that steps back refills nothing, and nothing twice when it goes on.
    fn refill(&mut self, now: DateTime<Utc>) {
        let elapsed = now - self.refilled_at;
        if elapsed <= Duration::zero() {
            return;
        }
        let elapsed_us = elapsed.num_microseconds().map_or(self.period_us, i64::unsigned_abs).min(self.period_us);
        self.units = (self.units + elapsed_us * u64::from(self.budget)).min(self.capacity());
        self.refilled_at = now;
    }

    fn set_budget(&mut self, budget: u32, now: DateTime<Utc>) {
        self.refill(now);
        let spent = self.capacity() - self.units;
        self.budget = budget;
        self.units = self.capacity().saturating_sub(spent);
    }

    fn tokens(&self) -> u32 {
        u32::try_from(self.units / self.period_us).unwrap_or(u32::MAX)
    }

    /// Microseconds until `tokens` are there; 0 when they are. What can never be there is answered by when it is full.
    fn wait_us(&self, tokens: u32) -> u64 {
        let missing = (u64::from(tokens) * self.period_us).saturating_sub(self.units);
        match (missing, u64::from(self.budget)) {
            (0, _) => 0,
            (_, 0) => self.period_us,
            (_, budget) => missing.div_ceil(budget).min(self.period_us),
        }
    }

    fn spend(&mut self, tokens: u32) {
        self.units = self.units.saturating_sub(u64::from(tokens) * self.period_us);
    }
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Duration, Utc};
    use proptest::prelude::*;

    use super::{Budget, RateBuckets, RejectedBy, Remaining, Spending};

    const BUDGET: Budget = Budget { per_minute: 100, per_second: 10, is_hourly: false };

    fn at(microseconds: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + Duration::microseconds(microseconds)
    }

    #[test]
    fn spec_8_1_a_full_bucket_gives_the_header_numbers_of_the_specification() {
        let mut buckets = RateBuckets::new(BUDGET, at(0));
        assert_eq!(buckets.take(1, 1, at(0)), Ok(Remaining { limit: 100, remaining: 99, reset_s: 1 }));
        assert_eq!(buckets.take(99, 1, at(0)), Ok(Remaining { limit: 100, remaining: 0, reset_s: 60 }));
        let refused = buckets.take(1, 1, at(0)).expect_err("empty");
        assert_eq!((refused.by, refused.remaining, refused.retry_after_s), (RejectedBy::Minute, 0, 1));
        let refused = buckets.take(50, 1, at(0)).expect_err("empty");
        assert_eq!(refused.retry_after_s, 30);
        assert!(buckets.take(50, 1, at(29_999_999)).is_err());
        assert_eq!(buckets.take(50, 1, at(30_000_000)).map(|left| left.remaining), Ok(0));
    }

    #[test]
    fn spec_8_1_a_burst_is_refused_and_costs_nothing() {
        let mut buckets = RateBuckets::new(BUDGET, at(0));
        for _ in 0..10 {
            assert!(buckets.take(1, 1, at(0)).is_ok());
        }
        for _ in 0..5 {
            let refused = buckets.take(1, 1, at(0)).expect_err("burst");
            assert_eq!((refused.by, refused.remaining, refused.retry_after_s), (RejectedBy::Burst, 90, 1));
        }
        assert!(buckets.take(1, 1, at(99_999)).is_err());
        assert!(buckets.take(1, 1, at(100_000)).is_ok());
    }

    #[test]
    fn the_budget_of_an_hour_comes_back_over_the_hour() {
        let mut buckets = RateBuckets::new(Budget { per_minute: 10, per_second: 10, is_hourly: true }, at(0));
        for left in (0..10).rev() {
            assert_eq!(
                buckets.take(1, 1, at(0)).map(|remaining| (remaining.limit, remaining.remaining)),
                Ok((10, left))
            );
        }
        let refused = buckets.take(1, 1, at(0)).expect_err("empty");
        assert_eq!((refused.by, refused.remaining, refused.retry_after_s), (RejectedBy::Minute, 0, 360));
        assert!(buckets.take(1, 1, at(359_999_999)).is_err());
        assert!(buckets.take(1, 1, at(360_000_000)).is_ok());
    }

    #[test]
    fn a_fraction_of_a_token_is_none() {
        let mut buckets = RateBuckets::new(Budget { per_second: 3, ..BUDGET }, at(0));
        assert!(buckets.take(0, 3, at(0)).is_ok());
        assert!(buckets.take(0, 1, at(333_333)).is_err());
        assert!(buckets.take(0, 1, at(333_334)).is_ok());
    }

    #[test]
    fn decision_3_11_a_refused_minute_spends_nothing_of_the_second() {
        let mut buckets = RateBuckets::new(Budget { per_minute: 5, per_second: 1, is_hourly: false }, at(0));
        assert!(buckets.take(6, 1, at(0)).is_err());
        assert!(buckets.take(5, 1, at(0)).is_ok());
    }

    #[test]
    fn other_budgets_keep_what_is_spent() {
        let mut buckets = RateBuckets::new(BUDGET, at(0));
        assert!(buckets.take(60, 1, at(0)).is_ok());
        buckets.set_budget(Budget { per_minute: 50, ..BUDGET }, at(0));
        assert_eq!(buckets.take(1, 1, at(0)).map_err(|refused| refused.remaining), Err(0));
        buckets.set_budget(Budget { per_minute: 1000, ..BUDGET }, at(0));
        assert_eq!(buckets.take(0, 1, at(0)).map(|left| left.remaining), Ok(950));
    }

    #[test]
    fn spec_8_1_rule_4_waiting_does_not_help_who_asks_for_more_than_a_minute_holds() {
        assert!(BUDGET.can_never_grant(101) && !BUDGET.can_never_grant(100));
    }

    #[test]
    fn a_budget_of_nothing_grants_nothing() {
        let mut buckets = RateBuckets::new(Budget { per_minute: 0, per_second: 0, is_hourly: false }, at(0));
        assert_eq!(buckets.take(1, 1, at(60_000_000)).map_err(|refused| refused.retry_after_s), Err(60));
    }

    proptest! {
        /// In any window no more is granted than what was saved up and what flowed in, from either bucket; a clock
        /// that steps back changes nothing about that.
        #[test]
        fn spec_8_1_never_grants_more_than_budget_and_capacity(
            per_minute in 1u32..200,
            per_second in 1u32..20,
            requests in prop::collection::vec((-50_000i64..400_000, 1u32..8), 1..200),
        ) {
            let mut buckets = RateBuckets::new(Budget { per_minute, per_second, is_hourly: false }, at(0));
            let mut now_us = 0;
            let mut latest_us = 0;
            let mut granted: Vec<(i64, i128, i128)> = Vec::new();
            for (step, tokens) in requests {
                now_us = (now_us + step).max(0);
                latest_us = now_us.max(latest_us);
                if buckets.take(tokens, 1, at(now_us)).is_ok() {
                    granted.push((latest_us, i128::from(tokens), 1));
                }
            }
            for from in 0..granted.len() {
                let (mut minute, mut second) = (0, 0);
                for &(at_us, tokens, singles) in &granted[from..] {
                    minute += tokens;
                    second += singles;
                    let window_us = i128::from(at_us - granted[from].0);
                    let (per_minute, per_second) = (i128::from(per_minute), i128::from(per_second));
                    prop_assert!(minute * 60_000_000 <= per_minute * 60_000_000 + per_minute * window_us);
                    prop_assert!(second * 1_000_000 <= per_second * 1_000_000 + per_second * window_us);
                }
            }
        }

        /// Buckets that are stored after each request and read again grant what kept ones do.
        #[test]
        fn spec_8_1_what_is_stored_is_what_is_kept(
            per_minute in 0u32..50,
            per_second in 0u32..10,
            is_hourly: bool,
            requests in prop::collection::vec((-50_000i64..900_000, 0u32..8, 0usize..3), 1..100),
        ) {
            let budget = Budget { per_minute, per_second, is_hourly };
            let mut kept = RateBuckets::new(budget, at(0));
            let mut stored = kept.spent();
            let mut now_us = 0;
            for (step, tokens, kind) in requests {
                now_us += step;
                let spending = [Spending::Request(tokens), Spending::Items(tokens), Spending::Look][kind];
                let mut read = RateBuckets::after(budget, stored);
                prop_assert_eq!(read.spend(spending, at(now_us)), kept.spend(spending, at(now_us)));
                stored = read.spent();
            }
        }

        /// Who waits as long as the answer says is let through.
        #[test]
        fn spec_8_1_retry_after_is_enough(per_minute in 1u32..300, per_second in 1u32..20, spent in 0u32..300, wanted in 1u32..300) {
            let (spent, wanted) = (spent % (per_minute + 1), wanted % (per_minute + 1));
            let mut buckets = RateBuckets::new(Budget { per_minute, per_second, is_hourly: false }, at(0));
            prop_assert!(buckets.take(spent, 1, at(0)).is_ok());
            if let Err(refused) = buckets.take(wanted, 1, at(0)) {
                let later = at(i64::try_from(refused.retry_after_s).expect("small") * 1_000_000);
                prop_assert!(buckets.take(wanted, 1, later).is_ok());
            }
        }
    }
}
