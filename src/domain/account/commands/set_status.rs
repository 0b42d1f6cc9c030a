//! An operator stops an account, or lets it go on (decision 4.12).

use crate::account::read_set::ReadSet;
use crate::account::{Account, Decision};
use crate::account_status::AccountStatus;
use crate::ids::AccountId;

/// An operator stops the account, or lets it go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetStatus {
    /// Which of the two.
    pub status: AccountStatus,
}

/// The account has the status that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatusSet {
    /// Whether held findings are left that the balance may cover.
    pub has_more: bool,
}

impl SetStatus {
    pub(in crate::account) fn read(&self, _: AccountId, read_set: &mut ReadSet) {
        read_set.held_findings = true;
    }

    /// Stops the account, or lets it go on. Whatever was due before is decided, under the status that it had then.
    pub(in crate::account) fn decide(&self, account: &mut Account) -> Decision<StatusSet> {
        let was_stopped = account.is_stopped();
        account.state.account.status = self.status;
        account.changes.status_changed = was_stopped != account.is_stopped();
        account.release_held_findings();
        Ok(StatusSet { has_more: account.has_more() })
    }
}

impl Account {
    /// Whether the account is stopped: nothing is charged, published or released in it.
    pub(in crate::account) fn is_stopped(&self) -> bool {
        self.state.account.status == AccountStatus::Inactive
    }
}
