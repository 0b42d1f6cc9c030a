//! What operations answer: contents, headers, and the rejections that they share (Spec 7, 8.1, decision 3.11).

use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::header::{Header, HeaderBuilder};
use utoipa::openapi::request_body::{RequestBody, RequestBodyBuilder};
use utoipa::openapi::response::{Response, ResponseBuilder};
use utoipa::openapi::{Content, ContentBuilder, RefOr, Required, Schema};

use super::examples::{self, JSON};
use super::prose;
use domain::scheduling::rate::RejectedBy;
use domain::{KeyHeader, Missing, RadarId, RateRejection, Rejection, Scope};
use wire::error;
use wire::schema::answers::{ERROR, RATE_LIMIT_ERROR};
use wire::shapes::{count, integer, named, object, text};

/// What is said of `ETag`.
const TAG: &str = "Stands for the record as it is; a later `If-None-Match` may name it.";

/// A rejection that operations share: its name, and one that is answered so.
pub(crate) type RejectionAnswer = (&'static str, fn() -> Rejection);

pub(crate) const INVALID: RejectionAnswer =
    ("Invalid", || Rejection::invalid("limit", "must be an integer from 1 to 100"));
pub(crate) const UNAUTHORIZED: RejectionAnswer = ("Unauthorized", || Rejection::InvalidKey(KeyHeader::Api));
pub(crate) const FORBIDDEN: RejectionAnswer = ("Forbidden", || Rejection::MissingScope(KeyHeader::Api, Scope::Write));
pub(crate) const INSUFFICIENT_BALANCE: RejectionAnswer = ("InsufficientBalance", || Rejection::InsufficientBalance);
pub(crate) const NOT_FOUND: RejectionAnswer = ("NotFound", || Rejection::NotFound(Missing::Radar));
pub(crate) const UPDATE_NOT_FOUND: RejectionAnswer = ("UpdateNotFound", || Rejection::NotFound(Missing::Update));
pub(crate) const DELIVERY_NOT_FOUND: RejectionAnswer = ("DeliveryNotFound", || Rejection::NotFound(Missing::Delivery));
pub(crate) const TOO_MANY_RECOVERIES: RejectionAnswer =
    ("TooManyRecoveries", || Rejection::conflict("recover", "at most 10 recoveries may be unfinished"));
pub(crate) const API_KEY_NOT_FOUND: RejectionAnswer = ("ApiKeyNotFound", || Rejection::NotFound(Missing::ApiKey));
pub(crate) const TOO_MANY_API_KEYS: RejectionAnswer =
    ("TooManyApiKeys", || Rejection::conflict("api_keys", "an account has at most 1000 keys, revoked ones among them"));
pub(crate) const TOO_MANY_SECRETS: RejectionAnswer =
    ("TooManySecrets", || Rejection::conflict("webhook_secret", "at most 5 secrets may sign at once"));
pub(crate) const TOO_MANY_STREAMS: RejectionAnswer =
    ("TooManyStreams", || Rejection::conflict("stream", "at most 10 streams may be open with one key"));
pub(crate) const FEED_ADDRESS_NOT_FOUND: RejectionAnswer =
    ("FeedAddressNotFound", || Rejection::NotFound(Missing::FeedAddress));
pub(crate) const TOO_MANY_FEED_ADDRESSES: RejectionAnswer =
    ("TooManyFeedAddresses", || Rejection::conflict("feeds", "at most 100 addresses may be in use"));
pub(crate) const MAIL_CONFLICT: RejectionAnswer =
    ("MailConflict", || Rejection::conflict("email", "mails are not set up here"));
pub(crate) const CONFLICT: RejectionAnswer =
    ("Conflict", || Rejection::RadarExists { field: "domain", radar_id: RadarId(examples::RADAR_ID) });
pub(crate) const KEY_REUSED: RejectionAnswer = ("IdempotencyKeyReused", || Rejection::IdempotencyKeyReused);
pub(crate) const RATE_LIMITED: RejectionAnswer = ("RateLimited", || {
    Rejection::RateLimited(RateRejection { by: RejectedBy::Minute, limit: 100, remaining: 0, retry_after_s: 1 })
});
pub(crate) const INTERNAL: RejectionAnswer = ("Internal", || Rejection::Internal);
pub(crate) const UNAVAILABLE: RejectionAnswer = ("Unavailable", || Rejection::DatabaseUnavailable);

/// The body of a request, which must be there.
pub(crate) fn body(schema: impl Into<RefOr<Schema>>) -> RequestBody {
    RequestBodyBuilder::new().required(Some(Required::True)).content(JSON, content(schema)).build()
}

/// The rejections under their names.
pub(super) fn named_responses() -> impl Iterator<Item = (&'static str, Response)> {
    let all = [
        API_KEY_NOT_FOUND, TOO_MANY_API_KEYS, INVALID, UNAUTHORIZED, FORBIDDEN, INSUFFICIENT_BALANCE, NOT_FOUND,
        UPDATE_NOT_FOUND, DELIVERY_NOT_FOUND, TOO_MANY_RECOVERIES, TOO_MANY_SECRETS, TOO_MANY_STREAMS,
        FEED_ADDRESS_NOT_FOUND, TOO_MANY_FEED_ADDRESSES, MAIL_CONFLICT, CONFLICT, KEY_REUSED, RATE_LIMITED, INTERNAL,
        UNAVAILABLE,
    ];
    all.into_iter().map(|(name, example)| (name, response(name, &example())))
}

/// A success of a metered route.
pub(crate) fn success(description: &str, schema: impl Into<RefOr<Schema>>) -> ResponseBuilder {
    metered(answer(description, schema))
}

/// A page of a list.
pub(crate) fn page(description: &str, schema: impl Into<RefOr<Schema>>) -> ResponseBuilder {
    success(description, schema).header("Link", at_times("The next page, with `rel=next`; absent on the last one."))
}

/// A single record, which has a tag.
pub(crate) fn record(description: &str, schema: impl Into<RefOr<Schema>>) -> ResponseBuilder {
    success(description, schema).header("ETag", always(text(TAG)))
}

/// The answer to a client that has the record already.
pub(crate) fn unchanged() -> ResponseBuilder {
    let description = "The record is still the one whose tag `If-None-Match` names.";
    metered(traced(ResponseBuilder::new().description(description)).header("ETag", always(text(TAG))))
}

/// What was created, and where it is.
pub(crate) fn created(description: &str, schema: impl Into<RefOr<Schema>>) -> ResponseBuilder {
    let replayed = "`true` when the same `Idempotency-Key` was answered before; otherwise absent.";
    success(description, schema)
        .header("Location", always(text("The path of the radar.")))
        .header("Idempotent-Replayed", at_times(replayed))
}

/// A success of a metered route in one of these media types, which say what it holds.
pub(crate) fn success_in(description: &str, media_types: &[&str]) -> ResponseBuilder {
    let said = "As the media type says.";
    let schema = |media_type: &str| if media_type.ends_with("+json") { object(said) } else { text(said) };
    let response = ResponseBuilder::new().description(description);
    metered(media_types.iter().fold(response, |response, name| response.content(*name, content(schema(name)))))
}

/// An answer without the rate headers.
pub(crate) fn answer(description: &str, schema: impl Into<RefOr<Schema>>) -> ResponseBuilder {
    traced(ResponseBuilder::new().description(description).content(JSON, content(schema)))
}

/// The header that every answer has.
fn traced(response: ResponseBuilder) -> ResponseBuilder {
    let id = text("The identifier that the request came with, or a new one: quote it to support.");
    response.header("X-Request-Id", always(id))
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

fn response(name: &str, rejection: &Rejection) -> Response {
    let (status, ..) = error::parts(rejection);
    let schema = named(if status == 429 { RATE_LIMIT_ERROR } else { ERROR });
    let mut content = content(schema);
    examples::add_rejection(&mut content, name, rejection);
    let response = traced(ResponseBuilder::new().description(prose::description(name)).content(JSON, content));
    let retry_after = || always(integer("Seconds to wait.").minimum(Some(1)));
    let response = match status {
        401 => response.header("WWW-Authenticate", always(text("Which header a key is expected in."))),
        429 | 503 => response.header("Retry-After", retry_after()),
        _ => response,
    };
    // Without a key, or without a database to look it up in, it is not known whose budget it is; and a bulk, which alone
    // may answer that a key is reused and nothing else, has the headers on a 429 only. An address for feed readers that is not
    // there is nobody's.
    let is_of_nobody = [Rejection::IdempotencyKeyReused, Rejection::NotFound(Missing::FeedAddress)].contains(rejection);
    let is_metered = ![401, 403, 500, 503].contains(&status) && !is_of_nobody;
    if is_metered { metered(response).build() } else { response.build() }
}

/// A header that is on some of the answers.
fn at_times(description: &str) -> Header {
    HeaderBuilder::new().schema(Some(text(description))).build()
}

/// A header that is on every such answer; the library has no field for that.
fn always(schema: impl Into<RefOr<Schema>>) -> Header {
    HeaderBuilder::new().schema(Some(schema)).extensions(Some(Extensions::from_iter([("required", true)]))).build()
}
