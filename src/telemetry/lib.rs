//! Traces: spans of requests, commits, polls and attempts, sent to a collector as OTLP in JSON over HTTP.
//!
//! Duty: take spans of the target `otlp` from `tracing`, keep a bounded number of them, and send them in batches. What finds
//! no room, or no collector, is counted and lost: nothing here ever makes the service wait. Never here: what is traced.
//!
//! Fields of a span that mean something here: `otel.name` and `otel.kind` as OpenTelemetry's own layer reads them, `error`
//! whether it failed, `parent` the `traceparent` of the client, and `context` the one under which others know this span.

mod encoding;
mod export;
mod layer;
mod span;
#[cfg(test)]
mod tests;

use prometheus::{IntCounterVec, Opts};

use domain::closed;
pub use export::{Exporter, Exporting};
pub use layer::{SpanLayer, TARGET};

/// Spans that wait to be sent; further ones are lost.
const WAITING_MAX: usize = 4_096;

closed! {
    /// What becomes of spans.
    Fate {
        /// The collector has taken it.
        Sent = "sent",
        /// Too many waited.
        Dropped = "dropped",
        /// The collector has not taken it.
        Failed = "failed",
    }
}

/// How many spans were sent and lost in this process.
#[derive(Clone)]
pub struct SpanFigures(IntCounterVec);

impl SpanFigures {
    /// No spans yet.
    ///
    /// # Errors
    /// None of the options can be wrong, but the library cannot know.
    pub fn new() -> prometheus::Result<Self> {
        let spans =
            IntCounterVec::new(Opts::new("radar_trace_spans_total", "Spans by what became of them"), &["fate"])?;
        Fate::ALL.iter().for_each(|fate| drop(spans.with_label_values(&[fate.as_str()])));
        Ok(Self(spans))
    }

    /// The counter, for a registry.
    pub fn collector(&self) -> IntCounterVec {
        self.0.clone()
    }

    fn note(&self, fate: Fate, spans: usize) {
        self.0.with_label_values(&[fate.as_str()]).inc_by(u64::try_from(spans).unwrap_or(u64::MAX));
    }
}
