//! The one transaction: lock the accounts, read after the lock, decide, write in bulk, commit (design, sentence 4).

mod batch;
mod load;
pub(super) mod submission;

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use entity::account;

use crate::outbox::hand_over::{Dispatch, claim_new};
use crate::{Result, Store};
use batch::Batch;
use domain::account::Account;
use domain::{AccountId, CommandRejection, MicroUsd, RadarId, TxKind};
pub use submission::{Decisions, Submission};

/// What a commit decided, and its other effects.
#[derive(Debug, Default)]
pub struct Committed {
    /// What was decided about each submission, in their order.
    pub decisions: Vec<Decisions>,
    /// Whether a pause or a stop ended or a radar reads on, so that feeds should be polled and deliveries sent again.
    pub has_resumed: bool,
    /// The due instants of the decided renewals.
    pub renewals: Vec<DateTime<Utc>>,
    /// What each new ledger transaction is and did to its balance.
    pub posted: Vec<(TxKind, MicroUsd)>,
    /// How many findings were held beyond the bound of a day.
    pub held_beyond_bound: u64,
    /// Radars whose bound was exceeded for the first time in a day, and when what they hold is released.
    pub exceeded: Vec<(AccountId, RadarId, DateTime<Utc>)>,
}

impl Store {
    /// Decides and writes all of `submissions` in one transaction; they see each other in order. At most `renewals_max`
    /// renewals that are due in their accounts are decided as well. `dispatch` takes new deliveries over as soon as the
    /// commit stands.
    ///
    /// # Errors
    /// Nothing was written, or (when the connection broke at the very end) it is unknown: the same commands can be
    /// committed again either way, because each effect has a key that lets it happen once.
    pub async fn commit(
        &self,
        submissions: &[&Submission],
        now: DateTime<Utc>,
        renewals_max: usize,
        dispatch: &dyn Dispatch,
    ) -> Result<Committed> {
        self.deadline.io(self.commit_in_one(submissions, now, renewals_max, dispatch)).await
    }

    async fn commit_in_one(
        &self,
        submissions: &[&Submission],
        now: DateTime<Utc>,
        renewals_max: usize,
        dispatch: &dyn Dispatch,
    ) -> Result<Committed> {
        let mut change = self.change();
        let transaction = self.begin().await?;
        // Rows of an account are only written under this lock (invariant 7).
        let accounts = submissions.iter().map(|submission| submission.account_id.0);
        let locked = self.lock_accounts_as_node(&transaction, accounts.collect()).await?;
        let mut rows: BTreeMap<AccountId, account::Model> =
            locked.into_iter().map(|row| (AccountId(row.account_id), row)).collect();
        self.faults.pass_or_fail("store.locked", &submissions.len())?;
        let terms = load::Terms { now, renewals_max, defaults: &self.rules.default_prices };
        let loaded = load::load(&transaction, &rows, submissions, terms).await?;
        let mut accounts: BTreeMap<AccountId, Account> = loaded
            .into_iter()
            .map(|state| (state.account.account_id, Account::open(state, now, self.rules.render, self.rules.money)))
            .collect();
        let decide = |submission: &&Submission| {
            let mut account = accounts.get_mut(&submission.account_id);
            let decide = |command| match &mut account {
                Some(account) => account.apply(command),
                None => Err(CommandRejection::UnknownAccount),
            };
            submission.commands.iter().map(decide).collect()
        };
        let decisions = submissions.iter().map(decide).collect();
        let mut batch = Batch::default();
        let mut committed = Committed { decisions, ..Committed::default() };
        for account in accounts.into_values() {
            let (state, changes) = account.close();
            committed.renewals.extend_from_slice(&changes.renewals);
            committed.posted.extend(changes.ledger_txs.iter().map(|tx| (tx.kind, tx.amount)));
            committed.held_beyond_bound += changes.held_beyond_bound;
            let exceeded = changes.exceeded.iter();
            committed.exceeded.extend(exceeded.map(|&(radar_id, at)| (state.account_id, radar_id, at)));
            // An account that goes on has deliveries and feeds that waited for it.
            committed.has_resumed |= changes.status_changed || changes.reads_on || !changes.resumed.is_empty();
            if let Some(row) = rows.remove(&state.account_id) {
                batch.add(row, &state, changes, now, self.rules.render_alert);
            }
        }
        let claims =
            claim_new(&transaction, batch.new_deliveries(), dispatch, (self.membership.node_id(), &self.leases), now)
                .await?;
        change.of(batch.changed_radars(), batch.accounts_with_changed_pauses());
        batch.write(&transaction).await?;
        self.faults.pass_or_fail("store.written", &submissions.len())?;
        transaction.commit().await?;
        let written = claims.commit();
        if !written.is_empty() {
            dispatch.hand_over(written);
        }
        change.settle();
        Ok(committed)
    }
}
