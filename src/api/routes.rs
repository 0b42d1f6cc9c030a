//! Every route of the public API, each with its section of the specification.

use actix_web::http::Method;
use actix_web::web::{self, ServiceConfig};

use super::account::account;
use super::call::{DELETE, Endpoint, GET, POST, endpoint};
use super::openapi::{self, Documented};
use super::radar_types::radar_types;
use super::radars::{
    bulk, create_company, create_contact, create_industry, delete_radar, get_radar, list_radars, preview, radar_health,
};
use super::unknown_path::unknown_path;
use super::updates::list_updates;
use super::webhooks::{
    enable_endpoint, get_delivery, get_recovery, get_secret, list_deliveries, list_endpoints, recover, resend_delivery,
    rotate_secret, webhook_schema, webhook_test,
};
use crate::web::budgets::BudgetKind::{Preview, Read, Write};
use crate::web::resource;

/// Adds the routes.
pub(super) fn public(config: &mut ServiceConfig) {
    resource::add(
        config,
        table().into_iter().map(|Endpoint { path, verb: (_, method), route, .. }| (path, method, route)),
    );
    openapi::routes(config);
    config.default_service(web::to(unknown_path));
}

/// The method and the path of each endpoint.
pub(super) fn methods() -> Vec<(Method, &'static str)> {
    table().into_iter().map(|Endpoint { path, verb: (_, method), .. }| (method, path)).collect()
}

/// What the document says about each endpoint.
pub(super) fn operations() -> Vec<Documented> {
    table().into_iter().map(|Endpoint { path, verb: (method, _), operation, .. }| (path, method, operation())).collect()
}

fn table() -> Vec<Endpoint> {
    vec![
        endpoint("/v1/account", GET, Read, 1, account, openapi::account), // Spec 4.1
        endpoint("/v1/radar-types", GET, Read, 1, radar_types, openapi::radar_types), // Spec 2.1
        endpoint("/v1/radars/companies", POST, Write, 1, create_company, openapi::create_company), // Spec 4.2
        endpoint("/v1/radars/contacts", POST, Write, 1, create_contact, openapi::create_contact), // Spec 4.3
        endpoint("/v1/radars/industry", POST, Write, 1, create_industry, openapi::create_industry), // Spec 4.4
        endpoint("/v1/radars/bulk", POST, Write, 0, bulk, openapi::bulk), // Spec 4.5
        endpoint("/v1/radars/preview", POST, Preview, 1, preview, openapi::preview),
        endpoint("/v1/radars", GET, Read, 1, list_radars, openapi::list_radars), // Spec 4.6
        endpoint("/v1/radars/{id}", GET, Read, 1, get_radar, openapi::get_radar), // Spec 4.7
        endpoint("/v1/radars/{id}", DELETE, Read, 1, delete_radar, openapi::delete_radar), // Spec 4.8
        endpoint("/v1/radars/{id}/health", GET, Read, 1, radar_health, openapi::radar_health),
        endpoint("/v1/updates", GET, Read, 1, list_updates, openapi::list_updates), // Spec 4.9
        endpoint("/v1/webhooks/test", POST, Write, 1, webhook_test, openapi::webhook_test), // Spec 4.10
        endpoint("/v1/webhooks/schema", GET, Read, 1, webhook_schema, openapi::webhook_schema), // Spec 4.11
        endpoint("/v1/webhooks/deliveries", GET, Read, 1, list_deliveries, openapi::list_deliveries),
        endpoint("/v1/webhooks/deliveries/{update_id}", GET, Read, 1, get_delivery, openapi::get_delivery),
        endpoint(
            "/v1/webhooks/deliveries/{update_id}/resend",
            POST,
            Write,
            1,
            resend_delivery,
            openapi::resend_delivery,
        ),
        endpoint("/v1/webhooks/recover", POST, Write, 1, recover, openapi::recover),
        endpoint("/v1/webhooks/recover/{id}", GET, Read, 1, get_recovery, openapi::get_recovery),
        endpoint("/v1/webhooks/endpoints", GET, Read, 1, list_endpoints, openapi::list_endpoints),
        endpoint("/v1/webhooks/endpoints/{id}/enable", POST, Write, 1, enable_endpoint, openapi::enable_endpoint),
        endpoint("/v1/webhooks/secret", GET, Read, 1, get_secret, openapi::get_secret),
        endpoint("/v1/webhooks/secret/rotate", POST, Write, 1, rotate_secret, openapi::rotate_secret),
    ]
}

#[cfg(test)]
mod tests {
    use super::{Endpoint, table};
    use crate::web::resource::{Path, paths};

    #[test]
    fn spec_9_every_route_bears_the_version() {
        assert!(table().iter().all(|route| route.path.starts_with("/v1/")));
    }

    #[test]
    fn allow_lists_the_methods_of_each_path() {
        let rows = table().into_iter().map(|Endpoint { path, verb: (_, method), route, .. }| (path, method, route));
        for Path { path, allowed, .. } in paths(rows) {
            let endpoints = table().into_iter().filter(|endpoint| endpoint.path == path);
            let methods = endpoints.map(|endpoint| serde_json::to_value(&endpoint.verb.0).expect("JSON"));
            let methods: Vec<String> =
                methods.map(|method| method.as_str().unwrap_or_default().to_uppercase()).collect();
            assert_eq!(methods.join(", "), allowed, "{path}");
        }
    }
}
