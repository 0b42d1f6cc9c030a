//! The operations that create radars (Spec 4.2 to 4.5, decisions 2.9, 3.1, 3.2).

use utoipa::openapi::link::Link;
use utoipa::openapi::path::Operation;

use super::answers::{Answers, CONFLICT, INSUFFICIENT_BALANCE, INVALID, KEY_REUSED, answer, body, operation, success};
use super::parameters;
use domain::field_limits::BULK_ITEMS_MAX;
use wire::public::radar_record::RADAR;
use wire::schema::answers::{ERROR, with_data};
use wire::schema::{bulk as shapes, requests};
use wire::shapes::{any_of, named};

/// `POST /v1/radars/companies`.
pub(crate) fn create_company() -> Operation {
    single(
        "createCompanyRadar",
        "Create a company radar",
        "Watches a company, named by its domain. `departments`, `seniorities` and `job_titles` narrow the types \
         `company_job_openings`, `company_new_hires`, `company_promotions` and `company_social_posts_cxo`; on all \
         others they are ignored. One active radar per domain and type.",
        requests::NEW_COMPANY_RADAR,
    )
}

/// `POST /v1/radars/contacts`.
pub(crate) fn create_contact() -> Operation {
    single(
        "createContactRadar",
        "Create a contact radar",
        "Watches a person. What identifies the person never appears in an update. One active radar per profile and \
         type; without a profile, per e-mail address; without that, per domain and name.",
        requests::NEW_CONTACT_RADAR,
    )
}

/// `POST /v1/radars/industry`.
pub(crate) fn create_industry() -> Operation {
    single(
        "createIndustryRadar",
        "Create an industry radar",
        "Watches a theme or a whole market. One active radar per type, keyword (whatever its case and white space) and \
         countries.",
        requests::NEW_INDUSTRY_RADAR,
    )
}

/// `POST /v1/radars/bulk`.
pub(crate) fn bulk() -> Operation {
    let all_failed = any_of([ERROR, shapes::REFUSED].map(named));
    let refused = "No item could be created (then `summary` and `results` say why), the envelope is not as it must be, \
                   or the bulk has more items than the budget per minute (`errors[0].reason` = \
                   `bulk_exceeds_rate_limit`): waiting does not help.";
    operation(
        "createRadars",
        "Create several radars",
        format!(
            "Creates up to {BULK_ITEMS_MAX} radars of any category in one transaction. Items are decided in their \
             order and see each other's targets and charges; one that is refused does not hinder the others. It takes \
             one write token per item, and nothing is created or billed unless the budget covers all of them."
        ),
    )
    .parameter(parameters::idempotency_key())
    .request_body(Some(body(named(requests::NEW_BULK))))
    .response("201", answer("Every item was created.", shapes::all_created()))
    .response("207", answer("Some items were created.", shapes::some_created()))
    .response("400", answer(refused, all_failed))
    .or_rejected(&[KEY_REUSED])
}

fn single(id: &str, summary: &str, description: &str, request: &str) -> Operation {
    let created = success("The radar exists.", with_data(201, named(RADAR)));
    operation(
        id,
        summary,
        format!(
            "{description}\n\nThe radar is `active` at once, and charged if it is paid by subscription. Its set-up \
             follows: where the target cannot be tracked, the charge is refunded, the radar becomes inactive and a \
             `radar_failure` says why. What was there before the radar is no finding."
        ),
    )
    .parameter(parameters::idempotency_key())
    .request_body(Some(body(named(request))))
    .response("201", created.link("get", to_radar("getRadar")).link("end", to_radar("deleteRadar")))
    .or_rejected(&[INVALID, INSUFFICIENT_BALANCE, CONFLICT])
}

fn to_radar(operation_id: &str) -> Link {
    Link::builder().operation_id(operation_id).parameter("id", "$response.body#/data/radar_id").build()
}
