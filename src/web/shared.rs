//! What every request of either API works with.

use std::sync::Arc;

use super::authentication::KeyCache;
use super::connection::{self, ListenerLimits};
use super::ids::Identifiers;
use super::metrics::RequestMetrics;
use crate::actors::ledger::LedgerHandle;
use crate::actors::radar::Shards;
use crate::clock::Clock;
use crate::config::Config;
use crate::outbound::address_guard::AddressGuard;
use crate::sources::Catalog;
use crate::store::Store;

/// The rooms behind both APIs, and what they count together. Clones share all of it.
#[derive(Clone)]
pub struct Shared {
    /// The database.
    pub store: Arc<Store>,
    /// The only writer of money.
    pub ledger: LedgerHandle,
    /// The way to any radar.
    pub shards: Shards,
    /// The time.
    pub clock: Clock,
    /// Decides which addresses webhooks may have.
    pub guard: AddressGuard,
    /// Which sources serve which radar types.
    pub catalog: Arc<Catalog>,
    /// Limits of accounts that have none of their own.
    pub limits: DefaultLimits,
    /// API keys that were looked up lately; they are forgotten when the operator changes a key or an account.
    pub keys: KeyCache,
    /// Identifiers of new records.
    pub ids: Identifiers,
    /// Counts requests.
    pub metrics: RequestMetrics,
    /// How many connections each listener takes, and how slow they may be.
    pub connections: ListenerLimits,
}

/// What [`Shared`] is made of.
pub struct SharedParts {
    /// The database.
    pub store: Arc<Store>,
    /// The only writer of money.
    pub ledger: LedgerHandle,
    /// The way to any radar.
    pub shards: Shards,
    /// The time.
    pub clock: Clock,
    /// Decides which addresses webhooks may have.
    pub guard: AddressGuard,
    /// Which sources serve which radar types.
    pub catalog: Arc<Catalog>,
}

/// Limits of accounts that have none of their own (Spec 8.1, 8.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DefaultLimits {
    /// Write tokens per minute.
    pub write_per_minute: u32,
    /// Read tokens per minute.
    pub read_per_minute: u32,
    /// Requests per second.
    pub per_second: u32,
    /// Radars that are active, and as many that ended lately.
    pub radars: u32,
}

impl Shared {
    /// Nothing looked up or counted yet.
    pub fn new(config: &Config, parts: SharedParts) -> Self {
        let SharedParts { store, ledger, shards, clock, guard, catalog } = parts;
        let limits = DefaultLimits {
            write_per_minute: config.limits.write_per_minute,
            read_per_minute: config.limits.read_per_minute,
            per_second: config.limits.per_second,
            radars: config.limits.radars,
        };
        Self {
            store,
            ledger,
            shards,
            clock,
            guard,
            catalog,
            limits,
            keys: KeyCache::new(),
            ids: Identifiers::new(),
            metrics: RequestMetrics::new(),
            connections: connection::listener_limits(&config.http),
        }
    }
}
