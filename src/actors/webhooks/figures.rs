//! Figures of the dispatcher for operators: what it has done since the start, and what it has in hand.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use chrono::{DateTime, Utc};
use prometheus::{Histogram, HistogramOpts};

use crate::domain::delivery::{AttemptReport, Outcome};

/// Bounds of waits in seconds, from a millisecond to a day.
const WAITS_S: [f64; 16] =
    [0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0, 300.0, 3_600.0, 18_000.0, 86_400.0];

/// The figures of a process's dispatcher. Clones share them.
#[derive(Clone)]
pub struct DispatchFigures {
    commit_to_success: Histogram,
    due_to_start: Histogram,
    counters: Arc<Counters>,
}

#[derive(Default)]
struct Counters {
    in_flight: AtomicUsize,
    ready: AtomicUsize,
    outcomes: [AtomicU64; Outcome::ALL.len()],
    refused: AtomicU64,
    expired_leases: AtomicU64,
}

impl DispatchFigures {
    /// No figures yet.
    ///
    /// # Errors
    /// None of a histogram's options can be wrong, but the library cannot know.
    pub fn new() -> prometheus::Result<Self> {
        let histogram =
            |name: &str, help: &str| Histogram::with_opts(HistogramOpts::new(name, help).buckets(WAITS_S.to_vec()));
        Ok(Self {
            commit_to_success: histogram(
                "radar_webhook_commit_to_success_seconds",
                "From the publication of an update to the 2xx of its receiver, retries included",
            )?,
            due_to_start: histogram(
                "radar_webhook_due_to_start_seconds",
                "From the instant at which an attempt was due to its beginning, waits for open breakers included",
            )?,
            counters: Arc::default(),
        })
    }

    /// The histograms, for a registry.
    pub fn histograms(&self) -> [Histogram; 2] {
        [self.commit_to_success.clone(), self.due_to_start.clone()]
    }

    /// Attempts under way.
    pub fn in_flight(&self) -> usize {
        self.counters.in_flight.load(Relaxed)
    }

    /// Claimed deliveries that wait in memory for a place.
    pub fn ready(&self) -> usize {
        self.counters.ready.load(Relaxed)
    }

    /// Recorded attempts by outcome.
    pub fn outcomes(&self) -> impl Iterator<Item = (Outcome, u64)> {
        Outcome::ALL.iter().zip(&self.counters.outcomes).map(|(&outcome, count)| (outcome, count.load(Relaxed)))
    }

    /// Results that were refused because their delivery had been claimed again.
    pub fn refused(&self) -> u64 {
        self.counters.refused.load(Relaxed)
    }

    /// Claims of deliveries whose last lease had run out without a result.
    pub fn expired_leases(&self) -> u64 {
        self.counters.expired_leases.load(Relaxed)
    }

    pub(super) fn note(&self, in_flight: usize, ready: usize) {
        self.counters.in_flight.store(in_flight, Relaxed);
        self.counters.ready.store(ready, Relaxed);
    }

    pub(super) fn note_start(&self, due_at: Option<DateTime<Utc>>, started_at: DateTime<Utc>) {
        if let Some(due_at) = due_at {
            self.due_to_start.observe((started_at - due_at).as_seconds_f64().max(0.0));
        }
    }

    pub(super) fn note_recorded(&self, report: &AttemptReport, created_at: DateTime<Utc>) {
        if let Some(count) = self.counters.outcomes.get(report.outcome as usize) {
            count.fetch_add(1, Relaxed);
        }
        if report.outcome.is_success() {
            let took = report.started_at + report.duration - created_at;
            self.commit_to_success.observe(took.as_seconds_f64().max(0.0));
        }
    }

    pub(super) fn note_refused(&self) {
        self.counters.refused.fetch_add(1, Relaxed);
    }

    pub(super) fn note_expired_leases(&self, count: usize) {
        self.counters.expired_leases.fetch_add(count as u64, Relaxed);
    }
}
