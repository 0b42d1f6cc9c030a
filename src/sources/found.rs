//! What a poll of a feed gives (decisions 7.2, 7.3).

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};
use url::Url;

use super::classification::position_of;
use crate::domain::radar::filter::Position;
use crate::domain::radar::radar_type::RadarType;
use crate::domain::radar::set_up::Obstacle;
use crate::outbound::fetch::{FetchError, Validators};
use crate::outbound::transport::TransportError;
use crate::outbound::web_address::is_web_address;
use crate::sources::bounds::{TITLE_BYTES_MAX, cut};
use crate::sources::extraction::job_posting::JobPosting;
use crate::sources::format::content_keys::content_keys;

/// One feed: a source applied to one target (decision 7.3).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FeedKey {
    /// The source's id.
    pub source_id: String,
    /// What the source calls the target.
    pub token: String,
}

/// A new item of a feed.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundItem {
    /// What the source calls it; unique within the source.
    pub native_id: String,
    /// The `content` of a finding about it (decision 6).
    pub content: Map<String, Value>,
    /// What filters look at.
    pub position: Position,
}

/// What the feed's log already holds.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Whether nothing was ever read of it: then all that is there is the silent baseline (decision 7.2).
    pub first_poll: bool,
    /// The native ids that were seen before, as items or not.
    pub ids: Arc<HashSet<String>>,
    /// What the last poll left.
    pub validators: Validators,
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
}

/// Why a poll gave nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FetchFault {
    /// The fetch failed.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// No enabled source that can be polled has this id.
    #[error("no enabled source `{0}` can be polled")]
    NoSuchSource(String),
    /// The token makes no address.
    #[error("the source knows no target `{0}`")]
    BadToken(String),
    /// The answer is not what the source describes.
    #[error("the answer cannot be read: {0}")]
    Unreadable(String),
}

impl FetchFault {
    /// Whether a later poll may well succeed.
    pub const fn is_transient(&self) -> bool {
        match self {
            Self::Fetch(error) => error.is_transient(),
            // Maintenance pages come with status 200, too.
            Self::Unreadable(_) => true,
            Self::NoSuchSource(_) | Self::BadToken(_) => false,
        }
    }

    /// What happened, for operators; the text is for customers.
    pub fn reason(&self) -> String {
        match self {
            Self::Fetch(error) => error.reason(),
            other => other.to_string(),
        }
    }

    /// What it says of a target that is to be set up.
    pub const fn obstacle(&self) -> Obstacle {
        match self {
            // A forbidden address is tried again like a name that does not exist, so that no clock tells them apart.
            Self::Fetch(FetchError::Unreachable(TransportError::UnknownName | TransportError::Blocked)) => {
                Obstacle::UnknownName
            }
            Self::Fetch(FetchError::NotFound) => Obstacle::NoSource,
            Self::NoSuchSource(_) | Self::BadToken(_) => Obstacle::Unexpected,
            fault if fault.is_transient() => Obstacle::Unreachable,
            _ => Obstacle::Refused,
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

impl FoundItem {
    /// An item with a mapped content; `None` without a title or a usable address.
    pub fn of_content(native_id: String, content: Map<String, Value>, department_words: &[String]) -> Option<Self> {
        let title = content.get("job_title")?.as_str()?;
        let url = Url::parse(content.get("job_url")?.as_str()?).ok()?;
        let is_usable = !title.is_empty() && is_web_address(&url);
        let position = position_of(cut(title, TITLE_BYTES_MAX), department_words);
        is_usable.then_some(Self { native_id, content, position })
    }

    /// An item about a posting that was read on `page_url`.
    pub fn of_posting(native_id: String, posting: &JobPosting, page_url: &Url, source: &str) -> Self {
        let text = |text: &Option<String>| text.clone().map_or(Value::Null, Value::String);
        let content = content_keys(RadarType::CompanyJobOpenings).iter().map(|key| {
            let value = match *key {
                "job_title" => Value::String(posting.title.clone()),
                "job_url" => Value::String(
                    crate::sources::text::canonical_url::canonical(posting.url.as_ref().unwrap_or(page_url)).into(),
                ),
                "job_posted_at" => text(&posting.posted_on.map(|day| day.to_string())),
                "job_description" => text(&posting.description),
                "job_source" => Value::String(source.to_owned()),
                "country" => text(&posting.country.map(str::to_owned)),
                _ => Value::Null,
            };
            ((*key).to_owned(), value)
        });
        let position = position_of(cut(&posting.title, TITLE_BYTES_MAX), &posting.department_words);
        Self { native_id, content: content.collect(), position }
    }
}

/// Oldest first; items without a date come first, in the order of the source.
pub fn sort_oldest_first(items: &mut [FoundItem]) {
    let day = |item: &FoundItem| item.content.get("job_posted_at").and_then(Value::as_str).map(str::to_owned);
    items.sort_by_cached_key(day);
}
