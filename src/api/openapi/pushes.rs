//! What is pushed to receivers (Spec 6, decisions 5.1 to 5.6).

use utoipa::openapi::ResponseBuilder;
use utoipa::openapi::path::Operation;

use super::answers::body;
use super::{parameters, prose};
use wire::public::update::UPDATE;
use wire::shapes::{integer, named, text, uuid};

/// What a receiver is sent.
pub(super) fn push() -> Operation {
    let answer = |description: &str| ResponseBuilder::new().description(description).build();
    prose::operation("radarUpdate")
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
        .parameter(parameters::push_header(
            "traceparent",
            "Where the attempt stands in a trace (W3C Trace Context).",
            text("The trace of the request that pushed the finding, or one of the update's own.")
                .pattern(Some("^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$")),
        ))
        .request_body(Some(body(named(UPDATE))))
        .response("2XX", answer("Received. Any such status ends the delivery."))
        .response("410", answer("Gone: the address is disabled at once, and its deliveries are held."))
        .response("default", answer("Failed. `Retry-After` puts the next attempt off, by 24 hours at most."))
        .build()
}
