//! Processes on one database.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use tokio::sync::Mutex;

use super::Plan;
use crate::support::client::Client;
use crate::support::dice::Dice;
use crate::support::failing_disk::FailingDisk;
use crate::support::private_postgres::PrivateServer;
use crate::support::process::Service;
use crate::support::push_source::PushSource;

/// The types that findings are pushed for: one that is charged by the month, one by the finding.
pub const BY_THE_MONTH: &str = "company_reviews";
pub const BY_THE_FINDING: &str = "company_new_hires";
/// The whole ledger is verified after the first new starts, and after every so many.
const VERIFIED_FIRST: u64 = 4;
const VERIFIED_EVERY: u64 = 16;
/// How often a fault looks for a process that it can hit: three minutes.
const LOOKS_MAX: u32 = 18_000;
pub const LOOK_EVERY: Duration = Duration::from_millis(10);
/// How often a process is asked whether it is ready: for five minutes at least. A server that crashed reads its log first.
const READINESS_LOOKS_MAX: u32 = 1_500;
const READINESS_LOOK_EVERY: Duration = Duration::from_millis(200);

/// Where the database is.
pub enum Server {
    File { url: String },
    Postgres { url: String, server: Box<PrivateServer> },
}

/// Everything that can be hurt.
pub struct Fleet {
    pub(super) processes: Vec<Process>,
    /// `None` on SQLite, and while somebody stops or starts it.
    pub(super) server: RefCell<Option<Box<PrivateServer>>>,
    /// `None` where the disk is a good one.
    pub(super) disk: Option<FailingDisk>,
    pub(super) database_url: String,
    /// Held while the database is away and while a process starts, which would not survive that.
    pub(super) start_turn: Mutex<()>,
    began_at: Instant,
    /// How often a process was started again.
    revived: Cell<u64>,
    pub(super) figures: RefCell<BTreeMap<&'static str, u64>>,
    _source: PushSource,
}

pub(super) struct Process {
    /// `None` while somebody is at it.
    pub(super) service: RefCell<Option<Service>>,
    public: Client,
    operator: Client,
    /// Whether it is worth asking.
    pub(super) is_reachable: Cell<bool>,
}

impl Fleet {
    pub async fn start(plan: &Plan, server: Server, disk: Option<FailingDisk>, settings_file: &str) -> Self {
        let source = PushSource::of(&[BY_THE_MONTH, BY_THE_FINDING]);
        let (database_url, server) = match server {
            Server::File { url } => (url, None),
            Server::Postgres { url, server } => (url, Some(server)),
        };
        let folder = source.dir();
        let under_file = disk.as_ref().filter(|_| server.is_none());
        let variables = under_file.map(|disk| disk.environment(&disk.path()).to_vec()).unwrap_or_default();
        let settings = [
            ("SOURCES__DIR", folder.as_str()),
            ("SOURCES__POLL_INTERVAL", "2s"),
            ("WEBHOOKS__TIMEOUT", "2s"),
            ("WEBHOOKS__RETRY_SCHEDULE", "100ms,500ms,1s,1s,1s,1s,1s,1s,1s"),
            ("LOG__FILTER", "warn"),
        ];
        let starting = (0..plan.processes).map(|_| {
            let service = Service::start_under(&database_url, &settings, settings_file, &variables);
            let (public, operator) = (service.public(), service.operator());
            Process { service: RefCell::new(Some(service)), public, operator, is_reachable: Cell::new(true) }
        });
        Self {
            processes: starting.collect(),
            server: RefCell::new(server),
            disk,
            database_url,
            start_turn: Mutex::default(),
            began_at: Instant::now(),
            revived: Cell::default(),
            figures: RefCell::default(),
            _source: source,
        }
    }

    pub fn count(&self) -> usize {
        self.processes.len()
    }

    /// The public API of each process, without a key.
    pub fn public(&self) -> impl Iterator<Item = &Client> {
        self.processes.iter().map(|process| &process.public)
    }

    pub fn operator(&self, process: usize) -> &Client {
        &self.processes[process].operator
    }

    /// Does something with a process that nobody is at.
    pub fn with_service<T>(&self, process: usize, work: impl FnOnce(&Service) -> T) -> T {
        work(self.processes[process].service.borrow().as_ref().expect("a process that is left alone"))
    }

    /// A process that seems to be there; waits for one if it must.
    pub async fn somebody(&self, dice: &mut Dice) -> usize {
        loop {
            let reachable: Vec<usize> =
                (0..self.processes.len()).filter(|&number| self.processes[number].is_reachable.get()).collect();
            if !reachable.is_empty() {
                return reachable[pick(dice, reachable.len())];
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    pub fn figures(&self) -> BTreeMap<&'static str, u64> {
        self.figures.borrow().clone()
    }

    /// Ends every process in peace; their logs tell of no panic, and of no error but that the database was
    /// away. Answers what they logged, with how often.
    pub fn end(&self) -> BTreeMap<String, u64> {
        let mut errors = BTreeMap::new();
        for process in &self.processes {
            let mut service = process.service.take().expect("a process that is left alone");
            assert!(service.terminate().success());
            let log = service.log();
            let panic = log.lines().find(|line| line.contains("panicked"));
            assert_eq!(panic, None, "{log}");
            for line in log.lines().filter(|line| line.contains("ERROR")) {
                assert!(line.contains("the database is unavailable"), "no fault explains this: {line}");
                // Without the instant and without identifiers, so that what is alike is counted together.
                let what = line.split_once("ERROR").map_or(line, |(_, what)| what);
                let words = what.split_whitespace().filter(|word| !word.contains("_id=")).take(24);
                *errors.entry(words.collect::<Vec<_>>().join(" ")).or_default() += 1;
            }
        }
        errors
    }

    pub(super) fn note(&self, what: &'static str) {
        println!("  at {:.1?}: {what}", self.began_at.elapsed());
        *self.figures.borrow_mut().entry(what).or_default() += 1;
    }

    /// Any process that nobody is at.
    pub(super) async fn take(&self, dice: &mut Dice) -> (usize, Service) {
        for _ in 0..LOOKS_MAX {
            let free: Vec<usize> =
                (0..self.processes.len()).filter(|&number| self.processes[number].service.borrow().is_some()).collect();
            if !free.is_empty() {
                let number = free[pick(dice, free.len())];
                return (number, self.processes[number].service.take().expect("it is free"));
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
        panic!("no process is left alone");
    }

    /// `kill -9` of all processes, and new ones in their places: what was acknowledged is what these find.
    pub async fn kill_all(&self) {
        for number in 0..self.processes.len() {
            let mut service = self.processes[number].service.take().expect("a process that is left alone");
            service.kill();
            self.revive(number, service).await;
        }
    }

    /// Waits until every process that is left alone says that it is ready, or that it is not.
    pub(super) async fn await_readiness(&self, is_wanted: bool) {
        let wanted = if is_wanted { 200 } else { 503 };
        for process in &self.processes {
            let mut looks = 0;
            loop {
                let is_away = process.service.borrow().is_none();
                if is_away || process.operator.get("/health/ready").await.status == wanted {
                    break;
                }
                looks += 1;
                assert!(looks < READINESS_LOOKS_MAX, "waited in vain until readiness is {wanted}");
                tokio::time::sleep(READINESS_LOOK_EVERY).await;
            }
        }
    }

    /// A server may give up for good on a disk that fails, at once or a little later: it is started anew.
    pub(super) async fn revive_server(&self) {
        let Some(server) = self.server.take() else { return };
        self.server.replace(Some(blocking(server, |server| server.revive()).await));
    }

    /// Starts a process again; as the first thing, the ledger adds up, while all others go on with their work.
    pub(super) async fn revive(&self, number: usize, service: Service) {
        let turn = self.start_turn.lock().await;
        let service = blocking(service, Service::restart).await;
        let revived = self.revived.get() + 1;
        self.revived.set(revived);
        let service = match revived <= VERIFIED_FIRST || revived.is_multiple_of(VERIFIED_EVERY) {
            true => blocking(service, |service| service.assert_ledger_adds_up()).await,
            false => service,
        };
        drop(turn);
        self.processes[number].service.replace(Some(service));
        self.processes[number].is_reachable.set(true);
    }
}

/// Does what blocks.
pub async fn blocking<T: Send + 'static>(mut value: T, work: impl FnOnce(&mut T) + Send + 'static) -> T {
    let working = tokio::task::spawn_blocking(move || {
        work(&mut value);
        value
    });
    working.await.expect("done")
}

pub fn pick(dice: &mut Dice, count: usize) -> usize {
    usize::try_from(dice.below(count as u64)).expect("small")
}
