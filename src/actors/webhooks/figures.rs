//! Figures of the dispatcher for operators: what it has done since the start, and what it has in hand.

use chrono::{DateTime, Utc};
use prometheus::core::Collector;
use prometheus::{Histogram, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, Opts};

use domain::delivery::{AttemptReport, Outcome};

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
    /// No figures yet.
    ///
    /// # Errors
    /// None of the options can be wrong, but the library cannot know.
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
            in_flight: IntGauge::new("radar_webhook_attempts_in_flight", "Attempts under way")?,
            ready: IntGauge::new(
                "radar_webhook_deliveries_ready",
                "Claimed deliveries that wait in memory for a place",
            )?,
            outcomes: IntCounterVec::new(Opts::new("radar_webhook_attempts_total", "Attempts recorded"), &["outcome"])?,
            durations: HistogramVec::new(
                HistogramOpts::new("radar_webhook_attempt_duration_seconds", "How long attempts took, by outcome")
                    .buckets(DURATIONS_S.to_vec()),
                &["outcome"],
            )?,
            refused: IntCounter::new(
                "radar_webhook_results_refused_total",
                "Results refused because their delivery had been claimed again",
            )?,
            expired_leases: IntCounter::new(
                "radar_webhook_leases_expired_total",
                "Claims of deliveries whose last lease had run out without a result",
            )?,
        })
    }

    /// All of them, for a registry; every outcome is there, also before its first attempt.
    pub fn collectors(&self) -> Vec<Box<dyn Collector>> {
        self.outcomes().for_each(drop);
        vec![
            Box::new(self.commit_to_success.clone()),
            Box::new(self.due_to_start.clone()),
            Box::new(self.in_flight.clone()),
            Box::new(self.ready.clone()),
            Box::new(self.outcomes.clone()),
            Box::new(self.durations.clone()),
            Box::new(self.refused.clone()),
            Box::new(self.expired_leases.clone()),
        ]
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
