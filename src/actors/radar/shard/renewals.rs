//! Renewals, account by account: however many radars of an account are due, the ledger hears of it once.
//!
//! A radar whose renewal is due has nothing to do by itself: its account decides it, in order with all others that are due
//! there, and what comes of it stands in the database. So none needs an actor for it, and one that has an actor lets it
//! go.

use std::collections::HashMap;
use std::time::Duration;

use actix::{ActorFutureExt, AsyncContext, Context, WrapFuture};
use chrono::{DateTime, Utc};

use super::RadarShard;
use crate::actors::ledger::Settled;
use crate::actors::radar::Engine;
use crate::actors::radar::actor::Request;
use crate::domain::ids::{AccountId, RadarId};

/// After an account is settled, its radars' next wakes are looked for, together with those of others; later while
/// others are still being settled.
const LOOK_AFTER: Duration = Duration::from_secs(1);
const LOOK_AFTER_IN_STORM: Duration = Duration::from_secs(10);
/// When an account is asked again that could not be settled.
const REPEAT_AFTER: Duration = Duration::from_secs(5);
/// When an account is asked again that is stopped: whoever lets it move again does not want to wait for long.
const STOPPED_AFTER: Duration = Duration::from_secs(10 * 60);

/// The accounts to be settled, and those that are being settled.
#[derive(Default)]
pub(super) struct DueAccounts {
    accounts: HashMap<AccountId, DueAccount>,
    /// The accounts with a timer, and the earliest instant for which one is set.
    expected: HashMap<AccountId, DateTime<Utc>>,
}

struct DueAccount {
    /// The latest instant at which something was due there, as far as was told.
    due_at: DateTime<Utc>,
    /// Radars that have more to do once the account is settled.
    to_wake: Vec<RadarId>,
}

impl DueAccounts {
    /// Expects renewals at `due_at`; answers whether a timer is needed for them.
    pub(super) fn needs_timer(&mut self, account_id: AccountId, due_at: DateTime<Utc>) -> bool {
        let is_new = self.expected.get(&account_id).is_none_or(|expected_at| due_at < *expected_at);
        if is_new {
            self.expected.insert(account_id, due_at);
        }
        is_new
    }

    /// Notes that something was due at `due_at`; answers whether the account has to be asked for it.
    pub(super) fn note(&mut self, account_id: AccountId, due_at: DateTime<Utc>, to_wake: Option<RadarId>) -> bool {
        if self.expected.get(&account_id).is_some_and(|expected_at| *expected_at <= due_at) {
            self.expected.remove(&account_id);
        }
        let is_new = !self.accounts.contains_key(&account_id);
        let account = self.accounts.entry(account_id).or_insert_with(|| DueAccount { due_at, to_wake: Vec::new() });
        account.due_at = account.due_at.max(due_at);
        account.to_wake.extend(to_wake);
        is_new
    }

    /// The account is settled until `until`. Answers the radars to wake, or `None` when more became due meanwhile
    /// and the account has to be asked again.
    pub(super) fn settle(&mut self, account_id: AccountId, until: Option<DateTime<Utc>>) -> Option<Vec<RadarId>> {
        let has_overdue = |account: &DueAccount| until.is_some_and(|until| account.due_at > until);
        if self.accounts.get(&account_id).is_some_and(has_overdue) {
            return None;
        }
        Some(self.accounts.remove(&account_id).map(|account| account.to_wake).unwrap_or_default())
    }

    /// The accounts that are catching up.
    pub(super) fn at_work(&self) -> Vec<AccountId> {
        self.accounts.keys().copied().collect()
    }
}

impl RadarShard {
    /// Sets a timer for the renewals of an account; the radars themselves have nothing to do with them.
    pub(super) fn expect_renewal(&mut self, account_id: AccountId, due_at: DateTime<Utc>, context: &mut Context<Self>) {
        if !self.due.needs_timer(account_id, due_at) {
            return;
        }
        let clock = self.engine.clock.clone();
        let sleep = async move { clock.sleep_until(due_at).await };
        context.spawn(sleep.into_actor(self).map(move |(), shard, context| {
            if shard.due.note(account_id, due_at, None) {
                shard.renew(account_id, context);
            }
        }));
    }

    /// Lets an account decide its renewals; then its radars that had more to do are woken.
    pub(super) fn renew(&mut self, account_id: AccountId, context: &mut Context<Self>) {
        let engine = self.engine.clone();
        let catching_up = async move { settle_overdue(&engine, account_id).await };
        context.spawn(catching_up.into_actor(self).map(move |until, shard, context| {
            let Some(to_wake) = shard.due.settle(account_id, until) else { return shard.renew(account_id, context) };
            for radar_id in to_wake {
                shard.pass_on(account_id, radar_id, Request::Wake);
            }
            let after = if shard.due.at_work().is_empty() { LOOK_AFTER } else { LOOK_AFTER_IN_STORM };
            shard.load_at(shard.engine.clock.now() + after, context);
        }));
    }
}

/// Lets an account settle what is due; answers until when it has, `None` when it is stopped.
async fn settle_overdue(engine: &Engine, account_id: AccountId) -> Option<DateTime<Utc>> {
    loop {
        // The semaphore is never closed.
        let permit = engine.settlements.acquire().await;
        let settled = engine.ledger.settle_due(account_id).await;
        drop(permit);
        match settled {
            Ok(Settled::Until(until)) => return Some(until),
            Ok(Settled::Never) => {
                tracing::warn!(account.id = %account_id, "renewals are due in an account that is stopped");
                engine.clock.sleep(STOPPED_AFTER).await;
                return None;
            }
            Err(error) => {
                tracing::warn!(account.id = %account_id, %error, "due renewals could not be decided and are tried again");
                engine.clock.sleep(REPEAT_AFTER).await;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::DueAccounts;
    use crate::domain::ids::{AccountId, RadarId};
    use chrono::{DateTime, Utc};
    use uuid::Uuid;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(seconds, 0).expect("an instant")
    }

    #[test]
    fn an_account_has_a_timer_for_the_first_renewal_only() {
        let account_id = AccountId(Uuid::from_u128(1));
        let mut due = DueAccounts::default();
        assert!(due.needs_timer(account_id, at(10)));
        assert!(!due.needs_timer(account_id, at(10)) && !due.needs_timer(account_id, at(11)));
        assert!(due.needs_timer(account_id, at(9)), "an earlier one");
        due.note(account_id, at(9), None);
        assert!(due.needs_timer(account_id, at(10)), "the next one");
    }

    #[test]
    fn an_account_is_asked_once_for_all_that_is_due_there() {
        let (one, other) = (AccountId(Uuid::from_u128(1)), AccountId(Uuid::from_u128(2)));
        let radar = RadarId(Uuid::from_u128(7));
        let mut due = DueAccounts::default();
        assert!(due.note(one, at(10), None));
        assert!(!due.note(one, at(10), Some(radar)));
        assert!(due.note(other, at(10), None));
        assert_eq!(due.at_work().len(), 2);
        assert_eq!(due.settle(one, Some(at(10))), Some(vec![radar]));
        assert!(due.note(one, at(20), None));
        assert!(!due.note(one, at(21), None));
        assert_eq!(due.settle(one, Some(at(20))), None, "more became due meanwhile");
        assert_eq!(due.settle(one, Some(at(21))), Some(vec![]));
        assert_eq!(due.settle(other, None), Some(vec![]), "a stopped account is not asked again at once");
        assert!(due.at_work().is_empty());
    }
}
