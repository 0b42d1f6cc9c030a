//! How a command ends when it does not succeed: one line on standard error and an exit code.

use std::error::Error;
use std::fmt::Display;
use std::process::ExitCode;

/// The exit code of a check that could not be done.
const UNREADABLE: u8 = 2;

/// Why a command ended without success.
#[derive(Debug)]
pub struct Failure {
    text: String,
    /// Whether a check was done, and something did not pass it.
    is_finding: bool,
}

/// An error whose text names what it is about.
impl<E: Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self { text: error.to_string(), is_finding: false }
    }
}

impl Failure {
    /// The failure of `subject`: a key, a file, an address.
    pub fn of(subject: impl Display, problem: impl Display) -> Self {
        Self { text: format!("{subject}: {problem}"), is_finding: false }
    }

    /// What a check of `subject` found.
    pub fn found_in(subject: impl Display, problem: impl Display) -> Self {
        Self { is_finding: true, ..Self::of(subject, problem) }
    }

    /// Tells the failure on standard error in one line. Of a check, what it could not even look at has a code of its
    /// own, so that no script takes the one for the other.
    #[expect(clippy::print_stderr, reason = "a command speaks to its terminal")]
    pub fn report(&self, is_check: bool) -> ExitCode {
        let line = self.text.split_whitespace().collect::<Vec<_>>().join(" ");
        eprintln!("radar: {line}");
        if is_check && !self.is_finding { ExitCode::from(UNREADABLE) } else { ExitCode::FAILURE }
    }
}
