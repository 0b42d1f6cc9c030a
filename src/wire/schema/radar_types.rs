//! The schema of radar types (Spec 2.1; decisions 4.2, 7.5).

use utoipa::openapi::schema::ObjectBuilder;
use utoipa::openapi::{RefOr, Schema};

use super::answers::with_data;
use super::{Fields, Named, boolean, list, named, number, object, or_null, text, word};
use crate::domain::radar::{GracePeriod, PricingModel};
use crate::domain::radar_type::{Category, RadarType};

/// The name of the radar type's schema.
pub(crate) const RADAR_TYPE: &str = "RadarType";

/// The schemas that answers refer to.
pub(crate) fn named_schemas() -> Vec<Named> {
    vec![(RADAR_TYPE.to_owned(), RefOr::<Schema>::from(record()))]
}

/// The answer of `GET /v1/radar-types`.
pub(crate) fn radar_types() -> ObjectBuilder {
    with_data(200, list(named(RADAR_TYPE), "Every radar type, in the order of the documentation."))
}

fn record() -> ObjectBuilder {
    object("A radar type: whether it finds anything here, and what it costs.")
        .always("radar_type", word(RadarType::WORDS, "The type."))
        .always("category", word(Category::WORDS, "What it watches, and so the endpoint that creates it."))
        .always("filterable", boolean("Whether `departments`, `seniorities` and `job_titles` narrow it."))
        .always("served", boolean("Whether any source serves it here; a radar of a type that none serves fails."))
        .always("served_if", or_null(text("The condition under which a target is served, where not every target is.")))
        .always("sources", list(source(), "The sources that serve it."))
        .always("price", or_null(price()))
}

fn source() -> ObjectBuilder {
    object("A source.")
        .always("source_id", text("Its identifier."))
        .always("name", text("Its name."))
        .always("attribution", or_null(text("Words that must go with what comes from it.")))
}

/// What a radar type costs.
pub(crate) fn price() -> ObjectBuilder {
    object("What it costs the account now; null for a type that has no price and cannot be created.")
        .always("model", word(PricingModel::WORDS, "Paid every 30 days, or per finding."))
        .always("rate_usd", number("What a period or a finding costs, in USD.").minimum(Some(0.0)))
        .always("grace_period", word(GracePeriod::WORDS, "What follows the end of a radar that is paid for."))
}
