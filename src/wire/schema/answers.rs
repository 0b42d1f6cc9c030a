//! Schemas of answers: what surrounds them, radar records, the account, errors (Spec 2.2, 4, 7).

use utoipa::openapi::schema::ObjectBuilder;
use utoipa::openapi::{RefOr, Schema};

use super::requests::HTTP_URL;
use super::{
    Fields, Named, boolean, count, custom_fields, instant, integer, list, named, number, object, or_null, text, uri,
    uuid, word,
};
use crate::domain::field_limits::{
    COUNTRIES_MAX, DOMAIN_MAX, EMAIL_MAX, FULL_NAME_MAX, KEYWORD_MAX, KEYWORD_MIN, PROFILE_URL_MAX, RADARS_LIMIT_MAX,
    TITLE_EXPRESSION_MAX, UPDATES_LIMIT_MAX, WEBHOOK_URL_MAX,
};
use crate::domain::radar::filter::{Department, Seniority};
use crate::domain::radar::update::UpdateType;
use crate::domain::radar::{Status, StatusReason};
use crate::domain::radar_type::RadarType;
use crate::wire::public::webhooks::webhook_test::OUTCOMES;

/// The name of the radar record's schema.
pub(crate) const RADAR: &str = "Radar";
/// The name of the error body's schema.
pub(crate) const ERROR: &str = "Error";
/// The name of the schema of an error that only asks to wait.
pub(crate) const RATE_LIMIT_ERROR: &str = "RateLimitError";
/// The name of the schema of one entry of `errors`.
pub(crate) const FIELD_REASON: &str = "FieldReason";
/// The name of the account summary's schema.
pub(crate) const ACCOUNT: &str = "AccountSummary";

/// The schemas that answers refer to.
pub(crate) fn named_schemas() -> Vec<Named> {
    let error_id = uuid("Quote it to support: the log knows the cause under it.");
    [
        (RADAR, radar()),
        (ACCOUNT, account()),
        (ERROR, error("An error.").always("error_id", error_id).into()),
        (RATE_LIMIT_ERROR, error("A rate limit; it has no `error_id`, waiting helps.").into()),
        (FIELD_REASON, field_reason()),
    ]
    .map(|(name, schema)| (name.to_owned(), schema))
    .into()
}

/// The fields that every success has, with those of its own to come.
pub(crate) fn success(code: u16, status: &str) -> ObjectBuilder {
    common(object("A success."), status, integer("The HTTP status.").enum_values(Some([code])))
}

/// A success whose own field is `data`.
pub(crate) fn with_data(code: u16, data: impl Into<RefOr<Schema>>) -> ObjectBuilder {
    success(code, "success").always("data", data)
}

/// The answer of `GET /v1/radars`.
pub(crate) fn radar_page() -> ObjectBuilder {
    let page = success(200, "success")
        .always("count", count("Radars on this page.").maximum(Some(RADARS_LIMIT_MAX)))
        .always("limit", integer("The limit that was applied.").minimum(Some(1)).maximum(Some(RADARS_LIMIT_MAX)))
        .always("data", list(named(RADAR), "The radars, newest first.").max_items(Some(RADARS_LIMIT_MAX as usize)));
    paged(page)
}

/// The answer of `GET /v1/updates`.
pub(crate) fn updates_page() -> ObjectBuilder {
    let updates = list(named(super::payload::UPDATE), "The updates, in the order of their publication.");
    paged(success(200, "success").always("updates", updates.max_items(Some(UPDATES_LIMIT_MAX as usize))))
}

/// The answer of `GET /v1/webhooks/schema`.
pub(crate) fn payload_schemas() -> ObjectBuilder {
    let schema = || object("A JSON Schema (2020-12).").additional_properties(super::allowed());
    let failure = UpdateType::Failure.as_str();
    let data = object("A JSON Schema (2020-12) per radar type that was asked for, and that of failures.");
    let data = data.always(failure, schema());
    with_data(200, RadarType::WORDS.iter().fold(data, |data, radar_type| data.maybe(radar_type, schema())))
}

/// The answer of `POST /v1/webhooks/test`.
pub(crate) fn webhook_test() -> ObjectBuilder {
    let status = integer("The status that the receiver answered with; null without an answer.");
    let result = object("What became of it.")
        .always("outcome", word(&OUTCOMES, "Whether the receiver took it, or what was in the way."))
        .always("http_status", or_null(status.minimum(Some(100)).maximum(Some(999))))
        .always("duration_ms", count("How long it took, in milliseconds."));
    let data = object("What was sent.")
        .always("webhook_url", webhook_url("Where to."))
        .always("radar_type", word(RadarType::WORDS, "Whose payload."))
        .always("update_type", word(UpdateType::WORDS, "The kind of update."))
        .always("payload", named(super::payload::UPDATE))
        .always("result", result);
    with_data(200, data)
}

/// The fields of any error, `errors` included.
pub(crate) fn error(description: &str) -> ObjectBuilder {
    let code = integer("The HTTP status.").minimum(Some(400)).maximum(Some(599));
    common(object(description), "error", code).always("errors", errors())
}

pub(crate) fn errors() -> RefOr<Schema> {
    list(named(FIELD_REASON), "Every offending field; empty where the fault is not the request's.").into()
}

fn webhook_url(description: &str) -> ObjectBuilder {
    text(description).pattern(Some(HTTP_URL)).max_length(Some(WEBHOOK_URL_MAX))
}

fn common(answer: ObjectBuilder, status: &str, code: ObjectBuilder) -> ObjectBuilder {
    answer
        .always("status", word(&[status], "What kind of answer this is."))
        .always("code", code)
        .always("message", text("One sentence for people."))
        .always("timestamp", instant("When the answer was made."))
}

/// A page with its cursor.
pub(crate) fn paged(page: ObjectBuilder) -> ObjectBuilder {
    page.always("has_more", boolean("Whether there is another page."))
        .always("next_cursor", or_null(text("Pass it as `cursor` for the next page; null on the last one.")))
}

fn field_reason() -> RefOr<Schema> {
    object("What is wrong with one field.")
        .always("field", text("The field, parameter or header; of a bulk's item with the prefix `radars[i].`."))
        .always("reason", text("What is wrong, as the end of a sentence that begins with the field."))
        .into()
}

fn radar() -> RefOr<Schema> {
    let departments = word(Department::WORDS, "A department.");
    let seniorities = word(Seniority::WORDS, "A seniority.");
    let countries = text("An ISO 3166-1 alpha-2 code.").pattern(Some("^[A-Z]{2}$"));
    object("A radar. What is not set is absent, but for the last two instants, which are null.")
        .always("radar_id", uuid("Identifier assigned at creation."))
        .always("radar_type", word(RadarType::WORDS, "The signal that it reports."))
        .maybe("domain", text("The bare domain that it watches.").max_length(Some(DOMAIN_MAX)))
        .maybe("webhook_url", webhook_url("Where updates are pushed to, as it was given."))
        .always("radar_status", word(Status::WORDS, "A radar that failed is inactive, too."))
        .maybe("status_reason", word(StatusReason::WORDS, "Why it is not plainly active."))
        .maybe("paused_since", instant("Since when findings are held back for lack of money; absent otherwise."))
        .maybe("departments", list(departments, "Findings match one of these.").min_items(Some(1)))
        .maybe("seniorities", list(seniorities, "Findings match one of these.").min_items(Some(1)))
        .maybe("job_titles", text("The expression that titles satisfy.").max_length(Some(TITLE_EXPRESSION_MAX)))
        .maybe("profile_url", uri("The person's profile, normalised.").max_length(Some(PROFILE_URL_MAX)))
        .maybe("email", text("The person's address.").max_length(Some(EMAIL_MAX)))
        .maybe("full_name", text("The person's name.").min_length(Some(1)).max_length(Some(FULL_NAME_MAX)))
        .maybe("keyword", text("The theme.").min_length(Some(KEYWORD_MIN)).max_length(Some(KEYWORD_MAX)))
        .maybe("countries", list(countries, "Only there.").min_items(Some(1)).max_items(Some(COUNTRIES_MAX)))
        .always("custom_fields", custom_fields("Your labels."))
        .always("created_at", instant("When it was created."))
        .always("deactivated_at", or_null(instant("When it ended; null while it is active.")))
        .always(
            "next_charge_at",
            or_null(instant("When it renews; null once it is inactive or if it is paid per finding.")),
        )
        .into()
}

fn account() -> RefOr<Schema> {
    let usage = object("What happened in the month.")
        .always("month", text("The month, in UTC.").pattern(Some(super::MONTH)))
        .always("radars_activated", count("Radars created that did not fail."))
        .always("radars_deactivated", count("Radars ended by you or for lack of funds."))
        .always("radars_failed", count("Radars that failed."))
        .always("updates_found", count("Findings published."))
        .always("balance_used_usd", number("Charges of the month less refunds of those charges, in USD."));
    let totals = object("The state now; every radar is counted once.")
        .always("total_radars", count("All radars."))
        .always("active_radars", count("Radars that are active."))
        .always("inactive_radars", count("Radars that are inactive and did not fail."))
        .always("failed_radars", count("Radars that failed."))
        .always("total_updates_found", count("Findings published ever."));
    object("The account's month, state and balance.")
        .always("usage", usage)
        .always("account", totals)
        .always("balance_remaining_usd", number("The prepaid balance, in USD with at most 6 decimals."))
        .into()
}
