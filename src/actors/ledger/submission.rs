//! What somebody submits to the ledger: commands of one kind, and who waits for what is decided.

use tokio::sync::oneshot;

use super::LedgerError;
use crate::domain::account::{AccountCommand, CommandRejection, Decision};
use crate::domain::ids::AccountId;
use crate::store::{Ask, Asked};

/// The answer to a submission: a decision for each command, in their order.
pub(super) type Answer<C> = Result<Vec<Decision<<C as AccountCommand>::Outcome>>, LedgerError>;

/// Commands to one account that are decided in one transaction, whatever kind they are of.
pub(super) trait Submission: Send {
    /// How much room they take in a transaction.
    fn weight(&self) -> usize;

    /// The commands.
    fn asked(&mut self) -> Vec<&mut dyn Ask>;

    /// Whether they have to wait until their account is settled.
    fn is_overdue(&self) -> bool;

    /// Whether they have left something due.
    fn has_more(&self) -> bool;

    /// Answers what was decided.
    fn answer(self: Box<Self>);

    /// Answers that nothing was decided.
    fn reject(self: Box<Self>, error: LedgerError);
}

/// Commands of the kind `C`.
pub(super) struct Submitted<C: AccountCommand> {
    asked: Vec<Asked<C>>,
    reply: oneshot::Sender<Answer<C>>,
}

impl<C: AccountCommand> Submitted<C> {
    pub(super) fn new(account_id: AccountId, commands: Vec<C>, reply: oneshot::Sender<Answer<C>>) -> Self {
        Self { asked: commands.into_iter().map(|command| Asked::new(account_id, command)).collect(), reply }
    }
}

impl<C: AccountCommand> Submission for Submitted<C> {
    fn weight(&self) -> usize {
        self.asked.iter().map(|asked| asked.command().weight()).sum()
    }

    fn asked(&mut self) -> Vec<&mut dyn Ask> {
        self.asked.iter_mut().map(|asked| asked as &mut dyn Ask).collect()
    }

    fn is_overdue(&self) -> bool {
        self.asked.iter().any(|asked| matches!(asked.decision(), Some(Err(CommandRejection::Overdue))))
    }

    fn has_more(&self) -> bool {
        self.asked.iter().any(|asked| matches!(asked.decision(), Some(Ok(outcome)) if C::has_more(outcome)))
    }

    fn answer(self: Box<Self>) {
        let decisions: Option<Vec<_>> = self.asked.into_iter().map(Asked::into_decision).collect();
        // The caller may have given up; what was decided stands.
        self.reply.send(decisions.ok_or(LedgerError::Gone)).ok();
    }

    fn reject(self: Box<Self>, error: LedgerError) {
        self.reply.send(Err(error)).ok();
    }
}
