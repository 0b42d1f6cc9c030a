//! The OpenAPI 3.1 document of the public API (Spec 4 to 8).
//!
//! Duty: what endpoints have in common in the document. The routes describe each endpoint, `wire::schema` the shapes of bodies.
//! Never here: a number or a vocabulary of its own.

pub(super) mod answers;
mod docs;
mod docs_page;
mod examples;
pub(super) mod parameters;
pub(super) mod prose;
mod pushes;

use utoipa::openapi::path::{HttpMethod, Operation, PathItem, Paths, PathsBuilder};
use utoipa::openapi::schema::ComponentsBuilder;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityRequirement, SecurityScheme};
use utoipa::openapi::tag::TagBuilder;
use utoipa::openapi::{Components, Info, InfoBuilder, LicenseBuilder, OpenApi, OpenApiBuilder, Server};

pub(super) use docs::{Docs, routes};

use domain::field_limits::{BODY_BYTES_MAX, UPDATE_RETENTION_DAYS};
use wire::schema;

/// The scheme of the key in `x-api-key`.
const API_KEY: &str = "apiKey";
/// How the paths begin whose operations have a tag, the tag, and what it says.
const TAGS: [(&str, &str, &str); 5] = [
    ("/v1/radar", "Radars", "Create radars, look at them, end them."),
    ("/v1/updates", "Updates", "Findings and failures, pulled."),
    ("/v1/feeds", "Feeds", "Updates for feed readers, under secret addresses."),
    ("/v1/webhooks", "Webhooks", "Findings and failures, pushed: their schemas, and a test."),
    ("/v1/account", "Account", "Usage and balance."),
];

/// A path, a method, and what the document says about them.
pub(super) type Documented = (&'static str, HttpMethod, Operation);

/// The document of these operations.
pub(super) fn document(operations: Vec<Documented>) -> OpenApi {
    OpenApiBuilder::new()
        .info(info())
        .servers(Some([Server::new("/")]))
        .tags(Some(
            TAGS.map(|(_, name, description)| TagBuilder::new().name(name).description(Some(description)).build()),
        ))
        .security(Some([SecurityRequirement::new(API_KEY, [""; 0])]))
        .paths(paths(operations))
        .webhooks(Some(
            PathsBuilder::new().path("radarUpdate", item(("/v1/webhooks", HttpMethod::Post, pushes::push()))),
        ))
        .components(Some(components()))
        .build()
}

fn paths(operations: Vec<Documented>) -> Paths {
    let add = |paths: PathsBuilder, documented: Documented| paths.path(documented.0, item(documented));
    operations.into_iter().fold(PathsBuilder::new(), add).build()
}

/// The operation with its tag and its examples.
fn item((path, method, mut operation): Documented) -> PathItem {
    let tags = TAGS.iter().filter(|(prefix, ..)| path.starts_with(prefix)).map(|(_, name, _)| (*name).to_owned());
    operation.tags = Some(tags.collect());
    examples::add_to(&mut operation);
    PathItem::new(method, operation)
}

fn components() -> Components {
    let key = ApiKeyValue::with_description("x-api-key", "The account's API key, without any prefix.");
    ComponentsBuilder::new()
        .schemas_from_iter(schema::named_schemas())
        .responses_from_iter(answers::named_responses())
        .security_scheme(API_KEY, SecurityScheme::ApiKey(ApiKey::Header(key)))
        .build()
}

fn info() -> Info {
    let description = format!(include_str!("description.md"), days = UPDATE_RETENTION_DAYS, bytes = BODY_BYTES_MAX);
    InfoBuilder::new()
        .title("Radar monitoring API")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(description.trim_end()))
        .license(Some(LicenseBuilder::new().name("Apache-2.0").identifier(Some("Apache-2.0")).build()))
        .build()
}
