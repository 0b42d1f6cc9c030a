//! Commands on their way through a commit, each with room for what is decided.

use crate::domain::account::{Account, AccountCommand, Command, CommandRejection, Decision, ReadSet};
use crate::domain::ids::AccountId;

/// A command to one account, and what was decided.
#[derive(Clone, Debug)]
pub struct Asked<C: AccountCommand> {
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

    /// The command and what was decided, for whoever watches all of them.
    fn observed(&self) -> (Command, Option<Decision>);
}

impl<C: AccountCommand> Asked<C> {
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

    fn observed(&self) -> (Command, Option<Decision>) {
        (self.command.clone().into(), self.decision.clone().map(|decision| decision.map(Into::into)))
    }
}
