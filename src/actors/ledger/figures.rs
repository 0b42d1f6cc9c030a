//! Figures of the ledger for operators: what it has done, and what waits in it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use chrono::{DateTime, TimeDelta, Utc};
use prometheus::{CounterVec, Histogram, IntCounter, IntCounterVec, Opts, Registry};

use crate::runtime::registered::{count, counter, histogram, registered};
use domain::{MicroUsd, TxKind};

/// Bounds of the lateness of renewals, in seconds: from the unnoticeable to what an outage leaves.
const LATENESS_S: [f64; 12] = [0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 600.0, 3_600.0];
/// Bounds of the sizes of transactions.
const SIZES: [f64; 9] = [1.0, 4.0, 16.0, 32.0, 64.0, 128.0, 192.0, 256.0, 512.0];

/// Bounds of the time that a transaction takes, in seconds.
const DURATIONS_S: [f64; 10] = [0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0];

/// The figures of a process's ledger. Clones share them.
#[derive(Clone)]
pub struct LedgerFigures {
    lateness: Histogram,
    commands: Histogram,
    renewals: Histogram,
    durations: Histogram,
    posted: IntCounterVec,
    posted_usd: CounterVec,
    queues: Arc<[Queued]>,
    beyond_bound: IntCounter,
}

#[derive(Default)]
struct Queued {
    commands: AtomicUsize,
    settlements: AtomicUsize,
}

impl LedgerFigures {
    /// No figures yet, for a ledger of so many partitions, shown in `registry`. Every kind of a ledger transaction is there
    /// before the first of it.
    ///
    /// # Errors
    /// A metric of one of these names is there.
    pub fn new(partitions: usize, registry: &Registry) -> prometheus::Result<Self> {
        let help = "Ledger transactions: charges, refunds and the like";
        let posted = counter(registry, "radar_ledger_transactions_total", help, &["kind"])?;
        let help = "How much ledger transactions moved, in or out of balances";
        let posted_usd = CounterVec::new(Opts::new("radar_ledger_amount_usd_total", help), &["kind"]);
        let posted_usd = registered(registry, posted_usd)?;
        for kind in TxKind::WORDS {
            posted.with_label_values(&[kind]);
            posted_usd.with_label_values(&[kind]);
        }
        let lateness = "How long after they were due renewals were decided";
        let (commands, renewals) =
            ("Commands in a transaction of the ledger", "Renewals in a transaction of the ledger");
        let durations = "How long transactions of the ledger took, failed ones included";
        let beyond_bound = "Findings that were held because their radar had been charged for as many as its day allows";
        Ok(Self {
            lateness: histogram(registry, "radar_renewal_lateness_seconds", lateness, &LATENESS_S)?,
            commands: histogram(registry, "radar_ledger_commit_commands", commands, &SIZES)?,
            renewals: histogram(registry, "radar_ledger_commit_renewals", renewals, &SIZES)?,
            durations: histogram(registry, "radar_ledger_commit_duration_seconds", durations, &DURATIONS_S)?,
            posted,
            posted_usd,
            queues: (0..partitions.max(1)).map(|_| Queued::default()).collect(),
            beyond_bound: count(registry, "radar_findings_beyond_bound_total", beyond_bound)?,
        })
    }

    /// How many charges were written: of subscriptions, the first period included, and of findings.
    pub fn charges(&self) -> u64 {
        let of = |kind: TxKind| self.posted.with_label_values(&[kind.as_str()]).get();
        of(TxKind::Subscription) + of(TxKind::Finding)
    }

    /// How many renewals were decided.
    pub fn renewals(&self) -> u64 {
        self.lateness.get_sample_count()
    }

    /// How many transactions were committed.
    pub fn commits(&self) -> u64 {
        self.commands.get_sample_count()
    }

    /// How many commands wait in all partitions, and how many accounts are to be settled.
    pub fn queued(&self) -> (usize, usize) {
        let sum = |of: fn(&Queued) -> &AtomicUsize| self.queues.iter().map(|queued| of(queued).load(Relaxed)).sum();
        (sum(|queued| &queued.commands), sum(|queued| &queued.settlements))
    }

    /// Notes what waits in a partition.
    pub(super) fn note_queue(&self, partition_no: usize, (commands, settlements): (usize, usize)) {
        let Some(queued) = self.queues.get(partition_no) else { return };
        queued.commands.store(commands, Relaxed);
        queued.settlements.store(settlements, Relaxed);
    }

    /// Notes ledger transactions that were committed.
    pub(super) fn note_posted(&self, posted: &[(TxKind, MicroUsd)]) {
        for (kind, amount) in posted {
            self.posted.with_label_values(&[kind.as_str()]).inc();
            self.posted_usd.with_label_values(&[kind.as_str()]).inc_by(amount.micros().unsigned_abs() as f64 / 1e6);
        }
    }

    /// Notes findings that were held beyond the bound of a day.
    pub(super) fn note_beyond_bound(&self, findings: u64) {
        self.beyond_bound.inc_by(findings);
    }

    /// Notes how long a transaction took.
    pub(super) fn note_duration(&self, took: TimeDelta) {
        self.durations.observe(took.as_seconds_f64().max(0.0));
    }

    /// Notes a transaction that was committed at `now`.
    pub(super) fn note_commit(&self, commands: usize, renewals: &[DateTime<Utc>], now: DateTime<Utc>) {
        self.commands.observe(commands as f64);
        self.renewals.observe(renewals.len() as f64);
        for due_at in renewals {
            self.lateness.observe((now - due_at).as_seconds_f64().max(0.0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::LedgerFigures;
    use chrono::{DateTime, TimeDelta};
    use prometheus::Registry;

    #[test]
    fn lateness_is_counted_from_the_due_instant() {
        let figures = LedgerFigures::new(2, &Registry::new()).expect("figures");
        let now = DateTime::from_timestamp(1_000_000, 0).expect("an instant");
        figures.note_commit(3, &[now, now - TimeDelta::milliseconds(1_500), now + TimeDelta::seconds(1)], now);
        assert_eq!((figures.renewals(), figures.commits()), (3, 1));
        assert!((figures.lateness.get_sample_sum() - 1.5).abs() < 1e-9);
        assert!((figures.commands.get_sample_sum() - 3.0).abs() < 1e-9);
        assert!((figures.renewals.get_sample_sum() - 3.0).abs() < 1e-9);
        figures.note_queue(0, (1, 2));
        figures.note_queue(1, (3, 4));
        figures.note_queue(0, (2, 2));
        assert_eq!(figures.queued(), (5, 6));
    }
}
