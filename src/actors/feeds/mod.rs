//! Polls the feeds that radars read, each once for all its readers, and wakes the readers when there is something new
//! (decision 7.3).
//!
//! A feed is claimed in the database before it is polled, so that any number of processes poll it once. How due feeds are
//! claimed, suspects run alone and an orderly stop ends: `runtime::due_work`. One poll: `poll`. When a failed poll is
//! repeated: `domain::scheduling::polling`.

mod figures;
mod handle;
mod places;
mod poll;
mod polls;

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::LocalBoxFuture;

pub use figures::{SourceCounts, SourceFigures};
pub use handle::{PollFailure, ScannerHandle};
use places::Places;
use polls::{Polling, Polls};

use crate::runtime::{ActorMetrics, Cause, Found, Isolation, Kind, Work, WorkHandle, due_work};
use clock::Clock;
use domain::{AccountId, RadarId};
use outbound::fetch::Web;
use sources::{self, Catalog, FeedKey};
use store::faults::Faults;
use store::{Claim, ClaimedFeed, DueTable, Store, StoreError};

/// What the scanner needs.
#[derive(Clone)]
pub struct ScannerParts {
    /// The database.
    pub store: Arc<Store>,
    /// The time.
    pub clock: Clock,
    /// Fetches from targets.
    pub web: Web,
    /// The sources.
    pub catalog: Arc<Catalog>,
    /// Wakes a radar that has items to read.
    pub wake_reader: Rc<dyn Fn(AccountId, RadarId)>,
    /// Replaces every source's own interval.
    pub poll_interval: Option<Duration>,
    /// How many feeds are polled at the same time; those that a set-up asks for are not counted.
    pub fetches_max: usize,
    /// Keeps everything else away while a suspect is polled.
    pub isolation: Rc<Isolation>,
    /// Counts what is read.
    pub figures: SourceFigures,
    /// Injected faults, for tests.
    pub faults: Faults,
}

/// Starts the scanner on this thread; it is supervised.
pub fn start(parts: &ScannerParts, actor_metrics: &ActorMetrics) -> ScannerHandle {
    let engine = WorkHandle::new(Kind::FeedScanner, actor_metrics, &parts.clock);
    let places = Places::new(parts.fetches_max, parts.clock.clone());
    let feeds = Rc::new(Feeds { parts: parts.clone(), places, polls: Polls::default() });
    due_work::start(&feeds, &engine);
    ScannerHandle { feeds, engine }
}

/// The feeds that are due, and those that are asked for.
struct Feeds {
    parts: ScannerParts,
    places: Places,
    polls: Polls,
}

impl Work for Feeds {
    type Claimed = ClaimedFeed;
    const TABLE: DueTable = DueTable::Feeds;
    const LOOK_EVERY: Duration = Duration::from_secs(15);

    fn store(&self) -> &Store {
        &self.parts.store
    }

    fn isolation(&self) -> &Rc<Isolation> {
        &self.parts.isolation
    }

    fn claim(claimed: &ClaimedFeed) -> Claim {
        claimed.claim
    }

    fn begin_life(&self) {
        self.polls.forget();
    }

    async fn claim_due(&self) -> Result<Found<ClaimedFeed>, StoreError> {
        let room = self.places.room();
        if room == 0 {
            return Ok(Found { claimed: Vec::new(), has_more: false });
        }
        let claimed = self.store().claim_due_feeds(room as u64).await?;
        let has_more = claimed.len() < room;
        Ok(Found { claimed, has_more })
    }

    async fn claim_suspect(&self) -> Result<Option<ClaimedFeed>, StoreError> {
        self.store().claim_suspect_feed().await
    }

    /// Polls a feed, or puts it off when too many wait for its host. A suspect is alone, and what is asked for is waited for:
    /// they need no place.
    fn attempt(self: Rc<Self>, claimed: ClaimedFeed, cause: Cause) -> Result<LocalBoxFuture<'static, ()>, Duration> {
        let entry = match cause {
            Cause::Due => {
                let key = FeedKey { source_id: claimed.feed.source_id.clone(), token: claimed.feed.token.clone() };
                Some(self.places.enter(&sources::host_of(&self.parts.catalog, &key))?)
            }
            Cause::Suspected | Cause::Asked => None,
        };
        let mut polling = Polling::begin(self, claimed.feed.feed_id);
        Ok(Box::pin(async move {
            let polled = Box::pin(poll::run(&polling.feeds.parts, &claimed, cause, entry)).await;
            polling.note(polled);
        }))
    }
}
