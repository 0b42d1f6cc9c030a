//! What every request of either API works with.

use std::net::TcpListener;
use std::sync::Arc;

use actix_web::App;
use actix_web::dev::Server;
use actix_web::middleware::{Compress, from_fn};
use actix_web::web::{Data, ServiceConfig};
use tokio_rustls::TlsAcceptor;

use super::connection::{self, ConnectionLimits, ListenerLimits};
use super::headers::client_address::TrustedProxies;
use super::headers::cors::{self, Cors};
use super::headers::{head, security_headers};
use super::ids::Identifiers;
use super::key_cache::KeyCache;
use super::metrics::RequestMetrics;
use super::request_log::{self, RequestLog};
use actors::ledger::LedgerHandle;
use actors::radar::Shards;
use actors::webhooks::DispatcherHandle;
use clock::Clock;
use domain::AccountLimits;
use outbound::address_guard::AddressGuard;
use sources::Catalog;
use store::Store;

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
    /// Whose word for the address of a client counts.
    pub proxies: TrustedProxies,
    /// How many connections each listener takes, and how slow they may be.
    pub connections: ListenerLimits,
}

/// What a listener offers beyond plain HTTP; nothing unless the settings say so.
#[derive(Clone, Default)]
pub struct Front {
    /// Which pages of other origins may call.
    pub cors: Cors,
    /// The certificate.
    pub tls: Option<TlsAcceptor>,
}

impl Shared {
    /// A server of `api` on `listener`, not yet running; `configure` adds its routes and what they work with.
    pub(crate) fn serve(
        &self,
        api: &'static str,
        limits: ConnectionLimits,
        front: Front,
        listener: TcpListener,
        workers: usize,
        configure: impl Fn(&mut ServiceConfig) + Clone + Send + 'static,
    ) -> std::io::Result<Server> {
        let clock = Data::new(self.clock.clone());
        let log = Data::new(RequestLog {
            api,
            clock: self.clock.clone(),
            metrics: self.metrics.clone(),
            proxies: self.proxies.clone(),
        });
        let Front { cors, tls } = front;
        let cors = Data::new(cors);
        let app = move || {
            App::new()
                .app_data(clock.clone())
                .app_data(log.clone())
                .app_data(cors.clone())
                .wrap(from_fn(head::as_get))
                .wrap(Compress::default())
                .wrap(from_fn(cors::add))
                .wrap(security_headers::added())
                .wrap(from_fn(request_log::log))
                .wrap(from_fn(connection::answer_in_turn))
                .configure(&configure)
        };
        connection::serve(app, listener, workers, limits, tls, &self.clock)
    }
}
