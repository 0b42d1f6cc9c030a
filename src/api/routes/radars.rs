//! The account, and radars: creating them, looking at them, what they have found (Spec 2.1, 4.1 to 4.9).

use utoipa::openapi::link::Link;

use super::endpoint::{Endpoint, delete, get, post, post_for};
use crate::api::account::{account, spend};
use crate::api::call::Call;
use crate::api::openapi::answers::{
    CONFLICT, INSUFFICIENT_BALANCE, KEY_REUSED, NOT_FOUND, TOO_MANY_STREAMS, answer, created, page, success_in,
};
use crate::api::openapi::parameters;
use crate::api::radar_types::radar_types;
use crate::api::radars::{bulk, creation, delete_radar, get_radar, list_radars, preview, radar_health};
use crate::api::updates::export::export_updates;
use crate::api::updates::list::list_updates;
use crate::api::updates::stream::stream_updates;
use crate::web::Handler;
use crate::web::budgets::BudgetKind::{Preview, Write};
use domain::field_limits::{
    RADARS_LIMIT_DEFAULT, RADARS_LIMIT_MAX, RADARS_RADAR_IDS_MAX, UPDATES_LIMIT_DEFAULT, UPDATES_LIMIT_MAX,
    UPDATES_RADAR_IDS_MAX,
};
use wire::public::account::SpendRecord;
use wire::public::radar_record::RADAR;
use wire::public::update_events::EVENT_STREAM;
use wire::public::updates_export::ExportFormat;
use wire::record::schema_of;
use wire::schema::answers::{ACCOUNT, ERROR, PREVIEW, RADAR_HEALTH, RADAR_TYPE, radar_page, updates_page, with_data};
use wire::schema::{bulk as shapes, requests};
use wire::shapes::{any_of, list, named};

/// Spec 2.1, 4.1.
pub(super) fn account_and_types() -> Vec<Endpoint> {
    let types = list(named(RADAR_TYPE), "Every radar type, in the order of the documentation.");
    vec![
        get("/v1/account", "getAccount", account)
            .parameter(parameters::month())
            .with_record("The summary.", named(ACCOUNT)),
        get("/v1/account/spend", "getSpend", spend)
            .parameter(parameters::month())
            .with_record("The spend.", schema_of::<SpendRecord>()),
        get("/v1/radar-types", "listRadarTypes", radar_types).with_data(200, "The radar types.", types),
    ]
}

/// Spec 4.2 to 4.5.
pub(super) fn creations() -> Vec<Endpoint> {
    let all_failed = any_of([ERROR, shapes::REFUSED].map(named));
    let refused = "No item could be created (then `summary` and `results` say why), the envelope is not as it must be, \
                   or the bulk has more items than the budget per minute (`errors[0].reason` = \
                   `bulk_exceeds_rate_limit`): waiting does not help.";
    vec![
        single("/v1/radars/companies", "createCompanyRadar", creation::create_company, requests::NEW_COMPANY_RADAR),
        single("/v1/radars/contacts", "createContactRadar", creation::create_contact, requests::NEW_CONTACT_RADAR),
        single("/v1/radars/industry", "createIndustryRadar", creation::create_industry, requests::NEW_INDUSTRY_RADAR),
        post_for("/v1/radars/bulk", "createRadars", (Write, 0), bulk::bulk)
            .parameter(parameters::idempotency_key())
            .body(named(requests::NEW_BULK))
            .response(201, answer("Every item was created.", shapes::all_created()))
            .response(207, answer("Some items were created.", shapes::some_created()))
            .response(400, answer(refused, all_failed))
            .or_rejected(&[KEY_REUSED]),
        post_for("/v1/radars/preview", "previewRadar", (Preview, 1), preview::preview)
            .body(requests::any_new_radar())
            .with_data(200, "What it would find.", named(PREVIEW)),
    ]
}

/// Spec 4.6 to 4.8.
pub(super) fn radars() -> Vec<Endpoint> {
    vec![
        get("/v1/radars", "listRadars", list_radars::list_radars)
            .parameter(parameters::limit(RADARS_LIMIT_DEFAULT, RADARS_LIMIT_MAX))
            .parameter(parameters::radar_status())
            .parameter(parameters::radar_types())
            .parameter(parameters::radar_ids(RADARS_RADAR_IDS_MAX))
            .parameter(parameters::cursor())
            .response(200, page("A page of radars.", radar_page())),
        of_one(get("/v1/radars/{id}", "getRadar", get_radar::get_radar)).with_record("The radar.", named(RADAR)),
        of_one(delete("/v1/radars/{id}", "deleteRadar", delete_radar::delete_radar)).with_data(
            200,
            "The radar, ended.",
            named(RADAR),
        ),
        of_one(get("/v1/radars/{id}/health", "getRadarHealth", radar_health::radar_health))
            .with_record("Its health.", named(RADAR_HEALTH)),
    ]
}

/// Spec 4.9.
pub(super) fn updates() -> Vec<Endpoint> {
    let formats = ExportFormat::ALL.iter().map(|format| format.media_type()).collect::<Vec<_>>();
    vec![
        narrowed(get("/v1/updates", "listUpdates", list_updates))
            .parameter(parameters::order())
            .parameter(parameters::cursor())
            .parameter(parameters::limit(UPDATES_LIMIT_DEFAULT, UPDATES_LIMIT_MAX))
            .response(200, page("A page of updates.", updates_page())),
        narrowed(get("/v1/updates/stream", "streamUpdates", stream_updates))
            .parameter(parameters::cursor())
            .parameter(parameters::last_event_id())
            .response(200, success_in("Events, one per update.", &[EVENT_STREAM]))
            .or_rejected(&[TOO_MANY_STREAMS]),
        narrowed(get("/v1/updates/export", "exportUpdates", export_updates))
            .parameter(parameters::instant("until", "Only what was discovered at this instant or before."))
            .parameter(parameters::export_format())
            .response(200, success_in("A file of any length.", &formats)),
    ]
}

/// With the parameters that say which updates.
fn narrowed(endpoint: Endpoint) -> Endpoint {
    endpoint
        .parameter(parameters::radar_ids(UPDATES_RADAR_IDS_MAX))
        .parameter(parameters::radar_types())
        .parameter(parameters::domains())
        .parameter(parameters::since())
        .parameter(parameters::update_types())
}

fn single(path: &'static str, id: &'static str, handler: impl Handler<Call>, request: &str) -> Endpoint {
    let created = created("The radar exists.", with_data(201, named(RADAR)));
    let link =
        |operation: &str| Link::builder().operation_id(operation).parameter("id", "$response.body#/data/radar_id");
    post(path, id, handler)
        .parameter(parameters::idempotency_key())
        .body(named(request))
        .response(201, created.link("get", link("getRadar").build()).link("end", link("deleteRadar").build()))
        .or_rejected(&[INSUFFICIENT_BALANCE, CONFLICT])
}

fn of_one(endpoint: Endpoint) -> Endpoint {
    endpoint.parameter(parameters::path_id("id", "The radar.")).or_rejected(&[NOT_FOUND])
}
