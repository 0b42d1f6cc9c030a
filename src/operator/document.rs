//! The OpenAPI document of the operator API, made of the table of routes. What a success holds
//! beside its envelope is said where it is answered, so here it is any JSON.

use actix_web::http::Method;
use utoipa::openapi::path::{HttpMethod, Operation, OperationBuilder, Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::path::{PathItem, PathsBuilder};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::{ComponentsBuilder, ObjectBuilder};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{
    ContentBuilder, InfoBuilder, OpenApi, OpenApiBuilder, RefOr, Required, Response, ResponseBuilder, Schema, Server,
};

use super::call::HEADER;
use super::endpoint::Endpoint;
use domain::RadarType;
use wire::error::FIELD_REASON;
use wire::schema::answers::ERROR;
use wire::schema::named_schemas;
use wire::shapes::{Fields, MONTH, boolean, instant, integer, named, object, text, uuid, word};

/// The scheme of the key in `x-operator-key`.
const OPERATOR_KEY: &str = "operatorKey";
const JSON: &str = "application/json";

/// The document of these endpoints.
pub(super) fn document(endpoints: Vec<Endpoint>) -> OpenApi {
    let info = InfoBuilder::new().title("Radar operator API").version(env!("CARGO_PKG_VERSION")).description(Some(
        "What operators ask and tell a running service; also metrics and health, which need no key.",
    ));
    let path = |paths: PathsBuilder, endpoint: Endpoint| {
        paths.path(endpoint.path, PathItem::new(verb(&endpoint.method), operation(endpoint)))
    };
    let own = [ERROR, FIELD_REASON];
    let key = ApiKeyValue::with_description(HEADER, "The operator's key.");
    OpenApiBuilder::new()
        .info(info.build())
        .servers(Some([Server::new("/")]))
        .security(Some([SecurityRequirement::new(OPERATOR_KEY, [""; 0])]))
        .paths(endpoints.into_iter().fold(PathsBuilder::new(), path).build())
        .components(Some(
            ComponentsBuilder::new()
                .schemas_from_iter(named_schemas().into_iter().filter(|(name, _)| own.contains(&name.as_ref())))
                .security_scheme(OPERATOR_KEY, SecurityScheme::ApiKey(ApiKey::Header(key)))
                .build(),
        ))
        .build()
}

fn verb(method: &Method) -> HttpMethod {
    match *method {
        Method::POST => HttpMethod::Post,
        Method::PUT => HttpMethod::Put,
        Method::PATCH => HttpMethod::Patch,
        Method::DELETE => HttpMethod::Delete,
        _ => HttpMethod::Get,
    }
}

fn operation(endpoint: Endpoint) -> Operation {
    let mut operation = OperationBuilder::new()
        .operation_id(Some(name(&endpoint.method, endpoint.path)))
        .summary(Some(endpoint.summary))
        .response(endpoint.status.to_string(), success(endpoint.media_type));
    for segment in in_path(endpoint.path) {
        operation = operation.parameter(parameter(ParameterIn::Path, segment, of_path(endpoint.path, segment)));
    }
    for name in endpoint.query {
        operation = operation.parameter(parameter(ParameterIn::Query, name, of_query(name)));
    }
    if let Some(body) = endpoint.body {
        let content = ContentBuilder::new().schema(Some(body)).build();
        let body = RequestBodyBuilder::new().required(Some(Required::True)).content(JSON, content);
        operation = operation.request_body(Some(body.build()));
    }
    let mut refusals = vec![("400", "A parameter or a field is not as it must be."), ("503", "It cannot be done now.")];
    refusals.push(("500", "An error of the service, which is in its log under the `error_id`."));
    if endpoint.is_guarded {
        refusals.push(("401", "The key is missing or wrong."));
        if !endpoint.method.is_safe() {
            refusals.push(("403", "The key only reads."));
        }
        refusals.push(("404", "There is nothing of this identifier."));
        refusals.push(("409", "What there is stands against it."));
    } else {
        // Nothing but an empty list takes the key of the whole document away.
        operation = operation.securities(Some([SecurityRequirement::default()]));
    }
    refusals.into_iter().fold(operation, |operation, (status, text)| operation.response(status, refusal(text))).build()
}

/// The method and the words of the path, such as `getAccountsById`.
pub(super) fn name(method: &Method, path: &str) -> String {
    let words = path.trim_start_matches("/operator/v1").split(['/', '-', '_', '.']).filter(|word| !word.is_empty());
    let capitalised = |word: &str| {
        let (by, word) = word.strip_prefix('{').map_or(("", word), |word| ("By", word));
        let mut letters = word.trim_end_matches('}').chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        format!("{by}{}{}", first.unwrap_or_default(), letters.as_str())
    };
    words.fold(method.as_str().to_ascii_lowercase(), |name, word| name + &capitalised(word))
}

/// The names between the braces of a path.
fn in_path(path: &'static str) -> impl Iterator<Item = &'static str> {
    path.split('/').filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'))
}

fn parameter(place: ParameterIn, name: &str, schema: ObjectBuilder) -> Parameter {
    let required = if place == ParameterIn::Path { Required::True } else { Required::False };
    ParameterBuilder::new().name(name).parameter_in(place).required(required).schema(Some(schema)).build()
}

fn of_path(path: &str, name: &str) -> ObjectBuilder {
    match name {
        "month" => text("A month such as 2026-01.").pattern(Some(MONTH)),
        "radar_type" => word(RadarType::WORDS, "A radar type."),
        _ if path.contains("/sources/") => text("The id of a source."),
        _ => uuid("A UUID in its hyphenated form."),
    }
}

fn of_query(name: &str) -> ObjectBuilder {
    match name {
        "limit" => integer("How many entries a page has at most.").minimum(Some(1)),
        "cursor" => text("The `next_cursor` of the page before.").min_length(Some(1)),
        "failing" | "in_force" => boolean("Whether only these are asked for."),
        "since" | "until" | "from" | "to" => instant("An RFC 3339 timestamp with its offset from UTC."),
        "month" => text("A month such as 2026-01.").pattern(Some(MONTH)),
        "radar_type" => word(RadarType::WORDS, "A radar type."),
        "account" | "id" => uuid("A UUID in its hyphenated form."),
        _ if name.ends_with("_id") => uuid("A UUID in its hyphenated form."),
        _ => text("Only what has this.").min_length(Some(1)),
    }
}

fn success(media_type: &str) -> Response {
    let envelope = object("The common fields, and those of the endpoint.")
        .always("status", text("`success`, or `partial_success`."))
        .always("code", integer("The HTTP status."))
        .always("message", text("One sentence."))
        .always("timestamp", instant("When it was answered."));
    let schema = if media_type == JSON { envelope } else { text("As the media type says.") };
    answer("It is done, or this is it.", media_type, schema)
}

fn refusal(description: &str) -> Response {
    answer(description, JSON, named(ERROR))
}

fn answer(description: &str, media_type: &str, schema: impl Into<RefOr<Schema>>) -> Response {
    let content = ContentBuilder::new().schema(Some(schema)).build();
    ResponseBuilder::new().description(description).content(media_type, content).build()
}
