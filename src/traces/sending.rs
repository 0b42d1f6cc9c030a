//! A program that sends traces. What notes spans is of the process, as its log is; the service sends them.

use std::sync::OnceLock;

use parking_lot::Mutex;
use prometheus::Registry;
use telemetry::{Exporter, Exporting, SpanFigures, TARGET};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, Targets};
use url::Url;

use super::{SpanLayer, TracesError};

/// What waits for the service to start.
static EXPORTER: Mutex<Option<Exporter>> = Mutex::new(None);
/// What is counted, where spans are noted.
static FIGURES: OnceLock<SpanFigures> = OnceLock::new();

/// Traces that are being sent, where a collector is set.
pub(crate) struct Traces(Option<Exporting>);

/// Notes spans for `collector`; none where there is none.
///
/// # Errors
/// See [`TracesError`].
pub(crate) fn layer(collector: Option<&Url>) -> Result<Option<SpanLayer>, TracesError> {
    let Some(collector) = collector else { return Ok(None) };
    let figures = SpanFigures::new()?;
    let (layer, exporter) = Exporter::new(collector.clone(), env!("CARGO_PKG_VERSION"), figures.clone());
    FIGURES.set(figures).ok();
    *EXPORTER.lock() = Some(exporter);
    Ok(Some(layer.with_filter(Targets::new().with_target(TARGET, LevelFilter::TRACE)).boxed()))
}

/// Sends from now on, on this thread, and shows what is counted.
pub(crate) fn start(registry: &Registry) -> prometheus::Result<Traces> {
    if let Some(figures) = FIGURES.get() {
        registry.register(Box::new(figures.collector()))?;
    }
    Ok(Traces(EXPORTER.lock().take().map(Exporter::start)))
}

impl Traces {
    /// Sends what waits, and ends.
    pub(crate) async fn stop(self) {
        if let Some(exporting) = self.0 {
            exporting.stop().await;
        }
    }
}
