//! What is asked of one account in one go.

use domain::account::Command;
use domain::{AccountId, Decision};

/// Commands to one account that are decided in one transaction and see each other in order.
#[derive(Clone, Debug)]
pub struct Submission {
    /// The account.
    pub account_id: AccountId,
    /// What is asked of it.
    pub commands: Vec<Command>,
}

/// What was decided about a submission: about each of its commands, in their order.
pub type Decisions = Vec<Decision>;

impl Submission {
    /// One command to an account.
    pub fn of(account_id: AccountId, command: impl Into<Command>) -> Self {
        Self { account_id, commands: vec![command.into()] }
    }

    /// How much room it takes in a transaction.
    pub fn weight(&self) -> usize {
        self.commands.iter().map(Command::weight).sum()
    }
}
