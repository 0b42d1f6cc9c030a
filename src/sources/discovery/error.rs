//! Why no source was found (decision 1.3).

use domain::radar::set_up::Obstacle;
use outbound::fetch::FetchError;
use outbound::transport::TransportError;

/// Why no source was found; the text is for the customer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DiscoveryError {
    /// The site refuses us, or robots.txt does.
    #[error("{0}")]
    Inaccessible(String),
    /// The site can be read, but nothing on it leads to a source.
    #[error("{0}")]
    NoSource(String),
    /// Anything else.
    #[error("{0}")]
    Unexpected(String),
    /// The site does not answer or fails just now.
    #[error("{0}")]
    Transient(String),
    /// The name does not exist, or leads to a forbidden address: timing must not tell the two apart.
    #[error("{0}")]
    UnknownName(String),
}

impl DiscoveryError {
    /// What it means for the target.
    pub const fn obstacle(&self) -> Obstacle {
        match self {
            Self::Inaccessible(_) => Obstacle::Inaccessible,
            Self::NoSource(_) => Obstacle::NoSource,
            Self::Unexpected(_) => Obstacle::Unexpected,
            Self::Transient(_) => Obstacle::Unreachable,
            Self::UnknownName(_) => Obstacle::UnknownName,
        }
    }

    /// What a failed fetch of `what` means.
    pub(super) fn of_fetch(what: &str, error: FetchError) -> Self {
        let message = format!("{what}: {error}");
        match error {
            FetchError::Unreachable(TransportError::UnknownName | TransportError::Blocked) => {
                Self::UnknownName(message)
            }
            error if error.is_transient() => Self::Transient(message),
            _ => Self::Inaccessible(message),
        }
    }
}
