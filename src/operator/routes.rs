//! Every route of the operator's listener.

use actix_web::http::Method;
use actix_web::web::{self, ServiceConfig};

use super::accounts::{account, api_keys};
use super::call::{guarded, open};
use super::deliveries::{endpoints, log, recoveries, webhook_secret};
use super::findings::{approvals, push, push_batch, release};
use super::money::{balance_alerts, ledger, ledger_csv, prices, spend, spend_cap, statements, top_ups, verify};
use super::radars::{search, timeline, why};
use super::system::{activity, actors, attention, clock, health, metrics, nodes, radar_detail, sources};
use crate::web::resource::{self, Row, unknown_path};

/// Adds the routes.
pub(super) fn operator(config: &mut ServiceConfig) {
    resource::add(config, table());
    config.default_service(web::to(unknown_path));
}

/// The method and the path of each endpoint.
pub(super) fn methods() -> Vec<(Method, &'static str)> {
    table().into_iter().map(|(path, method, _)| (method, path)).collect()
}

fn table() -> Vec<Row> {
    vec![
        guarded("/operator/v1/accounts", Method::GET, account::list),
        guarded("/operator/v1/accounts", Method::POST, account::create),
        guarded("/operator/v1/accounts/{id}", Method::GET, account::show),
        guarded("/operator/v1/accounts/{id}", Method::PATCH, account::change),
        guarded("/operator/v1/accounts/{id}/api-keys", Method::GET, api_keys::list),
        guarded("/operator/v1/accounts/{id}/api-keys", Method::POST, api_keys::create),
        guarded("/operator/v1/accounts/{id}/api-keys/{key_id}", Method::DELETE, api_keys::revoke),
        guarded("/operator/v1/accounts/{id}/top-ups", Method::POST, top_ups::create),
        guarded("/operator/v1/accounts/{id}/prices", Method::GET, prices::list),
        guarded("/operator/v1/accounts/{id}/prices/{radar_type}", Method::PUT, prices::set),
        guarded("/operator/v1/accounts/{id}/spend-cap", Method::GET, spend_cap::show),
        guarded("/operator/v1/accounts/{id}/spend-cap", Method::PUT, spend_cap::set),
        guarded("/operator/v1/accounts/{id}/spend-cap", Method::DELETE, spend_cap::remove),
        guarded("/operator/v1/accounts/{id}/balance-alerts", Method::GET, balance_alerts::show),
        guarded("/operator/v1/accounts/{id}/balance-alerts", Method::PUT, balance_alerts::set),
        guarded("/operator/v1/accounts/{id}/balance-alerts", Method::DELETE, balance_alerts::remove),
        guarded("/operator/v1/accounts/{id}/ledger", Method::GET, ledger::page),
        guarded("/operator/v1/accounts/{id}/ledger.csv", Method::GET, ledger_csv::download),
        guarded("/operator/v1/accounts/{id}/statements/{month}", Method::GET, statements::show),
        guarded("/operator/v1/accounts/{id}/spend/{month}", Method::GET, spend::show),
        guarded("/operator/v1/accounts/{id}/webhook-secret/rotate", Method::POST, webhook_secret::rotate),
        guarded("/operator/v1/ledger/verify", Method::GET, verify::verify),
        guarded("/operator/v1/findings", Method::GET, approvals::list),
        guarded("/operator/v1/findings", Method::POST, push::push),
        guarded("/operator/v1/findings/batch", Method::POST, push_batch::push_batch),
        guarded("/operator/v1/findings/{id}/approve", Method::POST, approvals::approve),
        guarded("/operator/v1/findings/{id}/reject", Method::POST, approvals::reject),
        guarded("/operator/v1/deliveries", Method::GET, log::list),
        guarded("/operator/v1/deliveries/recover", Method::POST, recoveries::create),
        guarded("/operator/v1/deliveries/recover/{id}", Method::GET, recoveries::show),
        guarded("/operator/v1/deliveries/{update_id}", Method::GET, log::show),
        guarded("/operator/v1/deliveries/{update_id}/resend", Method::POST, log::resend),
        guarded("/operator/v1/endpoints", Method::GET, endpoints::list),
        guarded("/operator/v1/endpoints/{id}/enable", Method::POST, endpoints::enable),
        guarded("/operator/v1/radars", Method::GET, search::list),
        guarded("/operator/v1/radars/{id}", Method::GET, radar_detail::show),
        guarded("/operator/v1/radars/{id}/release", Method::POST, release::release),
        guarded("/operator/v1/radars/{id}/timeline", Method::GET, timeline::show),
        guarded("/operator/v1/why/{id}", Method::GET, why::show),
        guarded("/operator/v1/sources", Method::GET, sources::list),
        guarded("/operator/v1/sources/{id}", Method::GET, sources::show),
        guarded("/operator/v1/attention", Method::GET, attention::list),
        guarded("/operator/v1/activity", Method::GET, activity::show),
        guarded("/operator/v1/actors", Method::GET, actors::list),
        guarded("/operator/v1/nodes", Method::GET, nodes::list),
        guarded("/operator/v1/nodes/{id}/drain", Method::POST, nodes::drain),
        guarded("/operator/v1/clock", Method::GET, clock::show),
        guarded("/operator/v1/clock/advance", Method::POST, clock::advance),
        open("/metrics", Method::GET, metrics::metrics),
        open("/health/live", Method::GET, health::live),
        open("/health/ready", Method::GET, health::ready),
    ]
}
