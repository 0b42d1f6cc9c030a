//! What every request of the public API works with.

use std::sync::Arc;

use chrono::Duration;

use super::authentication::KeyCache;
use super::budgets::Budgets;
use super::connection::{self, ListenerLimits};
use super::ids::Identifiers;
use super::metrics::RequestMetrics;
use super::strangers::Strangers;
use crate::actors::balance_ledger::LedgerHandle;
use crate::actors::shards::Shards;
use crate::clock::Clock;
use crate::config::Config;
use crate::outbound::address_guard::AddressGuard;
use crate::sources::Catalog;
use crate::store::Store;
use crate::webhooks::test_sends::TestSends;

/// The rooms and the shared counters behind the public API. Clones share all of them.
#[derive(Clone)]
pub struct ApiState {
    /// The database.
    pub store: Arc<Store>,
    /// The only writer of money.
    pub ledger: LedgerHandle,
    /// The way to any radar.
    pub shards: Shards,
    /// The time.
    pub clock: Clock,
    /// Rate limits of accounts that have none of their own.
    pub limits: DefaultLimits,
    /// Judges addresses for webhooks.
    pub guard: AddressGuard,
    /// What serves which types.
    pub catalog: Arc<Catalog>,
    /// Keys that were looked up lately.
    pub keys: KeyCache,
    /// What each account may still do.
    pub budgets: Budgets,
    /// How often addresses may be refused.
    pub strangers: Strangers,
    /// How many connections there may be, and how long they may be slow.
    pub connections: ListenerLimits,
    /// Identifiers of what is made.
    pub ids: Identifiers,
    /// How long updates are kept; older ones are not shown, swept or not.
    pub retention: Duration,
    /// Sends test payloads.
    pub test_sends: TestSends,
    /// Counts requests.
    pub metrics: RequestMetrics,
}

/// Rate limits of accounts that have none of their own (Spec 8.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DefaultLimits {
    /// Write tokens per minute.
    pub write_per_minute: u32,
    /// Read tokens per minute.
    pub read_per_minute: u32,
    /// Requests per second.
    pub per_second: u32,
}

/// What the public API is given.
pub struct ApiParts {
    /// The database.
    pub store: Arc<Store>,
    /// The only writer of money.
    pub ledger: LedgerHandle,
    /// The way to any radar.
    pub shards: Shards,
    /// The time.
    pub clock: Clock,
    /// Judges addresses for webhooks.
    pub guard: AddressGuard,
    /// What serves which types.
    pub catalog: Arc<Catalog>,
    /// Sends test payloads.
    pub test_sends: TestSends,
}

impl ApiState {
    /// A state without any history.
    pub fn new(config: &Config, parts: ApiParts) -> Self {
        let limits = DefaultLimits {
            write_per_minute: config.limits.write_per_minute,
            read_per_minute: config.limits.read_per_minute,
            per_second: config.limits.per_second,
        };
        let ApiParts { store, ledger, shards, clock, guard, catalog, test_sends } = parts;
        Self {
            store,
            ledger,
            shards,
            clock,
            limits,
            guard,
            catalog,
            keys: KeyCache::new(),
            budgets: Budgets::new(limits),
            strangers: Strangers::new(config.http.failures_per_minute),
            connections: connection::listener_limits(&config.http),
            ids: Identifiers::new(),
            retention: Duration::from_std(config.retention.updates).unwrap_or(Duration::MAX),
            test_sends,
            metrics: RequestMetrics::new(),
        }
    }
}
