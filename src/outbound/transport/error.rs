//! Why an exchange gave no answer.

use std::io;

use awc::error::{ConnectError, SendRequestError};

use domain::delivery::Outcome;

/// Why there is no answer. The text is for customers and keeps from them whether an address is forbidden or a name does
/// not exist, which would tell what there is in our network; operators have [`TransportError::outcome`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum TransportError {
    /// No absolute http or https URL, or one with user information.
    #[error("the address cannot be requested")]
    BadTarget,
    /// The host is or resolves to a forbidden address.
    #[error("no address that may be called was found")]
    Blocked,
    /// The name has no address, or no resolver could be asked.
    #[error("no address that may be called was found")]
    Dns,
    /// The name does not exist.
    #[error("no address that may be called was found")]
    UnknownName,
    /// No connection, or one that broke before an answer came.
    #[error("no connection")]
    Connect,
    /// The host did not prove who it is.
    #[error("no secure connection")]
    Tls,
    /// The exchange was not over in time.
    #[error("the time-out passed")]
    Timeout,
    /// The answer is not HTTP or ended early.
    #[error("the answer is malformed or incomplete")]
    Body,
}

impl TransportError {
    /// The outcome of a delivery that meets this; its word is the name under which this is stored, logged and counted.
    pub const fn outcome(self) -> Outcome {
        match self {
            Self::BadTarget => Outcome::BadTarget,
            Self::Blocked => Outcome::BlockedTarget,
            Self::Dns | Self::UnknownName => Outcome::Dns,
            Self::Connect => Outcome::Connect,
            Self::Tls => Outcome::Tls,
            Self::Timeout => Outcome::Timeout,
            Self::Body => Outcome::BodyError,
        }
    }
}

/// What a request that failed came to.
pub(super) fn send_error(error: &SendRequestError) -> TransportError {
    match error {
        SendRequestError::Url(_) | SendRequestError::Http(_) => TransportError::BadTarget,
        SendRequestError::Response(_) => TransportError::Body,
        SendRequestError::Timeout | SendRequestError::Connect(ConnectError::Timeout) => TransportError::Timeout,
        SendRequestError::Connect(ConnectError::SslIsNotSupported) => TransportError::Tls,
        SendRequestError::Connect(ConnectError::Io(error)) if is_tls_error(error) => TransportError::Tls,
        SendRequestError::Connect(ConnectError::Resolver(_) | ConnectError::NoRecords | ConnectError::Unresolved) => {
            TransportError::Dns
        }
        _ => TransportError::Connect,
    }
}

/// A handshake fails with rustls' own error inside, with a server name that no certificate can hold, or with an end of
/// the stream, which a plain connection never reports while it is being opened.
pub(super) fn is_tls_error(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<rustls::Error>())
        || matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::UnexpectedEof)
}
