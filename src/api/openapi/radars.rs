//! The operations on radars that exist, and the types that there are (Spec 2.1, 4.6 to 4.8).

use utoipa::openapi::ResponseBuilder;
use utoipa::openapi::path::Operation;

use super::answers::{INVALID, NOT_FOUND, RejectionAnswers, operation, success};
use super::{RADARS, coverage_examples, examples, parameters};
use crate::domain::field_limits::{RADARS_LIMIT_DEFAULT, RADARS_LIMIT_MAX, RADARS_RADAR_IDS_MAX};
use crate::wire::schema::answers::{RADAR, RADAR_HEALTH, RADAR_TYPE, radar_page, with_data};
use crate::wire::shapes::{list, named};

/// `GET /v1/radars`.
pub(crate) fn list_radars() -> Operation {
    operation(
        RADARS,
        "listRadars",
        "List radars",
        "The account's radars, newest first, ended ones included. While `has_more` is true, pass `next_cursor` as \
             `cursor`.",
    )
    .parameter(parameters::limit(RADARS_LIMIT_DEFAULT, RADARS_LIMIT_MAX))
    .parameter(parameters::radar_status())
    .parameter(parameters::radar_types())
    .parameter(parameters::radar_ids(RADARS_RADAR_IDS_MAX))
    .parameter(parameters::cursor())
    .response("200", success("A page of radars.", radar_page(), examples::radar_page()))
    .or_rejected(&[INVALID])
}

/// `GET /v1/radars/{id}`.
pub(crate) fn get_radar() -> Operation {
    of_one(
        "getRadar",
        "Get a radar",
        "The radar as it is now.",
        success("The radar.", with_data(200, named(RADAR)), examples::radar()),
    )
}

/// `DELETE /v1/radars/{id}`.
pub(crate) fn delete_radar() -> Operation {
    let description = "Ends the radar for good: it is inactive at once and never charged again; its record stays. To \
                       watch on, create a new one. Repeating it answers the same record.";
    of_one(
        "deleteRadar",
        "End a radar",
        description,
        success("The radar, ended.", with_data(200, named(RADAR)), examples::ended_radar()),
    )
}

/// `GET /v1/radar-types`.
pub(crate) fn radar_types() -> Operation {
    let types = list(named(RADAR_TYPE), "Every radar type, in the order of the documentation.");
    operation(
        RADARS,
        "listRadarTypes",
        "List radar types",
        "Which radar types find anything here, by which sources, and what they cost the account now. Takes one read \
             token.",
    )
    .response("200", success("The radar types.", with_data(200, types), coverage_examples::radar_types()))
    .or_rejected(&[INVALID])
}

/// `GET /v1/radars/{id}/health`.
pub(crate) fn radar_health() -> Operation {
    let description = "Where the radar looks, when it did so with success, and what went wrong. One that none of its \
                       sources has answered for seven days is ended, and the current period refunded.";
    of_one(
        "getRadarHealth",
        "Get the health of a radar",
        description,
        success("Its health.", with_data(200, named(RADAR_HEALTH)), coverage_examples::radar_health()),
    )
}

fn of_one(id: &str, summary: &str, description: &str, success: ResponseBuilder) -> Operation {
    operation(RADARS, id, summary, format!("{description} Takes one read token."))
        .parameter(parameters::path_id("id", "The radar."))
        .response("200", success)
        .or_rejected(&[INVALID, NOT_FOUND])
}
