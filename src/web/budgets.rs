//! The rate limits of accounts (Spec 8.1, decision 3.11). The arithmetic is in `domain::scheduling::rate`.
//!
//! Each process counts for itself: exact counts would cost a database write per request.

use std::collections::HashMap;
use std::sync::Arc;

use actix_web::HttpResponse;
use actix_web::http::header::{HeaderName, HeaderValue};
use chrono::{DateTime, Utc};
use parking_lot::Mutex;

use domain::account_limits::AccountLimits;
use domain::field_limits::PREVIEWS_PER_HOUR;
use domain::ids::AccountId;
use domain::scheduling::rate::{Budget, RateBuckets, RateRejection, Remaining};
use store::KeyOwner;

/// How many buckets are kept before idle ones are dropped.
const SWEEP_FROM: usize = 1024;

const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");

/// Which budget a request uses (Spec 8.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BudgetKind {
    /// Creations.
    Write,
    /// Everything else.
    Read,
    /// Previews, which are counted by the hour.
    Preview,
}

/// The buckets of all accounts that made a request lately. Clones share them.
#[derive(Clone)]
pub struct Budgets {
    defaults: AccountLimits,
    accounts: Arc<Mutex<Accounts>>,
}

struct Accounts {
    buckets: HashMap<(AccountId, BudgetKind), RateBuckets>,
    sweep_at: usize,
}

impl Budgets {
    /// Full buckets for every account; `defaults` hold where an account has no limits of its own.
    pub fn new(defaults: AccountLimits) -> Self {
        Self { defaults, accounts: Arc::new(Mutex::new(Accounts { buckets: HashMap::new(), sweep_at: SWEEP_FROM })) }
    }

    /// Takes `tokens` from the minute and one from the second, or nothing. A bulk begins with none: how many it needs is not
    /// known yet.
    ///
    /// # Errors
    /// [`RateRejection`] when either bucket lacks tokens.
    pub fn take(
        &self,
        owner: &KeyOwner,
        kind: BudgetKind,
        tokens: u32,
        now: DateTime<Utc>,
    ) -> Result<Remaining, RateRejection> {
        self.with(owner, kind, now, |buckets| buckets.take(tokens, 1, now))
    }

    /// Takes the minute tokens of a bulk that was begun. If there are too few, the token of the second is given back.
    ///
    /// # Errors
    /// [`RateRejection`] when the minute lacks tokens.
    pub fn finish_bulk(&self, owner: &KeyOwner, items: u32, now: DateTime<Utc>) -> Result<Remaining, RateRejection> {
        let finish =
            |buckets: &mut RateBuckets| buckets.take(items, 0, now).inspect_err(|_| buckets.give_back_second());
        self.with(owner, BudgetKind::Write, now, finish)
    }

    /// What is left, without taking anything.
    pub fn look(&self, owner: &KeyOwner, kind: BudgetKind, now: DateTime<Utc>) -> Option<Remaining> {
        self.with(owner, kind, now, |buckets| buckets.take(0, 0, now)).ok()
    }

    /// Whether the `items` of a bulk are more than the minute can ever grant (Spec 8.1, rule 4).
    pub fn can_never_grant(&self, owner: &KeyOwner, items: u32, now: DateTime<Utc>) -> bool {
        self.with(owner, BudgetKind::Write, now, |buckets| buckets.can_never_grant(items))
    }

    fn with<T>(
        &self,
        owner: &KeyOwner,
        kind: BudgetKind,
        now: DateTime<Utc>,
        use_buckets: impl FnOnce(&mut RateBuckets) -> T,
    ) -> T {
        let budget = budget(kind, owner.limits.or(self.defaults));
        let mut accounts = self.accounts.lock();
        accounts.forget_idle(now);
        let fresh = || match kind {
            BudgetKind::Write | BudgetKind::Read => RateBuckets::new(budget, now),
            BudgetKind::Preview => RateBuckets::hourly(PREVIEWS_PER_HOUR, now),
        };
        let buckets = accounts.buckets.entry((owner.account_id, kind)).or_insert_with(fresh);
        buckets.set_budget(budget, now);
        use_buckets(buckets)
    }
}

impl Accounts {
    fn forget_idle(&mut self, now: DateTime<Utc>) {
        if self.buckets.len() >= self.sweep_at {
            self.buckets.retain(|_, buckets| !buckets.are_full_again(now));
            self.sweep_at = SWEEP_FROM.max(self.buckets.len() * 2);
        }
    }
}

fn budget(kind: BudgetKind, limits: AccountLimits) -> Budget {
    let per_minute = match kind {
        BudgetKind::Write => limits.write_per_minute,
        BudgetKind::Read => limits.read_per_minute,
        BudgetKind::Preview => return Budget { per_minute: PREVIEWS_PER_HOUR, per_second: PREVIEWS_PER_HOUR },
    };
    Budget { per_minute, per_second: limits.per_second }
}

/// Puts the three `X-RateLimit-*` headers on an answer.
pub(crate) fn set_headers(response: &mut HttpResponse, remaining: Remaining) {
    let headers = response.headers_mut();
    headers.insert(LIMIT, HeaderValue::from(remaining.limit));
    headers.insert(REMAINING, HeaderValue::from(remaining.remaining));
    headers.insert(RESET, HeaderValue::from(remaining.reset_s));
}

#[cfg(test)]
mod tests {
    use super::{BudgetKind, Budgets, SWEEP_FROM};
    use chrono::{DateTime, Duration};
    use domain::account_limits::{AccountLimits, OwnLimits};
    use domain::ids::AccountId;
    use store::KeyOwner;
    use uuid::Uuid;

    const DEFAULTS: AccountLimits =
        AccountLimits { write_per_minute: 100, read_per_minute: 200, per_second: 10, radars: 100 };

    fn owner(number: u128, limits: OwnLimits) -> KeyOwner {
        KeyOwner { account_id: AccountId(Uuid::from_u128(number)), is_active: true, limits }
    }

    #[test]
    fn spec_8_1_accounts_and_kinds_do_not_share_and_own_limits_win() {
        let (budgets, now) = (Budgets::new(DEFAULTS), DateTime::UNIX_EPOCH);
        let (one, other) = (owner(1, OwnLimits::default()), owner(2, OwnLimits::default()));
        assert_eq!(budgets.take(&one, BudgetKind::Write, 60, now).map(|left| left.remaining), Ok(40));
        assert!(budgets.take(&one, BudgetKind::Write, 60, now).is_err());
        assert_eq!(budgets.take(&one, BudgetKind::Read, 1, now).map(|left| left.remaining), Ok(199));
        assert_eq!(budgets.take(&other, BudgetKind::Write, 1, now).map(|left| left.remaining), Ok(99));
        let richer = owner(1, OwnLimits { write_per_minute: Some(1000), ..OwnLimits::default() });
        assert_eq!(budgets.take(&richer, BudgetKind::Write, 1, now).map(|left| left.remaining), Ok(939));
        assert!(budgets.can_never_grant(&one, 101, now));
        assert!(!budgets.can_never_grant(&richer, 101, now));
    }

    #[test]
    fn decision_3_11_a_bulk_that_the_minute_refuses_spends_nothing_and_a_broken_one_a_token_of_the_second() {
        let (budgets, now, one) = (Budgets::new(DEFAULTS), DateTime::UNIX_EPOCH, owner(1, OwnLimits::default()));
        for _ in 0..30 {
            assert!(budgets.take(&one, BudgetKind::Write, 0, now).is_ok());
            assert!(budgets.finish_bulk(&one, 101, now).is_err());
        }
        for _ in 0..10 {
            assert!(budgets.take(&one, BudgetKind::Write, 0, now).is_ok());
        }
        assert_eq!(budgets.take(&one, BudgetKind::Write, 0, now).map_err(|refused| refused.remaining), Err(100));
    }

    #[test]
    fn previews_are_counted_by_the_hour_and_apart() {
        let (budgets, now, one) = (Budgets::new(DEFAULTS), DateTime::UNIX_EPOCH, owner(1, OwnLimits::default()));
        for _ in 0..10 {
            assert!(budgets.take(&one, BudgetKind::Preview, 1, now).is_ok());
        }
        let refused = budgets.take(&one, BudgetKind::Preview, 1, now + Duration::minutes(5)).expect_err("empty");
        assert_eq!((refused.limit, refused.retry_after_s), (10, 60));
        assert!(budgets.take(&one, BudgetKind::Write, 1, now).is_ok());
        assert!(budgets.take(&one, BudgetKind::Preview, 1, now + Duration::minutes(6)).is_ok());
    }

    #[test]
    fn looking_takes_nothing() {
        let (budgets, now, one) = (Budgets::new(DEFAULTS), DateTime::UNIX_EPOCH, owner(1, OwnLimits::default()));
        for _ in 0..20 {
            let left = budgets.look(&one, BudgetKind::Read, now).map(|left| (left.remaining, left.reset_s));
            assert_eq!(left, Some((200, 0)));
        }
    }

    #[test]
    fn only_what_is_full_again_is_forgotten() {
        let (budgets, now) = (Budgets::new(DEFAULTS), DateTime::UNIX_EPOCH);
        for number in 0..SWEEP_FROM as u128 {
            assert!(budgets.take(&owner(number, OwnLimits::default()), BudgetKind::Write, 50, now).is_ok());
        }
        let later = now + Duration::seconds(20);
        let first = owner(0, OwnLimits::default());
        assert_eq!(budgets.take(&first, BudgetKind::Write, 1, later).map(|left| left.remaining), Ok(82));
        let much_later = now + Duration::seconds(90);
        for number in 0..=2 * SWEEP_FROM as u128 {
            assert!(budgets.take(&owner(number, OwnLimits::default()), BudgetKind::Read, 1, much_later).is_ok());
        }
        assert!(budgets.accounts.lock().buckets.len() <= 2 * SWEEP_FROM + 2);
    }
}
