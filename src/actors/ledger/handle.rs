//! The way to the ledger.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::{LedgerFigures, LedgerMessage};
use crate::runtime::Mailbox;
use clock::Clock;
use domain::account::AccountCommand;
use domain::{AccountId, Decision};
use store::{Decisions, StoreError, Submission};

/// Why a command was not decided.
#[derive(Clone, Debug, thiserror::Error)]
pub enum LedgerError {
    /// Too many commands wait; try again.
    #[error("the ledger's queue is full")]
    Full,
    /// The database is away. The command may have been decided or not; it is safe to ask again.
    #[error("the database is unavailable")]
    Unavailable,
    /// This command alone cannot be committed.
    #[error("the ledger could not decide: {0}")]
    Broken(Arc<StoreError>),
    /// The service stops.
    #[error("the ledger is gone")]
    Gone,
}

/// The way to the ledger, from any thread.
#[derive(Clone)]
pub struct LedgerHandle {
    pub(super) mailbox: Mailbox<LedgerMessage>,
    pub(super) clock: Clock,
    pub(super) figures: LedgerFigures,
}

impl LedgerHandle {
    /// The figures of the ledger.
    pub fn figures(&self) -> &LedgerFigures {
        &self.figures
    }

    /// Asks for one command.
    ///
    /// # Errors
    /// [`LedgerError`]; a rejection by the rules is a decision.
    pub async fn ask<C: AccountCommand>(
        &self,
        account_id: AccountId,
        command: C,
    ) -> Result<Decision<C::Outcome>, LedgerError> {
        let decisions = outcomes_of::<C>(self.submit(Submission::of(account_id, command)).await?)?;
        decisions.into_iter().next().ok_or(LedgerError::Gone)
    }

    /// Asks for commands of any kind in one transaction; a decision each, in their order.
    ///
    /// # Errors
    /// [`LedgerError`]: then none of them was decided.
    pub async fn submit(&self, submission: Submission) -> Result<Decisions, LedgerError> {
        let asking = self.mailbox.ask(|reply| LedgerMessage::Submit { submission, reply });
        let decided = self.clock.hold(asking).await.map_err(|_| LedgerError::Full)?;
        decided.unwrap_or(Err(LedgerError::Gone))
    }

    /// Lets an account decide all that it has due by itself, in as many transactions as that takes. Settlements of one
    /// account are one, however many ask; commands go first. Answers until when it is settled; `None` where nothing can be
    /// decided: the account is stopped, or there is none.
    ///
    /// # Errors
    /// [`LedgerError`]; what is not decided is still due.
    pub async fn settle_due(&self, account_id: AccountId) -> Result<Option<DateTime<Utc>>, LedgerError> {
        let asking = self.mailbox.ask_always(|reply| LedgerMessage::SettleAccount { account_id, reply: Some(reply) });
        self.clock.hold(asking).await.unwrap_or(Err(LedgerError::Gone))
    }

    /// The same without waiting. The housekeeper finds what is lost.
    pub fn wake(&self, account_id: AccountId) {
        self.mailbox.notify(LedgerMessage::SettleAccount { account_id, reply: None });
    }

    /// Waits until every command that was asked before is decided. What is due by itself is left to the next start.
    pub async fn drain(&self) {
        // A ledger that is gone has nothing left to decide.
        self.mailbox.ask_always(LedgerMessage::Drain).await;
    }
}

/// The decisions about commands of one kind.
///
/// # Errors
/// [`LedgerError::Gone`] for decisions about others.
pub fn outcomes_of<C: AccountCommand>(decisions: Decisions) -> Result<Vec<Decision<C::Outcome>>, LedgerError> {
    let own = |decision: Decision| decision.map(C::outcome).transpose().ok_or(LedgerError::Gone);
    decisions.into_iter().map(own).collect()
}
