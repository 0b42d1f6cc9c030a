//! What becomes of what a radar does: the answer to who asked, what is next, or why it could not finish.

use std::time::Duration;

use chrono::{DateTime, Utc};
use tokio::sync::oneshot;

use crate::ledger::LedgerError;
use domain::{CommandRejection, Decision, Radar};
use store::StoreError;
use store::faults::InjectedFault;

/// When a turn that could not finish is repeated.
const REPEAT_AFTER: Duration = Duration::from_secs(5);
/// When a turn in an account that is frozen is repeated; what is due there is not lost.
const REPEAT_FROZEN_AFTER: Duration = Duration::from_secs(10 * 60);

/// Answers the decision on a request to a radar.
pub type Answer<O> = oneshot::Sender<Result<Decision<O>, LedgerError>>;

/// Answers that an attempt of a set-up has ended, or what kept it from its end.
pub type SetUpAnswer = oneshot::Sender<Result<(), TurnError>>;

/// Why a turn, or an attempt of a set-up, could not finish.
#[derive(Debug, thiserror::Error)]
pub enum TurnError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    #[error(transparent)]
    Injected(#[from] InjectedFault),
    /// A feed is being polled elsewhere.
    #[error("it cannot be done now")]
    NotNow,
    /// The radar's actor has crashed and is started again later.
    #[error("it could not begin")]
    NotBegun,
    /// The account is stopped.
    #[error("the account is frozen")]
    Frozen,
}

impl TurnError {
    /// Whether it tells something about the radar, and not only about a database that is away for all of them.
    pub(super) const fn is_of_one_radar(&self) -> bool {
        !matches!(self, Self::Store(StoreError::Unavailable(_)) | Self::Ledger(LedgerError::Unavailable))
    }

    pub(super) const fn repeat_after(&self) -> Duration {
        if matches!(self, Self::Frozen) { REPEAT_FROZEN_AFTER } else { REPEAT_AFTER }
    }
}

/// Why the ledger refused what the radar needs.
impl From<CommandRejection> for TurnError {
    fn from(rejection: CommandRejection) -> Self {
        if matches!(rejection, CommandRejection::Frozen { .. }) { Self::Frozen } else { Self::NotNow }
    }
}

/// What a radar has to do after a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Nothing.
    Nothing,
    /// Another turn, at that instant.
    Turn(DateTime<Utc>),
    /// A renewal, at that instant.
    Renewal(DateTime<Utc>),
}

impl Next {
    /// What is next at a radar where nothing is due.
    pub(super) fn of(radar: &Radar) -> Self {
        match (radar.next_charge_at, radar.wake_at()) {
            (Some(due_at), _) => Self::Renewal(due_at),
            (None, Some(at)) => Self::Turn(at),
            (None, None) => Self::Nothing,
        }
    }

    /// When it is due.
    pub(super) const fn at(self) -> Option<DateTime<Utc>> {
        match self {
            Self::Nothing => None,
            Self::Turn(at) | Self::Renewal(at) => Some(at),
        }
    }
}
