//! Where log lines go and how they look.
//!
//! Duty: set up `tracing` once per process, on standard error, so that standard output stays for data.

use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer};

use crate::traces::{self, TracesError};
use config::{Config, LogFormat};

/// Why logging could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum LoggingError {
    /// `log.filter` does not parse.
    #[error("log.filter: {0}")]
    Filter(#[from] tracing_subscriber::filter::ParseError),
    /// Traces cannot be sent.
    #[error(transparent)]
    Traces(#[from] TracesError),
    /// Something else in this process has set up logging before.
    #[error("log: {0}")]
    Taken(Box<dyn std::error::Error + Send + Sync>),
}

/// Starts logging, and noting traces, for the rest of this process.
pub fn start(config: &Config) -> Result<(), LoggingError> {
    let log = &config.log;
    let mut filter = EnvFilter::builder().parse(&log.filter)?;
    // What a client gets wrong is logged where it is answered, with its address and below the level of our own errors. Spans
    // of traces are not for lines.
    let quiet = [("actix_http", "actix_http::h1::dispatcher=off"), ("rmcp", "rmcp=error"), ("otlp", "otlp=off")];
    for (library, directive) in quiet {
        if !log.filter.contains(library) {
            filter = filter.add_directive(directive.parse()?);
        }
    }
    // A line that cannot be written is lost. The default complains on standard error and panics where that is broken, as on
    // a full disk.
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).log_internal_errors(false);
    let lines = match log.format {
        LogFormat::Plain => lines.with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr())).boxed(),
        LogFormat::Json => lines.json().flatten_event(true).boxed(),
    };
    // What no layer wants costs nothing, so there is one for traces only where they are sent.
    let mut layers = vec![lines.with_filter(filter).boxed()];
    layers.extend(traces::layer(config.telemetry.otlp_endpoint.as_ref())?);
    tracing_subscriber::registry().with(layers).try_init().map_err(|error| LoggingError::Taken(Box::new(error)))
}
