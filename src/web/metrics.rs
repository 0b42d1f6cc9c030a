//! Counts requests for the metrics of the operator. Labels come from closed sets: never an account, never a path.

use chrono::Duration;
use prometheus::{CounterVec, HistogramVec, IntCounterVec, IntGauge, IntGaugeVec, Opts, Registry};

use actors::runtime::registered::{counter, gauge, histograms, registered};

/// `public` or `operator`; the HTTP method, `OTHER` for unusual ones; the route's pattern, `unmatched` for unknown paths;
/// the HTTP status.
const LABELS: [&str; 4] = ["api", "method", "route", "status"];
/// Bounds of the time that an answer takes, in seconds.
const DURATIONS_S: [f64; 11] = [0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

/// What a 429 may be about: two budgets of an account, its redeliveries of the day, and what an address may get wrong.
const LIMITS: [&str; 4] = ["minute", "burst", "redeliveries", "address"];

/// Counts of answered requests. Clones share them.
#[derive(Clone)]
pub struct RequestMetrics {
    requests: IntCounterVec,
    seconds: CounterVec,
    durations: HistogramVec,
    in_flight: IntGaugeVec,
    limited: IntCounterVec,
}

/// A request that is being answered.
pub(super) struct InFlight(IntGauge);

impl RequestMetrics {
    /// Nothing counted yet; the counts are shown in `registry`.
    ///
    /// # Errors
    /// A metric of one of these names is there.
    pub fn new(registry: &Registry) -> prometheus::Result<Self> {
        let help = "Requests answered with 429, by reason";
        let limited = counter(registry, "radar_http_requests_limited_total", help, &["api", "reason"])?;
        for api in ["public", "operator"] {
            LIMITS.iter().for_each(|reason| drop(limited.with_label_values(&[api, reason])));
        }
        let seconds = Opts::new("radar_http_request_seconds_total", "Time that answering requests took together");
        let durations = ("radar_http_request_duration_seconds", "How long requests took to be answered");
        let in_flight = "Requests that are being answered";
        Ok(Self {
            requests: counter(registry, "radar_http_requests_total", "Requests answered", &LABELS)?,
            seconds: registered(registry, CounterVec::new(seconds, &LABELS))?,
            durations: histograms(registry, durations, &DURATIONS_S, &LABELS[..3])?,
            in_flight: gauge(registry, "radar_http_requests_in_flight", in_flight, LABELS[0])?,
            limited,
        })
    }

    /// Counts a request as being answered for as long as the returned value lives.
    pub(super) fn begin(&self, api: &str) -> InFlight {
        let in_flight = self.in_flight.with_label_values(&[api]);
        in_flight.inc();
        InFlight(in_flight)
    }

    /// Counts a request with the values of [`LABELS`].
    pub(super) fn count(&self, labels: &[&str; 4], took: Duration) {
        let took_s = took.to_std().unwrap_or_default().as_secs_f64();
        self.requests.with_label_values(labels).inc();
        self.seconds.with_label_values(labels).inc_by(took_s);
        self.durations.with_label_values(&labels[..3]).observe(took_s);
    }

    /// Counts a 429. `reason` is a word of a closed list.
    pub(super) fn count_limited(&self, api: &str, reason: &str) {
        self.limited.with_label_values(&[api, reason]).inc();
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.dec();
    }
}
