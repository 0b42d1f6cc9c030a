//! Figures of the dispatcher for operators: what it has done since the start, and what it has in hand.

use chrono::{DateTime, Utc};
use prometheus::{Histogram, HistogramVec, IntCounter, IntCounterVec, IntGauge, Registry};

use crate::runtime::registered::{count, counter, histogram, histograms, registered};
use domain::{AttemptReport, Outcome};

/// Bounds of waits in seconds, from a millisecond to a day.
const WAITS_S: [f64; 16] =
    [0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0, 300.0, 3_600.0, 18_000.0, 86_400.0];

/// Bounds of the time that an attempt takes, in seconds.
const DURATIONS_S: [f64; 9] = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 15.0];

/// The figures of a process's dispatcher. Clones share them.
#[derive(Clone)]
pub struct DispatchFigures {
    commit_to_success: Histogram,
    due_to_start: Histogram,
    in_flight: IntGauge,
    ready: IntGauge,
    outcomes: IntCounterVec,
    durations: HistogramVec,
    refused: IntCounter,
    expired_leases: IntCounter,
}

impl DispatchFigures {
    /// No figures yet, shown in `registry`. Every outcome is there before the first attempt that ends so.
    ///
    /// # Errors
    /// A metric of one of these names is there.
    pub fn new(registry: &Registry) -> prometheus::Result<Self> {
        let gauge = |name, help| registered(registry, IntGauge::new(name, help));
        let commit_to_success = "From the publication of an update to the 2xx of its receiver, retries included";
        let due_to_start =
            "From the instant at which an attempt was due to its beginning, waits for open breakers included";
        let durations = ("radar_webhook_attempt_duration_seconds", "How long attempts took, by outcome");
        let refused = "Results refused because their delivery had been claimed again";
        let expired = "Claims of deliveries whose last lease had run out without a result";
        let figures = Self {
            commit_to_success: histogram(
                registry,
                "radar_webhook_commit_to_success_seconds",
                commit_to_success,
                &WAITS_S,
            )?,
            due_to_start: histogram(registry, "radar_webhook_due_to_start_seconds", due_to_start, &WAITS_S)?,
            in_flight: gauge("radar_webhook_attempts_in_flight", "Attempts under way")?,
            ready: gauge("radar_webhook_deliveries_ready", "Claimed deliveries that wait in memory for a place")?,
            outcomes: counter(registry, "radar_webhook_attempts_total", "Attempts recorded", &["outcome"])?,
            durations: histograms(registry, durations, &DURATIONS_S, &["outcome"])?,
            refused: count(registry, "radar_webhook_results_refused_total", refused)?,
            expired_leases: count(registry, "radar_webhook_leases_expired_total", expired)?,
        };
        figures.outcomes().for_each(drop);
        Ok(figures)
    }

    /// Attempts under way.
    #[cfg(test)]
    pub(super) fn in_flight(&self) -> usize {
        usize::try_from(self.in_flight.get()).unwrap_or_default()
    }

    /// Recorded attempts by outcome.
    pub fn outcomes(&self) -> impl Iterator<Item = (Outcome, u64)> {
        Outcome::ALL.iter().map(|&outcome| (outcome, self.outcome(outcome).get()))
    }

    fn outcome(&self, outcome: Outcome) -> IntCounter {
        self.outcomes.with_label_values(&[outcome.as_str()])
    }

    pub(super) fn note(&self, in_flight: usize, ready: usize) {
        self.in_flight.set(i64::try_from(in_flight).unwrap_or(i64::MAX));
        self.ready.set(i64::try_from(ready).unwrap_or(i64::MAX));
    }

    pub(super) fn note_start(&self, due_at: Option<DateTime<Utc>>, started_at: DateTime<Utc>) {
        if let Some(due_at) = due_at {
            self.due_to_start.observe((started_at - due_at).as_seconds_f64().max(0.0));
        }
    }

    pub(super) fn note_recorded(&self, report: &AttemptReport, created_at: DateTime<Utc>) {
        self.outcome(report.outcome).inc();
        let took_s = report.duration.as_seconds_f64().max(0.0);
        self.durations.with_label_values(&[report.outcome.as_str()]).observe(took_s);
        if report.outcome.is_success() {
            let took = report.started_at + report.duration - created_at;
            self.commit_to_success.observe(took.as_seconds_f64().max(0.0));
        }
    }

    pub(super) fn note_refused(&self) {
        self.refused.inc();
    }

    pub(super) fn note_expired_leases(&self, count: usize) {
        self.expired_leases.inc_by(count as u64);
    }
}
