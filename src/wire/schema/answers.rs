//! Schemas of answers: what surrounds them, pages, errors (Spec 4, 7).

use utoipa::openapi::schema::ObjectBuilder;
use utoipa::openapi::{RefOr, Schema};

use crate::error::FIELD_REASON;
use crate::public::api_keys::ApiKeyRecord;
use crate::public::radar_record::RADAR;
use crate::public::update::UPDATE;
use crate::record::Record;
use crate::shapes::{
    Fields, allowed, boolean, count, instant, integer, list, named, object, or_null, text, uuid, word,
};
use domain::field_limits::{RADARS_LIMIT_MAX, UPDATES_LIMIT_MAX};
use domain::{RadarType, UpdateType};

/// The name of the account summary's schema.
pub const ACCOUNT: &str = "AccountSummary";
/// The name of the radar type's schema.
pub const RADAR_TYPE: &str = "RadarType";
/// The name of the schema of a radar's health.
pub const RADAR_HEALTH: &str = "RadarHealth";
/// The name of the schema of a preview.
pub const PREVIEW: &str = "Preview";
/// The name of the error body's schema.
pub const ERROR: &str = "Error";
/// The name of the schema of an error that only asks to wait.
pub const RATE_LIMIT_ERROR: &str = "RateLimitError";

/// The fields that every success has, with those of its own to come.
pub fn success(code: u16, status: &str) -> ObjectBuilder {
    common(object("A success."), status, integer("The HTTP status.").enum_values(Some([code])))
}

/// A success whose own field is `data`.
pub fn with_data(code: u16, data: impl Into<RefOr<Schema>>) -> ObjectBuilder {
    success(code, "success").always("data", data)
}

/// The answer of `GET /v1/radars`.
pub fn radar_page() -> ObjectBuilder {
    let page = success(200, "success")
        .always("count", count("Radars on this page.").maximum(Some(RADARS_LIMIT_MAX)))
        .always("limit", integer("The limit that was applied.").minimum(Some(1)).maximum(Some(RADARS_LIMIT_MAX)))
        .always("data", list(named(RADAR), "The radars, newest first.").max_items(Some(RADARS_LIMIT_MAX as usize)));
    paged(page)
}

/// The answer of `GET /v1/updates`.
pub fn updates_page() -> ObjectBuilder {
    let updates = list(named(UPDATE), "The updates, in the order of their publication.");
    paged(success(200, "success").always("updates", updates.max_items(Some(UPDATES_LIMIT_MAX as usize))))
}

/// The `data` of `GET /v1/webhooks/schema`.
pub fn payload_schemas() -> ObjectBuilder {
    let schema = || object("A JSON Schema (2020-12).").additional_properties(allowed());
    let failure = UpdateType::Failure.as_str();
    let data = object("A JSON Schema (2020-12) per radar type that was asked for, and that of failures.");
    let data = data.always(failure, schema());
    RadarType::WORDS.iter().fold(data, |data, radar_type| data.maybe(radar_type, schema()))
}

/// Any error but a rate limit.
pub(super) fn error_with_id() -> ObjectBuilder {
    error("An error.").always("error_id", uuid("Quote it to support: the log knows the cause under it."))
}

/// The fields of any error, `errors` included.
pub fn error(description: &str) -> ObjectBuilder {
    let code = integer("The HTTP status.").minimum(Some(400)).maximum(Some(599));
    let errors = list(named(FIELD_REASON), "Every offending field; empty where the fault is not the request's.");
    common(object(description), "error", code).always("errors", errors)
}

fn common(answer: ObjectBuilder, status: &str, code: ObjectBuilder) -> ObjectBuilder {
    answer
        .always("status", word(&[status], "What kind of answer this is."))
        .always("code", code)
        .always("message", text("One sentence for people."))
        .always("timestamp", instant("When the answer was made."))
}

/// A page with its cursor.
pub fn paged(page: ObjectBuilder) -> ObjectBuilder {
    page.always("has_more", boolean("Whether there is another page."))
        .always("next_cursor", or_null(text("Pass it as `cursor` for the next page; null on the last one.")))
}

/// An API key as it is answered once, when it is made.
pub fn made_api_key() -> ObjectBuilder {
    ApiKeyRecord::fields(object("The key.")).always("api_key", text("The key itself, which is never shown again."))
}
