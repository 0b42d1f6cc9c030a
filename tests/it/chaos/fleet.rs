//! Processes on one database, and what is done to them.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use futures_util::future::join;
use sea_orm::{ConnectionTrait, Database, DbBackend, Statement};
use tokio::sync::Mutex;

use super::{Plan, Progress};
use crate::support::client::Client;
use crate::support::dice::Dice;
use crate::support::private_postgres::PrivateServer;
use crate::support::process::Service;
use crate::support::push_source::PushSource;

/// The types that findings are pushed for: one that is charged by the month, one by the finding.
pub const BY_THE_MONTH: &str = "company_reviews";
pub const BY_THE_FINDING: &str = "company_new_hires";
/// How long a frozen process is still asked, as long as a balancer would take to notice.
const NOTICED_AFTER: Duration = Duration::from_secs(2);
/// How often a fault looks for a process that it can hit: three minutes.
const LOOKS_MAX: u32 = 18_000;
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// Where the database is.
pub enum Server {
    File { url: String },
    Postgres { url: String, server: Box<PrivateServer> },
}

/// Everything that can be hurt.
pub struct Fleet {
    processes: Vec<Process>,
    /// `None` on SQLite, and while somebody stops or starts it.
    server: RefCell<Option<Box<PrivateServer>>>,
    database_url: String,
    /// Held by whoever takes the database away, and by whoever starts a process, which would not survive that.
    start_turn: Mutex<()>,
    began_at: Instant,
    figures: RefCell<BTreeMap<&'static str, u64>>,
    _source: PushSource,
}

struct Process {
    /// `None` while somebody is at it.
    service: RefCell<Option<Service>>,
    public: Client,
    operator: Client,
    /// Whether it is worth asking.
    is_reachable: Cell<bool>,
}

#[derive(Clone, Copy, Debug)]
enum Fault {
    Kill,
    Cut,
    DatabaseCrash,
}

impl Fleet {
    pub async fn start(plan: &Plan, server: Server, settings_file: &str) -> Self {
        let source = PushSource::of(&[BY_THE_MONTH, BY_THE_FINDING]);
        let (database_url, server) = match server {
            Server::File { url } => (url, None),
            Server::Postgres { url, server } => (url, Some(server)),
        };
        let folder = source.dir();
        let settings = [
            ("SOURCES__DIR", folder.as_str()),
            ("SOURCES__POLL_INTERVAL", "2s"),
            ("WEBHOOKS__TIMEOUT", "2s"),
            ("WEBHOOKS__RETRY_SCHEDULE", "100ms,500ms,1s,1s,1s,1s,1s,1s,1s"),
            ("LOG__FILTER", "warn"),
        ];
        let starting = (0..plan.processes).map(|_| {
            let service = Service::start_with(&database_url, &settings, settings_file);
            let (public, operator) = (service.public(), service.operator());
            Process { service: RefCell::new(Some(service)), public, operator, is_reachable: Cell::new(true) }
        });
        Self {
            processes: starting.collect(),
            server: RefCell::new(server),
            database_url,
            start_turn: Mutex::default(),
            began_at: Instant::now(),
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

    /// Ends every process in peace; their logs tell of no panic. Answers the errors that they logged, with how often.
    pub fn end(&self) -> BTreeMap<String, u64> {
        let mut errors = BTreeMap::new();
        for process in &self.processes {
            let mut service = process.service.take().expect("a process that is left alone");
            assert!(service.terminate().success());
            let log = service.log();
            let panic = log.lines().find(|line| line.contains("panicked"));
            assert_eq!(panic, None, "{log}");
            for line in log.lines().filter(|line| line.contains("ERROR")) {
                // Without the instant and without identifiers, so that what is alike is counted together.
                let what = line.split_once("ERROR").map_or(line, |(_, what)| what);
                let words = what.split_whitespace().filter(|word| !word.contains("_id=")).take(24);
                *errors.entry(words.collect::<Vec<_>>().join(" ")).or_default() += 1;
            }
        }
        errors
    }

    /// Does all the harm of the plan, spread over the operations, and heals it.
    pub async fn faults(&self, plan: &Plan, progress: &Progress, mut dice: Dice) {
        let mut faults = vec![Fault::Kill; usize::try_from(plan.kills).expect("few")];
        if self.server.borrow().is_some() {
            faults.extend((0..plan.database_crashes).map(|_| Fault::DatabaseCrash));
            faults.extend((0..plan.cuts).map(|_| Fault::Cut));
        }
        for place in (1..faults.len()).rev() {
            faults.swap(place, pick(&mut dice, place + 1));
        }
        let mut stop_dice = Dice::new(dice.below(u64::MAX));
        let moment = |number: u64, of: u64| plan.operations * (number + 1) / (of + 1);
        let total = faults.len() as u64;
        let hitting = async {
            for (number, fault) in (0..total).zip(faults) {
                await_moment(progress, moment(number, total)).await;
                tokio::time::sleep(Duration::from_millis(dice.below(60))).await;
                match fault {
                    Fault::Kill => self.kill(&mut dice).await,
                    Fault::Cut => self.cut(&mut dice).await,
                    Fault::DatabaseCrash => self.crash_database(&mut dice).await,
                }
            }
        };
        let stopping = async {
            for number in 0..plan.stops {
                await_moment(progress, moment(number, plan.stops)).await;
                self.freeze(&mut stop_dice, plan.stop_seconds).await;
            }
        };
        join(hitting, stopping).await;
        progress.faults_are_over.set(true);
    }

    fn note(&self, what: &'static str) {
        println!("  at {:.1?}: {what}", self.began_at.elapsed());
        *self.figures.borrow_mut().entry(what).or_default() += 1;
    }

    /// `kill -9` of one process or, now and then, of all of them, and new ones in their places.
    async fn kill(&self, dice: &mut Dice) {
        let (first, service) = self.take(dice).await;
        let mut taken = vec![(first, service)];
        if dice.below(8) == 0 {
            let others = (0..self.processes.len()).filter(|&number| number != first);
            taken.extend(others.filter_map(|number| Some((number, self.processes[number].service.take()?))));
        }
        let mut dead = Vec::new();
        for (number, mut service) in taken {
            self.processes[number].is_reachable.set(false);
            service.kill();
            self.note("kills");
            dead.push((number, service));
        }
        tokio::time::sleep(Duration::from_millis(dice.below(400))).await;
        for (number, service) in dead {
            self.revive(number, service).await;
        }
    }

    /// Cuts the connections of all processes to the database, or about half of them.
    async fn cut(&self, dice: &mut Dice) {
        let _turn = self.start_turn.lock().await;
        let share = if dice.below(2) == 0 { "" } else { " and random() < 0.5" };
        let sql = format!(
            "select count(pg_terminate_backend(pid)) as cut from pg_stat_activity
             where datname = current_database() and pid <> pg_backend_pid(){share}"
        );
        let connection = Database::connect(&self.database_url).await.expect("the server answers");
        let statement = Statement::from_string(DbBackend::Postgres, sql);
        let row = connection.query_one_raw(statement).await.expect("cut").expect("a row");
        let cut: i64 = row.try_get("", "cut").expect("a number");
        connection.close().await.expect("closed");
        *self.figures.borrow_mut().entry("connections cut").or_default() += cut.unsigned_abs();
        self.note("cuts");
    }

    /// The database crashes and comes back; now and then it takes a process with it.
    async fn crash_database(&self, dice: &mut Dice) {
        let victim = if dice.below(3) == 0 { Some(self.take(dice).await) } else { None };
        let turn = self.start_turn.lock().await;
        let server = self.server.take().expect("nobody else is at it");
        let server = blocking(server, |server| server.stop_at_once()).await;
        self.note("database crashes");
        let dead = victim.map(|(number, mut service)| {
            self.processes[number].is_reachable.set(false);
            service.kill();
            self.note("kills");
            (number, service)
        });
        tokio::time::sleep(Duration::from_millis(dice.below(3_000))).await;
        self.server.replace(Some(blocking(server, |server| server.start_again()).await));
        drop(turn);
        if let Some((number, service)) = dead {
            self.revive(number, service).await;
        }
    }

    /// A process does nothing for a while and then goes on as if nothing had happened, or dies in its sleep.
    async fn freeze(&self, dice: &mut Dice, seconds_max: u64) {
        // Mostly short; sometimes longer than the database waits for a transaction, rarely longer than every lease.
        let milliseconds_max = seconds_max * 1_000;
        let milliseconds = match dice.below(8) {
            0..5 => 100 + dice.below(3_000),
            5..7 => milliseconds_max / 4 + dice.below(milliseconds_max / 4),
            _ => milliseconds_max - dice.below(milliseconds_max / 10 + 1),
        };
        let frozen_for = Duration::from_millis(milliseconds.min(milliseconds_max));
        let dies = dice.below(4) == 0;
        let (number, mut service) = self.take(dice).await;
        let process = &self.processes[number];
        service.signal("STOP");
        self.note("stops");
        *self.figures.borrow_mut().entry("milliseconds stopped").or_default() += milliseconds.min(milliseconds_max);
        tokio::time::sleep(frozen_for.min(NOTICED_AFTER)).await;
        if frozen_for > NOTICED_AFTER {
            process.is_reachable.set(false);
            tokio::time::sleep(frozen_for.saturating_sub(NOTICED_AFTER)).await;
        }
        if dies {
            process.is_reachable.set(false);
            service.kill();
            self.note("kills");
            self.revive(number, service).await;
        } else {
            service.signal("CONT");
            process.is_reachable.set(true);
            process.service.replace(Some(service));
        }
    }

    /// Any process that nobody is at.
    async fn take(&self, dice: &mut Dice) -> (usize, Service) {
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

    async fn revive(&self, number: usize, service: Service) {
        let turn = self.start_turn.lock().await;
        let service = blocking(service, |service| service.restart()).await;
        drop(turn);
        self.processes[number].service.replace(Some(service));
        self.processes[number].is_reachable.set(true);
    }
}

/// Waits until so many changes are acknowledged.
async fn await_moment(progress: &Progress, changes: u64) {
    while progress.changes.get() < changes && !progress.is_over.get() {
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

/// Does what blocks.
async fn blocking<T: Send + 'static>(mut value: T, work: impl FnOnce(&mut T) + Send + 'static) -> T {
    let working = tokio::task::spawn_blocking(move || {
        work(&mut value);
        value
    });
    working.await.expect("done")
}

pub fn pick(dice: &mut Dice, count: usize) -> usize {
    usize::try_from(dice.below(count as u64)).expect("small")
}
