//! Commands and their decisions, as a commit passes them along.

use std::any::Any;

use chrono::{DateTime, Utc};

use crate::accounts::kept_answers::KeptAnswers;
use domain::account::{Account, AccountCommand, CommandRejection, Decision, ReadSet};
use domain::ids::AccountId;

/// A command to one account, with its decision once there is one.
#[derive(Clone, Debug)]
pub struct Asked<C: AccountCommand> {
    account_id: AccountId,
    command: C,
    decision: Option<Decision<C::Outcome>>,
}

/// A command of any kind, as a commit sees it.
pub trait Ask: Send + Sync {
    /// The account to which it is addressed.
    fn account_id(&self) -> AccountId;

    /// Adds to `read_set` what must be read before it can be decided.
    fn read(&self, read_set: &mut ReadSet);

    /// Decides it and replaces the decision of an earlier try. `account` is `None` when it does not exist.
    fn decide(&mut self, account: Option<&mut Account>);

    /// For a command whose answer is kept: renders the answer, or takes the one that was given before.
    fn keep_answer(&mut self, _: &mut KeptAnswers, _: DateTime<Utc>) {}

    /// Its share of a transaction's capacity.
    fn weight(&self) -> usize;

    /// Whether it must wait until its account is settled.
    fn is_overdue(&self) -> bool;

    /// Whether something is still due after it.
    fn has_more(&self) -> bool;

    /// Itself, so that an observer of commits can tell which command it is.
    fn as_any(&self) -> &dyn Any;
}

/// A command that is submitted for an answer.
pub trait Submittable: Ask + Sized + 'static {
    /// The answer.
    type Answer: Send;

    /// The answer; `None` as long as nothing is decided.
    fn into_answer(self) -> Option<Self::Answer>;
}

impl<C: AccountCommand> Asked<C> {
    /// A command that is not decided yet.
    pub fn new(account_id: AccountId, command: C) -> Self {
        Self { account_id, command, decision: None }
    }

    /// The command.
    pub fn command(&self) -> &C {
        &self.command
    }

    /// The decision; `None` before it is made.
    pub fn decision(&self) -> Option<&Decision<C::Outcome>> {
        self.decision.as_ref()
    }
}

impl<C: AccountCommand> Ask for Asked<C> {
    fn account_id(&self) -> AccountId {
        self.account_id
    }

    fn read(&self, read_set: &mut ReadSet) {
        self.command.read(read_set);
        read_set.charges_max += self.command.charges_max() as u64;
    }

    fn decide(&mut self, account: Option<&mut Account>) {
        self.decision = Some(match account {
            Some(account) => account.apply(&self.command),
            None => Err(CommandRejection::UnknownAccount),
        });
    }

    fn weight(&self) -> usize {
        self.command.weight()
    }

    fn is_overdue(&self) -> bool {
        matches!(self.decision, Some(Err(CommandRejection::Overdue)))
    }

    fn has_more(&self) -> bool {
        matches!(&self.decision, Some(Ok(outcome)) if C::has_more(outcome))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl<C: AccountCommand> Submittable for Asked<C> {
    type Answer = Decision<C::Outcome>;

    fn into_answer(self) -> Option<Self::Answer> {
        self.decision
    }
}
