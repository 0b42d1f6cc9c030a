//! What is pushed to receivers, and the operations about it (Spec 4.10, 4.11, 6, decisions 3.9, 3.10, 5.1 to 5.6).

use utoipa::openapi::ResponseBuilder;
use utoipa::openapi::path::Operation;

use super::answers::{Answers, INVALID, body, operation};
use super::parameters;
use wire::public::update::UPDATE;
use wire::public::webhooks::webhook_test::WebhookTestSent;
use wire::record::schema_of;
use wire::schema::answers::payload_schemas;
use wire::schema::requests;
use wire::shapes::{integer, named, text, uuid};

/// `GET /v1/webhooks/schema`.
pub(crate) fn webhook_schema() -> Operation {
    operation(
        "getPayloadSchemas",
        "Get the schemas of payloads",
        "One JSON Schema (2020-12) of the whole payload per radar type; that of failures is always there.",
    )
    .parameter(parameters::radar_types())
    .with_data(200, "The schemas.", payload_schemas())
    .or_rejected(&[INVALID])
}

/// `POST /v1/webhooks/test`.
pub(crate) fn webhook_test() -> Operation {
    operation(
        "testWebhook",
        "Send a sample payload",
        "Sends a sample in the format of real updates to an address, once: without a signature and without \
             retries. Waits for the receiver for at most five seconds and tells what became of it in `result`; the \
             answer is a 200 whatever that was. Takes one write token and costs nothing.",
    )
    .request_body(Some(body(named(requests::WEBHOOK_TEST))))
    .with_data(200, "The sample was sent, or could not be: see `result`.", schema_of::<WebhookTestSent>())
    .or_rejected(&[INVALID])
}

/// What a receiver is sent.
pub(super) fn push() -> Operation {
    let answer = |description: &str| ResponseBuilder::new().description(description).build();
    operation(
        "radarUpdate",
        "An update of a radar",
        "Sent to the radar's `webhook_url` at least once: deduplicate on `update_id`, which `webhook-id` repeats. \
             Updates may arrive out of order; `webhook-sequence` counts those of one address, so that a gap shows and \
             can be pulled. Signed after Standard Webhooks 1.0.0 with the account's secret, over \
             `webhook-id.webhook-timestamp.body`. An attempt that fails or takes too long is repeated with growing \
             pauses, about ten times over three days. Redirects are not followed and count as failures.",
    )
    .securities(Some([]))
    .parameter(parameters::push_header("webhook-id", "The `update_id`.", uuid("The same in every attempt.")))
    .parameter(parameters::push_header(
        "webhook-timestamp",
        "When the attempt was made: refuse what is too old.",
        integer("Seconds since 1970-01-01T00:00:00Z."),
    ))
    .parameter(parameters::push_header(
        "webhook-signature",
        "One signature per secret in force; accept the message if any of them is right.",
        text("`v1,` and base64, several separated by blanks.")
            .pattern(Some("^v1,[A-Za-z0-9+/=]+( v1,[A-Za-z0-9+/=]+)*$")),
    ))
    .parameter(parameters::push_header(
        "webhook-sequence",
        "The number of the update at this address.",
        integer("Rises by one per update.").minimum(Some(1)),
    ))
    .request_body(Some(body(named(UPDATE))))
    .response("2XX", answer("Received. Any such status ends the delivery."))
    .response("410", answer("Gone: the address is disabled at once, and its deliveries are held."))
    .response("default", answer("Failed. `Retry-After` puts the next attempt off, by 24 hours at most."))
    .build()
}
