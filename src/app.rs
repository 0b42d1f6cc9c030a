//! The composition root: puts the rooms together, starts them in order, and stops them in order. Nothing is decided here.

mod actors;
mod announcement;
mod database;
mod error;
mod guards;
mod key_files;
mod runtime;
mod signals;
mod start;
mod warnings;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;

use actix_web::dev::ServerHandle;
use futures_util::future::join;
use tokio::task::JoinHandle;

use actors::Actors;
pub use error::StartError;
pub use key_files::{SecretKeys, operator_key};
pub use runtime::{run, run_on};
pub use signals::StopSignals;

use crate::api::OpenStreams;
use crate::traces::Traces;
use ::actors::ledger::LedgerHandle;
use ::actors::radar::Shards;
use ::actors::runtime::metrics::ActorMetrics;
use clock::Clock;
use config::Config;
use console::Console;
use store::Store;
use store::faults::Faults;

/// How long each step of an orderly stop may take. What is cut off is found again at the next start.
const STEP_MAX: Duration = Duration::from_secs(10);

/// A running service.
pub struct App {
    /// Sends mails, where a mail server is set.
    mails: Option<JoinHandle<()>>,
    api: Server,
    streams: OpenStreams,
    operator: Server,
    console: Console,
    operator_key: String,
    is_ready: Arc<AtomicBool>,
    store: Arc<Store>,
    actors: Actors,
    actor_metrics: ActorMetrics,
    clock: Clock,
    traces: Traces,
}

/// A listening server.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    pub(crate) handle: ServerHandle,
    pub(crate) running: JoinHandle<std::io::Result<()>>,
}

impl App {
    /// Starts the service on this thread, whose runtime must be the one that [`run`] builds.
    ///
    /// # Errors
    /// [`StartError`], one line that names the key; nothing is left running.
    pub async fn start(config: Config, clock: Clock) -> Result<Self, StartError> {
        Self::start_with(config, clock, Faults::default()).await
    }

    /// The same, with injected faults, for tests.
    pub async fn start_with(config: Config, clock: Clock, faults: Faults) -> Result<Self, StartError> {
        announcement::version();
        warnings::log(&config);
        start::start(config, clock, faults).await
    }

    /// Where the public API listens.
    pub fn api_address(&self) -> SocketAddr {
        self.api.address
    }

    /// Where the operator API listens.
    pub fn operator_address(&self) -> SocketAddr {
        self.operator.address
    }

    /// The key for the operator API.
    pub fn operator_key(&self) -> &str {
        &self.operator_key
    }

    /// The database, for tests that look behind the API.
    pub fn store(&self) -> &Arc<Store> {
        &self.store
    }

    /// The figures of the actors.
    pub fn actor_metrics(&self) -> &ActorMetrics {
        &self.actor_metrics
    }

    /// The only writer of money, for benchmarks that go past the API.
    pub fn ledger(&self) -> &LedgerHandle {
        &self.actors.ledger
    }

    /// The way to any radar, for benchmarks that go past the API.
    pub fn shards(&self) -> &Shards {
        &self.actors.shards
    }

    /// Runs until a signal comes, or until a server ends by itself, then says so by `on_stop` and stops in order.
    pub async fn run_until_signalled(mut self, mut signals: StopSignals, on_stop: impl FnOnce()) {
        tokio::select! {
            biased;
            signal = signals.received() => tracing::info!(signal, "stopping"),
            ended = &mut self.api.running => tracing::error!(?ended, "the public server ended"),
            ended = &mut self.operator.running => tracing::error!(?ended, "the operator server ended"),
        }
        on_stop();
        self.stop().await;
    }

    /// Stops in order: shards handed over, no new requests, set-ups given back, no new polls, the ledger drained, deliveries under way finished,
    /// the database closed. Each step has a bound; nothing that is cut off is half-done.
    pub async fn stop(self) {
        self.is_ready.store(false, SeqCst);
        let Self { mails, api, streams, operator, console, store, actors, clock, traces, .. } = self;
        let Actors { ledger, shards, scanner, dispatcher, housekeeper, node, test_sends, .. } = actors;
        // Others go on while this one finishes what it has begun.
        bounded(&clock, "shards", node.hand_over()).await;
        streams.close();
        bounded(&clock, "public server", api.handle.stop(true)).await;
        // A mail that is cut off is sent when its lease ends.
        mails.inspect(JoinHandle::abort);
        bounded(&clock, "housekeeper", housekeeper.stop()).await;
        bounded(&clock, "set-ups", shards.stop_set_ups()).await;
        if !bounded(&clock, "feed scanner", scanner.drain()).await {
            bounded(&clock, "polls under way", scanner.cancel()).await;
        }
        bounded(&clock, "ledger", ledger.drain()).await;
        let (is_drained, _) = join(
            bounded(&clock, "webhook dispatcher", dispatcher.drain()),
            bounded(&clock, "test payloads", test_sends.drain()),
        )
        .await;
        if !is_drained {
            bounded(&clock, "attempts under way", dispatcher.cancel()).await;
        }
        console.close();
        bounded(&clock, "operator server", operator.handle.stop(true)).await;
        bounded(&clock, "node", node.leave()).await;
        bounded(&clock, "database", store.close()).await;
        bounded(&clock, "traces", traces.stop()).await;
        tracing::info!("stopped");
    }
}

/// Whether the step ended by itself.
async fn bounded(clock: &Clock, step: &str, work: impl Future<Output = ()>) -> bool {
    let is_done = clock.real_timeout(STEP_MAX, work).await.is_some();
    if !is_done {
        tracing::warn!(step, "a step of the stop took too long and is cut off");
    }
    is_done
}
