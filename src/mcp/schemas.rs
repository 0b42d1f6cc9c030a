//! The schemas of what tools take and give (JSON Schema 2020-12), each whole in itself.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder};

use domain::field_limits::{
    IDEMPOTENCY_KEY_MAX, RADARS_LIMIT_DEFAULT, RADARS_LIMIT_MAX, RADARS_RADAR_IDS_MAX, UPDATES_DOMAINS_MAX,
    UPDATES_LIMIT_DEFAULT, UPDATES_LIMIT_MAX, UPDATES_RADAR_IDS_MAX,
};
use domain::{PricingModel, RadarType, Status, UpdateType};
use wire::public::radar_record::RADAR;
use wire::schema::answers::{paged, success};
use wire::schema::named_schemas;
use wire::schema::requests::flat_new_radar;
use wire::shapes::{
    Fields, allowed, anything, boolean, instant, integer, list, named, number, object, text, uuid, word,
};

/// The arguments of a call, and any other object of JSON.
pub(super) type Arguments = Map<String, Value>;

/// What the names of schemas in the document of the API begin with, and what they begin with in a schema of its own.
const IN_DOCUMENT: &str = "#/components/schemas/";
const IN_SCHEMA: &str = "#/$defs/";

pub(super) fn confirmed_new_radar() -> ObjectBuilder {
    let key = text("Makes it safe to call again: for 24 hours the same key and arguments create nothing anew.");
    flat_new_radar()
        .maybe("confirm", boolean("True once the user agrees to the price."))
        .maybe(
            "model",
            word(PricingModel::WORDS, "How the user agrees to pay, as the call without `confirm` answered it."),
        )
        .maybe("rate_usd", number("The rate that the user agrees to, from the same answer."))
        .maybe("idempotency_key", key.pattern(Some("^[!-~]+$")).max_length(Some(IDEMPOTENCY_KEY_MAX)))
}

pub(super) fn which_radars() -> ObjectBuilder {
    page_of(RADARS_LIMIT_DEFAULT, RADARS_LIMIT_MAX)
        .maybe("radar_status", word(Status::WORDS, "Only radars of this status; failed ones are inactive."))
        .maybe("radar_type", radar_types())
        .maybe("radar_id", radar_ids(RADARS_RADAR_IDS_MAX))
}

pub(super) fn which_updates() -> ObjectBuilder {
    let domains = list(text("Such as example.com."), "Only of radars of these domains.");
    let kinds =
        list(word(UpdateType::WORDS, "A kind."), "Only these kinds. Failures come only when they are asked for.");
    page_of(UPDATES_LIMIT_DEFAULT, UPDATES_LIMIT_MAX)
        .maybe("radar_id", radar_ids(UPDATES_RADAR_IDS_MAX))
        .maybe("radar_type", radar_types())
        .maybe("domain", domains.min_items(Some(1)).max_items(Some(UPDATES_DOMAINS_MAX)))
        .maybe("since", instant("Only what was discovered strictly after this instant."))
        .maybe("update_type", kinds.min_items(Some(1)))
}

pub(super) fn one_radar() -> ObjectBuilder {
    object("Which radar.").always("radar_id", uuid("The radar.")).nothing_else()
}

pub(super) fn confirmed_radar() -> ObjectBuilder {
    one_radar().maybe("confirm", boolean("True once the user agrees that the radar ends."))
}

/// Without what `content` has for each type, which would be as long as all other schemas together.
pub(super) fn updates() -> ObjectBuilder {
    let update = object("An update, as webhooks carry it.")
        .always("update_id", uuid("Its identifier."))
        .always("radar_type", word(RadarType::WORDS, "The type of its radar."))
        .additional_properties(allowed());
    paged(success(200, "success").always("updates", list(update, "The updates, in the order of their publication.")))
}

/// What a tool answers that does nothing unless it is confirmed.
pub(super) fn outcome(done: &str, description: &str) -> ObjectBuilder {
    object("What was done, and what it costs.")
        .always(done, boolean(description))
        .always("price", anything("What a radar of the type costs the account now, as `list_radar_types` tells it."))
        .maybe("radar", named(RADAR))
        .maybe("next", text("What to do for it to be done."))
}

fn page_of(default: u32, most: u32) -> ObjectBuilder {
    let limit = integer("How many entries a page has at most.").minimum(Some(1)).maximum(Some(most));
    object("Which ones; without arguments the first page of all.")
        .maybe("limit", limit.default(Some(default.into())))
        .maybe("cursor", text("The `next_cursor` of the page before; keep the other arguments as they were."))
        .nothing_else()
}

fn radar_types() -> ArrayBuilder {
    list(word(RadarType::WORDS, "A radar type."), "Only these radar types.").min_items(Some(1))
}

fn radar_ids(most: usize) -> ArrayBuilder {
    list(uuid("A radar."), "Only these radars.").min_items(Some(1)).max_items(Some(most))
}

/// The schema with everything under `$defs` that it refers to by name.
pub(super) fn whole(schema: ObjectBuilder) -> Arc<Arguments> {
    let named: BTreeMap<String, Value> =
        named_schemas().into_iter().map(|(name, schema)| (name, json!(schema))).collect();
    let mut root = json!(schema.build());
    let mut definitions = Map::new();
    let mut to_look_through = vec![root.to_string()];
    while let Some(text) = to_look_through.pop() {
        for name in text.split(IN_DOCUMENT).skip(1).filter_map(|rest| rest.split('"').next()) {
            if let Some(found) = named.get(name).filter(|_| !definitions.contains_key(name)) {
                definitions.insert(name.to_owned(), found.clone());
                to_look_through.push(found.to_string());
            }
        }
    }
    if !definitions.is_empty() {
        root["$defs"] = Value::Object(definitions);
    }
    serde_json::from_str(&root.to_string().replace(IN_DOCUMENT, IN_SCHEMA)).unwrap_or_default()
}
