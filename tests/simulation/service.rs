//! The service without its servers, put together as `src/app/start.rs` does it: the real store on a real file, the real
//! actors, on this thread.

use std::rc::Rc;
use std::sync::{Arc, LazyLock};

use crate::no_dispatch::NoDispatch;
use ::webhooks::attempt::Sender;
use actors::feeds::{self, ScannerHandle, ScannerParts, SourceFigures};
use actors::housekeeping::{self, HousekeeperHandle, HousekeeperParts};
use actors::ledger::{self, LedgerFigures, LedgerHandle, LedgerParts};
use actors::nodes::{self, NodeFigures, NodeHandle, NodeParts};
use actors::radar::Shards;
use actors::radar::profiles::Profiles;
use actors::radar::{RadarParts, TURNS_MAX};
use actors::runtime::isolation::Isolation;
use actors::runtime::metrics::ActorMetrics;
use actors::webhooks::{self, DispatchFigures, DispatcherHandle, DispatcherParts};
use chrono::{DateTime, TimeDelta, Utc};
use clock::Clock;
use config::{Config, Retention};
use domain::encryption::{EncryptionKey, KeyRing};
use domain::money::pricing::DefaultPrices;
use domain::scheduling::shards::DUTIES_SHARD;
use outbound::address_guard::AddressGuard;
use outbound::fetch::Web;
use outbound::transport::{HeaderValue, Transport};
use prometheus::Registry;
use sources::Catalog;
use store::faults::Faults;
use store::{DatabaseSettings, Decisions, DeliveryWaits, Dispatch, Heartbeat, Store, StoreRules, Submission};
use tokio::sync::Semaphore;

use crate::retry_schedule::retry_schedule;

/// The names of the sources that hand findings in.
pub const PROVIDERS: [&str; 2] = ["provider", "wire"];

/// What serves radars: providers that hand in, and nobody for the types that they do not name.
const SOURCE: &str = "format_version = 1\nkind = \"push\"\n\
    radar_types = [\"company_reviews\", \"company_mentions\", \"company_promotions\"]\n";

static CONFIG: LazyLock<Config> = LazyLock::new(|| Config::built_in().expect("settings"));

static CATALOG: LazyLock<Arc<Catalog>> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    for id in PROVIDERS {
        std::fs::write(folder.path().join(format!("{id}.toml")), format!("{SOURCE}id = \"{id}\"\n"))
            .expect("a source file");
    }
    Arc::new(Catalog::without_builtin(Some(folder.path())).expect("a catalogue"))
});

/// The shards of the accounts of the template: their last bytes.
const SHARDS: [i64; 2] = [1, 2];

/// How many deliveries of a process are under way at most: few, so that some are often left to be sent later.
const SENT_AT_ONCE: usize = 1;

/// A running service.
pub struct Service {
    pub clock: Clock,
    pub store: Arc<Store>,
    pub ledger: LedgerHandle,
    pub shards: Shards,
    pub node_figures: NodeFigures,
    _housekeeper: Rc<HousekeeperHandle>,
    _node: NodeHandle,
}

/// Called with what was committed through a store, what was decided about it, and the instant of the commit.
pub type OnCommit = Rc<dyn Fn(&Store, &[&Submission], &[Decisions], DateTime<Utc>)>;

/// What a run decides about its service.
pub struct Settings<'a> {
    pub url: &'a str,
    /// What others know it by that share the database.
    pub name: String,
    /// Whether it sends deliveries, to receivers on this machine.
    pub sends: bool,
    pub default_prices: DefaultPrices,
    pub faults: Faults,
    pub on_commit: OnCommit,
    /// The room of each queue.
    pub queue: usize,
    /// How many due renewals a transaction decides.
    pub renewals_max: usize,
}

impl Service {
    /// Starts it on the current thread.
    pub async fn start(settings: Settings<'_>, clock: Clock) -> Self {
        let Settings { url, name, sends, default_prices, faults, on_commit, queue, renewals_max } = settings;
        let place = DatabaseSettings { url: url.to_owned(), max_connections: 4 };
        let rules = StoreRules {
            default_prices,
            render: wire::public::update::body,
            render_alert: wire::public::webhooks::alerts::body,
            money: Default::default(),
            redeliveries: Default::default(),
            secret_keys: Arc::new(KeyRing::of_one(EncryptionKey::from_bytes([7; 32]))),
        };
        let opened = clock.io(Store::open(&place, rules, clock.clone())).await.expect("a database");
        let store = Arc::new(opened.with_faults(faults.clone()));
        let registry = Registry::new();
        let node_figures = NodeFigures::new(&registry).expect("figures");
        let node = NodeParts { store: store.clone(), clock: clock.clone(), name, figures: node_figures.clone() };
        if clock.is_shared() {
            nodes::join(&node).await.expect("joined");
        }
        let actor_metrics = ActorMetrics::new(clock.clone());
        let dispatcher = sends.then(|| webhooks::start(&dispatching(&store, &clock, &faults), &actor_metrics));
        let dispatch: Rc<dyn Dispatch> = match &dispatcher {
            Some(dispatcher) => Rc::new(dispatcher.clone()),
            None => Rc::new(NoDispatch),
        };
        let transport = Transport::new(AddressGuard::new(Vec::new()), clock.clone());
        let web = Web::new(&CONFIG.outbound, transport, clock.clone());
        let shards = Shards::new(&actor_metrics, &clock, queue);
        let isolation = Isolation::new(clock.clone());
        let readers = shards.clone();
        let scanner_parts = ScannerParts {
            store: store.clone(),
            clock: clock.clone(),
            web: web.clone(),
            catalog: CATALOG.clone(),
            wake_reader: Rc::new(move |account_id, radar_id| readers.wake(account_id, radar_id)),
            poll_interval: None,
            fetches_max: 32,
            isolation: isolation.clone(),
            figures: SourceFigures::new(&CATALOG, &registry).expect("figures"),
            faults: faults.clone(),
        };
        let scanner = feeds::start(&scanner_parts, &actor_metrics);
        let (resumed, kicked, expecting) = (scanner.clone(), dispatcher.clone(), shards.clone());
        let committing = store.clone();
        let ledger_parts = LedgerParts {
            store: store.clone(),
            clock: clock.clone(),
            faults: faults.clone(),
            partitions: 1,
            renewals_max,
            on_commit: Rc::new(move |submissions, decisions, now| on_commit(&committing, submissions, decisions, now)),
            dispatch,
            on_resumed: Rc::new(move || {
                resumed.resume();
                kicked.iter().for_each(DispatcherHandle::kick);
            }),
            on_exceeded: Rc::new(move |account_id, release_at| expecting.expect_at(account_id, release_at)),
            figures: LedgerFigures::new(1, &registry).expect("figures"),
        };
        let ledger = ledger::start(&ledger_parts, &actor_metrics, queue);
        let profiles = Profiles { store: store.clone(), web: web.clone(), may_ask: false };
        let radars = Rc::new(RadarParts {
            clock: clock.clone(),
            store: store.clone(),
            ledger: ledger.clone(),
            scanner: scanner.clone(),
            web,
            profiles,
            catalog: CATALOG.clone(),
            actor_metrics: actor_metrics.clone(),
            faults,
            turns: Semaphore::new(TURNS_MAX),
            isolation,
        });
        shards.start_where(&radars, |shard| SHARDS.contains(&shard));
        let keeping = HousekeeperParts {
            radars,
            shards: shards.clone(),
            delivery_waits: DeliveryWaits { lease: TimeDelta::minutes(1), retries: retry_schedule().longest_waits() },
            schedules: CONFIG.duties.clone(),
            // Radars as soon as their updates, so that a life sees them go.
            retention: Retention { radars: CONFIG.retention.updates, ..CONFIG.retention.clone() },
        };
        let housekeeper = Rc::new(housekeeping::start(&keeping).await.expect("a housekeeper"));
        let tell = tell_of_shards(&shards, &scanner, dispatcher, &housekeeper);
        let node = nodes::start(&node, tell, &actor_metrics);
        Self { clock, store, ledger, shards, node_figures, _housekeeper: housekeeper, _node: node }
    }
}

fn dispatching(store: &Arc<Store>, clock: &Clock, faults: &Faults) -> DispatcherParts {
    let guard = AddressGuard::new(vec!["127.0.0.0/8".parse().expect("a network")]);
    let receivers = Transport::new(guard, clock.clone());
    DispatcherParts {
        store: store.clone(),
        clock: clock.clone(),
        sender: Sender::new(receivers, clock.clone(), HeaderValue::from_static("radar"), CONFIG.webhooks.timeout),
        schedule: retry_schedule(),
        concurrency: SENT_AT_ONCE,
        figures: DispatchFigures::new(&Registry::new()).expect("figures"),
        faults: faults.clone(),
    }
}

/// Tells those who work at shards that some came or went.
fn tell_of_shards(
    shards: &Shards,
    scanner: &ScannerHandle,
    dispatcher: Option<DispatcherHandle>,
    housekeeper: &Rc<HousekeeperHandle>,
) -> impl Fn(&Heartbeat) + use<> {
    let (shards, scanner, housekeeper) = (shards.clone(), scanner.clone(), housekeeper.clone());
    move |heartbeat| {
        shards.note_moved(&heartbeat.changed);
        scanner.look();
        dispatcher.iter().for_each(DispatcherHandle::kick);
        if heartbeat.changed.contains(&DUTIES_SHARD) {
            housekeeper.begin_all();
        }
    }
}
