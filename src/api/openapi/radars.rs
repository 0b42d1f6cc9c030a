//! The operations on radars that exist, and the types that there are (Spec 2.1, 4.6 to 4.8).

use utoipa::openapi::path::Operation;

use super::answers::{Answers, INVALID, NOT_FOUND, operation, success};
use super::parameters;
use domain::field_limits::{RADARS_LIMIT_DEFAULT, RADARS_LIMIT_MAX, RADARS_RADAR_IDS_MAX};
use wire::public::radar_record::RADAR;
use wire::schema::answers::{RADAR_HEALTH, RADAR_TYPE, radar_page};
use wire::shapes::{list, named};

/// `GET /v1/radars`.
pub(crate) fn list_radars() -> Operation {
    operation(
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
    .response("200", success("A page of radars.", radar_page()))
    .or_rejected(&[INVALID])
}

/// `GET /v1/radars/{id}`.
pub(crate) fn get_radar() -> Operation {
    of_one("getRadar", "Get a radar", "The radar as it is now.", "The radar.", RADAR)
}

/// `DELETE /v1/radars/{id}`.
pub(crate) fn delete_radar() -> Operation {
    let description = "Ends the radar for good: it is inactive at once and never charged again; its record stays. To \
                       watch on, create a new one. Repeating it answers the same record.";
    of_one("deleteRadar", "End a radar", description, "The radar, ended.", RADAR)
}

/// `GET /v1/radar-types`.
pub(crate) fn radar_types() -> Operation {
    let types = list(named(RADAR_TYPE), "Every radar type, in the order of the documentation.");
    operation(
        "listRadarTypes",
        "List radar types",
        "Which radar types find anything here, by which sources, and what they cost the account now. Takes one read \
             token.",
    )
    .with_data(200, "The radar types.", types)
    .or_rejected(&[INVALID])
}

/// `GET /v1/radars/{id}/health`.
pub(crate) fn radar_health() -> Operation {
    let description = "Where the radar looks, when it did so with success, and what went wrong. One that none of its \
                       sources has answered for seven days is ended, and the current period refunded. One that \
                       pays per finding is charged for so many findings from the web per day of the radar, which \
                       begins with its first charged finding and lasts 24 hours; what is beyond is held, and the \
                       next day of the radar releases it in order.";
    of_one("getRadarHealth", "Get the health of a radar", description, "Its health.", RADAR_HEALTH)
}

fn of_one(id: &str, summary: &str, description: &str, success: &str, schema: &str) -> Operation {
    operation(id, summary, format!("{description} Takes one read token."))
        .parameter(parameters::path_id("id", "The radar."))
        .with_data(200, success, named(schema))
        .or_rejected(&[INVALID, NOT_FOUND])
}
