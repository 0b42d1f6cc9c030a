//! Feeds, and what a poll of one gives (decisions 7.2, 7.3).

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use super::bounds::{MESSAGE_BYTES_MAX, NATIVE_ID_BYTES_MAX, cut};
use super::item::FoundItem;
use domain::{FailureClass, Obstacle};
use outbound::fetch::{FetchError, Validators};
use outbound::transport::TransportError;

/// One feed: a source applied to one target (decision 7.3).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FeedKey {
    /// The source's id.
    pub source_id: String,
    /// What the source calls the target.
    pub token: String,
}

/// What the feed's log already holds.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Whether the feed was never read: then everything in it is the silent baseline (decision 7.2).
    pub first_poll: bool,
    /// The native ids that were seen before, as items or not.
    pub ids: Arc<HashSet<String>>,
    /// The validators of the last poll.
    pub validators: Validators,
    /// How many pages of items, or details of them, are visited; `None`: as many as a poll may.
    pub visits_max: Option<usize>,
    /// Whether this is the second of two looks at once: then no answer counts that was given before it.
    pub is_second_look: bool,
}

/// The outcome of a poll.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FeedPoll {
    /// New items, oldest first.
    pub items: Vec<FoundItem>,
    /// Native ids that were seen and are no new item: remembered, never reported.
    pub looked_at: Vec<String>,
    /// For the next poll.
    pub validators: Validators,
    /// Whether the feed is as it was at the last poll.
    pub unchanged: bool,
    /// How many items were listed that are not about the target.
    pub unmatched: usize,
    /// Whether something that was known before is still there.
    pub shows_known: bool,
}

impl FeedPoll {
    /// Whether nothing is there any more of all that was `known`, but something else.
    pub fn has_turned_over(&self, known: &Known) -> bool {
        let shows_new = !self.items.is_empty() || !self.looked_at.is_empty();
        shows_new && !self.shows_known && !known.first_poll && !known.ids.is_empty()
    }

    /// The same without ids that are too long to be kept, and with each that is not `known` once: a page may show somebody
    /// twice.
    pub fn storable(mut self, known: &HashSet<String>) -> Self {
        let mut kept = HashSet::new();
        let mut is_kept = |native_id: &String| {
            native_id.len() <= NATIVE_ID_BYTES_MAX && !known.contains(native_id) && kept.insert(native_id.clone())
        };
        self.items.retain(|item| is_kept(&item.native_id));
        self.looked_at.retain(is_kept);
        self
    }

    /// Whether `second`, a first look at once after this one, shows something that this one shows, too.
    pub fn is_shared_with(&self, second: &Self) -> bool {
        let shown: HashSet<&String> = self.items.iter().map(|item| &item.native_id).chain(&self.looked_at).collect();
        second.looked_at.iter().any(|native_id| shown.contains(native_id))
    }
}

/// Why a poll failed. Nothing of it is remembered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PollError {
    /// The fetch failed.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// No enabled source that can be polled has this id.
    #[error("no enabled source `{0}` can be polled")]
    NoSuchSource(String),
    /// The token makes no address.
    #[error("the source knows no target `{0}`")]
    BadToken(String),
    /// The source says by this status that it cannot answer just now.
    #[error("the source answers with status {0}, which passes by itself")]
    Passing(u16),
    /// The answer is not what the source describes.
    #[error("the answer cannot be read: {0}")]
    Unreadable(String),
}

impl PollError {
    /// Whether a later poll may well succeed.
    pub const fn is_transient(&self) -> bool {
        match self {
            Self::Fetch(error) => error.is_transient(),
            // Maintenance pages come with status 200, too.
            Self::Unreadable(_) | Self::Passing(_) => true,
            Self::NoSuchSource(_) | Self::BadToken(_) => false,
        }
    }

    /// What happened, for customers. It may repeat what strangers wrote, but not much of it.
    pub fn message(&self) -> String {
        cut(&self.to_string(), MESSAGE_BYTES_MAX).to_owned()
    }

    /// The same for operators.
    pub fn reason(&self) -> String {
        match self {
            Self::Fetch(error) => error.reason(),
            other => other.message(),
        }
    }

    /// What it means for a target that is being set up.
    pub const fn obstacle(&self) -> Obstacle {
        match self {
            // A forbidden address is tried again like a name that does not exist, so that timing does not tell them apart.
            Self::Fetch(FetchError::Unreachable(TransportError::UnknownName | TransportError::Blocked)) => {
                Obstacle::UnknownName
            }
            Self::Fetch(FetchError::NotFound) => Obstacle::NoSource,
            Self::NoSuchSource(_) | Self::BadToken(_) => Obstacle::Unexpected,
            error if error.is_transient() => Obstacle::Unreachable,
            _ => Obstacle::Inaccessible,
        }
    }

    /// What the answer means, or that there was none.
    pub const fn class(&self) -> FailureClass {
        match self {
            Self::Fetch(FetchError::NotFound | FetchError::BadRedirect) | Self::NoSuchSource(_) | Self::BadToken(_) => {
                FailureClass::Dead
            }
            Self::Fetch(FetchError::Throttled { .. }) => FailureClass::Throttled,
            Self::Fetch(FetchError::Forbidden { .. } | FetchError::RobotsDisallow) => FailureClass::Auth,
            Self::Unreadable(_) | Self::Fetch(FetchError::TooLarge) => FailureClass::ChangedShape,
            Self::Fetch(_) | Self::Passing(_) => FailureClass::Unavailable,
        }
    }

    /// How long the host wants to be left alone, where it says so.
    pub const fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Fetch(error) => error.retry_after(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{FeedPoll, PollError};
    use crate::bounds::NATIVE_ID_BYTES_MAX;

    #[test]
    fn an_id_is_kept_once_and_only_where_it_can_be() {
        let looked_at = ["ann lee", "known", "bo yu", "ann lee", &"x".repeat(NATIVE_ID_BYTES_MAX + 1)];
        let poll = FeedPoll { looked_at: looked_at.map(str::to_owned).to_vec(), ..FeedPoll::default() };
        assert_eq!(poll.storable(&HashSet::from(["known".to_owned()])).looked_at, ["ann lee", "bo yu"]);
    }

    #[test]
    fn a_message_repeats_little_of_what_strangers_wrote() {
        let error = PollError::Unreadable("ä".repeat(1_000_000));
        assert!(error.message().len() <= 500 && error.reason().len() <= 500);
        assert!(error.message().starts_with("the answer cannot be read: ä"));
    }
}
