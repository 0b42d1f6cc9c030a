//! Commands on their way through a commit, each with its decision.

use chrono::{DateTime, Utc};

use crate::domain::account::{Account, AnyCommand, Command, CommandRejection, Decision, ReadSet};
use crate::domain::ids::AccountId;
use crate::store::accounts::kept_answers::{AnswerText, KeptAnswers};

/// A command to one account, and what was decided.
#[derive(Clone, Debug)]
pub struct Asked<C: AnyCommand> {
    account_id: AccountId,
    command: C,
    decision: Option<Decision<C::Outcome>>,
}

/// A command of any kind, as a commit sees it.
pub trait Ask: Send + Sync {
    /// The account that it is about.
    fn account_id(&self) -> AccountId;

    /// Adds what has to be read for it.
    fn read(&self, read_set: &mut ReadSet);

    /// Decides it, in place of what an earlier try may have decided. `None` when there is no such account.
    fn decide(&mut self, account: Option<&mut Account>);

    /// Renders the answer to what was decided, or takes the earlier one, where answers are kept.
    fn keep_answer(&mut self, _: &mut KeptAnswers, _: DateTime<Utc>) {}

    /// How much room it takes in a transaction.
    fn weight(&self) -> usize;

    /// Whether it has to wait until its account is settled.
    fn is_overdue(&self) -> bool;

    /// Whether it has left something due.
    fn has_more(&self) -> bool;

    /// The command and its decision, in the types that all commands share.
    fn observed(&self) -> (Command, Option<Decision>);

    /// The answer, where answers are kept.
    fn answer(&self) -> Option<&AnswerText> {
        None
    }
}

/// A command that is submitted for an answer.
pub trait Submittable: Ask + Sized + 'static {
    /// The answer.
    type Answer: Send;

    /// The answer; `None` as long as nothing is decided.
    fn into_answer(self) -> Option<Self::Answer>;
}

impl<C: AnyCommand> Asked<C> {
    /// A command that is not decided yet.
    pub fn new(account_id: AccountId, command: C) -> Self {
        Self { account_id, command, decision: None }
    }

    /// What is asked for.
    pub fn command(&self) -> &C {
        &self.command
    }

    /// What was decided, if it was.
    pub fn decision(&self) -> Option<&Decision<C::Outcome>> {
        self.decision.as_ref()
    }

    /// What was decided, if it was.
    pub fn into_decision(self) -> Option<Decision<C::Outcome>> {
        self.decision
    }
}

impl<C: AnyCommand> Ask for Asked<C> {
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

    fn observed(&self) -> (Command, Option<Decision>) {
        (self.command.clone().into(), self.decision.clone().map(|decision| decision.map(Into::into)))
    }
}

impl<C: AnyCommand> Submittable for Asked<C> {
    type Answer = Decision<C::Outcome>;

    fn into_answer(self) -> Option<Self::Answer> {
        self.decision
    }
}
