//! Commits of commands of any kind, without a ledger before them.

use std::future::Future;

use chrono::{DateTime, Utc};
use domain::account::RENEWALS_MAX;
use domain::ids::AccountId;
use store::{Ask, Asked, Store, StoreError, Submittable};

use crate::any_command::{Command, Decision};
use crate::no_dispatch::NoDispatch;

/// Any command to one account.
#[derive(Clone, Debug)]
pub struct Intent {
    pub account_id: AccountId,
    pub command: Command,
}

/// Commits commands of any kind.
pub trait CommitAny {
    /// Decides and writes all of `intents` in one transaction; they see each other in order. Answers a decision each.
    fn commit(&self, intents: &[Intent], now: DateTime<Utc>)
    -> impl Future<Output = Result<Vec<Decision>, StoreError>>;
}

impl CommitAny for Store {
    async fn commit(&self, intents: &[Intent], now: DateTime<Utc>) -> Result<Vec<Decision>, StoreError> {
        let mut asked: Vec<Asked<Command>> =
            intents.iter().map(|intent| Asked::new(intent.account_id, intent.command.clone())).collect();
        let mut any: Vec<&mut dyn Ask> = asked.iter_mut().map(|asked| asked as &mut dyn Ask).collect();
        self.commit_with(&mut any, now, RENEWALS_MAX, &NoDispatch).await?;
        Ok(asked.into_iter().filter_map(Submittable::into_answer).collect())
    }
}
