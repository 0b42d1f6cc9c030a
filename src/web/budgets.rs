//! The rate limits of accounts (Spec 8.1, decision 3.11). The arithmetic is in `domain::scheduling::rate`.
//!
//! A process that is alone counts in memory; those that share a server count in it, together.

use std::collections::HashMap;
use std::sync::Arc;

use actix_web::HttpResponse;
use actix_web::http::header::{HeaderName, HeaderValue};
use chrono::{DateTime, Utc};
use parking_lot::Mutex;

use domain::field_limits::PREVIEWS_PER_HOUR;
use domain::{AccountId, AccountLimits, Budget, RateBuckets, RateRejection, Remaining, Spending, closed};
use store::{CountedRequest, KeyOwner, Store, StoreError};

/// How many buckets are kept before idle ones are dropped.
const SWEEP_FROM: usize = 1024;

const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");

closed! {
    /// Which budget a request uses (Spec 8.1).
    BudgetKind {
        /// Creations.
        Write = "write",
        /// Everything else.
        Read = "read",
        /// Previews, which are counted by the hour.
        Preview = "preview",
    }
}

/// The budgets of all accounts. Clones share them.
#[derive(Clone)]
pub struct Budgets {
    defaults: AccountLimits,
    counted: Counted,
}

#[derive(Clone)]
enum Counted {
    /// By this process, which is alone: the buckets of all accounts that made a request lately.
    Here(Arc<Mutex<Accounts>>),
    /// For all processes that share a server.
    Together(Arc<Store>),
}

struct Accounts {
    buckets: HashMap<(AccountId, BudgetKind), RateBuckets>,
    sweep_at: usize,
}

impl Budgets {
    /// Full buckets for every account; `defaults` hold where an account has no limits of its own.
    pub fn new(defaults: AccountLimits, store: &Arc<Store>) -> Self {
        match store.is_shared() {
            true => Self { defaults, counted: Counted::Together(store.clone()) },
            false => Self::here(defaults),
        }
    }

    fn here(defaults: AccountLimits) -> Self {
        let accounts = Accounts { buckets: HashMap::new(), sweep_at: SWEEP_FROM };
        Self { defaults, counted: Counted::Here(Arc::new(Mutex::new(accounts))) }
    }

    /// Takes what a request asks for, or nothing; `now` is an instant of the steady clock. Within, which bucket lacks tokens.
    ///
    /// # Errors
    /// The database, which counts for several processes, did not answer.
    pub async fn spend(
        &self,
        owner: &KeyOwner,
        kind: BudgetKind,
        spending: Spending,
        now: DateTime<Utc>,
    ) -> Result<Result<Remaining, RateRejection>, StoreError> {
        let (account_id, budget) = (owner.account_id, self.budget(owner, kind));
        match &self.counted {
            Counted::Here(accounts) => Ok(accounts.lock().spend((account_id, kind), budget, spending, now)),
            Counted::Together(store) => {
                store.count_request(CountedRequest { account_id, kind: kind.as_str(), budget, spending }).await
            }
        }
    }

    /// What an account may use.
    pub fn budget(&self, owner: &KeyOwner, kind: BudgetKind) -> Budget {
        let limits = owner.limits.or(self.defaults);
        let per_minute = match kind {
            BudgetKind::Write => limits.write_per_minute,
            BudgetKind::Read => limits.read_per_minute,
            BudgetKind::Preview => {
                return Budget { per_minute: PREVIEWS_PER_HOUR, per_second: PREVIEWS_PER_HOUR, is_hourly: true };
            }
        };
        Budget { per_minute, per_second: limits.per_second, is_hourly: false }
    }
}

impl Accounts {
    fn spend(
        &mut self,
        key: (AccountId, BudgetKind),
        budget: Budget,
        spending: Spending,
        now: DateTime<Utc>,
    ) -> Result<Remaining, RateRejection> {
        self.forget_idle(now);
        let buckets = self.buckets.entry(key).or_insert_with(|| RateBuckets::new(budget, now));
        buckets.set_budget(budget, now);
        buckets.spend(spending, now)
    }

    fn forget_idle(&mut self, now: DateTime<Utc>) {
        if self.buckets.len() >= self.sweep_at {
            self.buckets.retain(|_, buckets| !buckets.are_full_again(now));
            self.sweep_at = SWEEP_FROM.max(self.buckets.len() * 2);
        }
    }
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
    use futures_util::FutureExt;

    use super::{BudgetKind, Budgets, Counted, SWEEP_FROM};
    use chrono::{DateTime, Duration, Utc};
    use domain::scheduling::rate::{RateRejection, Remaining, Spending};
    use domain::{AccountId, AccountLimits, KeyKind, OwnLimits, Scopes};
    use store::KeyOwner;
    use uuid::Uuid;

    const DEFAULTS: AccountLimits =
        AccountLimits { write_per_minute: 100, read_per_minute: 200, per_second: 10, radars: 100 };

    impl Budgets {
        fn take(
            &self,
            owner: &KeyOwner,
            kind: BudgetKind,
            tokens: u32,
            now: DateTime<Utc>,
        ) -> Result<Remaining, RateRejection> {
            self.spend_here(owner, kind, Spending::Request(tokens), now)
        }

        fn spend_here(
            &self,
            owner: &KeyOwner,
            kind: BudgetKind,
            spending: Spending,
            now: DateTime<Utc>,
        ) -> Result<Remaining, RateRejection> {
            self.spend(owner, kind, spending, now).now_or_never().expect("in memory").expect("in memory")
        }
    }

    fn owner(number: u128, limits: OwnLimits) -> KeyOwner {
        KeyOwner {
            account_id: AccountId(Uuid::from_u128(number)),
            kind: KeyKind::Program,
            is_active: true,
            expires_at: None,
            scopes: Scopes::ALL,
            limits,
        }
    }

    #[test]
    fn spec_8_1_accounts_and_kinds_do_not_share_and_own_limits_win() {
        let (budgets, now) = (Budgets::here(DEFAULTS), DateTime::UNIX_EPOCH);
        let (one, other) = (owner(1, OwnLimits::default()), owner(2, OwnLimits::default()));
        assert_eq!(budgets.take(&one, BudgetKind::Write, 60, now).map(|left| left.remaining), Ok(40));
        assert!(budgets.take(&one, BudgetKind::Write, 60, now).is_err());
        assert_eq!(budgets.take(&one, BudgetKind::Read, 1, now).map(|left| left.remaining), Ok(199));
        assert_eq!(budgets.take(&other, BudgetKind::Write, 1, now).map(|left| left.remaining), Ok(99));
        let richer = owner(1, OwnLimits { write_per_minute: Some(1000), ..OwnLimits::default() });
        assert_eq!(budgets.take(&richer, BudgetKind::Write, 1, now).map(|left| left.remaining), Ok(939));
        assert!(budgets.budget(&one, BudgetKind::Write).can_never_grant(101));
        assert!(!budgets.budget(&richer, BudgetKind::Write).can_never_grant(101));
    }

    #[test]
    fn decision_3_11_a_bulk_that_the_minute_refuses_spends_nothing_and_a_broken_one_a_token_of_the_second() {
        let (budgets, now, one) = (Budgets::here(DEFAULTS), DateTime::UNIX_EPOCH, owner(1, OwnLimits::default()));
        for _ in 0..30 {
            assert!(budgets.take(&one, BudgetKind::Write, 0, now).is_ok());
            assert!(budgets.spend_here(&one, BudgetKind::Write, Spending::Items(101), now).is_err());
        }
        for _ in 0..10 {
            assert!(budgets.take(&one, BudgetKind::Write, 0, now).is_ok());
        }
        assert_eq!(budgets.take(&one, BudgetKind::Write, 0, now).map_err(|refused| refused.remaining), Err(100));
    }

    #[test]
    fn previews_are_counted_by_the_hour_and_apart() {
        let (budgets, now, one) = (Budgets::here(DEFAULTS), DateTime::UNIX_EPOCH, owner(1, OwnLimits::default()));
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
        let (budgets, now, one) = (Budgets::here(DEFAULTS), DateTime::UNIX_EPOCH, owner(1, OwnLimits::default()));
        for _ in 0..20 {
            let left = budgets.spend_here(&one, BudgetKind::Read, Spending::Look, now);
            assert_eq!(left.map(|left| (left.remaining, left.reset_s)), Ok((200, 0)));
        }
    }

    #[test]
    fn only_what_is_full_again_is_forgotten() {
        let (budgets, now) = (Budgets::here(DEFAULTS), DateTime::UNIX_EPOCH);
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
        let Counted::Here(accounts) = &budgets.counted else { panic!("in memory") };
        assert!(accounts.lock().buckets.len() <= 2 * SWEEP_FROM + 2);
    }
}
