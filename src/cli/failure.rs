//! How a command ends when it does not succeed: one line on standard error and an exit code.

use std::process::ExitCode;

use super::api_client::ApiError;
use crate::app::StartError;
use crate::config::ConfigError;
use crate::logging::LoggingError;
use crate::store::StoreError;

/// Why a command ended without success.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The settings cannot be used.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// Logging could not start.
    #[error(transparent)]
    Logging(#[from] LoggingError),
    /// A running service refused or could not be reached.
    #[error(transparent)]
    Api(#[from] ApiError),
    /// The service cannot start; the text names the key.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The database cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Anything else, with the thing it is about.
    #[error("{subject}: {problem}")]
    Subject {
        /// A key, a file, an address.
        subject: String,
        /// What is wrong with it.
        problem: String,
    },
}

impl Failure {
    /// The failure of `subject`.
    pub fn of(subject: impl Into<String>, problem: impl std::fmt::Display) -> Self {
        Self::Subject { subject: subject.into(), problem: problem.to_string() }
    }

    /// Tells the failure on standard error in one line.
    pub fn report(&self) -> ExitCode {
        let line = self.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
        eprintln!("radar: {line}");
        ExitCode::FAILURE
    }
}
