//! Renewals, account by account: however many radars of an account are due, the ledger is asked once.
//!
//! A radar whose renewal is due has nothing to do by itself: its account decides it, in order with everything else that
//! is due there, and the result is in the database. So a renewal needs no radar's actor.

use std::collections::HashMap;
use std::time::Duration;

use actix::{ActorFutureExt, AsyncContext, Context, WrapFuture};
use chrono::{DateTime, Utc};

use super::RadarShard;
use crate::radar::actor::Request;
use crate::radar::parts::RadarParts;
use domain::ids::{AccountId, RadarId};

/// After an account is settled, the next reminders of its radars are read, together with those of others; later while
/// others are still being settled.
const READ_AFTER: Duration = Duration::from_secs(1);
const READ_AFTER_IN_STORM: Duration = Duration::from_secs(10);
/// When an account is asked again that could not be settled.
const REPEAT_AFTER: Duration = Duration::from_secs(5);
/// When an account is asked again that is stopped. An operator may let it go on at any time.
const STOPPED_AFTER: Duration = Duration::from_secs(10 * 60);

/// The accounts that are being settled.
#[derive(Default)]
pub(super) struct Settling {
    accounts: HashMap<AccountId, DueAccount>,
}

struct DueAccount {
    /// The latest instant at which something was due there, as far as the shard knows.
    due_at: DateTime<Utc>,
    /// Radars that take a turn once the account is settled.
    to_wake: Vec<RadarId>,
}

impl Settling {
    /// Notes that something was due at `due_at`; answers whether the ledger has to be asked for it.
    pub(super) fn note(&mut self, account_id: AccountId, due_at: DateTime<Utc>, to_wake: Option<RadarId>) -> bool {
        let is_new = !self.accounts.contains_key(&account_id);
        let account = self.accounts.entry(account_id).or_insert_with(|| DueAccount { due_at, to_wake: Vec::new() });
        account.due_at = account.due_at.max(due_at);
        account.to_wake.extend(to_wake);
        is_new
    }

    /// The account is settled until `until`. Answers the radars to wake, or `None` when more became due during the
    /// settlement and the ledger has to be asked again.
    pub(super) fn finish(&mut self, account_id: AccountId, until: Option<DateTime<Utc>>) -> Option<Vec<RadarId>> {
        let has_overdue = |account: &DueAccount| until.is_some_and(|until| account.due_at > until);
        if self.accounts.get(&account_id).is_some_and(has_overdue) {
            return None;
        }
        Some(self.accounts.remove(&account_id).map(|account| account.to_wake).unwrap_or_default())
    }

    /// When the last of what is being settled in an account was due.
    fn due_at(&self, account_id: AccountId) -> Option<DateTime<Utc>> {
        self.accounts.get(&account_id).map(|account| account.due_at)
    }

    /// The accounts that are being settled.
    pub(super) fn accounts(&self) -> Vec<AccountId> {
        self.accounts.keys().copied().collect()
    }
}

impl RadarShard {
    /// Lets an account decide what was due at `due_at`, unless that is under way; afterwards `to_wake` takes a turn.
    pub(super) fn settle(
        &mut self,
        account_id: AccountId,
        due_at: DateTime<Utc>,
        to_wake: Option<RadarId>,
        context: &mut Context<Self>,
    ) {
        if self.settling.note(account_id, due_at, to_wake) {
            self.ask_to_settle(account_id, context);
        }
    }

    fn ask_to_settle(&mut self, account_id: AccountId, context: &mut Context<Self>) {
        let parts = self.parts.clone();
        let due_at = self.settling.due_at(account_id);
        let settling = async move {
            // A clock that was set back since then has it wait: the account would find nothing due, over and over.
            parts.clock.sleep_until(due_at.unwrap_or_default()).await;
            settle_overdue(&parts, account_id).await
        };
        context.spawn(settling.into_actor(self).map(move |until, shard, context| {
            let Some(to_wake) = shard.settling.finish(account_id, until) else {
                return shard.ask_to_settle(account_id, context);
            };
            for radar_id in to_wake {
                shard.pass_on(account_id, radar_id, Request::Wake);
            }
            let after = if shard.settling.accounts.is_empty() { READ_AFTER } else { READ_AFTER_IN_STORM };
            shard.read_window_at(shard.parts.clock.now() + after, context);
        }));
    }
}

/// Lets an account settle what is due; answers until when it has, `None` when it is stopped.
async fn settle_overdue(parts: &RadarParts, account_id: AccountId) -> Option<DateTime<Utc>> {
    loop {
        // The semaphore is never closed.
        let permit = parts.settlements.acquire().await;
        let settled = parts.ledger.settle_due(account_id).await;
        drop(permit);
        match settled {
            Ok(Some(until)) => return Some(until),
            Ok(None) => {
                tracing::warn!(%account_id, "renewals are due in an account that is stopped");
                parts.clock.sleep(STOPPED_AFTER).await;
                return None;
            }
            Err(error) => {
                tracing::warn!(%account_id, %error, "due renewals could not be decided and are tried again");
                parts.clock.sleep(REPEAT_AFTER).await;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Settling;
    use chrono::{DateTime, Utc};
    use domain::ids::{AccountId, RadarId};
    use uuid::Uuid;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(seconds, 0).expect("an instant")
    }

    #[test]
    fn an_account_is_asked_once_for_all_that_is_due_there() {
        let (one, other) = (AccountId(Uuid::from_u128(1)), AccountId(Uuid::from_u128(2)));
        let radar = RadarId(Uuid::from_u128(7));
        let mut settling = Settling::default();
        assert!(settling.note(one, at(10), None));
        assert!(!settling.note(one, at(10), Some(radar)));
        assert!(settling.note(other, at(10), None));
        assert_eq!(settling.accounts().len(), 2);
        assert_eq!(settling.finish(one, Some(at(10))), Some(vec![radar]));
        assert!(settling.note(one, at(20), None));
        assert!(!settling.note(one, at(21), None));
        assert_eq!(settling.finish(one, Some(at(20))), None, "more became due during the settlement");
        assert_eq!(settling.finish(one, Some(at(21))), Some(vec![]));
        assert_eq!(settling.finish(other, None), Some(vec![]), "a stopped account is not asked again at once");
        assert!(settling.accounts().is_empty());
    }
}
