//! Which actors are alive and what is queued: figures for operators, by kind of actor and never by radar.

use std::collections::BTreeSet;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use parking_lot::{Mutex, MutexGuard};

use clock::Clock;
use domain::closed;
use wire::operator::system::ActorFigures;

closed! {
    /// A kind of actor.
    Kind {
        /// Parents of radars, and what claims the set-ups of these.
        RadarShard = "radar_shard",
        /// One per radar at work.
        RadarActor = "radar_actor",
        /// The only writer of money.
        BalanceLedger = "balance_ledger",
        /// Sends deliveries.
        WebhookDispatcher = "webhook_dispatcher",
        /// Polls feeds.
        FeedScanner = "feed_scanner",
        /// Rare duties.
        Housekeeper = "housekeeper",
        /// Keeps this process among those that share the database.
        Node = "node",
    }
}

#[derive(Default)]
struct Counters {
    /// But for what is read from those that wait.
    figures: ActorFigures,
    next_no: u64,
    waiting_since: BTreeSet<(DateTime<Utc>, u64)>,
}

/// Counts the actors of one process.
#[derive(Clone)]
pub struct ActorMetrics {
    counters: Arc<[Mutex<Counters>; Kind::ALL.len()]>,
    clock: Clock,
}

impl ActorMetrics {
    /// Metrics that count nothing yet.
    pub fn new(clock: Clock) -> Self {
        Self { counters: Arc::default(), clock }
    }

    /// The figures of a kind.
    pub fn figures(&self, kind: Kind) -> ActorFigures {
        let now = self.clock.steady_now();
        let counters = self.of(kind);
        let oldest = counters.waiting_since.first();
        ActorFigures {
            queued: counters.waiting_since.len(),
            oldest_message_ms: oldest.map_or(0, |(since, _)| (now - since).num_milliseconds()),
            ..counters.figures
        }
    }

    /// Counts an actor for as long as the returned value lives.
    pub fn resident(&self, kind: Kind) -> Resident {
        self.note(kind, |figures| figures.resident += 1);
        Resident { actor_metrics: self.clone(), kind }
    }

    /// Counts a message for as long as it waits.
    pub(super) fn queued(&self, kind: Kind) -> Queued {
        let since = self.clock.steady_now();
        let mut counters = self.of(kind);
        counters.next_no += 1;
        let place = (since, counters.next_no);
        counters.waiting_since.insert(place);
        drop(counters);
        Queued { actor_metrics: self.clone(), kind, place }
    }

    /// Notes a change of the figures of a kind.
    pub(crate) fn note(&self, kind: Kind, change: impl FnOnce(&mut ActorFigures)) {
        change(&mut self.of(kind).figures);
    }

    fn of(&self, kind: Kind) -> MutexGuard<'_, Counters> {
        self.counters[kind as usize].lock()
    }
}

/// Counts one living actor.
pub struct Resident {
    actor_metrics: ActorMetrics,
    kind: Kind,
}

impl Drop for Resident {
    fn drop(&mut self) {
        self.actor_metrics.note(self.kind, |figures| figures.resident -= 1);
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
        let mut counters = self.actor_metrics.of(self.kind);
        counters.waiting_since.remove(&self.place);
        counters.figures.handled += 1;
    }
}
