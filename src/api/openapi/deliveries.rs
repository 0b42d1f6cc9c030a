//! The operations about deliveries: the log, sending again, endpoints, secrets (decisions 5.2, 5.5 to 5.8).

use utoipa::openapi::path::Operation;

use super::answers::{
    Answers, DELIVERY_NOT_FOUND, INVALID, TOO_MANY_RECOVERIES, TOO_MANY_SECRETS, body, operation, success,
};
use super::parameters::{cursor, instant, limit, path_id, query};
use domain::delivery::DeliveryState;
use domain::delivery::endpoint_health::EndpointState;
use domain::delivery::recovery::UNFINISHED_MAX;
use domain::field_limits::{DELIVERIES_LIMIT_DEFAULT, DELIVERIES_LIMIT_MAX, WEBHOOK_SECRETS_MAX};
use wire::public::webhooks::deliveries::SecretRecord;
use wire::public::webhooks::recoveries::DryRun;
use wire::record::schema_of;
use wire::schema::deliveries::{self as shapes, DELIVERY, ENDPOINT, NEW_RECOVERY, RECOVERY};
use wire::shapes::{named, uuid, word};

/// `GET /v1/webhooks/deliveries`.
pub(crate) fn list_deliveries() -> Operation {
    operation(
        "listDeliveries",
        "List deliveries",
        "What was to be pushed, the newest first: whether it arrived, and if not, why and when it is attempted next. \
         Kept as long as the update.",
    )
    .parameter(query("state", "Only deliveries in this state.", word(DeliveryState::WORDS, "A state.")))
    .parameter(query("radar_id", "Only deliveries of this radar.", uuid("A radar.")))
    .parameter(query("update_id", "Only the delivery of this update.", uuid("An update.")))
    .parameter(instant("since", "Only what was published from this instant on."))
    .parameter(instant("until", "Only what was published before this instant."))
    .parameter(cursor())
    .parameter(limit(DELIVERIES_LIMIT_DEFAULT, DELIVERIES_LIMIT_MAX))
    .response("200", success("A page of deliveries.", shapes::page(DELIVERY, "The deliveries, newest first.")))
    .or_rejected(&[INVALID])
}

/// `GET /v1/webhooks/deliveries/{update_id}`.
pub(crate) fn get_delivery() -> Operation {
    operation("getDelivery", "Get a delivery", "A delivery with every attempt.")
        .parameter(path_id("update_id", "The update."))
        .with_data(200, "The delivery.", shapes::delivery_detail())
        .or_rejected(&[INVALID, DELIVERY_NOT_FOUND])
}

/// `POST /v1/webhooks/deliveries/{update_id}/resend`.
pub(crate) fn resend_delivery() -> Operation {
    operation(
        "resendDelivery",
        "Send a delivery again",
        "Makes it due as soon as its host has a turn, whether it was delivered or not, with the same bytes, the same \
         `update_id` and a whole schedule of attempts before it. One that has had no attempt yet or is under way is \
         left alone, one that is held waits for its endpoint to be enabled. Costs nothing. What is sent again is \
         counted: beyond the quota of the day (UTC) the answer is 429 with `errors[0].field` = `redeliveries`.",
    )
    .parameter(path_id("update_id", "The update."))
    .with_data(202, "The delivery as it is now.", named(DELIVERY))
    .or_rejected(&[INVALID, DELIVERY_NOT_FOUND])
}

/// `POST /v1/webhooks/recover`.
pub(crate) fn recover() -> Operation {
    operation(
        "recoverDeliveries",
        "Send again what failed",
        format!(
            "Sends the deliveries of a range of time again that failed and are not held: those that were given up, and \
             those that wait for a retry; what was delivered only with `include_delivered`. It goes on by itself, also \
             after a restart, as fast as may be sent again to a host; once the quota of the day (UTC) is used up it \
             waits for the next day, and `resumes_at` says so. At most {UNFINISHED_MAX} may be unfinished. With \
             `dry_run` it only counts. Costs nothing."
        ),
    )
    .request_body(Some(body(named(NEW_RECOVERY))))
    .with_data(200, "The count of a dry run.", schema_of::<DryRun>())
    .with_data(202, "The recovery has begun.", named(RECOVERY))
    .or_rejected(&[INVALID, TOO_MANY_RECOVERIES])
}

/// `GET /v1/webhooks/recover/{id}`.
pub(crate) fn get_recovery() -> Operation {
    operation("getRecovery", "Get a recovery", "How far a recovery has come.")
        .parameter(path_id("id", "The recovery."))
        .with_data(200, "The recovery.", named(RECOVERY))
        .or_rejected(&[INVALID, DELIVERY_NOT_FOUND])
}

/// `GET /v1/webhooks/endpoints`.
pub(crate) fn list_endpoints() -> Operation {
    operation(
        "listEndpoints",
        "List endpoints",
        "The addresses that your webhooks go to, and how they fare. One that answers 410, or fails for five days, is \
         disabled: its deliveries are held.",
    )
    .parameter(query("state", "Only endpoints in this state.", word(EndpointState::WORDS, "A state.")))
    .parameter(cursor())
    .parameter(limit(DELIVERIES_LIMIT_DEFAULT, DELIVERIES_LIMIT_MAX))
    .response("200", success("A page of endpoints.", shapes::page(ENDPOINT, "The endpoints.")))
    .or_rejected(&[INVALID])
}

/// `POST /v1/webhooks/endpoints/{id}/enable`.
pub(crate) fn enable_endpoint() -> Operation {
    operation(
        "enableEndpoint",
        "Enable an endpoint",
        "Releases what is held for it, and forgets its failures: what waits for it is sent at once.",
    )
    .parameter(path_id("id", "The endpoint."))
    .with_data(200, "The endpoint as it is now.", shapes::enabled_endpoint())
    .or_rejected(&[INVALID, DELIVERY_NOT_FOUND])
}

/// `GET /v1/webhooks/secret`.
pub(crate) fn get_secret() -> Operation {
    operation("getWebhookSecret", "Get the webhook secret", "The secret that signs your webhooks.")
        .with_data(200, "The secret.", schema_of::<SecretRecord>())
        .or_rejected(&[INVALID])
}

/// `POST /v1/webhooks/secret/rotate`.
pub(crate) fn rotate_secret() -> Operation {
    operation(
        "rotateWebhookSecret",
        "Replace the webhook secret",
        format!(
            "Makes a new secret. The one before it signs too for 24 hours: until then webhooks carry a signature \
             of each. At most {WEBHOOK_SECRETS_MAX} secrets sign at once; a rotation that would make more is refused."
        ),
    )
    .with_data(200, "The new secret.", schema_of::<SecretRecord>())
    .or_rejected(&[INVALID, TOO_MANY_SECRETS])
}
