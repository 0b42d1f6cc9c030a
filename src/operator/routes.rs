//! Every route of the operator's listener.

use actix_web::Resource;
use actix_web::http::Method;
use actix_web::web::{self, ServiceConfig};

use super::accounts::{account, api_keys};
use super::call::{guarded, open};
use super::deliveries::{endpoints, log, recoveries, webhook_secret};
use super::findings::{approvals, push, push_batch};
use super::money::{balance_alerts, ledger, ledger_csv, prices, spend_cap, statements, top_ups};
use super::system::{actors, clock, health, metrics, radar_detail, sources};
use crate::web::resource::{resource, unknown_path};

/// Adds the routes.
pub(super) fn operator(config: &mut ServiceConfig) {
    for route in of_accounts().into_iter().chain(of_the_service()) {
        config.service(route);
    }
    config.default_service(web::to(unknown_path));
}

#[rustfmt::skip]
fn of_accounts() -> Vec<Resource> {
    vec![
        resource("/operator/v1/accounts", "GET, POST", [
            guarded(Method::GET, account::list),
            guarded(Method::POST, account::create),
        ]),
        resource("/operator/v1/accounts/{id}", "GET, PATCH", [
            guarded(Method::GET, account::show),
            guarded(Method::PATCH, account::change),
        ]),
        resource("/operator/v1/accounts/{id}/api-keys", "GET, POST", [
            guarded(Method::GET, api_keys::list),
            guarded(Method::POST, api_keys::create),
        ]),
        resource("/operator/v1/accounts/{id}/api-keys/{key_id}", "DELETE", [guarded(Method::DELETE, api_keys::revoke)]),
        resource("/operator/v1/accounts/{id}/top-ups", "POST", [guarded(Method::POST, top_ups::create)]),
        resource("/operator/v1/accounts/{id}/prices", "GET", [guarded(Method::GET, prices::list)]),
        resource("/operator/v1/accounts/{id}/prices/{radar_type}", "PUT", [guarded(Method::PUT, prices::set)]),
        resource("/operator/v1/accounts/{id}/spend-cap", "GET, PUT, DELETE", [
            guarded(Method::GET, spend_cap::show),
            guarded(Method::PUT, spend_cap::set),
            guarded(Method::DELETE, spend_cap::remove),
        ]),
        resource("/operator/v1/accounts/{id}/balance-alerts", "GET, PUT, DELETE", [
            guarded(Method::GET, balance_alerts::show),
            guarded(Method::PUT, balance_alerts::set),
            guarded(Method::DELETE, balance_alerts::remove),
        ]),
        resource("/operator/v1/accounts/{id}/ledger", "GET", [guarded(Method::GET, ledger::page)]),
        resource("/operator/v1/accounts/{id}/ledger.csv", "GET", [guarded(Method::GET, ledger_csv::download)]),
        resource("/operator/v1/accounts/{id}/statements/{month}", "GET", [guarded(Method::GET, statements::show)]),
        resource("/operator/v1/accounts/{id}/webhook-secret/rotate", "POST", [
            guarded(Method::POST, webhook_secret::rotate),
        ]),
    ]
}

#[rustfmt::skip]
fn of_the_service() -> Vec<Resource> {
    vec![
        resource("/operator/v1/findings", "GET, POST", [
            guarded(Method::GET, approvals::list),
            guarded(Method::POST, push::push),
        ]),
        resource("/operator/v1/findings/batch", "POST", [guarded(Method::POST, push_batch::push_batch)]),
        resource("/operator/v1/findings/{id}/approve", "POST", [guarded(Method::POST, approvals::approve)]),
        resource("/operator/v1/findings/{id}/reject", "POST", [guarded(Method::POST, approvals::reject)]),
        resource("/operator/v1/deliveries", "GET", [guarded(Method::GET, log::list)]),
        resource("/operator/v1/deliveries/recover", "POST", [guarded(Method::POST, recoveries::create)]),
        resource("/operator/v1/deliveries/recover/{id}", "GET", [guarded(Method::GET, recoveries::show)]),
        resource("/operator/v1/deliveries/{update_id}", "GET", [guarded(Method::GET, log::show)]),
        resource("/operator/v1/deliveries/{update_id}/resend", "POST", [guarded(Method::POST, log::resend)]),
        resource("/operator/v1/endpoints", "GET", [guarded(Method::GET, endpoints::list)]),
        resource("/operator/v1/endpoints/{id}/enable", "POST", [guarded(Method::POST, endpoints::enable)]),
        resource("/operator/v1/radars/{id}", "GET", [guarded(Method::GET, radar_detail::show)]),
        resource("/operator/v1/sources", "GET", [guarded(Method::GET, sources::list)]),
        resource("/operator/v1/sources/{id}", "GET", [guarded(Method::GET, sources::show)]),
        resource("/operator/v1/actors", "GET", [guarded(Method::GET, actors::list)]),
        resource("/operator/v1/clock", "GET", [guarded(Method::GET, clock::show)]),
        resource("/operator/v1/clock/advance", "POST", [guarded(Method::POST, clock::advance)]),
        resource("/metrics", "GET", [open(Method::GET, metrics::metrics)]),
        resource("/health/live", "GET", [open(Method::GET, health::live)]),
        resource("/health/ready", "GET", [open(Method::GET, health::ready)]),
    ]
}
