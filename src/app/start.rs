//! Starts the service: each room after those that it uses.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use actix_web::dev;
use awc::http::header::HeaderValue;
use tokio::sync::Semaphore;

use super::guards::Guards;
use super::key_files::{SecretKeys, operator_key};
use super::{App, Server};
use crate::actors::feeds::{self, ScannerHandle, ScannerParts};
use crate::actors::housekeeping::{self, HousekeeperParts};
use crate::actors::ledger::{self, LedgerFigures, LedgerHandle, LedgerParts};
use crate::actors::radar::Shards;
use crate::actors::radar::{Engine, SETTLEMENTS_MAX, TURNS_MAX};
use crate::actors::runtime::isolation::Isolation;
use crate::actors::runtime::metrics::ActorMetrics;
use crate::actors::webhooks::{self, DispatcherHandle, DispatcherParts};
use crate::api::{self, ApiState};
use crate::clock::Clock;
use crate::config::Config;
use crate::domain::account;
use crate::domain::delivery::{RetrySchedule, ScheduleError};
use crate::faults::Faults;
use crate::operator::{self, OperatorState, SIMULATED_NOW};
use crate::outbound::fetch::{Web, WebSettings};
use crate::outbound::transport::Transport;
use crate::sources::{Catalog, SourceFileError};
use crate::store::{DatabaseSettings, Store, StoreError, StoreRules};
use crate::web::{Shared, SharedParts};
use crate::webhooks::attempt::Sender;
use crate::webhooks::test_sends::TestSends;
use crate::wire;

/// Partitions of the ledger on a database with many writers.
const POSTGRES_PARTITIONS: usize = 4;
/// Threads that serve the public API, and those for the operator.
const API_WORKERS: usize = 2;
const OPERATOR_WORKERS: usize = 1;

/// Why the service cannot start. Each prints as one line that names the key.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The database cannot be used.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// A source file is wrong.
    #[error("sources.dir: {0}")]
    Sources(#[from] SourceFileError),
    /// An address cannot be listened on.
    #[error("{key}: cannot listen on {address}: {error}")]
    Listen {
        /// The key of the address.
        key: &'static str,
        /// The address.
        address: SocketAddr,
        /// Why.
        error: io::Error,
    },
    /// The operator's key cannot be read or made.
    #[error("operator.data_dir: {path}: {error}")]
    OperatorKey {
        /// The file or folder.
        path: String,
        /// Why.
        error: io::Error,
    },
    /// The schedule of retries is out of bounds.
    #[error("webhooks.retry_schedule: {0}")]
    Schedule(#[from] ScheduleError),
    /// The contact cannot stand in a header.
    #[error("outbound.contact: holds a character that a header cannot carry")]
    Contact,
    /// The figures cannot be kept.
    #[error("metrics: {0}")]
    Metrics(#[from] prometheus::Error),
    /// The triggers of rare duties cannot be started.
    #[error("housekeeper: {0}")]
    Housekeeper(#[from] tokio_cron_scheduler::JobSchedulerError),
}

pub(super) async fn start(config: Config, clock: Clock, faults: Faults) -> Result<App, StartError> {
    let api_listener = listen("http.listen", config.http.listen)?;
    let operator_listener = listen("operator.listen", config.operator.listen)?;
    let operator_key = operator_key(&config.operator)?;
    let catalog = Arc::new(Catalog::load(config.sources.dir.as_deref())?);
    let store = Arc::new(open_store(&config, &clock).await?.with_faults(faults.clone()));

    let actor_metrics = ActorMetrics::new(clock.clone());
    let guards = Guards::of(&config, [&api_listener, &operator_listener])?;
    let targets = Transport::new(guards.targets.clone(), clock.clone());
    let web = Web::new(WebSettings::from(&config.outbound), targets, clock.clone());
    let shards = Shards::new(&actor_metrics, &clock, config.limits.queue);
    let sender = sender(&config, &guards, &clock)?;
    let test_sends = TestSends::start(sender.clone(), &clock);
    let dispatcher = start_dispatcher(&config, &store, &clock, sender, &faults, &actor_metrics)?;
    let parts = scanner_parts(&config, &store, &clock, &web, &catalog, &shards, &faults);
    let scanner = feeds::start(&parts, &actor_metrics, config.limits.queue);
    let ledger = start_ledger(&config, &store, &clock, &faults, &dispatcher, &scanner, &actor_metrics)?;
    let engine = Rc::new(Engine {
        clock: clock.clone(),
        store: store.clone(),
        ledger: ledger.clone(),
        scanner: scanner.clone(),
        web,
        catalog: catalog.clone(),
        actor_metrics: actor_metrics.clone(),
        faults,
        turns: Semaphore::new(TURNS_MAX),
        settlements: Semaphore::new(SETTLEMENTS_MAX),
        isolation: parts.isolation,
    });
    shards.start(&engine);
    let parts = HousekeeperParts {
        store: store.clone(),
        clock: clock.clone(),
        ledger: ledger.clone(),
        shards: shards.clone(),
        retention: config.retention.clone(),
        schedules: config.housekeeping.clone(),
    };
    let housekeeper = housekeeping::start(&parts, &actor_metrics).await?;

    let is_ready = Arc::new(AtomicBool::new(true));
    let parts = SharedParts {
        store: store.clone(),
        ledger: ledger.clone(),
        shards: shards.clone(),
        clock: clock.clone(),
        guard: guards.webhooks,
        catalog: catalog.clone(),
    };
    let shared = Shared::new(&config, parts);
    let operator_state = OperatorState::new(shared.clone(), &actor_metrics, operator_key.clone(), is_ready.clone());
    let state = ApiState::new(&config, shared, test_sends.clone());
    let api = serve("http.listen", api_listener, |listener| api::serve(state, listener, API_WORKERS))?;
    let operator = serve("operator.listen", operator_listener, |listener| {
        operator::serve(operator_state, listener, OPERATOR_WORKERS)
    })?;
    Ok(App {
        api,
        operator,
        operator_key,
        is_ready,
        store,
        ledger,
        set_ups: shards.set_ups().clone(),
        scanner,
        dispatcher,
        housekeeper,
        test_sends,
        actor_metrics,
        clock,
    })
}

fn sender(config: &Config, guards: &Guards, clock: &Clock) -> Result<Sender, StartError> {
    let user_agent = user_agent(&config.outbound.contact)?;
    let receivers = Transport::new(guards.webhooks.clone(), clock.clone());
    Ok(Sender::new(receivers, clock.clone(), user_agent, config.webhooks.timeout))
}

fn start_dispatcher(
    config: &Config,
    store: &Arc<Store>,
    clock: &Clock,
    sender: Sender,
    faults: &Faults,
    actor_metrics: &ActorMetrics,
) -> Result<DispatcherHandle, StartError> {
    let parts = DispatcherParts {
        store: store.clone(),
        clock: clock.clone(),
        sender,
        schedule: RetrySchedule::new(&config.webhooks.retry_schedule)?,
        concurrency: config.webhooks.concurrency,
        faults: faults.clone(),
    };
    Ok(webhooks::start(&parts, actor_metrics))
}

fn scanner_parts(
    config: &Config,
    store: &Arc<Store>,
    clock: &Clock,
    web: &Web,
    catalog: &Arc<Catalog>,
    shards: &Shards,
    faults: &Faults,
) -> ScannerParts {
    let readers = shards.clone();
    ScannerParts {
        store: store.clone(),
        clock: clock.clone(),
        web: web.clone(),
        catalog: catalog.clone(),
        wake_reader: Rc::new(move |account_id, radar_id| readers.wake(account_id, radar_id)),
        poll_interval: config.sources.poll_interval,
        isolation: Isolation::new(clock.clone()),
        faults: faults.clone(),
    }
}

fn start_ledger(
    config: &Config,
    store: &Arc<Store>,
    clock: &Clock,
    faults: &Faults,
    dispatcher: &DispatcherHandle,
    scanner: &ScannerHandle,
    actor_metrics: &ActorMetrics,
) -> Result<LedgerHandle, StartError> {
    let partitions = if config.database.url.starts_with("sqlite") { 1 } else { POSTGRES_PARTITIONS };
    let (dispatcher, scanner) = (dispatcher.clone(), scanner.clone());
    let parts = LedgerParts {
        store: store.clone(),
        clock: clock.clone(),
        faults: faults.clone(),
        on_commit: Rc::new(|_, _, _| {}),
        partitions,
        renewals_max: account::RENEWALS_MAX,
        dispatch: Rc::new(dispatcher.clone()),
        on_resumed: Rc::new(move || {
            scanner.resume();
            dispatcher.kick();
        }),
        figures: LedgerFigures::new(partitions)?,
    };
    Ok(ledger::start(&parts, actor_metrics, config.limits.queue))
}

async fn open_store(config: &Config, clock: &Clock) -> Result<Store, StoreError> {
    let settings =
        DatabaseSettings { url: config.database.url.clone(), max_connections: config.database.max_connections };
    let rules = StoreRules {
        default_prices: config.billing.prices.clone(),
        render: wire::public::update::body,
        render_alert: wire::public::balance_alert::body,
        secret_keys: Arc::new(SecretKeys::of(config)),
        money: account::Settings { radars_max: i64::from(config.limits.radars), ..account::Settings::default() },
    };
    let store = Store::open(&settings, rules, clock.clone()).await?;
    if clock.is_simulated() {
        // The last commit may be later than the instant that was kept when the clock last moved.
        let noted = store.setting(SIMULATED_NOW).await?.and_then(|micros| micros.parse().ok());
        let noted_at = noted.and_then(chrono::DateTime::from_timestamp_micros);
        for at in [noted_at, store.sweep_last_at().await?].into_iter().flatten() {
            clock.resume_at(at);
        }
    }
    Ok(store)
}

fn user_agent(contact: &str) -> Result<HeaderValue, StartError> {
    let version = env!("CARGO_PKG_VERSION");
    let text = match contact {
        "" => format!("radar/{version}"),
        contact => format!("radar/{version} (+{contact})"),
    };
    HeaderValue::from_str(&text).map_err(|_| StartError::Contact)
}

fn listen(key: &'static str, address: SocketAddr) -> Result<TcpListener, StartError> {
    TcpListener::bind(address).map_err(|error| StartError::Listen { key, address, error })
}

fn serve(
    key: &'static str,
    listener: TcpListener,
    server: impl FnOnce(TcpListener) -> io::Result<dev::Server>,
) -> Result<Server, StartError> {
    let unusable = |error| StartError::Listen { key, address: SocketAddr::from(([0, 0, 0, 0], 0)), error };
    let address = listener.local_addr().map_err(unusable)?;
    let server = server(listener).map_err(|error| StartError::Listen { key, address, error })?;
    Ok(Server { address, handle: server.handle(), running: actix_rt::spawn(server) })
}
