//! Every route of the public API, by subject: what answers it, what it costs, and what the document says about it.

mod api_keys;
mod email;
mod endpoint;
mod feed_addresses;
mod findings;
mod radars;
mod webhooks;

use actix_web::http::Method;
use actix_web::web::{self, ServiceConfig};

use super::email::links;
use super::openapi::{self, Documented};
use super::unknown_path::unknown_path;
use crate::web::resource;
use endpoint::Endpoint;

/// Adds the routes.
pub(super) fn public(config: &mut ServiceConfig) {
    resource::add(config, table().map(|Endpoint { path, verb: (_, method), route, .. }| (path, method, route)));
    openapi::routes(config);
    links::routes(config);
    config.default_service(web::to(unknown_path));
}

/// The method and the path of each endpoint.
pub(super) fn methods() -> Vec<(Method, &'static str)> {
    table().map(|Endpoint { path, verb: (_, method), .. }| (method, path)).collect()
}

/// What the document says about each endpoint.
pub(super) fn operations() -> Vec<Documented> {
    table().map(|Endpoint { path, verb: (method, _), operation, .. }| (path, method, operation.build())).collect()
}

/// All endpoints, in the order of the document.
fn table() -> impl Iterator<Item = Endpoint> {
    let subjects = [
        radars::account_and_types(),
        email::email(),
        radars::creations(),
        radars::radars(),
        radars::updates(),
        feed_addresses::feeds(),
        findings::findings(),
        webhooks::samples(),
        webhooks::deliveries(),
        webhooks::secrets(),
        api_keys::api_keys(),
    ];
    subjects.into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::{Endpoint, table};
    use crate::web::resource::{Path, paths};

    #[test]
    fn spec_9_every_route_bears_the_version() {
        assert!(table().all(|route| route.path.starts_with("/v1/")));
    }

    #[test]
    fn allow_lists_the_methods_of_each_path() {
        let rows = table().map(|Endpoint { path, verb: (_, method), route, .. }| (path, method, route));
        for Path { path, allowed, .. } in paths(rows) {
            let endpoints = table().filter(|endpoint| endpoint.path == path);
            let methods = endpoints.map(|endpoint| serde_json::to_value(&endpoint.verb.0).expect("JSON"));
            let methods: Vec<String> =
                methods.map(|method| method.as_str().unwrap_or_default().to_uppercase()).collect();
            let methods = methods.join(", ").replace("GET", "GET, HEAD");
            assert_eq!(format!("{methods}, OPTIONS"), allowed, "{path}");
        }
    }
}
