//! Counts requests for the metrics of the operator. Labels come from closed sets: never an account, never a path.

use chrono::Duration;
use prometheus::{CounterVec, IntCounterVec, Opts, Registry};

/// `public` or `operator`; the HTTP method, `OTHER` for unusual ones; the route's pattern, `unmatched` for unknown paths;
/// the HTTP status.
const LABELS: [&str; 4] = ["api", "method", "route", "status"];

/// Counts of answered requests. Clones share them.
#[derive(Clone)]
pub struct RequestMetrics {
    requests: IntCounterVec,
    seconds: CounterVec,
}

impl RequestMetrics {
    /// Nothing counted yet.
    ///
    /// # Errors
    /// None of the options can be wrong, but the library cannot know.
    pub fn new() -> prometheus::Result<Self> {
        let requests = Opts::new("radar_http_requests_total", "Requests answered");
        let seconds = Opts::new("radar_http_request_seconds_total", "Time that answering requests took together");
        Ok(Self { requests: IntCounterVec::new(requests, &LABELS)?, seconds: CounterVec::new(seconds, &LABELS)? })
    }

    /// Shows the counts in `registry`.
    pub fn register(&self, registry: &Registry) -> prometheus::Result<()> {
        registry.register(Box::new(self.requests.clone()))?;
        registry.register(Box::new(self.seconds.clone()))
    }

    /// Counts a request with the values of [`LABELS`].
    pub(super) fn count(&self, labels: &[&str; 4], took: Duration) {
        self.requests.with_label_values(labels).inc();
        self.seconds.with_label_values(labels).inc_by(took.to_std().unwrap_or_default().as_secs_f64());
    }
}
