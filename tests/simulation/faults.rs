//! Faults at the service's named points, drawn from the seed, and how often each point was passed and hit.

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use store::faults::InjectedFault;
use tokio::sync::Notify;

use super::dice::Dice;

/// Every point that a run passes, and whether it can fail besides panicking.
pub const POINTS: [(&str, bool); 9] = [
    ("ledger.before_commit", true),
    ("store.locked", true),
    ("store.written", true),
    ("ledger.before_answer", true),
    ("ledger.after_commit", false),
    ("shard.created", true),
    ("radar.turn", true),
    ("radar.message", false),
    ("set_up.attempt", false),
];

/// Points at which no run goes wrong: nothing is polled here, no operator begins a job, no partition is dropped, and only
/// processes that share a database send to receivers. `tests/it/crashes.rs`, `tests/it/jobs.rs`, `tests/it/retention.rs` and
/// `src/actors/webhooks/tests.rs` see to these.
pub const ELSEWHERE: [&str; 10] = [
    "feed.poll",
    "preview.look",
    "dispatcher.before_claim",
    "dispatcher.recovery_step",
    "dispatcher.after_claim",
    "dispatcher.before_send",
    "dispatcher.before_record",
    "store.endpoint_alert",
    "housekeeper.before_job_advances",
    "store.partition_dropped",
];

/// What goes wrong at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Harm {
    /// The passage fails with an error.
    Error,
    /// The passage panics.
    Panic,
    /// The whole process ends.
    Crash,
}

/// How often what goes wrong where: once in so many passages.
pub type Rates = BTreeMap<(&'static str, Harm), u64>;

/// How often each point went wrong in which way.
pub type Coverage = BTreeMap<(&'static str, Harm), u64>;

/// The faults of one run.
#[derive(Clone)]
pub struct Planned {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    is_on: AtomicBool,
    has_crashed: AtomicBool,
    crash: Notify,
}

struct State {
    dice: Dice,
    rates: Rates,
    coverage: Coverage,
    news: Vec<String>,
}

impl Planned {
    pub fn new(dice: Dice, rates: Rates) -> Self {
        let state = State { dice, rates, coverage: Coverage::new(), news: Vec::new() };
        let shared = Shared {
            state: Mutex::new(state),
            is_on: AtomicBool::new(true),
            has_crashed: AtomicBool::new(false),
            crash: Notify::new(),
        };
        Self { shared: Arc::new(shared) }
    }

    /// Nothing goes wrong from here on.
    pub fn end(&self) {
        self.shared.is_on.store(false, SeqCst);
    }

    /// Ends when a crash was drawn; the next life starts without one.
    pub async fn crashed(&self) {
        while !self.shared.has_crashed.load(SeqCst) {
            self.shared.crash.notified().await;
        }
    }

    /// Begins a life after a crash.
    pub fn revive(&self) {
        self.shared.has_crashed.store(false, SeqCst);
    }

    /// What went wrong since the last question.
    pub fn news(&self) -> Vec<String> {
        std::mem::take(&mut self.state().news)
    }

    pub fn coverage(&self) -> Coverage {
        self.state().coverage.clone()
    }

    /// Passes a point, where something may go wrong.
    pub fn pass(&self, point: &'static str, subject: &str) -> Result<(), InjectedFault> {
        match self.draw(point, subject) {
            None => Ok(()),
            Some(Harm::Error) => Err(InjectedFault { point }),
            // The panic hook is for panics that nobody planned.
            Some(Harm::Panic) => resume_unwind(Box::new(InjectedFault { point })),
            Some(Harm::Crash) => {
                self.shared.has_crashed.store(true, SeqCst);
                self.shared.crash.notify_one();
                resume_unwind(Box::new(InjectedFault { point }))
            }
        }
    }

    fn draw(&self, point: &'static str, subject: &str) -> Option<Harm> {
        // Between a crash and the end of the process nothing more goes wrong.
        if !self.shared.is_on.load(SeqCst) || self.shared.has_crashed.load(SeqCst) {
            return None;
        }
        let mut state = self.state();
        for harm in [Harm::Error, Harm::Panic, Harm::Crash] {
            let Some(&times) = state.rates.get(&(point, harm)) else { continue };
            if state.dice.one_in(times) {
                *state.coverage.entry((point, harm)).or_default() += 1;
                state.news.push(format!("{harm:?} at {point} ({subject})"));
                return Some(harm);
            }
        }
        None
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
