//! Every route of the public API, each with its section of the specification.

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
use crate::web::resource::resource;

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
    openapi::routes(config);
    config.default_service(web::to(unknown_path));
}

/// What the document says about each endpoint.
pub(super) fn operations() -> Vec<Documented> {
    let of = |Path { path, endpoints, .. }: Path| {
        endpoints.into_iter().map(move |endpoint| (path, endpoint.method, (endpoint.operation)()))
    };
    table().into_iter().flat_map(of).collect()
}

fn table() -> Vec<Path> {
    vec![
        at("/v1/account", "GET", [endpoint(GET, Read, 1, account, openapi::account)]), // Spec 4.1
        at("/v1/radar-types", "GET", [endpoint(GET, Read, 1, radar_types, openapi::radar_types)]), // Spec 2.1
        at("/v1/radars/companies", "POST", [endpoint(POST, Write, 1, create_company, openapi::create_company)]), // Spec 4.2
        at("/v1/radars/contacts", "POST", [endpoint(POST, Write, 1, create_contact, openapi::create_contact)]), // Spec 4.3
        at("/v1/radars/industry", "POST", [endpoint(POST, Write, 1, create_industry, openapi::create_industry)]), // Spec 4.4
        at("/v1/radars/bulk", "POST", [endpoint(POST, Write, 0, bulk, openapi::bulk)]), // Spec 4.5
        at("/v1/radars/preview", "POST", [endpoint(POST, Preview, 1, preview, openapi::preview)]),
        at("/v1/radars", "GET", [endpoint(GET, Read, 1, list_radars, openapi::list_radars)]), // Spec 4.6
        at(
            "/v1/radars/{id}",
            "GET, DELETE",
            [
                endpoint(GET, Read, 1, get_radar, openapi::get_radar), // Spec 4.7
                endpoint(DELETE, Read, 1, delete_radar, openapi::delete_radar), // Spec 4.8
            ],
        ),
        at("/v1/radars/{id}/health", "GET", [endpoint(GET, Read, 1, radar_health, openapi::radar_health)]),
        at("/v1/updates", "GET", [endpoint(GET, Read, 1, list_updates, openapi::list_updates)]), // Spec 4.9
        at("/v1/webhooks/test", "POST", [endpoint(POST, Write, 1, webhook_test, openapi::webhook_test)]), // Spec 4.10
        at("/v1/webhooks/schema", "GET", [endpoint(GET, Read, 1, webhook_schema, openapi::webhook_schema)]), // Spec 4.11
        at("/v1/webhooks/deliveries", "GET", [endpoint(GET, Read, 1, list_deliveries, openapi::list_deliveries)]),
        at("/v1/webhooks/deliveries/{update_id}", "GET", [endpoint(GET, Read, 1, get_delivery, openapi::get_delivery)]),
        at(
            "/v1/webhooks/deliveries/{update_id}/resend",
            "POST",
            [endpoint(POST, Write, 1, resend_delivery, openapi::resend_delivery)],
        ),
        at("/v1/webhooks/recover", "POST", [endpoint(POST, Write, 1, recover, openapi::recover)]),
        at("/v1/webhooks/recover/{id}", "GET", [endpoint(GET, Read, 1, get_recovery, openapi::get_recovery)]),
        at("/v1/webhooks/endpoints", "GET", [endpoint(GET, Read, 1, list_endpoints, openapi::list_endpoints)]),
        at(
            "/v1/webhooks/endpoints/{id}/enable",
            "POST",
            [endpoint(POST, Write, 1, enable_endpoint, openapi::enable_endpoint)],
        ),
        at("/v1/webhooks/secret", "GET", [endpoint(GET, Read, 1, get_secret, openapi::get_secret)]),
        at("/v1/webhooks/secret/rotate", "POST", [endpoint(POST, Write, 1, rotate_secret, openapi::rotate_secret)]),
    ]
}

fn at(path: &'static str, allowed: &'static str, endpoints: impl Into<Vec<Endpoint>>) -> Path {
    Path { path, allowed, endpoints: endpoints.into() }
}

#[cfg(test)]
mod tests {
    use super::{Path, table};

    #[test]
    fn spec_9_every_route_bears_the_version() {
        assert!(table().iter().all(|route| route.path.starts_with("/v1/")));
    }

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
