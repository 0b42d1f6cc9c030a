//! Schemas of the answers of `POST /v1/radars/bulk` (Spec 4.5, decision 3.2).

use utoipa::openapi::schema::ObjectBuilder;
use utoipa::openapi::{RefOr, Schema};

use super::answers::{error, success};
use crate::shapes::{Fields, any_of, custom_fields, list, named, uuid};
use domain::field_limits::BULK_ITEMS_MAX;

/// The name of the schema of a bulk of which nothing was created.
pub const REFUSED: &str = "BulkRefused";
pub(super) const CREATED_ITEM: &str = "BulkItemCreated";
pub(super) const REFUSED_ITEM: &str = "BulkItemRefused";
pub(super) const SUMMARY: &str = "BulkSummary";

/// The 400: none was.
pub(super) fn refused() -> ObjectBuilder {
    let refused = error("No item of the bulk was created.").always("error_id", uuid("Quote it to support."));
    with_items(refused, &[REFUSED_ITEM])
}

/// The 201: every item was created.
pub fn all_created() -> ObjectBuilder {
    with_items(success(201, "success"), &[CREATED_ITEM])
}

/// The 207: some were.
pub fn some_created() -> ObjectBuilder {
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
