//! The service without its servers, put together as `src/app/start.rs` does it: the real store on a real file, the real
//! actors, on this thread.

use std::path::Path;
use std::rc::Rc;
use std::sync::{Arc, LazyLock};

use crate::no_dispatch::NoDispatch;
use actors::feeds::{self, ScannerParts, SourceFigures};
use actors::housekeeping::{self, HousekeeperHandle, HousekeeperParts};
use actors::ledger::{self, LedgerFigures, LedgerHandle, LedgerParts, OnCommit};
use actors::radar::Shards;
use actors::radar::profiles::Profiles;
use actors::radar::{RadarParts, TURNS_MAX};
use actors::runtime::isolation::Isolation;
use actors::runtime::metrics::ActorMetrics;
use chrono::TimeDelta;
use clock::Clock;
use config::{Config, Retention};
use domain::encryption::{EncryptionKey, KeyRing};
use domain::money::pricing::DefaultPrices;
use outbound::address_guard::AddressGuard;
use outbound::fetch::Web;
use outbound::transport::Transport;
use sources::Catalog;
use store::faults::Faults;
use store::{DatabaseSettings, DeliveryWaits, Store, StoreRules};
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

/// A running service.
pub struct Service {
    pub clock: Clock,
    pub store: Arc<Store>,
    pub ledger: LedgerHandle,
    pub shards: Shards,
    _housekeeper: HousekeeperHandle,
}

/// What a run decides about its service.
pub struct Settings<'a> {
    pub database: &'a Path,
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
        let Settings { database, default_prices, faults, on_commit, queue, renewals_max } = settings;
        let place = DatabaseSettings { url: format!("sqlite://{}", database.display()), max_connections: 4 };
        let rules = StoreRules {
            default_prices,
            render: wire::public::update::body,
            render_alert: wire::public::webhooks::alerts::body,
            money: Default::default(),
            redeliveries: Default::default(),
            secret_keys: Arc::new(KeyRing::of_one(EncryptionKey::from_bytes([7; 32]))),
        };
        let store = Store::open(&place, rules, clock.clone()).await.expect("a database").with_faults(faults.clone());
        let store = Arc::new(store);
        let actor_metrics = ActorMetrics::new(clock.clone());
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
            figures: SourceFigures::new(&CATALOG).expect("figures"),
            faults: faults.clone(),
        };
        let scanner = feeds::start(&scanner_parts, &actor_metrics);
        let (resumed, expecting) = (scanner.clone(), shards.clone());
        let ledger_parts = LedgerParts {
            store: store.clone(),
            clock: clock.clone(),
            faults: faults.clone(),
            partitions: 1,
            renewals_max,
            on_commit,
            // Deliveries are written, and nobody sends them.
            dispatch: Rc::new(NoDispatch),
            on_resumed: Rc::new(move || resumed.resume()),
            on_exceeded: Rc::new(move |account_id, release_at| expecting.expect_at(account_id, release_at)),
            figures: LedgerFigures::new(1).expect("figures"),
        };
        let ledger = ledger::start(&ledger_parts, &actor_metrics, queue);
        let profiles = Profiles { store: store.clone(), web: web.clone(), may_ask: false };
        let radars = Rc::new(RadarParts {
            clock: clock.clone(),
            store: store.clone(),
            ledger: ledger.clone(),
            scanner,
            web,
            profiles,
            catalog: CATALOG.clone(),
            actor_metrics,
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
        let housekeeper = housekeeping::start(&keeping).await.expect("a housekeeper");
        Self { clock, store, ledger, shards, _housekeeper: housekeeper }
    }
}
