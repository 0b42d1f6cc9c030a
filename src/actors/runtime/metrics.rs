//! Which actors are alive and what is queued: figures for operators, by kind of actor and never by radar.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, Utc};

use crate::clock::Clock;
use crate::domain::closed;
pub use crate::wire::operator::system::ActorFigures as Figures;

closed! {
    /// A kind of actor.
    Kind {
        /// Parents of radars.
        RadarShard = "radar_shard",
        /// One per radar at work.
        RadarActor = "radar_actor",
        /// The only writer of money.
        BalanceLedger = "balance_ledger",
        /// Sends deliveries.
        WebhookDispatcher = "webhook_dispatcher",
        /// Polls feeds.
        FeedScanner = "feed_scanner",
        /// Sets radars up.
        SetUpScheduler = "set_up_scheduler",
        /// Rare duties.
        Housekeeper = "housekeeper",
    }
}

#[derive(Default)]
struct Counters {
    resident: AtomicI64,
    handled: AtomicU64,
    refused: AtomicU64,
    restarts: AtomicU64,
    poisoned: AtomicI64,
    waiting: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    next_no: u64,
    since: BTreeSet<(DateTime<Utc>, u64)>,
}

/// Counts the actors of one process.
#[derive(Clone)]
pub struct ActorMetrics {
    counters: Arc<[Counters; Kind::ALL.len()]>,
    clock: Clock,
}

impl ActorMetrics {
    /// Metrics that count nothing yet.
    pub fn new(clock: Clock) -> Self {
        Self { counters: Arc::default(), clock }
    }

    /// The figures of a kind.
    pub fn figures(&self, kind: Kind) -> Figures {
        let counters = self.of(kind);
        let (queued, oldest) = {
            let waiting = counters.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            (waiting.since.len(), waiting.since.first().map(|(since, _)| *since))
        };
        Figures {
            resident: counters.resident.load(Relaxed),
            queued,
            handled: counters.handled.load(Relaxed),
            refused: counters.refused.load(Relaxed),
            restarts: counters.restarts.load(Relaxed),
            poisoned: counters.poisoned.load(Relaxed),
            oldest_message_ms: oldest.map_or(0, |since| (self.clock.now() - since).num_milliseconds()),
        }
    }

    /// Counts an actor for as long as the returned value lives.
    pub fn resident(&self, kind: Kind) -> Resident {
        self.of(kind).resident.fetch_add(1, Relaxed);
        Resident { actor_metrics: self.clone(), kind }
    }

    /// Counts a message for as long as it waits.
    pub(super) fn queued(&self, kind: Kind) -> Queued {
        let since = self.clock.now();
        let mut waiting = self.of(kind).waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.next_no += 1;
        let place = (since, waiting.next_no);
        waiting.since.insert(place);
        drop(waiting);
        Queued { actor_metrics: self.clone(), kind, place }
    }

    pub(super) fn refused(&self, kind: Kind) {
        self.of(kind).refused.fetch_add(1, Relaxed);
    }

    pub(in crate::actors) fn restarted(&self, kind: Kind) {
        self.of(kind).restarts.fetch_add(1, Relaxed);
    }

    pub(in crate::actors) fn poisoned(&self, kind: Kind, change: i64) {
        self.of(kind).poisoned.fetch_add(change, Relaxed);
    }

    fn of(&self, kind: Kind) -> &Counters {
        &self.counters[kind as usize]
    }
}

/// Counts one living actor.
pub struct Resident {
    actor_metrics: ActorMetrics,
    kind: Kind,
}

impl Drop for Resident {
    fn drop(&mut self) {
        self.actor_metrics.of(self.kind).resident.fetch_sub(1, Relaxed);
    }
}

/// Counts one waiting message; dropped when the message is handled or lost.
pub(super) struct Queued {
    actor_metrics: ActorMetrics,
    kind: Kind,
    place: (DateTime<Utc>, u64),
}

impl Drop for Queued {
    fn drop(&mut self) {
        let counters = self.actor_metrics.of(self.kind);
        counters.waiting.lock().unwrap_or_else(PoisonError::into_inner).since.remove(&self.place);
        counters.handled.fetch_add(1, Relaxed);
    }
}
