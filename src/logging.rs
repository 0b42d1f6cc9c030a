//! Where log lines go and how they look.
//!
//! Duty: set up `tracing` once per process, on standard error, so that standard output stays for data.

use tracing_subscriber::EnvFilter;

use config::{Log, LogFormat};

/// Why logging could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum LoggingError {
    /// `log.filter` does not parse.
    #[error("log.filter: {0}")]
    Filter(#[from] tracing_subscriber::filter::ParseError),
    /// Something else in this process has set up logging before.
    #[error("log: {0}")]
    Taken(Box<dyn std::error::Error + Send + Sync>),
}

/// Starts logging for the rest of this process.
pub fn start(log: &Log) -> Result<(), LoggingError> {
    let mut filter = EnvFilter::builder().parse(&log.filter)?;
    // What a client gets wrong is logged where it is answered, with its address and below the level of our own errors.
    for (library, directive) in [("actix_http", "actix_http::h1::dispatcher=off"), ("rmcp", "rmcp=error")] {
        if !log.filter.contains(library) {
            filter = filter.add_directive(directive.parse()?);
        }
    }
    // A line that cannot be written is lost. The default complains on standard error and panics where that is broken, as on
    // a full disk.
    let lines =
        tracing_subscriber::fmt().with_writer(std::io::stderr).log_internal_errors(false).with_env_filter(filter);
    match log.format {
        LogFormat::Plain => lines.with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr())).try_init(),
        LogFormat::Json => lines.json().flatten_event(true).try_init(),
    }
    .map_err(LoggingError::Taken)
}
