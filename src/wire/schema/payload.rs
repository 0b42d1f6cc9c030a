//! Schemas of pushed and pulled payloads, from the table that writes them (Spec 2.4, decisions 3.6, 3.7, 3.10, section 6).

use utoipa::openapi::schema::ObjectBuilder;
use utoipa::openapi::{OneOfBuilder, RefOr, Schema};

use super::Named;
use crate::public::update::UPDATE;
use crate::shapes::{
    Fields, custom_fields, date, instant, list, list_or_null, named, number, object, or_null, radar_type, text, uuid,
    word,
};
use domain::content::{Key, Shape};
use domain::radar::request::target_fields;
use domain::{ContentLayout, FailureReason, RadarType, UpdateType};

const FAILURE: &str = "RadarFailure";

/// The schemas of all payloads, and that of any of them.
pub fn named_schemas() -> Vec<Named> {
    let findings = RadarType::ALL.iter().map(|radar_type| (finding_name(*radar_type), finding(*radar_type)));
    let mut schemas: Vec<Named> = findings.collect();
    schemas.push((FAILURE.to_owned(), failure()));
    let any = schemas.iter().fold(OneOfBuilder::new(), |any, (name, _)| any.item(named(name)));
    let any = any.description(Some("One update: a finding, whose content its radar type decides, or a failure."));
    schemas.push((UPDATE.to_owned(), any.into()));
    schemas
}

/// The payload of a finding of a radar of this type.
pub fn finding(of: RadarType) -> RefOr<Schema> {
    let content = fields(object("What was found."), ContentLayout::of(of).keys());
    update(&[of], UpdateType::Finding, target_fields(of).contains(&"domain").then_some(true), content).into()
}

/// The payload of a failure, whatever the type of its radar.
pub fn failure() -> RefOr<Schema> {
    let content = object("Why the radar ended, and what was given back.")
        .always("failure_reason", word(FailureReason::WORDS, "The reason, from a closed list."))
        .always("refund_amount", number("USD given back to the balance; 0 when nothing was."))
        .always("refund_amount_usd", number("The same number under a name with its unit."))
        .always("message", text("The reason in a sentence."));
    update(RadarType::ALL, UpdateType::Failure, Some(false), content).into()
}

fn finding_name(radar_type: RadarType) -> String {
    format!("{radar_type:?}Finding")
}

/// `has_domain`: always, sometimes, or (`None`) never.
fn update(
    types: &[RadarType],
    update_type: UpdateType,
    has_domain: Option<bool>,
    content: ObjectBuilder,
) -> ObjectBuilder {
    let record_id = "The record that was detected; null where there is none, as in failures.";
    object("An update, byte for byte the same whether pushed or pulled.")
        .always("update_id", uuid("The same for every delivery of this update: deduplicate on it."))
        .always("update_type", word(&[update_type.as_str()], "The kind of update."))
        .always("radar_type", radar_type(types.iter().copied(), "The type of the radar."))
        .always("record_id", or_null(uuid(record_id)))
        .always("discovered_at", instant("When it was published; strictly increasing within an account."))
        .always("data", data(types, has_domain))
        .always("content", content)
}

fn data(types: &[RadarType], has_domain: Option<bool>) -> ObjectBuilder {
    let domain = text("The domain that the radar watches.");
    let data = object("The radar that reports.")
        .always("radar_id", uuid("The radar."))
        .always("radar_type", radar_type(types.iter().copied(), "The type of the radar."));
    let data = match has_domain {
        Some(true) => data.always("domain", domain),
        Some(false) => data.maybe("domain", domain),
        None => data,
    };
    data.always("custom_fields", custom_fields("The labels that the radar was created with."))
        .always("next_charge_at", or_null(instant("When the radar renews; null where it does not.")))
}

fn fields<'a>(object: ObjectBuilder, keys: impl IntoIterator<Item = &'a Key>) -> ObjectBuilder {
    keys.into_iter().fold(object, |object, key| object.always(key.name, value(key)))
}

fn value(key: &Key) -> RefOr<Schema> {
    let description = key.description;
    let plain = match key.shape {
        Shape::Text => text(description),
        Shape::Number => number(description),
        Shape::Date => date(description),
        Shape::Instant => instant(description),
        Shape::Word(words) => word(words, description),
        Shape::Object(keys) => fields(object(description), keys),
        Shape::Always(keys) => return fields(object(description), keys).into(),
        Shape::Texts => return list_or_null(list(text("One of them."), description)).into(),
    };
    or_null(plain).into()
}
