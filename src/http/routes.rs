//! Every route of the public API, each with its section of the specification.

use actix_web::web::{self, Data, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse, Resource, Route};
use utoipa::openapi::HttpMethod::{self, Delete, Get, Post};
use utoipa::openapi::path::Operation;

use super::account::account;
use super::budgets::BudgetKind::{Read, Write};
use super::bulk::bulk;
use super::call::{Endpoint, by_item, single};
use super::create_company::create_company;
use super::create_contact::create_contact;
use super::create_industry::create_industry;
use super::delete_radar::delete_radar;
use super::errors::Failure;
use super::get_radar::get_radar;
use super::list_radars::list_radars;
use super::list_updates::list_updates;
use super::request_log::Pattern;
use super::state::ApiState;
use super::webhook_schema::webhook_schema;
use super::webhook_test::webhook_test;
use super::{docs, openapi};
use crate::clock::Clock;
use crate::domain::rejection::{Missing, Rejection};

/// One path of the API.
struct Path {
    path: &'static str,
    /// Its methods, as `Allow` lists them.
    allowed: &'static str,
    endpoints: Vec<Endpoint>,
}

/// Adds the routes.
pub(super) fn public(config: &mut ServiceConfig) {
    for Path { path, allowed, endpoints } in table() {
        config.service(resource(path, allowed, endpoints.into_iter().map(|endpoint| endpoint.route)));
    }
    docs::routes(config);
    config.default_service(web::to(unknown_public_path));
}

/// What the document says about each endpoint.
pub(super) fn operations() -> Vec<(&'static str, HttpMethod, Operation)> {
    let of = |Path { path, endpoints, .. }: Path| {
        endpoints.into_iter().map(move |endpoint| (path, endpoint.method, (endpoint.operation)()))
    };
    table().into_iter().flat_map(of).collect()
}

fn table() -> [Path; 10] {
    [
        at("/v1/account", "GET", [single(Get, Read, account, openapi::account)]), // Spec 4.1
        at("/v1/radars/companies", "POST", [single(Post, Write, create_company, openapi::create_company)]), // Spec 4.2
        at("/v1/radars/contacts", "POST", [single(Post, Write, create_contact, openapi::create_contact)]), // Spec 4.3
        at("/v1/radars/industry", "POST", [single(Post, Write, create_industry, openapi::create_industry)]), // Spec 4.4
        at("/v1/radars/bulk", "POST", [by_item(Post, Write, bulk, openapi::bulk)]), // Spec 4.5
        at("/v1/radars", "GET", [single(Get, Read, list_radars, openapi::list_radars)]), // Spec 4.6
        at(
            "/v1/radars/{id}",
            "GET, DELETE",
            [
                single(Get, Read, get_radar, openapi::get_radar),          // Spec 4.7
                single(Delete, Read, delete_radar, openapi::delete_radar), // Spec 4.8
            ],
        ),
        at("/v1/updates", "GET", [single(Get, Read, list_updates, openapi::list_updates)]), // Spec 4.9
        at("/v1/webhooks/test", "POST", [single(Post, Write, webhook_test, openapi::webhook_test)]), // Spec 4.10
        at("/v1/webhooks/schema", "GET", [single(Get, Read, webhook_schema, openapi::webhook_schema)]), // Spec 4.11
    ]
}

fn at(path: &'static str, allowed: &'static str, endpoints: impl Into<Vec<Endpoint>>) -> Path {
    Path { path, allowed, endpoints: endpoints.into() }
}

/// A path and its methods; any other method is answered with those that are `allowed`.
pub(crate) fn resource(path: &'static str, allowed: &'static str, routes: impl IntoIterator<Item = Route>) -> Resource {
    let refuse = move |request: HttpRequest, clock: Data<Clock>| async move {
        Failure::from(Rejection::MethodNotAllowed(allowed)).respond(&request, clock.now())
    };
    let resource = web::resource(path).app_data(Pattern(path)).default_service(web::to(refuse));
    routes.into_iter().fold(resource, Resource::route)
}

/// The answer to a path that is no route.
pub(crate) async fn unknown_path(request: HttpRequest, clock: Data<Clock>) -> HttpResponse {
    Failure::from(Rejection::NotFound(Missing::Path)).respond(&request, clock.now())
}

/// The same on the public listener, where strangers guess paths.
pub(super) async fn unknown_public_path(request: HttpRequest, state: Data<ApiState>) -> HttpResponse {
    let failure = Failure::from(Rejection::NotFound(Missing::Path));
    state.strangers.refuse(failure, &request, state.clock.now())
}

#[cfg(test)]
mod tests {
    use super::{Path, table};

    #[test]
    fn allow_lists_the_methods_of_each_path() {
        for Path { path, allowed, endpoints } in table() {
            let methods = endpoints.iter().map(|endpoint| serde_json::to_value(&endpoint.method).expect("JSON"));
            let methods: Vec<String> =
                methods.map(|method| method.as_str().unwrap_or_default().to_uppercase()).collect();
            assert_eq!(methods.join(", "), allowed, "{path}");
        }
    }
}
