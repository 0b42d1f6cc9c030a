//! What operations answer: contents, headers, and the rejections that they share (Spec 7, 8.1, decision 3.11).

use utoipa::openapi::example::ExampleBuilder;
use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::header::{Header, HeaderBuilder};
use utoipa::openapi::path::OperationBuilder;
use utoipa::openapi::response::{Response, ResponseBuilder};
use utoipa::openapi::{Content, ContentBuilder, Ref, RefOr, Schema};

use super::examples::{self, Example};
use crate::wire::schema::answers::{ERROR, RATE_LIMIT_ERROR};
use crate::wire::schema::{count, integer, named};

/// A rejection that operations share.
struct RejectionAnswer {
    status: &'static str,
    name: &'static str,
    description: &'static str,
}

const INVALID: RejectionAnswer = RejectionAnswer {
    status: "400",
    name: "Invalid",
    description: "A field, a parameter or the body is not as it must be. Every offending field is listed; for a creation \
                  `radar_limit` says that the account has as many radars as it may have. Sending the same again does \
                  not help.",
};
const UNAUTHORIZED: RejectionAnswer = RejectionAnswer {
    status: "401",
    name: "Unauthorized",
    description: "The API key is missing, unknown or inactive.",
};
const INSUFFICIENT_BALANCE: RejectionAnswer = RejectionAnswer {
    status: "402",
    name: "InsufficientBalance",
    description: "The balance does not cover the charge. Nothing was created; try again after a top-up.",
};
const NOT_FOUND: RejectionAnswer =
    RejectionAnswer { status: "404", name: "NotFound", description: "The account has no radar with this identifier." };
const DELIVERY_NOT_FOUND: RejectionAnswer = RejectionAnswer {
    status: "404",
    name: "DeliveryNotFound",
    description: "The account has no delivery, endpoint or recovery with this identifier.",
};
const TOO_MANY_RECOVERIES: RejectionAnswer = RejectionAnswer {
    status: "409",
    name: "TooManyRecoveries",
    description: "Too many recoveries are unfinished: try again when one of them is done.",
};
const TOO_MANY_SECRETS: RejectionAnswer = RejectionAnswer {
    status: "409",
    name: "TooManySecrets",
    description: "Too many secrets still sign: rotate again when the oldest one has ended.",
};
const CONFLICT: RejectionAnswer = RejectionAnswer {
    status: "409",
    name: "Conflict",
    description: "An active radar has the same target and type: the text of `errors[0].reason` is its identifier. Or, \
                  with `errors[0].field` = `idempotency-key`, the key was used with another body.",
};
const KEY_REUSED: RejectionAnswer = RejectionAnswer {
    status: "409",
    name: "IdempotencyKeyReused",
    description: "The `Idempotency-Key` was used with another body. (Items that exist already are 409 in `results`.)",
};
const RATE_LIMITED: RejectionAnswer = RejectionAnswer {
    status: "429",
    name: "RateLimited",
    description: "A budget lacks tokens: `errors[0].reason` is `minute` or `burst`. Nothing was spent, created or \
                  billed; try again after `Retry-After`.",
};
const INTERNAL: RejectionAnswer =
    RejectionAnswer { status: "500", name: "Internal", description: "A fault of the service. Try again later." };
const UNAVAILABLE: RejectionAnswer = RejectionAnswer {
    status: "503",
    name: "Unavailable",
    description: "The database is away or too much is under way: try again after `Retry-After`. Or the account is \
                  frozen (`errors[0].field` is `account`): it can be read, but not changed until the operator has \
                  looked at it.",
};

const SHARED: [&RejectionAnswer; 12] = [
    &INVALID,
    &UNAUTHORIZED,
    &INSUFFICIENT_BALANCE,
    &NOT_FOUND,
    &DELIVERY_NOT_FOUND,
    &CONFLICT,
    &TOO_MANY_RECOVERIES,
    &TOO_MANY_SECRETS,
    &KEY_REUSED,
    &RATE_LIMITED,
    &INTERNAL,
    &UNAVAILABLE,
];

/// What every operation may answer instead of a success.
pub(super) trait RejectionAnswers {
    /// 400 with the error body.
    fn or_invalid(self) -> Self;
    /// 402 and 409, of a single create.
    fn or_not_created(self) -> Self;
    /// 404.
    fn or_not_found(self) -> Self;
    /// 404, of what belongs to deliveries.
    fn or_delivery_not_found(self) -> Self;
    /// 409, of a bulk.
    fn or_key_reused(self) -> Self;
    /// 401, 429, 500 and 503.
    fn or_refused(self) -> Self;
}

impl RejectionAnswers for OperationBuilder {
    fn or_invalid(self) -> Self {
        rejected(self, &[INVALID])
    }

    fn or_not_created(self) -> Self {
        rejected(self, &[INSUFFICIENT_BALANCE, CONFLICT])
    }

    fn or_not_found(self) -> Self {
        rejected(self, &[NOT_FOUND])
    }

    fn or_delivery_not_found(self) -> Self {
        rejected(self, &[DELIVERY_NOT_FOUND])
    }

    fn or_key_reused(self) -> Self {
        rejected(self, &[KEY_REUSED])
    }

    fn or_refused(self) -> Self {
        rejected(self, &[UNAUTHORIZED, RATE_LIMITED, INTERNAL, UNAVAILABLE])
    }
}

/// The rejections under their names.
pub(super) fn named_responses() -> impl Iterator<Item = (&'static str, Response)> {
    SHARED.into_iter().map(|rejection| (rejection.name, response(rejection)))
}

/// A success of a metered route.
pub(super) fn success(description: &str, schema: impl Into<RefOr<Schema>>, example: Example) -> ResponseBuilder {
    metered(bare_success(description, schema, example))
}

/// A success without the rate headers.
pub(super) fn bare_success(description: &str, schema: impl Into<RefOr<Schema>>, example: Example) -> ResponseBuilder {
    ResponseBuilder::new().description(description).content(JSON, content(schema, [example]))
}

/// The media type of all bodies.
pub(super) const JSON: &str = "application/json";

/// A JSON body with examples.
pub(super) fn content(schema: impl Into<RefOr<Schema>>, examples: impl IntoIterator<Item = Example>) -> Content {
    let examples = examples.into_iter().map(|(name, value)| (name, ExampleBuilder::new().value(Some(value)).build()));
    ContentBuilder::new().schema(Some(schema)).examples_from_iter(examples).build()
}

/// The rate headers of an answer that always has them.
pub(super) fn metered(response: ResponseBuilder) -> ResponseBuilder {
    let limit = count("Tokens of the budget per minute.");
    let remaining = count("Tokens left in the budget after the request.");
    let reset = count("Seconds until the budget is full again.");
    response
        .header("X-RateLimit-Limit", always(limit))
        .header("X-RateLimit-Remaining", always(remaining))
        .header("X-RateLimit-Reset", always(reset))
}

fn rejected(operation: OperationBuilder, rejections: &[RejectionAnswer]) -> OperationBuilder {
    rejections.iter().fold(operation, |operation, rejection| {
        operation.response(rejection.status, Ref::from_response_name(rejection.name))
    })
}

fn response(rejection: &RejectionAnswer) -> Response {
    let schema = named(if rejection.status == RATE_LIMITED.status { RATE_LIMIT_ERROR } else { ERROR });
    let response = bare_success(rejection.description, schema, (rejection.name, examples::rejection(rejection.name)));
    let retry_after = || always(integer("Seconds to wait.").minimum(Some(1)));
    let response = match rejection.status {
        "429" | "503" => response.header("Retry-After", retry_after()),
        _ => response,
    };
    // Without a key, or without a database to look it up in, it is not known whose budget it is; and a bulk, which alone
    // may answer that a key is reused and nothing else, has the headers on a 429 only.
    let is_metered = !["401", "500", "503"].contains(&rejection.status) && rejection.name != KEY_REUSED.name;
    if is_metered { metered(response).build() } else { response.build() }
}

/// A header that is on every such answer; the library has no field for that.
fn always(schema: impl Into<RefOr<Schema>>) -> Header {
    HeaderBuilder::new().schema(Some(schema)).extensions(Some(Extensions::from_iter([("required", true)]))).build()
}
