//! Why a command has no effect.

use crate::approval::ApprovalState;
use crate::ids::{AccountId, RadarId};

/// Why a command had no effect. None of these writes a row, so each can be tried again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandRejection {
    /// An active radar watches the same target (Spec 2.7).
    #[error("radar {existing} watches the same target")]
    Duplicate {
        /// That radar.
        existing: RadarId,
        /// The field that names the target.
        field: &'static str,
    },
    /// The account has as many active radars as it may have, or as many that have ended and that are still kept.
    #[error("is reached: an account has at most {max} active radars, and at most {max} that ended lately")]
    TooManyRadars {
        /// How many that is.
        max: i64,
    },
    /// The balance does not cover it.
    #[error("the balance does not cover it")]
    InsufficientBalance,
    /// There is no such account.
    #[error("no such account")]
    UnknownAccount,
    /// The account has no such radar.
    #[error("no such radar")]
    UnknownRadar,
    /// No such finding waits or has waited for approval.
    #[error("no such finding")]
    UnknownFinding,
    /// The finding was decided otherwise before.
    #[error("the finding was {} before", .0.as_str())]
    DecidedOtherwise(ApprovalState),
    /// The payment was counted before, with another amount.
    #[error("this payment reference was used for another amount")]
    PaymentRefReused,
    /// The key was used for another request (decision 2.9).
    #[error("this idempotency key was used for another request")]
    IdempotencyKeyReused,
    /// The radar type has no price.
    #[error("the radar type has no price")]
    NoPrice,
    /// The balance would pass what can be counted.
    #[error("the balance would become too large")]
    BalanceTooLarge,
    /// The account was stopped by an operator (decision 4.12).
    #[error("the account is inactive")]
    Stopped,
    /// The account was frozen because its rows do not add up.
    #[error("account {account_id} is frozen: {reason}")]
    Frozen {
        /// The account.
        account_id: AccountId,
        /// The first thing that is wrong with it.
        reason: String,
    },
    /// Renewals that were due earlier have to be decided first; their ledger asks again once they are.
    #[error("renewals that were due earlier are not decided yet")]
    Overdue,
}
