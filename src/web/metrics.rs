//! Counts requests for the metrics of the operator. Labels come from closed sets: never an account, never a path.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::Duration;
use parking_lot::Mutex;

/// The labels under which requests are counted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RequestLabels {
    /// `public` or `operator`.
    pub api: &'static str,
    /// The HTTP method, `OTHER` for unusual ones.
    pub method: &'static str,
    /// The route's pattern, `unmatched` for unknown paths.
    pub route: &'static str,
    /// The HTTP status.
    pub status: u16,
}

/// The counts under one set of labels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RequestCounts {
    /// Answered requests.
    pub requests: u64,
    /// Their total duration in seconds.
    pub seconds: f64,
}

/// Counts of answered requests. Clones share them.
#[derive(Clone, Default)]
pub struct RequestMetrics {
    counts: Arc<Mutex<BTreeMap<RequestLabels, RequestCounts>>>,
}

impl RequestMetrics {
    /// All counts.
    pub fn counts(&self) -> Vec<(RequestLabels, RequestCounts)> {
        let counts = self.counts.lock();
        counts.iter().map(|(labels, counts)| (labels.clone(), *counts)).collect()
    }

    pub(super) fn count(&self, labels: RequestLabels, took: Duration) {
        let mut all = self.counts.lock();
        let counts = all.entry(labels).or_default();
        counts.requests += 1;
        counts.seconds += took.to_std().unwrap_or_default().as_secs_f64();
    }
}
