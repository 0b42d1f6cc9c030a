//! The operations that read updates and the account (Spec 4.1, 4.9, decisions 3.4, 3.5, 3.8).

use utoipa::openapi::path::Operation;

use super::answers::{Answers, INVALID, operation, success};
use super::parameters;
use domain::field_limits::{UPDATE_RETENTION_DAYS, UPDATES_LIMIT_DEFAULT, UPDATES_LIMIT_MAX, UPDATES_RADAR_IDS_MAX};
use wire::schema::answers::{ACCOUNT, updates_page};
use wire::shapes::named;

/// `GET /v1/updates`.
pub(crate) fn list_updates() -> Operation {
    operation(
        "listUpdates",
        "Pull updates",
        format!(
            "The account's updates of the last {UPDATE_RETENTION_DAYS} days, in the order of their publication: what \
             is published later comes later, so a poller that goes on where it stopped misses nothing. While \
             `has_more` is true, pass `next_cursor` as `cursor`. Payloads are byte for byte those that are pushed."
        ),
    )
    .parameter(parameters::radar_ids(UPDATES_RADAR_IDS_MAX))
    .parameter(parameters::radar_types())
    .parameter(parameters::domains())
    .parameter(parameters::since())
    .parameter(parameters::cursor())
    .parameter(parameters::limit(UPDATES_LIMIT_DEFAULT, UPDATES_LIMIT_MAX))
    .parameter(parameters::update_types())
    .response("200", success("A page of updates.", updates_page()))
    .or_rejected(&[INVALID])
}

/// `GET /v1/account`.
pub(crate) fn account() -> Operation {
    operation(
        "getAccount",
        "Get usage and balance",
        "What happened in a month, how many radars there are now, and what money is left.",
    )
    .parameter(parameters::month())
    .with_data(200, "The summary.", named(ACCOUNT))
    .or_rejected(&[INVALID])
}
