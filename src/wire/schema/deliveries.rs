//! Schemas of deliveries, endpoints, recoveries and secrets (decisions 5.2, 5.5 to 5.8).

use utoipa::openapi::schema::ObjectBuilder;
use utoipa::openapi::{RefOr, Schema};

use super::answers::{paged, success, with_data};
use super::{Fields, Named, boolean, count, instant, integer, list, named, object, or_null, text, uri, uuid, word};
use crate::domain::delivery::endpoint_health::{DisabledReason, EndpointState};
use crate::domain::delivery::waiting_reason::WaitingReason;
use crate::domain::delivery::{DeliveryState, Outcome, RESPONSE_BYTES_MAX};
use crate::domain::field_limits::DELIVERIES_LIMIT_MAX;
use crate::domain::radar_type::RadarType;

/// The name of the delivery's schema.
pub(crate) const DELIVERY: &str = "Delivery";
/// The name of the endpoint's schema.
pub(crate) const ENDPOINT: &str = "Endpoint";
/// The name of the recovery's schema.
pub(crate) const RECOVERY: &str = "Recovery";
/// The name of the schema of a request for a recovery.
pub(crate) const NEW_RECOVERY: &str = "NewRecovery";

/// The schemas that answers and requests refer to.
pub(crate) fn named_schemas() -> Vec<Named> {
    [
        (DELIVERY, delivery("An update on its way to an endpoint.")),
        (ENDPOINT, endpoint("An address that webhooks go to.")),
        (RECOVERY, recovery()),
        (NEW_RECOVERY, new_recovery()),
    ]
    .map(|(name, schema)| (name.to_owned(), RefOr::<Schema>::from(schema)))
    .into()
}

/// The answer of `GET /v1/webhooks/deliveries`.
pub(crate) fn delivery_page() -> ObjectBuilder {
    page(list(named(DELIVERY), "The deliveries, newest first."))
}

/// The answer of `GET /v1/webhooks/endpoints`.
pub(crate) fn endpoint_page() -> ObjectBuilder {
    page(list(named(ENDPOINT), "The endpoints."))
}

/// The answer of `GET /v1/webhooks/deliveries/{update_id}`.
pub(crate) fn delivery_detail() -> ObjectBuilder {
    let attempts = list(attempt(), "Every attempt, in order, also those before it was sent again.");
    with_data(200, delivery("A delivery with its attempts.").always("attempt_log", attempts))
}

/// The answer of `POST /v1/webhooks/endpoints/{id}/enable`.
pub(crate) fn enabled_endpoint() -> ObjectBuilder {
    with_data(200, endpoint("The endpoint.").always("released", count("Held deliveries that are due now.")))
}

/// The answer of a dry run of `POST /v1/webhooks/recover`.
pub(crate) fn dry_run() -> ObjectBuilder {
    with_data(200, object("A count.").always("count", count("Deliveries that would be sent again.")))
}

/// The answer of `GET /v1/webhooks/secret` and `POST /v1/webhooks/secret/rotate`.
pub(crate) fn secret() -> ObjectBuilder {
    let current = text("The secret in force: verify with it.").pattern(Some("^whsec_[A-Za-z0-9+/=]+$"));
    let until = or_null(instant(
        "Until when secrets before it sign too, each for 24 hours after it was replaced; null when none does.",
    ));
    with_data(200, object("The secret.").always("webhook_secret", current).always("previous_signs_until", until))
}

fn page(data: utoipa::openapi::schema::ArrayBuilder) -> ObjectBuilder {
    paged(success(200, "success").always("data", data.max_items(Some(DELIVERIES_LIMIT_MAX as usize))))
}

fn delivery(description: &str) -> ObjectBuilder {
    let to = object("Where it goes.").always("endpoint_id", uuid("The endpoint.")).always("url", uri("Its address."));
    let types = word(RadarType::WORDS, "The type of the radar; null for an alert.");
    object(description)
        .always("update_id", uuid("The update, and the `webhook-id` of every attempt."))
        .always("radar_id", or_null(uuid("The radar; null for an alert.")))
        .always("radar_type", or_null(types))
        .always("endpoint", to)
        .always("state", word(DeliveryState::WORDS, "`pending` until it is delivered, given up or held."))
        .always("reason", or_null(word(WaitingReason::WORDS, "Why it has not arrived yet; null once it has.")))
        .always("attempts", count("Attempts of the schedule that are used up; a resend begins anew."))
        .always("next_attempt_at", or_null(instant("When it is attempted next, as far as that is known.")))
        .always("last_outcome", or_null(outcome("How the last attempt ended; null before the first.")))
        .always("created_at", instant("When the update was published."))
        .always("finished_at", or_null(instant("When it was delivered or given up.")))
}

fn attempt() -> ObjectBuilder {
    let status = integer("The status of the answer; null without an answer.");
    let response = text("The beginning of the answer.").max_length(Some(RESPONSE_BYTES_MAX));
    object("An attempt.")
        .always("attempt_no", integer("Its number.").minimum(Some(1)))
        .always("started_at", instant("When it began."))
        .always("duration_ms", count("How long it took, in milliseconds."))
        .always("outcome", outcome("How it ended."))
        .always("http_status", or_null(status))
        .always("response", or_null(response))
        .always("response_truncated", boolean("Whether the answer was longer."))
}

fn outcome(description: &str) -> ObjectBuilder {
    let shown = Outcome::ALL.iter().filter(|outcome| outcome.told() == **outcome);
    word(&shown.map(|outcome| outcome.as_str()).collect::<Vec<_>>(), description)
}

fn endpoint(description: &str) -> ObjectBuilder {
    object(description)
        .always("endpoint_id", uuid("The endpoint."))
        .always("url", uri("Its address, normalised."))
        .always("state", word(EndpointState::WORDS, "While it is disabled, deliveries to it are held."))
        .always("disabled_reason", or_null(word(DisabledReason::WORDS, "Why it is disabled.")))
        .always("disabled_at", or_null(instant("Since when it is disabled.")))
        .always("breaker_open_until", or_null(instant("Until when it is left alone after failures in a row.")))
        .always("next_allowed_at", or_null(instant("Until when it asked for a pause by `Retry-After`.")))
        .always("consecutive_failures", count("Failures since the last success."))
        .always("failing_since", or_null(instant("The first of them.")))
        .always("last_success_at", or_null(instant("The last success, to within a minute.")))
}

fn recovery() -> ObjectBuilder {
    let types = word(RadarType::WORDS, "Of this type only; null for all.");
    object("A range of time whose failed deliveries are sent again.")
        .always("recovery_id", uuid("The recovery."))
        .always("since", instant("Published from here on."))
        .always("until", instant("Published before."))
        .always("radar_type", or_null(types))
        .always("include_delivered", boolean("Whether what was delivered is sent once more as well."))
        .always("count", count("Deliveries in the range when it was asked for."))
        .always("resent", count("Deliveries that were made due so far."))
        .always("created_at", instant("When it was asked for."))
        .always("finished_at", or_null(instant("When it was done; null while it goes on.")))
}

fn new_recovery() -> ObjectBuilder {
    object("A range of time whose failed deliveries are to be sent again.")
        .always("since", instant("Updates published from here on."))
        .always("until", instant("Updates published before; must be after `since`."))
        .maybe("radar_type", or_null(word(RadarType::WORDS, "Of radars of this type only.")))
        .maybe("include_delivered", flag("Send what was delivered once more as well; false by default."))
        .maybe("dry_run", flag("Only count; false by default."))
        .nothing_else()
}

fn flag(description: &str) -> utoipa::openapi::schema::Object {
    or_null(boolean(description))
}
