//! Who lets findings through: everybody at once, or an operator one by one (decision 4.10).

use super::closed;

closed! {
    /// Who approves an account's findings.
    Approval {
        /// Every finding is approved at once.
        Auto = "auto",
        /// An operator approves or rejects each; it is charged and published at the approval.
        Manual = "manual",
    }
}

closed! {
    /// Where a finding stands that needs the approval of an operator.
    ApprovalState {
        /// Nobody has decided. Entered by detection; nothing is charged.
        Pending = "pending",
        /// It was let through: charged where that is the model, and published, or held for lack of money.
        Approved = "approved",
        /// It was turned down and never becomes an update.
        Rejected = "rejected",
    }
}

closed! {
    /// What an operator decides about a finding.
    ApprovalDecision {
        /// Let it through.
        Approve = "approve",
        /// Turn it down.
        Reject = "reject",
    }
}

impl ApprovalDecision {
    /// The state that the decision leads to.
    pub const fn state(self) -> ApprovalState {
        match self {
            Self::Approve => ApprovalState::Approved,
            Self::Reject => ApprovalState::Rejected,
        }
    }
}
