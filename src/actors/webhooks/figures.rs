//! What the dispatcher has done since the start, as operators see it.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use crate::domain::delivery::Outcome;

#[derive(Default)]
pub(super) struct Counters {
    in_flight: AtomicUsize,
    ready: AtomicUsize,
    outcomes: [AtomicU64; Outcome::ALL.len()],
    fenced: AtomicU64,
}

/// What the dispatcher has done since the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DispatchFigures {
    /// Attempts under way.
    pub in_flight: usize,
    /// Claimed deliveries that wait in memory for a place.
    pub ready: usize,
    /// Attempts by what became of them.
    pub outcomes: Vec<(Outcome, u64)>,
    /// Results that came after their lease had gone to somebody else.
    pub fenced: u64,
}

impl Counters {
    pub(super) fn note(&self, in_flight: usize, ready: usize) {
        self.in_flight.store(in_flight, Relaxed);
        self.ready.store(ready, Relaxed);
    }

    pub(super) fn count(&self, outcome: Outcome) {
        if let Some(counter) = self.outcomes.get(outcome as usize) {
            counter.fetch_add(1, Relaxed);
        }
    }

    pub(super) fn count_fenced(&self) {
        self.fenced.fetch_add(1, Relaxed);
    }

    pub(super) fn figures(&self) -> DispatchFigures {
        let count = |(&outcome, counter): (&Outcome, &AtomicU64)| (outcome, counter.load(Relaxed));
        DispatchFigures {
            in_flight: self.in_flight.load(Relaxed),
            ready: self.ready.load(Relaxed),
            outcomes: Outcome::ALL.iter().zip(&self.outcomes).map(count).collect(),
            fenced: self.fenced.load(Relaxed),
        }
    }
}
