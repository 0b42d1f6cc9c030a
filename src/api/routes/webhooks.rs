//! Webhooks: samples and schemas, the log of deliveries and its repair, secrets (Spec 4.10, 4.11; decisions 3.9, 3.10, 5.2, 5.5 to
//! 5.8).

use super::endpoint::{Endpoint, get, post};
use crate::api::openapi::answers::{DELIVERY_NOT_FOUND, TOO_MANY_RECOVERIES, TOO_MANY_SECRETS, page};
use crate::api::openapi::parameters::{cursor, instant, limit, path_id, query, radar_types};
use crate::api::webhooks::{deliveries, endpoints, recoveries, secret, webhook_schema, webhook_test};
use domain::DeliveryState;
use domain::delivery::endpoint_health::EndpointState;
use domain::field_limits::{DELIVERIES_LIMIT_DEFAULT, DELIVERIES_LIMIT_MAX};
use wire::public::webhooks::deliveries::SecretRecord;
use wire::public::webhooks::recoveries::DryRun;
use wire::public::webhooks::webhook_test::WebhookTestSent;
use wire::record::schema_of;
use wire::schema::answers::payload_schemas;
use wire::schema::deliveries as shapes;
use wire::schema::deliveries::{DELIVERY, ENDPOINT, NEW_RECOVERY, RECOVERY};
use wire::schema::requests::WEBHOOK_TEST;
use wire::shapes::{named, uuid, word};

/// Spec 4.10, 4.11.
pub(super) fn samples() -> Vec<Endpoint> {
    vec![
        post("/v1/webhooks/test", "testWebhook", webhook_test::webhook_test).body(named(WEBHOOK_TEST)).with_data(
            200,
            "The sample was sent, or could not be: see `result`.",
            schema_of::<WebhookTestSent>(),
        ),
        get("/v1/webhooks/schema", "getPayloadSchemas", webhook_schema::webhook_schema)
            .parameter(radar_types())
            .with_data(200, "The schemas.", payload_schemas()),
    ]
}

pub(super) fn deliveries() -> Vec<Endpoint> {
    vec![
        get("/v1/webhooks/deliveries", "listDeliveries", deliveries::list)
            .parameter(query("state", "Only deliveries in this state.", word(DeliveryState::WORDS, "A state.")))
            .parameter(query("radar_id", "Only deliveries of this radar.", uuid("A radar.")))
            .parameter(query("update_id", "Only the delivery of this update.", uuid("An update.")))
            .parameter(instant("since", "Only what was published from this instant on."))
            .parameter(instant("until", "Only what was published before this instant."))
            .parameter(cursor())
            .parameter(limit(DELIVERIES_LIMIT_DEFAULT, DELIVERIES_LIMIT_MAX))
            .response(200, page("A page of deliveries.", shapes::page(DELIVERY, "The deliveries, newest first."))),
        get("/v1/webhooks/deliveries/{update_id}", "getDelivery", deliveries::get)
            .parameter(path_id("update_id", "The update."))
            .with_record("The delivery.", shapes::delivery_detail())
            .or_rejected(&[DELIVERY_NOT_FOUND]),
        post("/v1/webhooks/deliveries/{update_id}/resend", "resendDelivery", deliveries::resend)
            .parameter(path_id("update_id", "The update."))
            .with_data(202, "The delivery as it is now.", named(DELIVERY))
            .or_rejected(&[DELIVERY_NOT_FOUND]),
        post("/v1/webhooks/recover", "recoverDeliveries", recoveries::create)
            .body(named(NEW_RECOVERY))
            .with_data(200, "The count of a dry run.", schema_of::<DryRun>())
            .with_data(202, "The recovery has begun.", named(RECOVERY))
            .or_rejected(&[TOO_MANY_RECOVERIES]),
        get("/v1/webhooks/recover/{id}", "getRecovery", recoveries::get)
            .parameter(path_id("id", "The recovery."))
            .with_data(200, "The recovery.", named(RECOVERY))
            .or_rejected(&[DELIVERY_NOT_FOUND]),
        get("/v1/webhooks/endpoints", "listEndpoints", endpoints::list)
            .parameter(query("state", "Only endpoints in this state.", word(EndpointState::WORDS, "A state.")))
            .parameter(cursor())
            .parameter(limit(DELIVERIES_LIMIT_DEFAULT, DELIVERIES_LIMIT_MAX))
            .response(200, page("A page of endpoints.", shapes::page(ENDPOINT, "The endpoints."))),
        post("/v1/webhooks/endpoints/{id}/enable", "enableEndpoint", endpoints::enable)
            .parameter(path_id("id", "The endpoint."))
            .with_data(200, "The endpoint as it is now.", shapes::enabled_endpoint())
            .or_rejected(&[DELIVERY_NOT_FOUND]),
    ]
}

pub(super) fn secrets() -> Vec<Endpoint> {
    vec![
        get("/v1/webhooks/secret", "getWebhookSecret", secret::get).with_data(
            200,
            "The secret.",
            schema_of::<SecretRecord>(),
        ),
        post("/v1/webhooks/secret/rotate", "rotateWebhookSecret", secret::rotate)
            .with_data(200, "The new secret.", schema_of::<SecretRecord>())
            .or_rejected(&[TOO_MANY_SECRETS]),
    ]
}
