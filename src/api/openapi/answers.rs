//! What operations answer: contents, headers, and the rejections that they share (Spec 7, 8.1, decision 3.11).

use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::header::{Header, HeaderBuilder};
use utoipa::openapi::path::{Operation, OperationBuilder};
use utoipa::openapi::request_body::{RequestBody, RequestBodyBuilder};
use utoipa::openapi::response::{Response, ResponseBuilder};
use utoipa::openapi::{Content, ContentBuilder, Ref, RefOr, Required, Schema};

use super::examples::{self, JSON};
use domain::ids::RadarId;
use domain::rejection::{KeyHeader, Missing, Rejection};
use domain::scheduling::rate::{RateRejection, RejectedBy};
use wire::error;
use wire::schema::answers::{self as schema, ERROR, RATE_LIMIT_ERROR};
use wire::shapes::{count, integer, named};

/// A rejection that operations share.
pub(super) struct RejectionAnswer {
    name: &'static str,
    description: &'static str,
    /// One that is answered so.
    example: fn() -> Rejection,
}

const fn rejection(name: &'static str, description: &'static str, example: fn() -> Rejection) -> RejectionAnswer {
    RejectionAnswer { name, description, example }
}

pub(super) const INVALID: RejectionAnswer = rejection(
    "Invalid",
    "A field, a parameter or the body is not as it must be. Every offending field is listed; for a creation \
     `radar_limit` says that the account has as many radars as it may have. Sending the same again does \
     not help.",
    || Rejection::invalid("limit", "must be an integer from 1 to 100"),
);
pub(super) const UNAUTHORIZED: RejectionAnswer =
    rejection("Unauthorized", "The API key is missing, unknown or inactive.", || Rejection::InvalidKey(KeyHeader::Api));
pub(super) const INSUFFICIENT_BALANCE: RejectionAnswer = rejection(
    "InsufficientBalance",
    "The balance does not cover the charge. Nothing was created; try again after a top-up.",
    || Rejection::InsufficientBalance,
);
pub(super) const NOT_FOUND: RejectionAnswer =
    rejection("NotFound", "The account has no radar with this identifier.", || Rejection::NotFound(Missing::Radar));
pub(super) const DELIVERY_NOT_FOUND: RejectionAnswer =
    rejection("DeliveryNotFound", "The account has no delivery, endpoint or recovery with this identifier.", || {
        Rejection::NotFound(Missing::Delivery)
    });
pub(super) const TOO_MANY_RECOVERIES: RejectionAnswer =
    rejection("TooManyRecoveries", "Too many recoveries are unfinished: try again when one of them is done.", || {
        Rejection::conflict("recover", "at most 10 recoveries may be unfinished")
    });
pub(super) const TOO_MANY_SECRETS: RejectionAnswer =
    rejection("TooManySecrets", "Too many secrets still sign: rotate again when the oldest one has ended.", || {
        Rejection::conflict("webhook_secret", "at most 5 secrets may sign at once")
    });
pub(super) const CONFLICT: RejectionAnswer = rejection(
    "Conflict",
    "An active radar has the same target and type: the text of `errors[0].reason` is its identifier. Or, \
     with `errors[0].field` = `idempotency-key`, the key was used with another body.",
    || Rejection::RadarExists { field: "domain", radar_id: RadarId(examples::RADAR_ID) },
);
pub(super) const KEY_REUSED: RejectionAnswer = rejection(
    "IdempotencyKeyReused",
    "The `Idempotency-Key` was used with another body. (Items that exist already are 409 in `results`.)",
    || Rejection::IdempotencyKeyReused,
);
pub(super) const RATE_LIMITED: RejectionAnswer = rejection(
    "RateLimited",
    "A budget lacks tokens: `errors[0].reason` is `minute` or `burst`. Nothing was spent, created or \
     billed; try again after `Retry-After`. Or, with `errors[0].field` = `redeliveries`, as much was sent again \
     today as may be.",
    || Rejection::RateLimited(RateRejection { by: RejectedBy::Minute, limit: 100, remaining: 0, retry_after_s: 1 }),
);
pub(super) const INTERNAL: RejectionAnswer =
    rejection("Internal", "A fault of the service. Try again later.", || Rejection::Internal);
pub(super) const UNAVAILABLE: RejectionAnswer = rejection(
    "Unavailable",
    "The database is away or too much is under way: try again after `Retry-After`. Or the account is \
     frozen (`errors[0].field` is `account`): it can be read, but not changed until the operator has \
     looked at it.",
    || Rejection::DatabaseUnavailable,
);

/// What operations answer.
pub(super) trait Answers {
    /// The operation with a success of a metered route, whose own field is `data`.
    fn with_data(self, status: u16, description: &str, data: impl Into<RefOr<Schema>>) -> Self;

    /// The operation with these rejections, and with those that all of them share: 401, 429, 500 and 503.
    fn or_rejected(self, rejections: &[RejectionAnswer]) -> Operation;
}

impl Answers for OperationBuilder {
    fn with_data(self, status: u16, description: &str, data: impl Into<RefOr<Schema>>) -> Self {
        self.response(status.to_string(), success(description, schema::with_data(status, data)))
    }

    fn or_rejected(self, rejections: &[RejectionAnswer]) -> Operation {
        let all = rejections.iter().chain(&[UNAUTHORIZED, RATE_LIMITED, INTERNAL, UNAVAILABLE]);
        let add = |operation: Self, rejection: &RejectionAnswer| {
            let (status, ..) = error::parts(&(rejection.example)());
            operation.response(status.to_string(), Ref::from_response_name(rejection.name))
        };
        all.fold(self, add).build()
    }
}

/// An operation that has no parameters and answers yet.
pub(super) fn operation(id: &str, summary: &str, description: impl Into<String>) -> OperationBuilder {
    OperationBuilder::new().operation_id(Some(id)).summary(Some(summary)).description(Some(description))
}

/// The body of a request, which must be there.
pub(super) fn body(schema: impl Into<RefOr<Schema>>) -> RequestBody {
    RequestBodyBuilder::new().required(Some(Required::True)).content(JSON, content(schema)).build()
}

/// The rejections under their names.
pub(super) fn named_responses() -> impl Iterator<Item = (&'static str, Response)> {
    let all = [
        INVALID, UNAUTHORIZED, INSUFFICIENT_BALANCE, NOT_FOUND, DELIVERY_NOT_FOUND, TOO_MANY_RECOVERIES,
        TOO_MANY_SECRETS, CONFLICT, KEY_REUSED, RATE_LIMITED, INTERNAL, UNAVAILABLE,
    ];
    all.into_iter().map(|rejection| (rejection.name, response(&rejection)))
}

/// A success of a metered route.
pub(super) fn success(description: &str, schema: impl Into<RefOr<Schema>>) -> ResponseBuilder {
    metered(answer(description, schema))
}

/// An answer without the rate headers.
pub(super) fn answer(description: &str, schema: impl Into<RefOr<Schema>>) -> ResponseBuilder {
    ResponseBuilder::new().description(description).content(JSON, content(schema))
}

fn content(schema: impl Into<RefOr<Schema>>) -> Content {
    ContentBuilder::new().schema(Some(schema)).build()
}

/// The rate headers of an answer that always has them.
fn metered(response: ResponseBuilder) -> ResponseBuilder {
    let limit = count("Tokens of the budget per minute.");
    let remaining = count("Tokens left in the budget after the request.");
    let reset = count("Seconds until the budget is full again.");
    response
        .header("X-RateLimit-Limit", always(limit))
        .header("X-RateLimit-Remaining", always(remaining))
        .header("X-RateLimit-Reset", always(reset))
}

fn response(RejectionAnswer { name, description, example }: &RejectionAnswer) -> Response {
    let rejection = example();
    let (status, ..) = error::parts(&rejection);
    let schema = named(if status == 429 { RATE_LIMIT_ERROR } else { ERROR });
    let mut content = content(schema);
    examples::add_rejection(&mut content, name, &rejection);
    let response = ResponseBuilder::new().description(*description).content(JSON, content);
    let retry_after = || always(integer("Seconds to wait.").minimum(Some(1)));
    let response = match status {
        429 | 503 => response.header("Retry-After", retry_after()),
        _ => response,
    };
    // Without a key, or without a database to look it up in, it is not known whose budget it is; and a bulk, which alone
    // may answer that a key is reused and nothing else, has the headers on a 429 only.
    let is_metered = ![401, 500, 503].contains(&status) && rejection != Rejection::IdempotencyKeyReused;
    if is_metered { metered(response).build() } else { response.build() }
}

/// A header that is on every such answer; the library has no field for that.
fn always(schema: impl Into<RefOr<Schema>>) -> Header {
    HeaderBuilder::new().schema(Some(schema)).extensions(Some(Extensions::from_iter([("required", true)]))).build()
}
