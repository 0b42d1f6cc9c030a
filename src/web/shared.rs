//! What every request of either API works with.

use std::sync::Arc;

use super::connection::ListenerLimits;
use super::ids::Identifiers;
use super::key_cache::KeyCache;
use super::metrics::RequestMetrics;
use crate::actors::ledger::LedgerHandle;
use crate::actors::radar::Shards;
use crate::actors::webhooks::DispatcherHandle;
use crate::clock::Clock;
use crate::domain::account_limits::AccountLimits;
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
    /// Sends webhooks.
    pub dispatcher: DispatcherHandle,
    /// The time.
    pub clock: Clock,
    /// Decides which addresses webhooks may have.
    pub guard: AddressGuard,
    /// Which sources serve which radar types.
    pub catalog: Arc<Catalog>,
    /// Whether directories are asked about the people and companies that are watched.
    pub lookups: bool,
    /// Limits of accounts that have none of their own.
    pub limits: AccountLimits,
    /// API keys that were looked up lately; they are forgotten when the operator changes a key or an account.
    pub keys: KeyCache,
    /// Identifiers of new records.
    pub ids: Identifiers,
    /// Counts requests.
    pub metrics: RequestMetrics,
    /// How many connections each listener takes, and how slow they may be.
    pub connections: ListenerLimits,
}
