//! Why the service cannot start.

use std::io;
use std::net::SocketAddr;

use crate::mail::SmtpUrlError;
use crate::web::TlsError;
use domain::ScheduleError;
use sources::SourceFileError;
use store::StoreError;

/// Why the service cannot start. Each prints as one line that names the key.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The database cannot be used.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// A source file is wrong.
    #[error("sources.dir: {0}")]
    Sources(#[from] SourceFileError),
    /// An address cannot be listened on.
    #[error("{key}: cannot listen on {address}: {error}; stop what listens there, or set {key} to another address")]
    Listen {
        /// The key of the address.
        key: &'static str,
        /// The address.
        address: SocketAddr,
        /// Why.
        error: io::Error,
    },
    /// TLS cannot be offered.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The operator's key cannot be read or made.
    #[error("operator.data_dir: {path}: {error}")]
    OperatorKey {
        /// The file or folder.
        path: String,
        /// Why.
        error: io::Error,
    },
    /// The schedule of retries is out of bounds.
    #[error("webhooks.retry_schedule: {0}")]
    Schedule(#[from] ScheduleError),
    /// Mails cannot be sent as it is said.
    #[error(transparent)]
    Mail(#[from] SmtpUrlError),
    /// The figures cannot be kept.
    #[error("metrics: {0}")]
    Metrics(#[from] prometheus::Error),
    /// The triggers of rare duties cannot be started.
    #[error("housekeeper: {0}")]
    Housekeeper(#[from] tokio_cron_scheduler::JobSchedulerError),
}
