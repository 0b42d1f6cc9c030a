//! One look: discovery as a set-up makes it, then each feed once, within a bound of real time.
//!
//! What has not been read by then is left out, and the answer says so. Nothing of it is stored: no feed, no item, no profile.

use std::time::Duration;

use futures_util::future::join_all;

use crate::radar::RadarParts;
use crate::radar::profiles::Keep;
use crate::runtime::Alone;
use domain::scheduling::attempts::LOOKS_REMEMBERED_FOR;
use domain::{AccountId, NewRadar, Obstacle};
use outbound::fetch::{ReadHolder, Web};
use sources::{self, DiscoveryError, FeedKey, FoundItem, Known};
use store::StoreError;

/// How long a look takes at most.
pub const LOOK_MAX: Duration = Duration::from_secs(18);
/// How much longer it may take to note that it has ended.
const END_MAX: Duration = Duration::from_secs(7);
/// How much of [`LOOK_MAX`] the search for sources may take: the rest is for reading them.
const SEARCH_MAX: Duration = Duration::from_secs(12);
/// How many feeds are read.
const FEEDS_MAX: usize = 20;
/// How many pages of items or details of them are visited in one feed.
const VISITS_MAX: usize = 5;

/// What was seen.
#[derive(Debug, Default)]
pub struct Seen {
    /// The feeds that serve the radar.
    pub feeds: Vec<FeedLook>,
    /// Why there are none, in a sentence for the customer.
    pub problem: Option<String>,
    /// Whether time ran out before everything was seen.
    pub is_cut_off: bool,
}

/// A feed that was looked at.
#[derive(Debug)]
pub struct FeedLook {
    /// The source's id.
    pub source_id: String,
    /// What it shows.
    pub look: Look,
}

/// The result of a look at a feed.
#[derive(Debug)]
pub enum Look {
    /// It was read.
    Read {
        /// What it shows of the target.
        items: Vec<FoundItem>,
        /// How many more it shows that are about something else.
        unmatched: usize,
    },
    /// It could not be read; a sentence for the customer.
    Failed(String),
    /// It did not answer in time.
    TooSlow,
}

/// Looks for what a radar would find. The look is counted before it is made: it may end the process.
pub(super) async fn run(parts: &RadarParts, account_id: AccountId, wanted: &NewRadar) -> Seen {
    let began_at = parts.clock.real_now();
    let left = &|| LOOK_MAX.saturating_sub(parts.clock.real_now() - began_at);
    let now = parts.clock.now();
    let span = (now, now - LOOKS_REMEMBERED_FOR);
    let begun = match parts.store.begin_preview_look(account_id, span, LOOK_MAX + END_MAX).await {
        Ok(Some(begun)) => begun,
        Ok(None) => {
            tracing::warn!(%account_id, "previews of an account end the process, they rest");
            return cut_off("Your last previews ended the service; there are none for an hour.");
        }
        Err(error) => return not_now(&error),
    };
    let look = async {
        parts.faults.pass("preview.look", &account_id);
        look(parts, &parts.web.on_behalf_of(ReadHolder::Account(account_id)), wanted, left).await
    };
    // Suspects may keep the others waiting for longer than a caller waits.
    let seen = match parts.clock.real_timeout(left(), Box::pin(turn(parts, begun.open_looks > 0))).await {
        Some(alone) => parts.isolation.run(alone, look).await,
        None => cut_off("The site could not be read in time."),
    };
    match parts.store.end_preview_look(begun).await {
        Ok(()) => seen,
        Err(error) => not_now(&error),
    }
}

/// Waits until a look may begin: a suspect alone, the others beside each other.
async fn turn(parts: &RadarParts, is_suspect: bool) -> Option<Alone> {
    if is_suspect {
        return Some(parts.isolation.alone().await);
    }
    parts.isolation.opened().await;
    None
}

async fn look(parts: &RadarParts, web: &Web, wanted: &NewRadar, left: &impl Fn() -> Duration) -> Seen {
    let searched = parts.clock.real_timeout(SEARCH_MAX, Box::pin(search(parts, web, wanted))).await;
    let keys = match searched {
        Some(Ok(Ok(keys))) => keys,
        Some(Ok(Err(error))) => {
            let is_cut_off = error.obstacle() == Obstacle::Unreachable;
            return Seen { problem: Some(error.to_string()), is_cut_off, ..Seen::default() };
        }
        Some(Err(error)) => return not_now(&error),
        None => return cut_off("The site could not be read in time."),
    };
    let is_cut_off = keys.len() > FEEDS_MAX;
    let looks = keys.into_iter().take(FEEDS_MAX).map(|key| async move {
        let look = parts.clock.real_timeout(left(), Box::pin(look_at(parts, web, &key))).await;
        FeedLook { source_id: key.source_id, look: look.unwrap_or(Look::TooSlow) }
    });
    let feeds = join_all(looks).await;
    let is_cut_off = is_cut_off || feeds.iter().any(|feed| matches!(feed.look, Look::TooSlow));
    Seen { feeds, problem: None, is_cut_off }
}

fn not_now(error: &StoreError) -> Seen {
    tracing::warn!(%error, "a preview could not be made");
    cut_off("What is known cannot be read just now.")
}

fn cut_off(problem: &str) -> Seen {
    Seen { problem: Some(problem.to_owned()), is_cut_off: true, ..Seen::default() }
}

/// The feeds that a set-up would find.
async fn search(
    parts: &RadarParts,
    web: &Web,
    wanted: &NewRadar,
) -> Result<Result<Vec<FeedKey>, DiscoveryError>, StoreError> {
    let profile = match parts.profiles.needed_by(&parts.catalog, wanted, Keep::Nowhere).await? {
        Ok(profile) => profile,
        Err(error) => return Ok(Err(error)),
    };
    let (radar_type, target) = (wanted.radar_type, &wanted.target);
    Ok(sources::discover(web, &parts.catalog, radar_type, target, profile.as_ref()).await)
}

/// Everything that a feed shows now, as if nothing of it were known.
async fn look_at(parts: &RadarParts, web: &Web, key: &FeedKey) -> Look {
    let known = Known { visits_max: Some(VISITS_MAX), ..Known::default() };
    match sources::poll_feed(web, &parts.catalog, key, known).await {
        Ok(poll) => Look::Read { items: poll.items, unmatched: poll.unmatched },
        Err(error) => Look::Failed(error.message()),
    }
}
