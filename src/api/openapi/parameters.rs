//! The parameters of operations (Spec 4.1, 4.6 to 4.9, 4.11, decisions 2.5, 2.9).

use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn, ParameterStyle};
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder};
use utoipa::openapi::{RefOr, Required, Schema};

use domain::field_limits::{IDEMPOTENCY_KEY_MAX, UPDATES_DOMAINS_MAX};
use domain::{RadarType, Status, UpdateOrder, UpdateType};
use wire::public::updates_export::ExportFormat;
use wire::shapes::{self, integer, list, text, uuid, word};

pub(crate) fn path_id(name: &str, description: &str) -> Parameter {
    let id = uuid("A UUID in its hyphenated form.");
    parameter(ParameterIn::Path, name, description, id).required(Required::True).build()
}

pub(crate) fn path_text(name: &str, description: &str) -> Parameter {
    parameter(ParameterIn::Path, name, description, text("As it was shown.")).required(Required::True).build()
}

pub(crate) fn instant(name: &str, description: &str) -> Parameter {
    query(name, description, shapes::instant("An RFC 3339 timestamp with its offset from UTC."))
}

pub(crate) fn idempotency_key() -> Parameter {
    let key = text("Visible ASCII characters of your own choice.").pattern(Some("^[!-~]+$"));
    let key = key.min_length(Some(1)).max_length(Some(IDEMPOTENCY_KEY_MAX));
    let description = "Makes a create safe to repeat: for 24 hours the same key with the same body answers what the \
                       first request was answered, and creates and bills nothing anew.";
    parameter(ParameterIn::Header, "Idempotency-Key", description, key).build()
}

pub(crate) fn month() -> Parameter {
    let month = text("A month such as 2026-01.").pattern(Some(shapes::MONTH));
    query("month", "The month to count, in UTC; the current one when it is absent.", month)
}

pub(crate) fn limit(default: u32, most: u32) -> Parameter {
    let limit = integer("A number of entries.").minimum(Some(1)).maximum(Some(most)).default(Some(default.into()));
    query("limit", "How many entries a page has at most.", limit)
}

pub(crate) fn cursor() -> Parameter {
    let cursor = text("Opaque.").min_length(Some(1));
    query("cursor", "The `next_cursor` of the previous page; keep the other parameters as they were.", cursor)
}

pub(crate) fn since() -> Parameter {
    let description = "Only updates discovered strictly after this instant. A poller that passes the `discovered_at` \
                       of the last update it has read misses nothing and reads nothing twice.";
    instant("since", description)
}

pub(crate) fn order() -> Parameter {
    let order = word(UpdateOrder::WORDS, "An order.").default(Some(UpdateOrder::OldestFirst.as_str().into()));
    query("order", "Which updates come first. Programs that follow new ones read the oldest first.", order)
}

pub(crate) fn last_event_id() -> Parameter {
    let id = text("The `id` of the last event that was seen.").min_length(Some(1));
    let description = "Where a client goes on that comes back; it counts more than `cursor` and may be one.";
    parameter(ParameterIn::Header, "Last-Event-ID", description, id).build()
}

pub(crate) fn export_format() -> Parameter {
    let format = word(ExportFormat::WORDS, "A format.").default(Some(ExportFormat::Jsonl.as_str().into()));
    query("format", "A line of JSON per update, or a table with a column for every key that may occur.", format)
}

pub(crate) fn radar_status() -> Parameter {
    let status = word(Status::WORDS, "A status.");
    query("radar_status", "Only radars of this status; failed ones are inactive.", status)
}

pub(crate) fn radar_types() -> Parameter {
    let types = list(word(RadarType::WORDS, "A radar type."), "Given once for each, or separated by commas.");
    list_query("radar_type", "Only these radar types.", types)
}

pub(crate) fn radar_ids(most: usize) -> Parameter {
    let ids = list(uuid("A radar."), "Given once for each, or separated by commas.").max_items(Some(most));
    list_query("radar_id", "Only these radars.", ids)
}

pub(crate) fn domains() -> Parameter {
    let domain = text("Normalised like the `domain` of a new radar.").min_length(Some(1));
    let domains = list(domain, "Given once for each, or separated by commas.").max_items(Some(UPDATES_DOMAINS_MAX));
    list_query("domain", "Only radars of these domains.", domains)
}

pub(crate) fn update_types() -> Parameter {
    let kinds = list(word(UpdateType::WORDS, "A kind."), "Given once for each, or separated by commas.");
    let kinds = kinds.default(Some([UpdateType::Finding.as_str()].as_slice().into()));
    list_query("update_type", "Only these kinds of updates. Failures come only when they are asked for.", kinds)
}

/// A header of what is pushed.
pub(crate) fn push_header(name: &str, description: &str, schema: ObjectBuilder) -> Parameter {
    parameter(ParameterIn::Header, name, description, schema).required(Required::True).build()
}

pub(crate) fn query(name: &str, description: &str, schema: ObjectBuilder) -> Parameter {
    parameter(ParameterIn::Query, name, description, schema).build()
}

fn list_query(name: &str, description: &str, schema: ArrayBuilder) -> Parameter {
    parameter(ParameterIn::Query, name, description, schema.min_items(Some(1)))
        .style(Some(ParameterStyle::Form))
        .explode(Some(true))
        .build()
}

fn parameter(place: ParameterIn, name: &str, description: &str, schema: impl Into<RefOr<Schema>>) -> ParameterBuilder {
    // The library takes a parameter for one of the path, and so for a required one, until its place is set.
    ParameterBuilder::new()
        .name(name)
        .parameter_in(place)
        .required(Required::False)
        .description(Some(description))
        .schema(Some(schema))
}
