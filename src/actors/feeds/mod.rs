//! Polls the feeds that radars read, each once for all its readers, and wakes the readers when there is something new
//! (decision 7.3).
//!
//! A feed is claimed in the database before it is polled, so that any number of processes poll it once. How due feeds are
//! claimed, suspects run alone and an orderly stop ends: `runtime::claims`. One poll: `poll`. When a failed poll is
//! repeated: `domain::scheduling::polling`.

mod figures;
mod handle;
mod places;
mod poll;
mod polls;

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use actix::{Actor, ActorFutureExt, AsyncContext, Context, Handler, WrapFuture};
use chrono::{DateTime, Utc};
use futures_util::future::AbortHandle;
use tokio::sync::oneshot;

pub use figures::{SourceCounts, SourceFigures};
pub use handle::{PollFailure, ScannerHandle};
use places::Places;
use polls::Polled;

use crate::runtime::claims::{Asking, ClaimLoop, Claimant, Found};
use crate::runtime::isolation::{Alone, Isolation};
use crate::runtime::mailbox::{Mailbox, Posted};
use crate::runtime::metrics::{ActorMetrics, Kind};
use crate::runtime::supervisor::{ExitGuard, supervise};
use clock::Clock;
use domain::ids::{AccountId, FeedId, RadarId};
use outbound::fetch::Web;
use sources::{self, Catalog, FeedKey};
use store::faults::Faults;
use store::{ClaimedFeed, Store};

/// How many readers are woken at once after a pause; the housekeeper finds the others.
const LAGGING_MAX: u64 = 1_000;

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
pub fn start(parts: &ScannerParts, actor_metrics: &ActorMetrics, queue: usize) -> ScannerHandle {
    let mailbox = Mailbox::new(Kind::FeedScanner, queue, actor_metrics, &parts.clock);
    let (factory_parts, itself) = (parts.clone(), mailbox.clone());
    supervise(&mailbox, move |guard| {
        FeedScanner {
            parts: factory_parts.clone(),
            itself: itself.clone(),
            polling: HashMap::new(),
            places: Places::new(factory_parts.fetches_max, factory_parts.clock.clone()),
            claim_loop: ClaimLoop::default(),
            _guard: guard,
        }
        .start()
    });
    ScannerHandle { mailbox, clock: parts.clock.clone(), figures: parts.figures.clone() }
}

/// The messages of the scanner.
enum ScannerMessage {
    /// Poll a feed unless it was polled at or after `since`; answered with the last number of its log.
    PollSince { feed_id: FeedId, since: DateTime<Utc>, answer: Asker },
    /// A feed may be due.
    Look,
    /// A pause has ended: its radars have items to read, and feeds to be polled.
    Resume,
    /// A poll has ended.
    Polled(Polled),
    /// Begin no poll any more, and let none wait; answered once none is under way.
    Drain(oneshot::Sender<()>),
    /// Cut off what is under way; answered once its claims are given back.
    Cancel(oneshot::Sender<()>),
}

/// Where the log of a polled feed stands, or why it could not be read.
type PollResult = Result<i64, PollFailure>;
type Asker = oneshot::Sender<PollResult>;

/// A feed under way.
#[derive(Default)]
struct Polling {
    /// The set-ups that wait for it.
    askers: Vec<Asker>,
    /// The claim of a feed that was due, and how to cut its poll off.
    claimed: Option<(ClaimedFeed, AbortHandle)>,
}

/// The actor.
pub struct FeedScanner {
    parts: ScannerParts,
    itself: Mailbox<ScannerMessage>,
    polling: HashMap<FeedId, Polling>,
    places: Places,
    claim_loop: ClaimLoop,
    _guard: ExitGuard,
}

impl Actor for FeedScanner {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        self.look(context);
    }
}

impl Claimant for FeedScanner {
    type Claimed = ClaimedFeed;
    const WORK: &'static str = "feeds";
    const LOOK_EVERY: Duration = Duration::from_secs(15);

    fn claim_loop(&mut self) -> &mut ClaimLoop {
        &mut self.claim_loop
    }

    fn isolation(&self) -> &Rc<Isolation> {
        &self.parts.isolation
    }

    fn is_idle(&self) -> bool {
        self.polling.is_empty()
    }

    fn claim_due(&self) -> Asking<Found<ClaimedFeed>> {
        let claimed = self.polling.values().filter(|polling| polling.claimed.is_some()).count();
        let room = self.places.claimed_max().saturating_sub(claimed);
        let store = self.parts.store.clone();
        Box::pin(async move {
            let next = store.next_polls().await?;
            let claimed = match next.has_unsuspected() && room > 0 {
                true => store.claim_due_feeds(room as u64).await?,
                false => Vec::new(),
            };
            let is_full = claimed.len() == room;
            let has_more = next.has_unsuspected() && !is_full;
            Ok(Found { next, claimed, has_more })
        })
    }

    fn claim_suspect(&self) -> Asking<Option<ClaimedFeed>> {
        let store = self.parts.store.clone();
        Box::pin(async move { store.claim_suspect_feed().await })
    }

    fn release(&self, claimed: Vec<ClaimedFeed>) -> Asking<()> {
        let store = self.parts.store.clone();
        Box::pin(async move { store.release_feeds(&claimed).await })
    }

    /// Begins the poll of a feed that was claimed because it is due, or puts it off when too many wait for its host. A
    /// suspect is alone and needs no place.
    fn begin(&mut self, claimed: ClaimedFeed, alone: Option<Alone>, context: &mut Context<Self>) {
        if alone.is_some() {
            return self.poll_claimed(claimed, alone, None);
        }
        let key = FeedKey { source_id: claimed.feed.source_id.clone(), token: claimed.feed.token.clone() };
        match self.places.enter(&sources::host_of(&self.parts.catalog, &key)) {
            Ok(entry) => self.poll_claimed(claimed, None, Some(entry)),
            Err(later) => self.put_off(claimed, later, context),
        }
    }
}

impl Handler<Posted<ScannerMessage>> for FeedScanner {
    type Result = ();

    fn handle(&mut self, posted: Posted<ScannerMessage>, context: &mut Context<Self>) {
        match posted.open() {
            ScannerMessage::PollSince { feed_id, since, answer } => self.poll_since(feed_id, since, answer, context),
            ScannerMessage::Look => self.look(context),
            ScannerMessage::Resume => self.resume(context),
            ScannerMessage::Polled(polled) => self.note_polled(polled, context),
            ScannerMessage::Drain(done) => {
                self.places.close();
                self.parts.web.stop_waiting();
                self.drain(done);
            }
            ScannerMessage::Cancel(done) => self.cancel(done, context),
        }
    }
}

impl FeedScanner {
    fn poll_since(&mut self, feed_id: FeedId, since: DateTime<Utc>, answer: Asker, context: &mut Context<Self>) {
        let store = self.parts.store.clone();
        let known = async move { store.feed(feed_id).await };
        context.spawn(known.into_actor(self).map(move |feed, scanner, _| {
            match feed.ok().flatten().filter(|feed| feed.succeeded_at.is_some_and(|at| at >= since)) {
                Some(feed) => drop(answer.send(Ok(feed.head_seq))),
                None => scanner.poll_for(feed_id, answer),
            }
        }));
    }

    fn note_polled(&mut self, Polled { feed_id, was_suspect, result }: Polled, context: &mut Context<Self>) {
        if was_suspect {
            self.claim_loop.has_suspect = false;
        }
        let askers = self.polling.remove(&feed_id).unwrap_or_default().askers;
        let answer = result.unwrap_or_else(|error| {
            tracing::warn!(%feed_id, %error, "a poll could not be recorded");
            Err(PollFailure::NotNow)
        });
        for asker in askers {
            // A set-up that was cut off asks again when it is repeated.
            asker.send(answer.clone()).ok();
        }
        self.finish_drain();
        self.look_soon(context);
    }

    /// Cuts off the polls that are under way and gives their claims back, so that they do not count as attempts that
    /// never ended.
    fn cancel(&mut self, done: oneshot::Sender<()>, context: &mut Context<Self>) {
        let under_way = self.polling.drain().filter_map(|(_, polling)| polling.claimed);
        let claimed = under_way.map(|(claimed, abort)| {
            abort.abort();
            claimed
        });
        let claimed = claimed.collect();
        self.give_back(claimed, context);
        self.drain(done);
    }

    fn resume(&mut self, context: &mut Context<Self>) {
        let store = self.parts.store.clone();
        let lagging = async move {
            store.wake_feeds().await?;
            store.all_lagging_radars(LAGGING_MAX).await
        };
        context.spawn(lagging.into_actor(self).map(|lagging, scanner, context| {
            match lagging {
                Ok(lagging) => {
                    for (account_id, radar_id) in lagging {
                        (scanner.parts.wake_reader)(account_id, radar_id);
                    }
                }
                Err(error) => tracing::warn!(%error, "the readers that were paused could not be found"),
            }
            scanner.look(context);
        }));
    }
}
