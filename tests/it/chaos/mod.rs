//! Real processes under fire: killed, frozen, cut off from their database, while customers pay, create, delete, push and
//! read. What was acknowledged is there exactly once, and everything else happened at most once (Spec 2.5, 4, 6, 7;
//! decisions 2.9, 3.4, 3.5, 4.7, 4.10, 5.1).
//!
//! The environment decides how hard it is: `CHAOS_OPERATIONS` (acknowledged changes: an item of a bulk is one, a read is
//! none), `CHAOS_CLIENTS` (of each account), `CHAOS_KILLS`, `CHAOS_STOPS`, `CHAOS_STOP_SECONDS` (the longest that a
//! process is frozen), `CHAOS_CUTS`, `CHAOS_DATABASE_CRASHES`, `CHAOS_PROCESSES` (these three on PostgreSQL only) and
//! `CHAOS_SEED`; and, for the tests of a disk that fails, `CHAOS_DISK_FAULTS`. The full run, and the same on SQLite with `chaos::on_sqlite`:
//!
//! ```sh
//! CHAOS_OPERATIONS=50000 CHAOS_CLIENTS=12 CHAOS_KILLS=110 CHAOS_STOPS=20 CHAOS_STOP_SECONDS=80 CHAOS_CUTS=30 \
//!     CHAOS_DATABASE_CRASHES=12 CHAOS_PROCESSES=3 cargo test --test it chaos::on_postgresql -- --nocapture
//! ```
//!
//! The seed decides what is asked for and which faults come in which order; when a fault meets a request is up to the
//! machine.

mod boards;
mod callers;
mod checker;
mod faults;
mod fleet;
mod history;
mod inbox;
mod readers;
mod workers;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use futures_util::future::{join_all, join4};

use self::boards::Boards;
use self::callers::Caller;
use self::fleet::{Fleet, Server};
use self::history::{Account, Manner};
use self::inbox::Inbox;
use self::readers::{Overseer, Reader};
use self::workers::Worker;
use crate::support::dice::{Dice, number_from};
use crate::support::failing_disk::FailingDisk;
use crate::support::private_postgres::PrivateServer;
use crate::support::receiver::Receiver;

/// The accounts that findings are pushed to.
const MANNERS: [Manner; 6] = [Manner::Rich, Manner::Poor, Manner::Rich, Manner::Approved, Manner::Poor, Manner::Rich];
/// Readers of each account.
const READERS_EACH: usize = 2;
/// How often in a row a look may find that nothing more was acknowledged, whatever is broken at the time: two minutes.
/// They are counted, so that a machine that stood still itself is not held against the service.
const IDLE_LOOKS_MAX: u32 = 6_000;
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// What a run shall be.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub seed: u64,
    pub operations: u64,
    pub kills: u64,
    pub stops: u64,
    pub stop_seconds: u64,
    pub cuts: u64,
    pub database_crashes: u64,
    pub disk_faults: u64,
    pub processes: u64,
    pub clients: u64,
}

impl Plan {
    fn read() -> Self {
        Self {
            seed: number_from("CHAOS_SEED", 1),
            operations: number_from("CHAOS_OPERATIONS", 1_200),
            kills: number_from("CHAOS_KILLS", 5),
            stops: number_from("CHAOS_STOPS", 3),
            stop_seconds: number_from("CHAOS_STOP_SECONDS", 6),
            cuts: number_from("CHAOS_CUTS", 3),
            database_crashes: number_from("CHAOS_DATABASE_CRASHES", 1),
            disk_faults: 0,
            processes: number_from("CHAOS_PROCESSES", 2),
            clients: number_from("CHAOS_CLIENTS", 6),
        }
    }

    /// A disk that fails, and nothing else.
    fn of_a_failing_disk() -> Self {
        let disk_faults = number_from("CHAOS_DISK_FAULTS", 3);
        let operations = number_from("CHAOS_OPERATIONS", 150 * disk_faults);
        Self { operations, kills: 0, stops: 0, cuts: 0, database_crashes: 0, disk_faults, ..Self::read() }
    }

    fn print(&self, test: &str) {
        println!(
            "repeat with: CHAOS_SEED={} CHAOS_OPERATIONS={} CHAOS_KILLS={} CHAOS_STOPS={} CHAOS_STOP_SECONDS={} \
             CHAOS_CUTS={} CHAOS_DATABASE_CRASHES={} CHAOS_DISK_FAULTS={} CHAOS_PROCESSES={} CHAOS_CLIENTS={} \
             cargo test --test it chaos::{test} -- --nocapture",
            self.seed,
            self.operations,
            self.kills,
            self.stops,
            self.stop_seconds,
            self.cuts,
            self.database_crashes,
            self.disk_faults,
            self.processes,
            self.clients
        );
    }
}

#[actix_web::test]
async fn on_sqlite() {
    let plan = Plan { processes: 1, cuts: 0, database_crashes: 0, ..Plan::read() };
    plan.print("on_sqlite");
    let folder = tempfile::tempdir().expect("a folder");
    let url = format!("sqlite://{}", folder.path().join("radar.db").display());
    run(plan, Server::File { url }, None).await;
}

#[actix_web::test]
async fn on_postgresql() {
    let plan = Plan::read();
    plan.print("on_postgresql");
    let Some(server) = PrivateServer::start() else { return };
    let url = server.create_database().await;
    run(plan, Server::Postgres { url, server: Box::new(server) }, None).await;
}

#[actix_web::test]
async fn decision_4_13_a_failing_disk_under_sqlite() {
    let plan = Plan { processes: 1, ..Plan::of_a_failing_disk() };
    plan.print("decision_4_13_a_failing_disk_under_sqlite");
    let Some(disk) = FailingDisk::new() else { return };
    let url = format!("sqlite://{}", disk.path().join("radar.db").display());
    run(plan, Server::File { url }, Some(disk)).await;
}

#[actix_web::test]
async fn decision_4_13_a_failing_disk_under_postgresql() {
    let plan = Plan::of_a_failing_disk();
    plan.print("decision_4_13_a_failing_disk_under_postgresql");
    let Some(disk) = FailingDisk::new() else { return };
    let Some(server) = PrivateServer::start_on(Some(&disk)) else { return };
    let url = server.create_database().await;
    run(plan, Server::Postgres { url, server: Box::new(server) }, Some(disk)).await;
}

/// How far a run is, and what it has seen.
#[derive(Default)]
pub struct Progress {
    changes: Cell<u64>,
    /// Acknowledged changes, and everything else that was seen.
    changes_by_kind: RefCell<BTreeMap<&'static str, u64>>,
    seen_by_kind: RefCell<BTreeMap<&'static str, u64>>,
    faults_are_over: Cell<bool>,
    is_over: Cell<bool>,
}

impl Progress {
    /// Notes something; what is a change counts towards the goal.
    fn count(&self, kind: &'static str, is_change: bool) {
        let by_kind = if is_change { &self.changes_by_kind } else { &self.seen_by_kind };
        *by_kind.borrow_mut().entry(kind).or_default() += 1;
        self.changes.set(self.changes.get() + u64::from(is_change));
    }
}

async fn run(plan: Plan, server: Server, disk: Option<FailingDisk>) {
    let began_at = Instant::now();
    let boards = Boards::start();
    let receiver = Receiver::start();
    let fleet = Fleet::start(&plan, server, disk, &boards.settings()).await;
    let mut accounts = Vec::new();
    for (number, manner) in MANNERS.into_iter().chain([Manner::Watching]).enumerate() {
        accounts.push(Account::open(&fleet, number, manner, &receiver.url(&format!("/{number}"))).await);
    }
    let progress = Progress::default();
    let caller = |account: &'_ Account| Caller::new(&fleet, &progress, account);
    let mut dice = Dice::new(plan.seed);
    let mut seed = || dice.below(u64::MAX);

    let (watching, pushed) = accounts.split_last().expect("accounts");
    let (mut workers, mut readers, mut overseers) = (Vec::new(), Vec::new(), Vec::new());
    for account in pushed {
        workers.extend((0..plan.clients).map(|no| Worker::new(caller(account), account, no, Dice::new(seed()))));
    }
    for account in &accounts {
        readers.extend((0..READERS_EACH).map(|no| Reader::new(caller(account), account, no, Dice::new(seed()))));
        overseers.push(Overseer::new(caller(account), Dice::new(seed())));
    }
    let publisher = boards.publisher(caller(watching), watching, Dice::new(seed()));
    let faults = fleet.faults(&plan, &progress, Dice::new(seed()));
    let working = join_all(workers.iter_mut().map(Worker::work));
    let reading = join_all(readers.iter_mut().map(Reader::read));
    let overseeing = join_all(overseers.iter_mut().map(Overseer::watch));
    let asking = join4(working, publisher.publish(), overseeing, reading);
    let mut inbox = Inbox::new(&accounts, receiver);
    join4(asking, faults, inbox.take_in(&progress), end_when_enough(&plan, &progress)).await;
    if plan.disk_faults > 0 {
        fleet.kill_all().await;
    }
    let loaded_for = began_at.elapsed();

    let summary = checker::check(&fleet, &progress, &accounts, &mut readers, &publisher, &mut inbox).await;
    let (changes, checked_after) = (progress.changes.get(), began_at.elapsed());
    println!("  {changes} acknowledged changes in {loaded_for:.1?}, checked after {checked_after:.1?}");
    println!("  by kind: {:?}", progress.changes_by_kind.borrow());
    println!("  besides: {:?}", progress.seen_by_kind.borrow());
    println!("  faults: {:?}", fleet.figures());
    println!("  {summary}");
    println!("  errors in the logs: {:#?}", fleet.end());
    summary.complaints.assert_none();
}

/// Declares the run over when its goal is reached and its faults are behind it.
async fn end_when_enough(plan: &Plan, progress: &Progress) {
    let (mut last, mut idle_looks) = (0, 0);
    while progress.changes.get() < plan.operations || !progress.faults_are_over.get() {
        tokio::time::sleep(LOOK_EVERY).await;
        let now = progress.changes.get();
        idle_looks = if now == last { idle_looks + 1 } else { 0 };
        last = now;
        assert!(idle_looks < IDLE_LOOKS_MAX, "nothing is acknowledged any more, after {now} changes");
    }
    progress.is_over.set(true);
}
