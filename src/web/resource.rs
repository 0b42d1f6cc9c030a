//! Paths of either API, and the answers to unknown paths and methods.

use actix_web::http::Method;
use actix_web::http::header::ALLOW;
use actix_web::web::{self, Data, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse, Resource, Route};

use super::errors::Failure;
use super::request_log::Pattern;
use clock::Clock;
use domain::{Missing, Rejection};

/// A row of a table of routes: a path, one of its methods, and what answers that.
pub(crate) type Row = (&'static str, Method, Route);

/// A path of a table of routes.
pub(crate) struct Path {
    pub(crate) path: &'static str,
    /// Its methods, as `Allow` lists them.
    pub(crate) allowed: String,
    routes: Vec<Route>,
}

/// The paths of a table, in which the methods of a path follow each other. HEAD goes where GET does, OPTIONS everywhere.
pub(crate) fn paths(table: impl IntoIterator<Item = Row>) -> Vec<Path> {
    let mut paths: Vec<Path> = Vec::new();
    for (path, method, route) in table {
        let names = if method == Method::GET { "GET, HEAD".to_owned() } else { method.to_string() };
        match paths.last_mut().filter(|last| last.path == path) {
            Some(Path { allowed, routes, .. }) => {
                *allowed += &format!(", {names}");
                routes.push(route);
            }
            None => paths.push(Path { path, allowed: names, routes: vec![route] }),
        }
    }
    paths.iter_mut().for_each(|path| path.allowed += ", OPTIONS");
    paths
}

/// Adds the paths of a table; any other method of a path is answered with those that it has.
pub(crate) fn add(config: &mut ServiceConfig, table: impl IntoIterator<Item = Row>) {
    for Path { path, allowed, routes } in paths(table) {
        let other = move |request: HttpRequest, clock: Data<Clock>| {
            let allowed = allowed.clone();
            async move {
                match *request.method() {
                    Method::OPTIONS => HttpResponse::NoContent().insert_header((ALLOW, allowed)).finish(),
                    _ => Failure::from(Rejection::MethodNotAllowed(allowed)).respond(&request, clock.now()),
                }
            }
        };
        // With a slash at its end it is the same path.
        let resource = web::resource(vec![path.to_owned(), format!("{path}/")])
            .app_data(Pattern(path))
            .default_service(web::to(other));
        config.service(routes.into_iter().fold(resource, Resource::route));
    }
}

/// The answer to a path that is no route.
pub(crate) async fn unknown_path(request: HttpRequest, clock: Data<Clock>) -> HttpResponse {
    Failure::from(Missing::Path).respond(&request, clock.now())
}
