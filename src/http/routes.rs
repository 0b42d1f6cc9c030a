//! Every route of the public API, each with its section of the specification.

use actix_web::http::Method;
use actix_web::web::{self, Data, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse, Resource, Route};

use super::account::account;
use super::budgets::BudgetKind::{Read, Write};
use super::bulk::bulk;
use super::call::{by_item, single};
use super::create_company::create_company;
use super::create_contact::create_contact;
use super::create_industry::create_industry;
use super::delete_radar::delete_radar;
use super::errors::Failure;
use super::get_radar::get_radar;
use super::list_radars::list_radars;
use super::list_updates::list_updates;
use super::webhook_test::webhook_test;
use crate::clock::Clock;
use crate::domain::rejection::{Missing, Rejection};

/// Adds the routes.
#[rustfmt::skip]
pub(super) fn public(config: &mut ServiceConfig) {
    let routes = [
        resource("/v1/account", "GET", [single(Method::GET, Read, account)]),                      // Spec 4.1
        resource("/v1/radars/companies", "POST", [single(Method::POST, Write, create_company)]),   // Spec 4.2
        resource("/v1/radars/contacts", "POST", [single(Method::POST, Write, create_contact)]),    // Spec 4.3
        resource("/v1/radars/industry", "POST", [single(Method::POST, Write, create_industry)]),   // Spec 4.4
        resource("/v1/radars/bulk", "POST", [by_item(Method::POST, Write, bulk)]),                 // Spec 4.5
        resource("/v1/radars", "GET", [single(Method::GET, Read, list_radars)]),                   // Spec 4.6
        resource("/v1/radars/{id}", "GET, DELETE", [
            single(Method::GET, Read, get_radar),                                                  // Spec 4.7
            single(Method::DELETE, Read, delete_radar),                                            // Spec 4.8
        ]),
        resource("/v1/updates", "GET", [single(Method::GET, Read, list_updates)]),                 // Spec 4.9
        resource("/v1/webhooks/test", "POST", [single(Method::POST, Write, webhook_test)]),        // Spec 4.10
    ];
    for route in routes {
        config.service(route);
    }
    config.default_service(web::to(unknown_path));
}

/// A path and its methods; any other method is answered with those that are `allowed`.
pub(crate) fn resource(path: &str, allowed: &'static str, routes: impl IntoIterator<Item = Route>) -> Resource {
    let refuse = move |request: HttpRequest, clock: Data<Clock>| async move {
        Failure::from(Rejection::MethodNotAllowed(allowed)).respond(&request, clock.now())
    };
    let resource = web::resource(path).default_service(web::to(refuse));
    routes.into_iter().fold(resource, Resource::route)
}

/// The answer to a path that is no route.
pub(crate) async fn unknown_path(request: HttpRequest, clock: Data<Clock>) -> HttpResponse {
    Failure::from(Rejection::NotFound(Missing::Path)).respond(&request, clock.now())
}
