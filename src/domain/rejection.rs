//! Everything that the API can answer besides success: a closed list (Spec 7).

use super::api_key::Scope;
use super::ids::RadarId;
use super::scheduling::rate::RateRejection;

/// One offending field of a request and what is wrong with it. Whatever reads a request answers all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    /// The field's name, for items of a bulk prefixed by `radars[i].`.
    pub field: String,
    /// What is wrong, as the end of a sentence that begins with the field.
    pub reason: String,
}

impl FieldError {
    /// An error of `field`.
    pub fn new(field: impl Into<String>, reason: impl ToString) -> Self {
        Self { field: field.into(), reason: reason.to_string() }
    }
}

/// Which key a request had to carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyHeader {
    /// `x-api-key` of an account (Spec 5).
    Api,
    /// `x-operator-key` of the operator.
    Operator,
}

/// What a 404 did not find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// No such path.
    Path,
    /// No such radar in this account.
    Radar,
    /// No such account.
    Account,
    /// No such API key of the account.
    ApiKey,
    /// No such finding.
    Finding,
    /// No such source.
    Source,
    /// No such finding among the updates of this account.
    Update,
    /// No such delivery.
    Delivery,
    /// No such endpoint.
    Endpoint,
    /// No such recovery.
    Recovery,
    /// No such job.
    Job,
    /// No such process.
    Node,
    /// No such address for feed readers.
    FeedAddress,
}

/// Why a request is refused, in the order in which it is checked (decision 3.1): of several, the first is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// 401: the key is missing, unknown or inactive.
    InvalidKey(KeyHeader),
    /// 429: a bucket lacks tokens.
    RateLimited(RateRejection),
    /// 403: the key is good, but not for this.
    MissingScope(KeyHeader, Scope),
    /// 429: the account has sent as much again today as it may (decision 5.8).
    RedeliveriesUsedUp {
        /// Seconds until the day ends.
        retry_after_s: u64,
    },
    /// 400: a bulk with more items than the budget ever grants; checked before 429.
    BulkExceedsRateLimit,
    /// 400: every offending field.
    Invalid(Vec<FieldError>),
    /// 404.
    NotFound(Missing),
    /// 405, with the methods that the path knows, as in `Allow`.
    MethodNotAllowed(String),
    /// 409: an active radar has the same target (decision 1.6).
    RadarExists {
        /// The field that identifies the target.
        field: &'static str,
        /// The existing radar.
        radar_id: RadarId,
    },
    /// 409: the same `Idempotency-Key` with another body (decision 2.9).
    IdempotencyKeyReused,
    /// 409: any other conflict with what was decided before.
    Conflict(FieldError),
    /// 402: the balance does not cover the charge.
    InsufficientBalance,
    /// 503: the rows of the account do not add up, and nothing is written until an operator has looked (decision 4.12).
    AccountFrozen,
    /// 503: the database does not answer.
    DatabaseUnavailable,
    /// 503: the service has more work than it can take.
    Overloaded,
    /// 500: an error of the service; details go to the log only.
    Internal,
}

impl Rejection {
    /// A 400 for one field.
    pub fn invalid(field: impl Into<String>, reason: impl ToString) -> Self {
        Self::Invalid(vec![FieldError::new(field, reason)])
    }

    /// A 409 for one field.
    pub fn conflict(field: impl Into<String>, reason: impl ToString) -> Self {
        Self::Conflict(FieldError::new(field, reason))
    }

    /// Whether the same request can succeed later without being changed (Spec 7).
    pub const fn retryable(&self) -> bool {
        matches!(
            self,
            Self::RateLimited(_)
                | Self::RedeliveriesUsedUp { .. }
                | Self::InsufficientBalance
                | Self::AccountFrozen
                | Self::DatabaseUnavailable
                | Self::Overloaded
                | Self::Internal
        )
    }
}
