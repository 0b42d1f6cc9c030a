//! Processes that share a PostgreSQL database, with the same oracle over all of them: seeds decide which one crashes, which
//! is frozen until others have taken its work over and then wakes up, and whose clock is wrong by how much. Time passes in
//! seconds, since each says every second that it lives, or in days while none runs.
//!
//! `SIMULATION_NODES_SEEDS=100 cargo test --test simulation nodes::` runs more seeds than the default ones, from
//! `SIMULATION_NODES_FIRST_SEED` on.

mod process;
mod server;

use std::collections::BTreeSet;
use std::future::Future;
use std::pin::pin;
use std::rc::Rc;

use chrono::{DateTime, Duration, Utc};
use clock::Clock;
use domain::account_status::AccountStatus;
use futures_util::future::{ready, select};
use radar::app::run_on;

use crate::alarms;
use crate::dice::Dice;
use crate::faults::Planned;
use crate::perform::Parties;
use crate::plan::Plan;
use crate::work::Setting;
use crate::world::{self, Outcome, World};
use crate::{FIRST_SEED, assert_all_hold, assert_same, number, run_all, show, situations_of};
use process::Process;

/// How many processes there are while all run.
const PROCESSES: usize = 3;
const SEEDS: u64 = 8;
/// By how many seconds a clock is wrong at most: less than what the service allows for (`LEASE_MARGIN`).
const WRONG_BY_MAX: i64 = 20;
/// Within this time after the last trouble everything is done.
const QUIET: Duration = Duration::seconds(60);
/// What is to be seen in the default seeds.
const SITUATIONS: [&str; 5] = [
    "processes that crashed",
    "processes that were frozen",
    "processes that were given up and joined anew",
    "times when no process ran",
    "deliveries in flight at a crash",
];

/// The processes of a run.
struct Cluster {
    clock: Clock,
    places: Vec<Place>,
    started: usize,
}

/// Where a process runs, and what goes wrong there.
struct Place {
    clock: Clock,
    planned: Planned,
    process: Option<Process>,
    thaws_at: DateTime<Utc>,
}

/// Runs a seed to its end, or to the first violation.
fn run(seed: u64) -> Outcome {
    let url = server::create();
    let mut world = World::new(seed, url.clone(), |plan, dice| plan.share(dice, server::receiver()));
    for account in world.record.borrow_mut().accounts.values_mut() {
        account.chronicle.clocks_differ_by = 2 * WRONG_BY_MAX * 1_000_000;
    }
    let clock = Clock::in_order(world.now);
    let running = run_on(&clock, async |clock| {
        let mut cluster = Cluster::new(seed, clock, &world.plan, &mut world.dice);
        select(pin!(alarms::raised()), pin!(cluster.run(&mut world))).await;
    });
    running.expect("a runtime");
    world.now = clock.now();
    world.rounds_left = 0;
    let (record, sends) = (world.record.clone(), world.sends.clone());
    world::note_alarms(&mut record.borrow_mut(), clock.now());
    // What was left is done by one that is alone, which also has time for what is done once a day.
    let is_broken = record.borrow().violation.is_some();
    let mut outcome = if is_broken { world.outcome(seed, 1) } else { world.live_on(seed) };
    let deliveries = record.borrow().deliveries();
    let checked = deliveries.and_then(|deliveries| {
        let is_open = |row: &&entity::delivery::Model| row.state != "delivered";
        match deliveries.iter().find(is_open) {
            Some(open) => Err(format!("N3 delivery {} is {}", open.update_id, open.state)),
            None => sends.check(&deliveries.iter().map(|row| row.update_id.to_string()).collect::<BTreeSet<_>>()),
        }
    });
    outcome.violation = outcome.violation.or(checked.err());
    *outcome.situations.entry(SITUATIONS[4]).or_default() += sends.in_flight() as u64;
    drop(record);
    server::remove(&url);
    outcome
}

impl Cluster {
    fn new(seed: u64, clock: Clock, plan: &Plan, dice: &mut Dice) -> Self {
        let place = |number: u64| Place {
            clock: clock.of_machine(Duration::seconds(dice.between(-WRONG_BY_MAX, WRONG_BY_MAX))),
            planned: Planned::new(Dice::new(seed, 10 + number), plan.faults.clone()),
            process: None,
            thaws_at: DateTime::<Utc>::MIN_UTC,
        };
        let places = (0..PROCESSES as u64).map(place).collect();
        Self { clock, places, started: 0 }
    }

    /// Rounds of work while things go wrong, then the end in which they must come right.
    async fn run(&mut self, world: &mut World) {
        for place in 0..PROCESSES {
            self.start(world, place).await;
        }
        for (account_id, setting) in world.first_settings() {
            self.begin(&mut world.dice, async move |parties| parties.set(account_id, setting).await);
        }
        for round in 0..world.plan.rounds {
            self.round(world).await;
            if world.record.borrow().violation.is_some() {
                return;
            }
            if round % 4 == 0 {
                let record = world.record.clone();
                self.apart(async |clock| record.borrow_mut().verify(clock.now())).await;
            }
        }
        self.come_right(world).await;
    }

    /// Several pieces of work at once, each in any process, trouble in the middle of them, and time after it.
    async fn round(&mut self, world: &mut World) {
        let works = world.draw_works(self.clock.now());
        let step = match world.dice.below(8) {
            0..3 => Duration::zero(),
            3..6 => Duration::seconds(world.dice.between(1, 5)),
            6 => Duration::seconds(world.dice.between(6, 15)),
            _ => Duration::seconds(world.dice.between(15, 40)),
        };
        self.note(world, format_args!("round of {} and {step}", works.len()));
        for work in works {
            self.begin(&mut world.dice, async move |parties| parties.perform(work).await);
        }
        for _ in 0..world.dice.below(24) {
            self.clock.io(ready(())).await;
        }
        let until = self.trouble(world).await;
        self.clock.advance(step.max(until)).await;
        if world.dice.one_in(6) {
            self.pass_time_without_a_process(world).await;
        }
        self.mend(world, false).await;
    }

    /// One of the processes crashes or freezes, mostly. How much time is to pass at least.
    async fn trouble(&mut self, world: &mut World) -> Duration {
        let place = world.dice.below(PROCESSES as u64) as usize;
        let mut until = Duration::zero();
        let Some(process) = &self.places[place].process else { return until };
        match world.dice.below(6) {
            0 => {
                self.note(world, format_args!("process {place} crashes"));
                count(world, SITUATIONS[0]);
                self.crash(place).await;
            }
            1..4 if process.is_alive() && !process.is_frozen() => {
                // Mostly for so long that others take over what is claimed there, and claims have not ended by themselves.
                let is_long = !world.dice.one_in(3);
                let long =
                    Duration::seconds(if is_long { world.dice.between(12, 26) } else { world.dice.between(1, 40) });
                until = if is_long { long } else { until };
                self.note(world, format_args!("process {place} freezes for {long}"));
                count(world, SITUATIONS[1]);
                self.clock.io(async { process.freeze() }).await;
                self.places[place].thaws_at = self.clock.now() + long;
            }
            _ => {}
        }
        until
    }

    /// All are gone, and come back hours or days later, or at the very instant at which something is due.
    async fn pass_time_without_a_process(&mut self, world: &mut World) {
        for place in 0..PROCESSES {
            self.crash(place).await;
        }
        let away = world.step(self.clock.now());
        self.note(world, format_args!("no process runs for {away}"));
        count(world, SITUATIONS[3]);
        // No timer waits any more.
        self.clock.resume_at(self.clock.now() + away);
    }

    /// Those that were frozen for long enough go on; in the place of those that are gone others start, some time or now.
    async fn mend(&mut self, world: &mut World, is_now: bool) {
        for place in 0..PROCESSES {
            let Place { process, thaws_at, .. } = &self.places[place];
            match process {
                Some(process) if !process.is_alive() => {
                    self.note(world, format_args!("process {place} has crashed"));
                    count(world, SITUATIONS[0]);
                    self.crash(place).await;
                }
                Some(process) if process.is_frozen() && (is_now || *thaws_at <= self.clock.now()) => {
                    self.note(world, format_args!("process {place} goes on"));
                    process.thaw();
                }
                Some(_) => {}
                None if is_now || world.dice.one_in(2) => self.start(world, place).await,
                None => {}
            }
        }
    }

    async fn start(&mut self, world: &mut World, place: usize) {
        self.started += 1;
        let number = self.started;
        // Under the name of the one before it, which it takes the place of at once, or under another.
        let name = if world.dice.one_in(2) { format!("{place}") } else { format!("{place} {number}") };
        self.note(world, format_args!("process {place} starts as {name}"));
        let Place { clock, planned, .. } = &self.places[place];
        let faults = world.faults(number, planned, clock);
        let starting = world.starting(name, planned, faults, clock.clone());
        let process = Process::start(number, clock.clone(), world.sends.clone(), planned.clone(), starting);
        self.places[place].process = process.await;
    }

    async fn crash(&mut self, place: usize) {
        let Some(process) = self.places[place].process.take() else { return };
        let lost = process.parties().service.node_figures.lost();
        *process.parties().record.borrow_mut().situations.entry(SITUATIONS[2]).or_default() += lost;
        let clock = self.places[place].clock.clone();
        self.apart(async |_| process.crash().await).await;
        clock.set_frozen(false);
    }

    /// Has a piece of work begin in any process.
    fn begin<F: Future<Output = ()> + 'static>(&mut self, dice: &mut Dice, work: impl FnOnce(Rc<Parties>) -> F) {
        let place = dice.below(PROCESSES as u64) as usize;
        if let Some(process) = &mut self.places[place].process {
            process.begin(work);
        }
    }

    /// Does something while no process is in the middle of a piece of I/O.
    async fn apart<T>(&self, work: impl AsyncFnOnce(&Clock) -> T) -> T {
        self.clock.io(work(&self.clock)).await
    }

    /// Nothing goes wrong any more: the processes do what is due, and nothing waits.
    async fn come_right(&mut self, world: &mut World) {
        self.places.iter().for_each(|place| place.planned.end());
        self.mend(world, true).await;
        // What has crashed and was not noticed.
        self.mend(world, true).await;
        for account_id in world.accounts.clone() {
            let active = Setting::Status(AccountStatus::Active);
            self.begin(&mut world.dice, async move |parties| parties.set(account_id, active).await);
        }
        self.clock.advance(QUIET).await;
        let now = self.clock.now();
        let is_busy = self.places.iter().filter_map(|place| place.process.as_ref()).any(Process::is_busy);
        let answered = if is_busy { Err("L1 somebody waits for an answer".to_owned()) } else { Ok(()) };
        let record = world.record.clone();
        self.apart(async |_| {
            let mut record = record.borrow_mut();
            record.expect(now, answered);
            record.verify(now);
        })
        .await;
        for place in 0..PROCESSES {
            self.crash(place).await;
        }
    }

    fn note(&self, world: &World, what: std::fmt::Arguments<'_>) {
        world.record.borrow_mut().trace.note(self.clock.now(), what);
    }
}

fn count(world: &World, situation: &'static str) {
    *world.record.borrow_mut().situations.entry(situation).or_default() += 1;
}

#[test]
fn every_seed_holds() {
    if !server::is_there() {
        return;
    }
    let first = number("SIMULATION_NODES_FIRST_SEED").unwrap_or(FIRST_SEED);
    let count = number("SIMULATION_NODES_SEEDS").unwrap_or(SEEDS);
    let outcomes = run_all(first..first + count, run, repetition);
    let situations = situations_of(&outcomes);
    let commits: u64 = outcomes.iter().map(|outcome| outcome.commits).sum();
    println!("{count} seeds of {PROCESSES} processes from {first}: {commits} commits");
    assert_all_hold(&outcomes, repetition);
    for situation in SITUATIONS.iter().filter(|_| count >= SEEDS) {
        assert!(situations.get(situation).is_some_and(|count| *count > 0), "{situation} were never seen");
    }
}

#[test]
fn one_seed() {
    let Some(seed) = number("SIMULATION_NODES_SEED") else { return };
    show(&run(seed), repetition);
}

#[test]
fn the_same_seed_runs_the_same_way() {
    if server::is_there() {
        assert_same(FIRST_SEED..FIRST_SEED + 1, run, repetition);
    }
}

fn repetition(seed: u64) -> String {
    format!("repeat it with:\nSIMULATION_NODES_SEED={seed} cargo test --test simulation nodes::one_seed -- --nocapture")
}
