//! Starts the actors: each after those that it sends to.

use std::net::SocketAddr;
use std::rc::Rc;
use std::sync::Arc;

use awc::http::header::HeaderValue;
use prometheus::Registry;
use tokio::sync::Semaphore;

use super::StartError;
use super::guards::Guards;
use ::webhooks::attempt::Sender;
use ::webhooks::test_sends::{self, TestSends};
use actors::feeds::{self, ScannerHandle, ScannerParts, SourceFigures};
use actors::housekeeping::{self, HousekeeperHandle, HousekeeperParts};
use actors::ledger::{self, LedgerFigures, LedgerHandle, LedgerParts};
use actors::nodes::{self, HostTurns, NodeFigures, NodeHandle, NodeParts};
use actors::previews::{self, Previews};
use actors::radar::profiles::Profiles;
use actors::radar::{RadarParts, Shards, TURNS_MAX};
use actors::runtime::isolation::Isolation;
use actors::runtime::metrics::ActorMetrics;
use actors::webhooks::{self, DispatchFigures, DispatcherHandle, DispatcherParts};
use clock::Clock;
use config::Config;
use domain::scheduling::shards::DUTIES_SHARD;
use domain::{RetrySchedule, account};
use outbound::fetch::Web;
use outbound::transport::Transport;
use sources::Catalog;
use store::faults::Faults;
use store::{DeliveryWaits, Dispatch, DueTable, Heartbeat, Store};

/// Partitions of the ledger on a database with many writers.
const POSTGRES_PARTITIONS: usize = 4;

/// What the actors are started with.
pub(super) struct StartContext<'a> {
    pub(super) config: &'a Config,
    pub(super) clock: &'a Clock,
    pub(super) store: &'a Arc<Store>,
    pub(super) catalog: &'a Arc<Catalog>,
    pub(super) guards: &'a Guards,
    pub(super) api_address: SocketAddr,
    pub(super) actor_metrics: &'a ActorMetrics,
    pub(super) registry: &'a Registry,
    pub(super) faults: Faults,
}

/// The ways to the actors of a running service.
pub(super) struct Actors {
    pub(super) ledger: LedgerHandle,
    pub(super) shards: Shards,
    pub(super) scanner: ScannerHandle,
    pub(super) dispatcher: DispatcherHandle,
    pub(super) housekeeper: Rc<HousekeeperHandle>,
    pub(super) node: NodeHandle,
    pub(super) test_sends: TestSends,
}

impl Actors {
    /// Starts all actors on this thread; beside the ways to them, what looks for previews.
    pub(super) async fn start(context: StartContext<'_>) -> Result<(Self, Previews), StartError> {
        let node = context.node_parts()?;
        nodes::join(&node).await?;
        let shards = Shards::new(context.actor_metrics, context.clock, context.config.limits.queue);
        let sender = context.sender();
        let test_sends = test_sends::start(sender.clone(), context.clock);
        let dispatcher = context.start_dispatcher(sender)?;
        let parts = context.scanner_parts(&shards)?;
        let scanner = feeds::start(&parts, context.actor_metrics);
        let ledger = context.start_ledger(&dispatcher, &scanner, &shards)?;
        let config = context.config;
        let delivery_waits = context.delivery_waits(&dispatcher)?;
        let radars = Rc::new(context.radar_parts(parts, &ledger, &scanner));
        shards.start(&radars);
        let previews = previews::start(&radars);
        let (retention, schedules) = (config.retention.clone(), config.duties.clone());
        let housekeeping = HousekeeperParts { radars, shards: shards.clone(), retention, delivery_waits, schedules };
        let housekeeper = Rc::new(housekeeping::start(&housekeeping).await?);
        let actor_metrics = housekeeping.radars.actor_metrics.clone();
        let tell = tell_of_shards(&shards, &scanner, &dispatcher, &housekeeper);
        listen(&housekeeping.radars, &scanner, &dispatcher);
        let node = nodes::start(&node, tell, &actor_metrics);
        Ok((Self { ledger, shards, scanner, dispatcher, housekeeper, node, test_sends }, previews))
    }
}

impl StartContext<'_> {
    fn sender(&self) -> Sender {
        let user_agent = user_agent(&self.config.outbound.contact);
        let receivers = Transport::new(self.guards.webhooks.clone(), self.clock.clone());
        Sender::new(receivers, self.clock.clone(), user_agent, self.config.webhooks.timeout)
    }

    fn node_parts(&self) -> Result<NodeParts, StartError> {
        // Two living processes never listen at the same address of a machine.
        let system = rustix::system::uname();
        let name = format!("{}/{}", system.nodename().to_string_lossy(), self.api_address);
        let figures = NodeFigures::new(self.registry)?;
        Ok(NodeParts { store: self.store.clone(), clock: self.clock.clone(), name, figures })
    }

    fn schedule(&self) -> Result<RetrySchedule, StartError> {
        Ok(RetrySchedule::new(&self.config.webhooks.retry_schedule)?)
    }

    fn delivery_waits(&self, dispatcher: &DispatcherHandle) -> Result<DeliveryWaits, StartError> {
        Ok(DeliveryWaits { lease: dispatcher.lease(), retries: self.schedule()?.longest_waits() })
    }

    fn start_dispatcher(&self, sender: Sender) -> Result<DispatcherHandle, StartError> {
        let parts = DispatcherParts {
            store: self.store.clone(),
            clock: self.clock.clone(),
            sender,
            schedule: self.schedule()?,
            concurrency: self.config.webhooks.concurrency,
            figures: DispatchFigures::new(self.registry)?,
            faults: self.faults.clone(),
        };
        Ok(webhooks::start(&parts, self.actor_metrics))
    }

    fn scanner_parts(&self, shards: &Shards) -> Result<ScannerParts, StartError> {
        let targets = Transport::new(self.guards.targets.clone(), self.clock.clone());
        let web = Web::new(&self.config.outbound, targets, self.clock.clone());
        web.share_turns(HostTurns::new(self.store, self.clock));
        let readers = shards.clone();
        Ok(ScannerParts {
            store: self.store.clone(),
            clock: self.clock.clone(),
            catalog: self.catalog.clone(),
            wake_reader: Rc::new(move |account_id, radar_id| readers.wake(account_id, radar_id)),
            poll_interval: self.config.sources.poll_interval,
            fetches_max: self.config.sources.fetches_max,
            isolation: Isolation::new(self.clock.clone()),
            figures: SourceFigures::new(self.catalog, self.registry)?.with_readers(web.readers()),
            web,
            faults: self.faults.clone(),
        })
    }

    fn start_ledger(
        &self,
        dispatcher: &DispatcherHandle,
        scanner: &ScannerHandle,
        shards: &Shards,
    ) -> Result<LedgerHandle, StartError> {
        let partitions = if self.config.database.url.starts_with("sqlite") { 1 } else { POSTGRES_PARTITIONS };
        let (dispatcher, scanner, shards) = (dispatcher.clone(), scanner.clone(), shards.clone());
        let parts = LedgerParts {
            store: self.store.clone(),
            clock: self.clock.clone(),
            faults: self.faults.clone(),
            on_commit: Rc::new(|_, _, _| {}),
            partitions,
            renewals_max: account::RENEWALS_MAX,
            dispatch: Rc::new(dispatcher.clone()),
            on_resumed: Rc::new(move || {
                scanner.resume();
                dispatcher.kick();
            }),
            on_exceeded: Rc::new(move |account_id, release_at| shards.expect_at(account_id, release_at)),
            figures: LedgerFigures::new(partitions, self.registry)?,
        };
        Ok(ledger::start(&parts, self.actor_metrics, self.config.limits.queue))
    }

    /// What the radars work with; they share the way out and the isolation with the scanner.
    fn radar_parts(self, scanner_parts: ScannerParts, ledger: &LedgerHandle, scanner: &ScannerHandle) -> RadarParts {
        let ScannerParts { store, clock, web, catalog, isolation, .. } = scanner_parts;
        let profiles = Profiles { store: store.clone(), web: web.clone(), may_ask: self.config.sources.lookups };
        RadarParts {
            clock,
            store,
            ledger: ledger.clone(),
            scanner: scanner.clone(),
            web,
            profiles,
            catalog,
            actor_metrics: self.actor_metrics.clone(),
            faults: self.faults,
            turns: Semaphore::new(TURNS_MAX),
            isolation,
        }
    }
}

/// Tells those who work at shards that some came or went.
fn tell_of_shards(
    shards: &Shards,
    scanner: &ScannerHandle,
    dispatcher: &DispatcherHandle,
    housekeeper: &Rc<HousekeeperHandle>,
) -> impl Fn(&Heartbeat) + use<> {
    let (shards, scanner) = (shards.clone(), scanner.clone());
    let (dispatcher, housekeeper) = (dispatcher.clone(), housekeeper.clone());
    move |heartbeat| {
        shards.note_moved(&heartbeat.changed);
        scanner.look();
        dispatcher.look();
        if heartbeat.changed.contains(&DUTIES_SHARD) {
            housekeeper.begin_all();
        }
    }
}

/// Looks where other processes say that something has become due.
fn listen(parts: &RadarParts, scanner: &ScannerHandle, dispatcher: &DispatcherHandle) {
    let (scanner, dispatcher) = (scanner.clone(), dispatcher.clone());
    nodes::listen(&parts.store, &parts.clock, move |table| match table {
        DueTable::Feeds => scanner.look(),
        DueTable::Deliveries => dispatcher.look(),
        // Each process attempts what it has created.
        DueTable::SetUps => {}
    });
}

fn user_agent(contact: &str) -> HeaderValue {
    let version = env!("CARGO_PKG_VERSION");
    let text = match contact {
        "" => format!("radar/{version}"),
        contact => format!("radar/{version} (+{contact})"),
    };
    // The settings take no contact that a header cannot carry.
    HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static("radar"))
}
