//! Traces, where the program is built to send them (the feature `otlp`).
//!
//! Duty: hand the spans of this process from its log to the collector of the settings. Never here: how they are sent.

#[cfg_attr(feature = "otlp", path = "sending.rs")]
#[cfg_attr(not(feature = "otlp"), path = "nowhere.rs")]
mod destination;

use tracing_subscriber::{Layer, Registry};

pub(crate) use destination::{Traces, layer, start};

/// Notes spans.
type SpanLayer = Box<dyn Layer<Registry> + Send + Sync>;

/// Why traces cannot be sent.
#[derive(Debug, thiserror::Error)]
pub enum TracesError {
    /// The program cannot.
    #[error("telemetry.otlp_endpoint: this program was built without the feature otlp")]
    NotBuilt,
    /// None of the options of a metric can be wrong, but the library cannot know.
    #[error(transparent)]
    Figures(#[from] prometheus::Error),
}
