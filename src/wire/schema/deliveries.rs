//! Schemas about deliveries, endpoints, recoveries and secrets (decisions 5.2, 5.5 to 5.8).

use utoipa::openapi::schema::ObjectBuilder;

use super::answers::{paged, success};
use crate::public::webhooks::deliveries::{AttemptRecord, DeliveryRecord};
use crate::public::webhooks::endpoints::EndpointRecord;
use crate::record::{Record, Shaped};
use crate::shapes::{Fields, boolean, count, instant, list, named, object, or_null, word};
use domain::RadarType;
use domain::field_limits::DELIVERIES_LIMIT_MAX;

/// The name of the delivery's schema.
pub const DELIVERY: &str = "Delivery";
/// The name of the endpoint's schema.
pub const ENDPOINT: &str = "Endpoint";
/// The name of the recovery's schema.
pub const RECOVERY: &str = "Recovery";
/// The name of the schema of a request for a recovery.
pub const NEW_RECOVERY: &str = "NewRecovery";

/// A page of what is called `name`, described so.
pub fn page(name: &str, about: &str) -> ObjectBuilder {
    let data = list(named(name), about).max_items(Some(DELIVERIES_LIMIT_MAX as usize));
    paged(success(200, "success").always("data", data))
}

/// The `data` of `GET /v1/webhooks/deliveries/{update_id}`.
pub fn delivery_detail() -> ObjectBuilder {
    let attempts = Vec::<AttemptRecord>::shaped("Every attempt, in order, also those before it was sent again.");
    DeliveryRecord::fields(object("A delivery with its attempts.")).always("attempt_log", attempts)
}

/// The `data` of `POST /v1/webhooks/endpoints/{id}/enable`.
pub fn enabled_endpoint() -> ObjectBuilder {
    let endpoint = EndpointRecord::fields(object("The endpoint."));
    endpoint.always("released", count("Held deliveries that are due now."))
}

/// The body of `POST /v1/webhooks/recover`.
pub(super) fn new_recovery() -> ObjectBuilder {
    object("A range of time whose failed deliveries are to be sent again.")
        .always("since", instant("Updates published from here on."))
        .always("until", instant("Updates published before; must be after `since` and not in the future."))
        .maybe("radar_type", or_null(word(RadarType::WORDS, "Of radars of this type only.")))
        .maybe("include_delivered", or_null(boolean("Send what was delivered once more as well; false by default.")))
        .maybe("dry_run", or_null(boolean("Only count; false by default.")))
        .nothing_else()
}
