//! Why no source was found (decision 1.3).

use crate::feed::PollError;
use domain::Obstacle;
use outbound::fetch::FetchError;

/// Why no source was found; the text is for the customer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct DiscoveryError {
    obstacle: Obstacle,
    message: String,
}

impl DiscoveryError {
    /// An error with its text.
    pub(super) fn new(obstacle: Obstacle, message: impl Into<String>) -> Self {
        Self { obstacle, message: message.into() }
    }

    /// What a failed fetch of `what` means: to a search the same as to a poll.
    pub(super) fn of_fetch(what: &str, error: FetchError) -> Self {
        Self::new(PollError::from(error).obstacle(), format!("{what}: {error}"))
    }

    /// What it means for the target.
    pub const fn obstacle(&self) -> Obstacle {
        self.obstacle
    }
}
