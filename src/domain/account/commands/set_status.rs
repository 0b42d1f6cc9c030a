//! An operator stops an account, or lets it go on (decision 4.12).

use crate::domain::account::{Account, Outcome};
use crate::domain::account_status::AccountStatus;

impl Account {
    /// Whether the account is stopped: nothing is charged, published or released in it.
    pub(in crate::domain::account) fn is_stopped(&self) -> bool {
        self.state.account.status == AccountStatus::Inactive
    }

    /// Stops the account, or lets it go on. Whatever was due before is decided, under the status that it had then.
    pub(in crate::domain::account) fn set_status(&mut self, status: AccountStatus) -> Outcome {
        let was_stopped = self.is_stopped();
        self.state.account.status = status;
        self.changes.status_changed = was_stopped != self.is_stopped();
        self.drain();
        Outcome::StatusSet { has_more: self.has_more() }
    }
}
