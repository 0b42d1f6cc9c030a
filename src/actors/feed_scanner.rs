//! Polls the feeds that somebody reads, each once for all who read it, and wakes those readers when there is something
//! new (decision 7.3).
//!
//! A feed is claimed in the database before it is polled, so that any number of processes poll it once. What a source
//! answers with 500 is tried again with growing waits; see [`retry_after`](super::feed_poll::retry_after).

mod handle;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use actix::{Actor, ActorFutureExt, AsyncContext, Context, Handler, SpawnHandle, WrapFuture};
use chrono::{DateTime, Utc};
use tokio::sync::oneshot;

pub use handle::{PollFailure, ScannerHandle};

use super::census::{Census, Kind};
use super::feed_poll::{self, LEASE, PollResult};
use super::keeper::{self, ExitGuard};
use super::mailbox::{Mailbox, Posted};
use super::shards::Shards;
use crate::clock::Clock;
use crate::domain::ids::FeedId;
use crate::outbound::fetch::Web;
use crate::sources::Catalog;
use crate::store::{ClaimedFeed, Store, StoreError};

/// How many feeds are polled at the same time.
const POLLS_MAX: usize = 32;
/// How many readers are roused at once after a pause; the housekeeper finds the others.
const LAGGING_MAX: u64 = 1_000;
/// How often due feeds are looked for, whatever the timers say.
const LOOK_EVERY: Duration = Duration::from_secs(15);
/// How soon a poll is asked for again that another process has claimed, or that the database did not take.
const ASK_AGAIN_AFTER: Duration = Duration::from_secs(1);

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
    /// The readers.
    pub shards: Shards,
    /// Replaces every source's own interval.
    pub poll_interval: Option<Duration>,
}

/// Starts the scanner on this thread; it is kept alive.
pub fn start(parts: &ScannerParts, census: &Census, queue: usize) -> ScannerHandle {
    let mailbox = Mailbox::new(Kind::FeedScanner, queue, census, &parts.clock);
    let (factory_parts, itself) = (parts.clone(), mailbox.clone());
    keeper::keep(Kind::FeedScanner, census, &parts.clock, &mailbox, move |guard| {
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

struct Drain {
    done: oneshot::Sender<()>,
}

type Asker = oneshot::Sender<Result<i64, PollFailure>>;

/// A poll that has ended.
struct Polled {
    feed_id: FeedId,
    result: Result<PollResult, StoreError>,
}

/// The actor.
pub struct FeedScanner {
    parts: ScannerParts,
    itself: Mailbox<Self>,
    /// The feeds under way, and who waits for them.
    polling: HashMap<FeedId, Vec<Asker>>,
    is_looking: bool,
    look_again: bool,
    timer: Option<SpawnHandle>,
    draining: Vec<oneshot::Sender<()>>,
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
            timer: None,
            draining: Vec::new(),
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
        let room = POLLS_MAX.saturating_sub(self.polling.len());
        if room == 0 || self.is_draining {
            return;
        }
        self.is_looking = true;
        let ScannerParts { store, clock, .. } = self.parts.clone();
        let claiming = async move {
            let now = clock.now();
            let claimed = store.sweep_claim_due_feeds(now, now + LEASE, room as u64).await?;
            let next_at = store.sweep_next_poll_at().await?;
            Ok::<_, StoreError>((claimed, next_at))
        };
        context.spawn(claiming.into_actor(self).map(|found, scanner, context| {
            scanner.is_looking = false;
            let now = scanner.parts.clock.now();
            let mut look_at = now + scanner.parts.clock.backstop(LOOK_EVERY);
            match found {
                Ok((claimed, next_at)) => {
                    look_at = next_at.unwrap_or(look_at).min(look_at).max(now + Duration::from_millis(50));
                    for feed in claimed {
                        scanner.poll(feed.feed.feed_id, Some(feed));
                    }
                }
                Err(error) => {
                    tracing::warn!(%error, "the due feeds could not be claimed");
                    look_at = now + ASK_AGAIN_AFTER;
                }
            }
            scanner.look_at(look_at, context);
            if std::mem::take(&mut scanner.look_again) {
                scanner.look(context);
            }
        }));
    }

    fn look_at(&mut self, at: DateTime<Utc>, context: &mut Context<Self>) {
        if let Some(timer) = self.timer.take() {
            context.cancel_future(timer);
        }
        let clock = self.parts.clock.clone();
        let sleep = async move { clock.sleep_until(at).await };
        self.timer = Some(context.spawn(sleep.into_actor(self).map(|(), scanner, context| scanner.look(context))));
    }

    /// Begins a poll outside the mailbox; it reports back.
    fn poll(&mut self, feed_id: FeedId, claimed: Option<ClaimedFeed>) {
        self.polling.entry(feed_id).or_default();
        let (parts, itself) = (self.parts.clone(), self.itself.clone());
        actix::spawn(async move {
            let result = feed_poll::run(&parts, feed_id, claimed).await;
            itself.notify(Polled { feed_id, result });
        });
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
                None => match scanner.polling.get_mut(&feed_id) {
                    Some(askers) => askers.push(answer),
                    None => {
                        scanner.polling.insert(feed_id, vec![answer]);
                        scanner.poll(feed_id, None);
                    }
                },
            }
        }));
    }
}

impl Handler<Posted<Polled>> for FeedScanner {
    type Result = ();

    fn handle(&mut self, posted: Posted<Polled>, context: &mut Context<Self>) {
        let Polled { feed_id, result } = posted.open();
        let askers = self.polling.remove(&feed_id).unwrap_or_default();
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
        if self.is_draining && self.polling.is_empty() {
            for done in self.draining.drain(..) {
                done.send(()).ok();
            }
        }
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
        let lagging = async move { store.sweep_lagging(LAGGING_MAX).await };
        context.spawn(lagging.into_actor(self).map(|lagging, scanner, context| {
            match lagging {
                Ok(lagging) => {
                    for (account_id, radar_id) in lagging {
                        scanner.parts.shards.rouse(account_id, radar_id);
                    }
                }
                Err(error) => tracing::warn!(%error, "the readers that were paused could not be found"),
            }
            scanner.look(context);
        }));
    }
}

impl Handler<Posted<Drain>> for FeedScanner {
    type Result = ();

    fn handle(&mut self, posted: Posted<Drain>, _: &mut Context<Self>) {
        self.is_draining = true;
        let done = posted.open().done;
        if self.polling.is_empty() {
            done.send(()).ok();
        } else {
            self.draining.push(done);
        }
    }
}
