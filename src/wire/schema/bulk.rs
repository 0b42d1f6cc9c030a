//! Schemas of the answers of `POST /v1/radars/bulk` (Spec 4.5, decision 3.2).

use utoipa::openapi::schema::ObjectBuilder;
use utoipa::openapi::{RefOr, Schema};

use super::answers::{RADAR, error, errors, success};
use crate::domain::field_limits::BULK_ITEMS_MAX;
use crate::wire::shapes::{
    Fields, any_of, boolean, count, custom_fields, instant, integer, list, named, object, text, uuid, word,
};

/// The name of the schema of a bulk of which nothing was created.
pub(crate) const REFUSED: &str = "BulkRefused";
pub(super) const CREATED_ITEM: &str = "BulkItemCreated";
pub(super) const REFUSED_ITEM: &str = "BulkItemRefused";
pub(super) const SUMMARY: &str = "BulkSummary";

/// The 400: none was.
pub(super) fn refused() -> ObjectBuilder {
    let refused = error("No item of the bulk was created.").always("error_id", uuid("Quote it to support."));
    with_items(refused, &[REFUSED_ITEM])
}

/// The 201: every item was created.
pub(crate) fn all_created() -> ObjectBuilder {
    with_items(success(201, "success"), &[CREATED_ITEM])
}

/// The 207: some were.
pub(crate) fn some_created() -> ObjectBuilder {
    with_items(success(207, "partial_success"), &[CREATED_ITEM, REFUSED_ITEM])
}

fn with_items(answer: ObjectBuilder, kinds: &[&str]) -> ObjectBuilder {
    let item: RefOr<Schema> = match kinds {
        [only] => named(only).into(),
        _ => any_of(kinds.iter().map(|kind| named(kind))).into(),
    };
    let results = list(item, "One entry per item, in the order of `radars`.").min_items(Some(1));
    answer
        .always("custom_fields", custom_fields("The labels of the envelope, echoed; radars have their own."))
        .always("summary", named(SUMMARY))
        .always("results", results.max_items(Some(BULK_ITEMS_MAX)))
}

fn item(status: &str, description: &str) -> ObjectBuilder {
    object(description)
        .always("index", count("The position in `radars`, from 0.").maximum(Some(BULK_ITEMS_MAX - 1)))
        .always("status", word(&[status], "What became of the item."))
}

pub(super) fn created_item() -> ObjectBuilder {
    item("success", "An item that became a radar.")
        .always("code", integer("As the HTTP status of a single create.").enum_values(Some([201])))
        .always("data", named(RADAR))
}

pub(super) fn refused_item() -> ObjectBuilder {
    let code = integer("As the HTTP status of a single create.").minimum(Some(400)).maximum(Some(599));
    item("error", "An item of which nothing was created or billed.")
        .always("code", code)
        .always("message", text("One sentence for people."))
        .always("retryable", boolean("Whether the same item can succeed later without a change."))
        .always("errors", errors())
        .always("error_id", uuid("Quote it to support."))
        .always("timestamp", instant("When the item was refused."))
}
