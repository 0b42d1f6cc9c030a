//! The schema of previews.

use utoipa::openapi::schema::ObjectBuilder;
use utoipa::openapi::{RefOr, Schema};

use super::answers::with_data;
use super::radar_types::price;
use super::requests::{NEW_COMPANY_RADAR, NEW_CONTACT_RADAR, NEW_INDUSTRY_RADAR};
use super::{Fields, Named, allowed, any_of, boolean, count, list, named, number, object, or_null, text, word};
use crate::domain::radar_type::RadarType;
use crate::wire::public::preview::SourceState;

/// The name of the schema of a preview.
const PREVIEW: &str = "Preview";
/// Findings that a preview shows at most.
const SHOWN_MAX: usize = 5;

/// The schemas that answers refer to.
pub(crate) fn named_schemas() -> Vec<Named> {
    vec![(PREVIEW.to_owned(), RefOr::<Schema>::from(preview()))]
}

/// The body of `POST /v1/radars/preview`: that of a create of any category.
pub(crate) fn request() -> RefOr<Schema> {
    any_of([NEW_COMPANY_RADAR, NEW_CONTACT_RADAR, NEW_INDUSTRY_RADAR].map(named)).into()
}

/// The answer of `POST /v1/radars/preview`.
pub(crate) fn answer() -> ObjectBuilder {
    with_data(200, named(PREVIEW))
}

fn preview() -> ObjectBuilder {
    let content = object("The `content` of a finding of the type.").additional_properties(allowed());
    object("What a radar would find.")
        .always("radar_type", word(RadarType::WORDS, "The type."))
        .always("served", boolean("Whether anything was found that would serve the radar."))
        .always("complete", boolean("Whether everything was looked at in time."))
        .always("note", or_null(text("What is missing and why, in a sentence.")))
        .always("sources", list(source(), "Where it would look."))
        .always("items", items())
        .always("findings", list(content, "The newest of what it would report now.").max_items(Some(SHOWN_MAX)))
        .always("price", or_null(price()))
        .always("month", month())
}

fn source() -> ObjectBuilder {
    object("A source.")
        .always("source_id", text("Its identifier."))
        .always("name", text("Its name."))
        .always(
            "state",
            word(SourceState::WORDS, "Whether it was read; `pushed` for a provider that hands findings in."),
        )
        .always("items", or_null(count("What it shows of the target; null where it was not read.")))
        .always("error", or_null(text("Why it could not be read.")))
}

fn items() -> ObjectBuilder {
    let by = |name: &str| count(&format!("What `{name}` keeps out, alone or with others."));
    let fields = ["departments", "seniorities", "job_titles", "countries", "keyword"];
    let cut =
        fields.iter().fold(object("What each field of the request keeps out."), |cut, name| cut.always(name, by(name)));
    object("What is there now, whether new or not.")
        .always("total", count("All items."))
        .always("wanted", count("Those that the radar would report if they were new."))
        .always("cut", cut)
}

fn month() -> ObjectBuilder {
    object("What 30 days may bring, at the rate seen.")
        .always("findings", or_null(count("Findings; null where that cannot be told.")))
        .always("cost_usd", or_null(number("What they cost, in USD; null where that cannot be told.")))
        .always("basis", text("What this is told from, or why it cannot be told."))
}
