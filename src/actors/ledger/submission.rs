//! What a caller submits to the ledger: commands of one kind, and the caller that waits for the answers.

use tokio::sync::oneshot;

use super::LedgerError;
use store::{Ask, Submittable};

/// The answer to a submission: one for each command, in their order.
pub(super) type Answers<A> = Result<Vec<<A as Submittable>::Answer>, LedgerError>;

/// Commands to one account that are decided in one transaction, of any kind.
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

/// Commands of one kind.
pub(super) struct Submitted<A: Submittable> {
    pub(super) asked: Vec<A>,
    pub(super) reply: oneshot::Sender<Answers<A>>,
}

impl<A: Submittable> Submission for Submitted<A> {
    fn weight(&self) -> usize {
        self.asked.iter().map(Ask::weight).sum()
    }

    fn asked(&mut self) -> Vec<&mut dyn Ask> {
        self.asked.iter_mut().map(|asked| asked as &mut dyn Ask).collect()
    }

    fn is_overdue(&self) -> bool {
        self.asked.iter().any(Ask::is_overdue)
    }

    fn has_more(&self) -> bool {
        self.asked.iter().any(Ask::has_more)
    }

    fn answer(self: Box<Self>) {
        let answers: Option<Vec<_>> = self.asked.into_iter().map(Submittable::into_answer).collect();
        // The caller may have given up; what was decided stands.
        self.reply.send(answers.ok_or(LedgerError::Gone)).ok();
    }

    fn reject(self: Box<Self>, error: LedgerError) {
        self.reply.send(Err(error)).ok();
    }
}
