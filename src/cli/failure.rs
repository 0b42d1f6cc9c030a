//! How a command ends when it does not succeed: one line on standard error and an exit code.

use std::fmt::Display;
use std::process::ExitCode;

use serde_json::json;

use super::api_client::ApiError;
use crate::app::StartError;
use crate::logging::LoggingError;
use config::ConfigError;
use store::{KeySourceError, StoreError};

/// The exit code of a check that could not be done.
const UNREADABLE: u8 = 2;
/// The exit code of a check that found nothing wrong in a database from which something is missing.
const INCOMPLETE: u8 = 3;
/// The exit code of a preview of a radar that would not be served.
const UNSERVED: u8 = 2;

/// How a part of a command ends.
pub type Result<T, E = Failure> = std::result::Result<T, E>;

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
    /// The keys of secrets cannot be used.
    #[error(transparent)]
    Keys(#[from] KeySourceError),
    /// A check was done, and something did not pass it.
    #[error("{subject}: {problem}")]
    Found {
        /// What was checked.
        subject: String,
        /// What is wrong with it.
        problem: String,
    },
    /// What there is passed a check, but a file of the database is missing.
    #[error("{0}")]
    Incomplete(String),
    /// A preview says that the radar would not be served.
    #[error("{0} would not be served")]
    Unserved(String),
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
    pub fn of(subject: impl Display, problem: impl Display) -> Self {
        Self::Subject { subject: subject.to_string(), problem: problem.to_string() }
    }

    /// What a check of `subject` found.
    pub fn found_in(subject: impl Display, problem: impl Display) -> Self {
        Self::Found { subject: subject.to_string(), problem: problem.to_string() }
    }

    /// Tells the failure on standard error in one line, which is JSON where `as_json`: what the service has answered, or an
    /// object of the same form. Of a check, what it could not even look at has a code of its
    /// own, so that no script takes the one for the other.
    #[expect(clippy::print_stderr, reason = "a command speaks to its terminal")]
    pub fn report(&self, is_check: bool, as_json: bool) -> ExitCode {
        let line = self.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
        match self {
            Self::Api(ApiError::Rejected { body, .. }) if as_json && !body.is_null() => eprintln!("{body}"),
            _ if as_json => eprintln!("{}", json!({"status": "error", "message": line})),
            _ => eprintln!("radar: {line}"),
        }
        match self {
            Self::Incomplete(_) => ExitCode::from(INCOMPLETE),
            Self::Found { .. } => ExitCode::FAILURE,
            Self::Unserved(_) => ExitCode::from(UNSERVED),
            _ if is_check => ExitCode::from(UNREADABLE),
            _ => ExitCode::FAILURE,
        }
    }
}
