//! Starts the service: each room after those that it uses.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use actix_web::dev;
use chrono::TimeDelta;
use prometheus::Registry;

use super::actors::{Actors, StartContext};
use super::announcement;
use super::database::open_store;
use super::guards::Guards;
use super::key_files::operator_key;
use super::{App, Server, StartError};
use crate::api::{self, ApiState};
use crate::mail::Mailer;
use crate::operator::{self, OperatorKeys, OperatorState};
use crate::traces;
use crate::web::connection::{acceptor, listener_limits};
use crate::web::{Cors, Front, Identifiers, KeyCache, RequestMetrics, Shared, TrustedProxies};
use actors::runtime::metrics::ActorMetrics;
use clock::Clock;
use config::Config;
use console::{Console, Portal};
use outbound::address_guard::AddressGuard;
use sources::{Catalog, SourceFileError};
use store::Store;
use store::faults::Faults;

/// Threads that serve the public API.
const API_WORKERS: usize = 2;

pub(super) async fn start(config: Config, clock: Clock, faults: Faults) -> Result<App, StartError> {
    let front = Front { cors: Cors::new(&config.http.cors_origins), tls: acceptor(&config.http)? };
    let api_listener = listen("http.listen", config.http.listen)?;
    let operator_listener = listen("operator.listen", config.operator.listen)?;
    let operator_key = operator_key(&config.operator)?;
    let catalog = Arc::new(catalog(&config)?);
    let store = Arc::new(open_store(&config, &clock).await?.with_faults(faults.clone()));
    let kept_for = TimeDelta::from_std(config.retention.updates).unwrap_or(TimeDelta::MAX);
    let mailer = Mailer::new(&config.smtp, &store, &clock, kept_for)?;
    announcement::database(&config, &store).await?;
    announcement::sources(&catalog);

    let actor_metrics = ActorMetrics::new(clock.clone());
    let registry = Registry::new();
    let guards = Guards::of(&config, [api_listener.address, operator_listener.address]);
    let context = StartContext {
        config: &config,
        clock: &clock,
        store: &store,
        catalog: &catalog,
        guards: &guards,
        api_address: api_listener.address,
        actor_metrics: &actor_metrics,
        registry: &registry,
        faults,
    };
    let (actors, previews) = Actors::start(context).await?;

    let is_ready = Arc::new(AtomicBool::new(true));
    let shared = shared(&config, &clock, &store, catalog, &actors, guards.webhooks, &registry)?;
    let figures = (actors.scanner.figures(), &registry);
    let keys = OperatorKeys::new(&operator_key, config.operator.read_only_key.as_deref());
    let console = Console::new(clock.clone(), config.operator.hosts.clone());
    let portal = Portal::new(config.http.portal.clone());
    let names = (config.operator.hosts.clone(), config.http.portal.clone());
    let duties = actors.housekeeper.duties();
    let operator_state =
        OperatorState::new(shared.clone(), &actor_metrics, figures, duties, keys, names, is_ready.clone());
    let mail = mailer.as_ref().map(Mailer::mail);
    let api_state = ApiState::new(&config, shared, actors.test_sends.clone(), previews, mail);
    let streams = api_state.streams.clone();
    let api = api_listener.serve(|listener| api::serve(api_state, front, listener, API_WORKERS, portal.pages()))?;
    let pages = console.clone().pages();
    let operator = operator_listener.serve(|listener| operator::serve(operator_state, listener, pages))?;
    let mails = mailer.map(Mailer::start);
    Ok(App {
        mails,
        api,
        streams,
        operator,
        console,
        operator_key,
        is_ready,
        store,
        actors,
        actor_metrics,
        clock,
        traces: traces::start(&registry)?,
    })
}

/// What both APIs work with.
fn shared(
    config: &Config,
    clock: &Clock,
    store: &Arc<Store>,
    catalog: Arc<Catalog>,
    actors: &Actors,
    guard: AddressGuard,
    registry: &Registry,
) -> Result<Shared, StartError> {
    Ok(Shared {
        store: store.clone(),
        ledger: actors.ledger.clone(),
        shards: actors.shards.clone(),
        dispatcher: actors.dispatcher.clone(),
        clock: clock.clone(),
        guard,
        catalog,
        lookups: config.sources.lookups,
        limits: config.limits.of_account,
        keys: KeyCache::default(),
        ids: Identifiers::default(),
        metrics: RequestMetrics::new(registry)?,
        proxies: TrustedProxies::new(&config.http.trusted_proxies),
        connections: listener_limits(&config.http),
    })
}

fn catalog(config: &Config) -> Result<Catalog, SourceFileError> {
    let sources = &config.sources;
    let dir = sources.dir.as_deref();
    let mut catalog = if sources.builtin { Catalog::load(dir)? } else { Catalog::without_builtin(dir)? };
    if let Some(poll_interval) = sources.poll_interval {
        catalog.share_at_most(poll_interval);
    }
    if config.outbound.contact.is_empty() {
        let off = catalog.without_contact();
        if !off.is_empty() {
            tracing::warn!(key = "outbound.contact", sources = ?off, "is not set: these ask for a contact and are off");
        }
    }
    Ok(catalog)
}

/// An address that is bound and not served yet.
struct Listener {
    key: &'static str,
    address: SocketAddr,
    socket: TcpListener,
}

fn listen(key: &'static str, address: SocketAddr) -> Result<Listener, StartError> {
    let unusable = |error| StartError::Listen { key, address, error };
    let socket = TcpListener::bind(address).map_err(unusable)?;
    Ok(Listener { key, address: socket.local_addr().map_err(unusable)?, socket })
}

impl Listener {
    fn serve(self, server: impl FnOnce(TcpListener) -> io::Result<dev::Server>) -> Result<Server, StartError> {
        let Self { key, address, socket } = self;
        let server = server(socket).map_err(|error| StartError::Listen { key, address, error })?;
        Ok(Server { address, handle: server.handle(), running: actix_rt::spawn(server) })
    }
}
