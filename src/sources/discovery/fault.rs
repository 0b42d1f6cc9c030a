//! Why no source was found (decision 1.3).

use crate::domain::radar::FailureReason;
use crate::outbound::fetch::FetchError;

/// Why no source was found; the text is for the customer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetUpFault {
    /// The site refuses us, or robots.txt does.
    #[error("{0}")]
    Inaccessible(String),
    /// The site can be read, but nothing on it leads to a source.
    #[error("{0}")]
    NoSource(String),
    /// Anything else.
    #[error("{0}")]
    Unexpected(String),
    /// The site does not answer or fails just now; when it keeps doing so, it is inaccessible.
    #[error("{0}")]
    Transient(String),
}

impl SetUpFault {
    /// Whether another try, later, may find what this one did not.
    pub const fn is_worth_retrying(&self) -> bool {
        matches!(self, Self::Transient(_))
    }

    /// The reason that a radar fails with when there are no more tries.
    pub const fn failure_reason(&self) -> FailureReason {
        match self {
            Self::Inaccessible(_) | Self::Transient(_) => FailureReason::SourceInaccessible,
            Self::NoSource(_) => FailureReason::MissingPrerequisites,
            Self::Unexpected(_) => FailureReason::SetupFailure,
        }
    }

    /// What a fetch of `what` that failed means.
    pub(super) fn of_fetch(what: &str, error: FetchError) -> Self {
        let message = format!("{what}: {error}");
        if error.is_transient() { Self::Transient(message) } else { Self::Inaccessible(message) }
    }
}
