//! What every request of the operator API works with.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

use crate::actors::balance_ledger::LedgerHandle;
use crate::actors::metrics::ActorMetrics;
use crate::actors::pulse::Pulse;
use crate::actors::shards::Shards;
use crate::clock::Clock;
use crate::http::{ApiState, ConnectionLimits, DefaultLimits, Identifiers, KeyCache, RequestMetrics};
use crate::outbound::address_guard::AddressGuard;
use crate::sources::Catalog;
use crate::store::Store;

/// The rooms behind the operator API. Clones share all of them.
#[derive(Clone)]
pub struct OperatorState {
    /// The database.
    pub store: Arc<Store>,
    /// The only writer of money.
    pub ledger: LedgerHandle,
    /// The way to any radar.
    pub shards: Shards,
    /// The time.
    pub clock: Clock,
    /// The figures of the actors.
    pub actor_metrics: ActorMetrics,
    /// The sources.
    pub catalog: Arc<Catalog>,
    /// Whether the actors' thread runs.
    pub pulse: Pulse,
    /// What `x-operator-key` must hold.
    pub key: Arc<str>,
    /// Whether the service takes requests: false before the start is through, and while it stops.
    pub readiness: Arc<AtomicBool>,
    /// What the public API remembers of keys; it must forget what is changed here.
    pub keys: KeyCache,
    /// Rate limits of accounts that have none of their own.
    pub limits: DefaultLimits,
    /// Identifiers of what is made.
    pub ids: Identifiers,
    /// Judges addresses for webhooks.
    pub guard: AddressGuard,
    /// Counts requests.
    pub metrics: RequestMetrics,
    /// How many connections there may be, and how long they may be slow.
    pub connections: ConnectionLimits,
}

impl OperatorState {
    /// A state beside that of the public API, made on the actors' thread.
    pub fn new(
        api: &ApiState,
        actor_metrics: &ActorMetrics,
        catalog: &Arc<Catalog>,
        key: impl Into<Arc<str>>,
        readiness: Arc<AtomicBool>,
    ) -> Self {
        Self {
            store: api.store.clone(),
            ledger: api.ledger.clone(),
            shards: api.shards.clone(),
            clock: api.clock.clone(),
            actor_metrics: actor_metrics.clone(),
            pulse: Pulse::of_this_thread(&api.clock),
            catalog: catalog.clone(),
            key: key.into(),
            readiness,
            keys: api.keys.clone(),
            limits: api.limits,
            ids: api.ids.clone(),
            guard: api.guard.clone(),
            metrics: api.metrics.clone(),
            connections: api.connections.operator,
        }
    }

    /// Whether the service takes requests.
    pub(super) fn is_ready(&self) -> bool {
        self.readiness.load(SeqCst)
    }
}
