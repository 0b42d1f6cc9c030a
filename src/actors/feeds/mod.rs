//! Polls the feeds that somebody reads, each once for all who read it, and wakes those readers when there is something
//! new (decision 7.3).
//!
//! A feed is claimed in the database before it is polled, so that any number of processes poll it once. What a source
//! answers with 500 is tried again with growing waits; see [`retry_after`](poll::retry_after).

mod handle;
mod poll;
mod polls;
mod stop;

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use actix::{Actor, ActorFutureExt, AsyncContext, Context, Handler, SpawnHandle, WrapFuture};
use chrono::{DateTime, Utc};
use futures_util::future::AbortHandle;
use tokio::sync::oneshot;

pub use handle::{PollFailure, ScannerHandle};
use poll::PollResult;
use polls::Polled;
use stop::{Cancel, Drain};

use crate::actors::runtime::isolation::Isolation;
use crate::actors::runtime::mailbox::{Mailbox, Posted};
use crate::actors::runtime::metrics::{ActorMetrics, Kind};
use crate::actors::runtime::supervisor::{self, ExitGuard};
use crate::clock::Clock;
use crate::domain::ids::{AccountId, FeedId, RadarId};
use crate::faults::Faults;
use crate::outbound::fetch::Web;
use crate::sources::Catalog;
use crate::store::{ClaimedFeed, Store, StoreError};

/// How many feeds are polled at the same time.
const POLLS_MAX: usize = 32;
/// How many readers are woken at once after a pause; the housekeeper finds the others.
const LAGGING_MAX: u64 = 1_000;
/// How often due feeds are looked for, whatever the timers say.
const LOOK_EVERY: Duration = Duration::from_secs(15);
/// How soon the database is asked again that did not answer.
const ASK_AGAIN_AFTER: Duration = Duration::from_secs(1);
/// The shortest time between two looks.
const LOOK_AGAIN_AFTER: Duration = Duration::from_millis(50);

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
    /// Keeps the others away while a suspect is polled.
    pub isolation: Rc<Isolation>,
    /// Named faults for tests.
    pub faults: Faults,
}

/// Starts the scanner on this thread; it is supervised.
pub fn start(parts: &ScannerParts, actor_metrics: &ActorMetrics, queue: usize) -> ScannerHandle {
    let mailbox = Mailbox::new(Kind::FeedScanner, queue, actor_metrics, &parts.clock);
    let (factory_parts, itself) = (parts.clone(), mailbox.clone());
    supervisor::supervise(Kind::FeedScanner, actor_metrics, &parts.clock, &mailbox, move |guard| {
        FeedScanner::new(factory_parts.clone(), itself.clone(), guard).start()
    });
    ScannerHandle::new(mailbox, parts.clock.clone())
}

struct PollSince {
    feed_id: FeedId,
    since: DateTime<Utc>,
    answer: Asker,
}

struct Look;

struct Resume;

type Asker = oneshot::Sender<Result<i64, PollFailure>>;

/// A feed under way.
#[derive(Default)]
struct Polling {
    /// Who waits for it.
    askers: Vec<Asker>,
    /// What was claimed for it because it was due, and how it is ended.
    claimed: Option<(ClaimedFeed, AbortHandle)>,
}

/// The actor.
pub struct FeedScanner {
    parts: ScannerParts,
    itself: Mailbox<Self>,
    polling: HashMap<FeedId, Polling>,
    is_looking: bool,
    look_again: bool,
    /// Whether a suspect is waited for or polled.
    has_suspect: bool,
    timer: Option<SpawnHandle>,
    draining: Vec<oneshot::Sender<()>>,
    /// Claims that are being given back.
    giving_back: usize,
    is_draining: bool,
    _guard: ExitGuard,
}

impl Actor for FeedScanner {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        self.look(context);
    }
}

impl FeedScanner {
    fn new(parts: ScannerParts, itself: Mailbox<Self>, guard: ExitGuard) -> Self {
        Self {
            parts,
            itself,
            polling: HashMap::new(),
            is_looking: false,
            look_again: false,
            has_suspect: false,
            timer: None,
            draining: Vec::new(),
            giving_back: 0,
            is_draining: false,
            _guard: guard,
        }
    }

    /// Claims what is due, polls it, and sets the timer for what comes next.
    fn look(&mut self, context: &mut Context<Self>) {
        if self.is_looking {
            self.look_again = true;
            return;
        }
        if self.is_draining {
            return;
        }
        self.is_looking = true;
        let room = POLLS_MAX.saturating_sub(self.polling.len());
        let parts = self.parts.clone();
        let claiming = async move {
            parts.isolation.opened().await;
            let next = parts.store.sweep_next_polls().await?;
            let claimed = match next.has_unsuspected() && room > 0 {
                true => parts.store.sweep_claim_due_feeds(room as u64).await?,
                false => Vec::new(),
            };
            Ok::<_, StoreError>((next, claimed))
        };
        context.spawn(claiming.into_actor(self).map(move |found, scanner, context| {
            scanner.is_looking = false;
            if scanner.is_draining {
                let claimed = found.map(|(_, claimed)| claimed).unwrap_or_default();
                return scanner.give_back(claimed, context);
            }
            let backstop = scanner.parts.clock.backstop(LOOK_EVERY);
            let look_in = match found {
                Ok((next, claimed)) => {
                    // What is due and found no room is looked for when a poll ends.
                    let is_full = claimed.len() == room;
                    let has_more = next.has_unsuspected() && !is_full;
                    for claimed in claimed {
                        scanner.poll_claimed(claimed, None);
                    }
                    if next.has_suspect() {
                        scanner.try_suspect(context);
                    }
                    let next_in = if has_more { Some(LOOK_AGAIN_AFTER) } else { next.next_in() };
                    next_in.unwrap_or(backstop).min(backstop).max(LOOK_AGAIN_AFTER)
                }
                Err(error) => {
                    tracing::warn!(%error, "the due feeds could not be claimed");
                    ASK_AGAIN_AFTER
                }
            };
            scanner.look_in(look_in, context);
            if std::mem::take(&mut scanner.look_again) {
                scanner.look(context);
            }
        }));
    }

    fn look_in(&mut self, wait: Duration, context: &mut Context<Self>) {
        if let Some(timer) = self.timer.take() {
            context.cancel_future(timer);
        }
        let clock = self.parts.clock.clone();
        let sleep = async move { clock.sleep(wait).await };
        self.timer = Some(context.spawn(sleep.into_actor(self).map(|(), scanner, context| scanner.look(context))));
    }
}

impl Handler<Posted<PollSince>> for FeedScanner {
    type Result = ();

    fn handle(&mut self, posted: Posted<PollSince>, context: &mut Context<Self>) {
        let PollSince { feed_id, since, answer } = posted.open();
        let store = self.parts.store.clone();
        let known = async move { store.sweep_feed(feed_id).await };
        context.spawn(known.into_actor(self).map(move |feed, scanner, _| {
            match feed.ok().flatten().filter(|feed| feed.succeeded_at.is_some_and(|at| at >= since)) {
                Some(feed) => drop(answer.send(Ok(feed.head_seq))),
                None => scanner.poll_for(feed_id, answer),
            }
        }));
    }
}

impl Handler<Posted<Polled>> for FeedScanner {
    type Result = ();

    fn handle(&mut self, posted: Posted<Polled>, context: &mut Context<Self>) {
        let Polled { feed_id, was_suspect, result } = posted.open();
        if was_suspect {
            self.has_suspect = false;
        }
        let askers = self.polling.remove(&feed_id).unwrap_or_default().askers;
        let answer = match result {
            Ok(PollResult::Read(head_seq)) => Ok(head_seq),
            Ok(PollResult::Failed(failure)) => Err(failure),
            Ok(PollResult::NotOurs) => Err(PollFailure::NotNow),
            Err(error) => {
                tracing::warn!(feed.id = %feed_id, %error, "a poll could not be recorded");
                Err(PollFailure::NotNow)
            }
        };
        for asker in askers {
            // A set-up that was cut off asks again when it is repeated.
            asker.send(answer.clone()).ok();
        }
        self.finish_drain();
        self.look(context);
    }
}

impl Handler<Posted<Look>> for FeedScanner {
    type Result = ();

    fn handle(&mut self, posted: Posted<Look>, context: &mut Context<Self>) {
        posted.open();
        self.look(context);
    }
}

impl Handler<Posted<Resume>> for FeedScanner {
    type Result = ();

    fn handle(&mut self, posted: Posted<Resume>, context: &mut Context<Self>) {
        posted.open();
        let store = self.parts.store.clone();
        let lagging = async move {
            store.sweep_wake_feeds().await?;
            store.sweep_lagging(LAGGING_MAX).await
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
