//! Deterministic simulation: one seed decides the work, what goes wrong and the order in which things happen; the real
//! store and the real actors run on one thread under the simulated clock; an oracle and the invariants check each commit.
//!
//! `SIMULATION_SEEDS=1000 SIMULATION_FIRST_SEED=5 cargo test --test simulation` runs other seeds than the default ones.
//! `SIMULATION_SEED=7 cargo test --test simulation one_seed -- --nocapture` repeats one and shows what happened. Several
//! processes on one database are simulated by `nodes`.

#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "tests fail by a panic"
)]

mod accounts;
mod agreement;
mod alarms;
mod audit;
mod chronicle;
mod dice;
mod faults;
mod invariants;
mod model;
#[path = "../support/no_dispatch.rs"]
mod no_dispatch;
mod nodes;
mod panics;
mod perform;
mod plan;
#[path = "../it/support/ports.rs"]
mod ports;
#[path = "../it/support/postgres.rs"]
mod postgres;
mod reading;
mod record;
mod replay;
#[path = "../support/retry_schedule.rs"]
mod retry_schedule;
mod sends;
mod service;
mod situations;
mod state;
mod template;
mod trace;
mod work;
mod world;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::thread;

use faults::{ELSEWHERE, POINTS};
use situations::Situations;
use world::Outcome;

const SEEDS: u64 = 65;
const FIRST_SEED: u64 = 300;
/// So many of the last events are shown of a run that went wrong.
const LAST_EVENTS: usize = 40;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name} must be a number")))
}

/// So many seeds that went wrong say enough; no further one is begun.
const BROKEN_MAX: usize = 3;

/// Runs a seed.
type Run = fn(u64) -> Outcome;
/// How to run it again.
type Repetition = fn(u64) -> String;

/// Runs seeds on every core, each on a thread of its own. Two at once for each core: half of the time a run waits for its
/// database's thread, or that one for it.
fn run_all(seeds: Range<u64>, run: Run, repetition: Repetition) -> Vec<Outcome> {
    let (next, outcomes) = (AtomicU64::new(seeds.start), Mutex::new(Vec::<Outcome>::new()));
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..2 * cores {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, SeqCst);
                    let broken =
                        |outcomes: &Vec<Outcome>| outcomes.iter().filter(|run| run.violation.is_some()).count();
                    if seed >= seeds.end || broken(&outcomes.lock().expect("no panic")) >= BROKEN_MAX {
                        break;
                    }
                    let outcome = thread::spawn(move || run(seed)).join();
                    let outcome = outcome.unwrap_or_else(|_| panic!("seed {seed} panicked; {}", repetition(seed)));
                    outcomes.lock().expect("no panic").push(outcome);
                }
            });
        }
    });
    let mut outcomes = outcomes.into_inner().expect("no panic");
    outcomes.sort_by_key(|outcome| outcome.seed);
    outcomes
}

fn repetition(seed: u64) -> String {
    format!("repeat it with:\nSIMULATION_SEED={seed} cargo test --test simulation one_seed -- --nocapture")
}

fn complaint(outcome: &Outcome, repetition: Repetition) -> Option<(u64, String)> {
    let violation = outcome.violation.as_ref()?;
    let seed = outcome.seed;
    let events = outcome.trace.last(LAST_EVENTS).join("\n");
    let repetition = repetition(seed);
    Some((seed, format!("seed {seed}: {violation}\nlast events:\n{events}\n{repetition}\n")))
}

#[test]
fn every_seed_holds() {
    let first = number("SIMULATION_FIRST_SEED").unwrap_or(FIRST_SEED);
    let count = number("SIMULATION_SEEDS").unwrap_or(SEEDS);
    let outcomes = run_all(first..first + count, world::run, repetition);
    let mut hits = BTreeMap::new();
    outcomes.iter().for_each(|outcome| add(&mut hits, &outcome.coverage));
    let commits: u64 = outcomes.iter().map(|outcome| outcome.commits).sum();
    let lives: usize = outcomes.iter().map(|outcome| outcome.lives).sum();
    println!("{count} seeds from {first}: {commits} commits, {lives} lives");
    hits.iter().for_each(|((point, harm), count)| println!("{point}: {harm:?} {count} times"));
    let situations = situations_of(&outcomes);
    assert_all_hold(&outcomes, repetition);
    if count >= SEEDS {
        for (point, _) in POINTS {
            assert!(hits.keys().any(|(hit, _)| *hit == point), "{point} was never hit");
        }
        let unseen = situations.iter().find(|(_, count)| **count == 0);
        assert!(unseen.is_none(), "{unseen:?} was never seen");
    }
}

/// How often each situation occurred in all of them; it is shown as well.
fn situations_of(outcomes: &[Outcome]) -> Situations {
    let mut situations = Situations::new();
    outcomes.iter().for_each(|outcome| add(&mut situations, &outcome.situations));
    situations.iter().for_each(|(situation, count)| println!("{situation}: {count}"));
    situations
}

fn assert_all_hold(outcomes: &[Outcome], repetition: Repetition) {
    let complaints: Vec<_> = outcomes.iter().filter_map(|outcome| complaint(outcome, repetition)).collect();
    let broken: Vec<u64> = complaints.iter().map(|(seed, _)| *seed).collect();
    assert!(complaints.is_empty(), "seeds {broken:?}\n{}", complaints[0].1);
}

fn add<K: Ord + Copy>(sum: &mut BTreeMap<K, u64>, more: &BTreeMap<K, u64>) {
    more.iter().for_each(|(name, count)| *sum.entry(*name).or_default() += count);
}

#[test]
fn one_seed() {
    let Some(seed) = number("SIMULATION_SEED") else { return };
    show(&world::run(seed), repetition);
}

/// Shows what happened in a run, which must hold.
fn show(outcome: &Outcome, repetition: Repetition) {
    println!("{}", outcome.trace.lines().join("\n"));
    println!("{} commits, {} lives, trace {:016x}", outcome.commits, outcome.lives, outcome.trace.hash());
    if let Some((_, complaint)) = complaint(outcome, repetition) {
        panic!("{complaint}");
    }
}

#[test]
fn the_same_seed_runs_the_same_way() {
    let first = number("SIMULATION_FIRST_SEED").unwrap_or(FIRST_SEED);
    assert_same(first..first + 4, world::run, repetition);
}

fn assert_same(seeds: Range<u64>, run: Run, repetition: Repetition) {
    for (once, again) in run_all(seeds.clone(), run, repetition).iter().zip(run_all(seeds, run, repetition)) {
        if once.trace.hash() != again.trace.hash() {
            let lines = once.trace.lines().iter().zip(again.trace.lines()).enumerate();
            let apart = lines.filter(|(_, (one, other))| one != other).map(|(no, pair)| (no + 1, pair)).next();
            panic!("seed {} runs in two ways, first apart in line {apart:#?}", once.seed);
        }
    }
}

#[test]
fn every_named_point_is_known() {
    let mut named = Vec::new();
    collect_points(std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")), &mut named);
    let known: Vec<&str> = POINTS.iter().map(|(point, _)| *point).chain(ELSEWHERE).collect();
    assert!(named.len() >= known.len(), "the points were not found: {named:?}");
    for point in named {
        assert!(known.contains(&point.as_str()), "{point} is passed in no run");
    }
}

fn collect_points(folder: &std::path::Path, named: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect_points(&path, named);
            continue;
        }
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a file");
        for call in ["faults.pass(\"", "faults.pass_or_fail(\""] {
            let found = text.split(call).skip(1).filter_map(|rest| rest.split('"').next());
            named.extend(found.map(str::to_owned));
        }
    }
}
