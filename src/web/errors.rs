//! The one place where an error of the ledger, the store or the rules becomes an answer (Spec 7).
//!
//! The cause of an internal error is not shown to the caller. It goes to the log, under the `error_id` of the answer.

use std::collections::BTreeSet;

use actix_web::http::StatusCode;
use actix_web::http::header::{ALLOW, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use actix_web::{HttpRequest, HttpResponse};
use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::request_log;
use actors::ledger::LedgerError;
use domain::{CommandRejection, FieldError, KeyHeader, Missing, Rejection};
use store::StoreError;
use wire::error;

/// What a request without a good key lacks. No registered scheme is a key in a header of its own.
const ASK_FOR_API_KEY: HeaderValue = HeaderValue::from_static("ApiKey header=\"x-api-key\"");
const ASK_FOR_OPERATOR_KEY: HeaderValue = HeaderValue::from_static("ApiKey header=\"x-operator-key\"");
/// `Retry-After` in seconds when the service is overloaded or the database does not answer.
const RETRY_AFTER_S: u64 = 1;
/// `Retry-After` in seconds for a frozen account: an operator has to look at it first.
const FROZEN_RETRY_AFTER_S: u64 = 60;

/// Why a request fails: the rejection for the caller, and the cause for the log.
#[derive(Debug)]
pub(crate) struct Failure {
    rejection: Rejection,
    cause: Option<String>,
}

impl Failure {
    /// An internal error.
    pub(crate) fn internal(cause: impl ToString) -> Self {
        Self { rejection: Rejection::Internal, cause: Some(cause.to_string()) }
    }

    /// A 400 for one field.
    pub(crate) fn invalid(field: &str, reason: impl ToString) -> Self {
        Rejection::invalid(field, reason).into()
    }

    /// A 409 for one field.
    pub(crate) fn conflict(field: &str, reason: impl ToString) -> Self {
        Rejection::conflict(field, reason).into()
    }

    /// The rejection that the caller gets.
    pub(crate) fn into_rejection(self) -> Rejection {
        self.rejection
    }

    /// Whether the request is wrong, and not the service.
    pub(crate) fn is_of_the_request(&self) -> bool {
        !matches!(self.rejection, Rejection::Internal | Rejection::DatabaseUnavailable | Rejection::Overloaded)
    }

    /// Logs the cause under the identifier that the answer quotes.
    pub(crate) fn log(&self, error_id: Uuid) {
        Self::log_causes([self], error_id);
    }

    /// The same of failures that are answered together: each cause once.
    pub(crate) fn log_causes<'a>(failures: impl IntoIterator<Item = &'a Self>, error_id: Uuid) {
        let causes: BTreeSet<&str> = failures.into_iter().filter_map(|failure| failure.cause.as_deref()).collect();
        for cause in causes {
            tracing::error!(%error_id, cause, "a request failed");
        }
    }

    /// The answer.
    pub(crate) fn respond(self, request: &HttpRequest, now: DateTime<Utc>) -> HttpResponse {
        let error_id = Uuid::new_v4();
        self.log(error_id);
        let (code, body) = error::answer(&self.rejection, error_id, now);
        if let Some(quoted) = body.error_id {
            request_log::note_error(request, quoted);
        }
        request_log::note_refusal(request, &body.errors);
        let status = StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let header = match &self.rejection {
            Rejection::RateLimited(refused) => Some((RETRY_AFTER, HeaderValue::from(refused.retry_after_s))),
            Rejection::RedeliveriesUsedUp { retry_after_s } => Some((RETRY_AFTER, HeaderValue::from(*retry_after_s))),
            Rejection::DatabaseUnavailable | Rejection::Overloaded => {
                Some((RETRY_AFTER, HeaderValue::from(RETRY_AFTER_S)))
            }
            Rejection::AccountFrozen => Some((RETRY_AFTER, HeaderValue::from(FROZEN_RETRY_AFTER_S))),
            Rejection::InvalidKey(KeyHeader::Api) => Some((WWW_AUTHENTICATE, ASK_FOR_API_KEY)),
            Rejection::InvalidKey(KeyHeader::Operator) => Some((WWW_AUTHENTICATE, ASK_FOR_OPERATOR_KEY)),
            Rejection::MethodNotAllowed(allowed) => HeaderValue::from_str(allowed).ok().map(|allowed| (ALLOW, allowed)),
            _ => None,
        };
        let mut response = HttpResponse::build(status);
        if let Some(header) = header {
            response.insert_header(header);
        }
        response.json(body)
    }
}

impl From<Rejection> for Failure {
    fn from(rejection: Rejection) -> Self {
        Self { rejection, cause: None }
    }
}

impl From<Missing> for Failure {
    fn from(missing: Missing) -> Self {
        Rejection::NotFound(missing).into()
    }
}

impl From<Vec<FieldError>> for Failure {
    fn from(errors: Vec<FieldError>) -> Self {
        Rejection::Invalid(errors).into()
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let rejection = match error {
            StoreError::Unavailable(_) => Rejection::DatabaseUnavailable,
            StoreError::Open(_)
            | StoreError::Conflict(_)
            | StoreError::Database(_)
            | StoreError::UnknownKey(_)
            | StoreError::Corrupt { .. } => Rejection::Internal,
        };
        Self { rejection, cause: Some(error.to_string()) }
    }
}

impl From<LedgerError> for Failure {
    fn from(error: LedgerError) -> Self {
        let rejection = match error {
            LedgerError::Full => Rejection::Overloaded,
            LedgerError::Unavailable | LedgerError::Gone => Rejection::DatabaseUnavailable,
            LedgerError::Broken(_) => Rejection::Internal,
        };
        Self { rejection, cause: Some(error.to_string()) }
    }
}

impl From<CommandRejection> for Failure {
    fn from(rejection: CommandRejection) -> Self {
        let with_cause = |answered| Self { rejection: answered, cause: Some(rejection.to_string()) };
        let conflict = |field: &str| Self::conflict(field, &rejection);
        match rejection {
            CommandRejection::Duplicate { existing, field } => {
                Rejection::RadarExists { field, radar_id: existing }.into()
            }
            CommandRejection::InsufficientBalance => Rejection::InsufficientBalance.into(),
            CommandRejection::UnknownAccount => Missing::Account.into(),
            CommandRejection::UnknownRadar => Missing::Radar.into(),
            CommandRejection::IdempotencyKeyReused => Rejection::IdempotencyKeyReused.into(),
            CommandRejection::UnknownFinding => Missing::Finding.into(),
            CommandRejection::DecidedOtherwise(_) => conflict("id"),
            CommandRejection::PaymentRefReused => conflict("payment_ref"),
            CommandRejection::BalanceTooLarge => conflict("amount_usd"),
            CommandRejection::TooManyRadars { .. } => Self::invalid("radar_limit", &rejection),
            CommandRejection::NoPrice => with_cause(Rejection::Internal),
            CommandRejection::Stopped => Rejection::InvalidKey(KeyHeader::Api).into(),
            CommandRejection::Frozen { .. } => with_cause(Rejection::AccountFrozen),
            CommandRejection::Overdue => with_cause(Rejection::DatabaseUnavailable),
        }
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{ALLOW, RETRY_AFTER};
    use actix_web::test::TestRequest;
    use chrono::DateTime;
    use uuid::Uuid;

    use super::Failure;
    use actors::ledger::LedgerError;
    use domain::account::CommandRejection;
    use domain::scheduling::rate::{RateRejection, RejectedBy};
    use domain::{AccountId, RadarId, Rejection};

    #[test]
    fn spec_7_every_failure_has_its_status_and_its_headers() {
        let refused = RateRejection { by: RejectedBy::Minute, limit: 100, remaining: 3, retry_after_s: 7 };
        let existing = RadarId(Uuid::from_u128(7));
        let frozen =
            CommandRejection::Frozen { account_id: AccountId(Uuid::nil()), reason: "ledger transaction 3".to_owned() };
        for (failure, status, retry_after) in [
            (Failure::from(LedgerError::Full), 503, Some("1")),
            (LedgerError::Unavailable.into(), 503, Some("1")),
            (LedgerError::Gone.into(), 503, Some("1")),
            (frozen.into(), 503, Some("60")),
            (CommandRejection::Stopped.into(), 401, None),
            (CommandRejection::NoPrice.into(), 500, None),
            (CommandRejection::InsufficientBalance.into(), 402, None),
            (CommandRejection::Duplicate { existing, field: "domain" }.into(), 409, None),
            (CommandRejection::TooManyRadars { max: 1 }.into(), 400, None),
            (CommandRejection::UnknownRadar.into(), 404, None),
            (CommandRejection::IdempotencyKeyReused.into(), 409, None),
            (CommandRejection::PaymentRefReused.into(), 409, None),
            (Rejection::RateLimited(refused).into(), 429, Some("7")),
            (Rejection::RedeliveriesUsedUp { retry_after_s: 9 }.into(), 429, Some("9")),
        ] {
            let response = failure.respond(&TestRequest::default().to_http_request(), DateTime::UNIX_EPOCH);
            let header = response.headers().get(RETRY_AFTER).map(|value| value.to_str().expect("text").to_owned());
            assert_eq!((response.status().as_u16(), header.as_deref()), (status, retry_after));
        }
        let failure = Failure::from(Rejection::MethodNotAllowed("GET, DELETE".to_owned()));
        let response = failure.respond(&TestRequest::default().to_http_request(), DateTime::UNIX_EPOCH);
        assert_eq!(response.headers().get(ALLOW).and_then(|value| value.to_str().ok()), Some("GET, DELETE"));
    }
}
