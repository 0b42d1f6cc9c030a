//! Paths of either API, and the answers to unknown paths and methods.

use actix_web::web::{self, Data};
use actix_web::{HttpRequest, HttpResponse, Resource, Route};

use super::errors::Failure;
use super::request_log::Pattern;
use crate::clock::Clock;
use crate::domain::rejection::{Missing, Rejection};

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
    Failure::from(Missing::Path).respond(&request, clock.now())
}
