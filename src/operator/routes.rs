//! Every route of the operator's listener.

use actix_web::HttpResponse;
use actix_web::http::Method;
use actix_web::web::{self, ServiceConfig};

use super::accounts::{account, api_keys, portal_links};
use super::call::{Call, guarded, open};
use super::deliveries::{endpoints, log, recoveries, webhook_secret};
use super::endpoint::Endpoint;
use super::findings::{approvals, push, push_batch, release};
use super::money::{balance_alerts, ledger, ledger_csv, prices, spend, spend_cap, statements, top_ups, verify};
use super::radars::{search, timeline, why};
use super::system::{activity, actors, attention, clock, health, metrics, nodes, radar_detail, sources};
use super::{audit, document, jobs, requests};
use crate::web::resource::{self, unknown_path};
use crate::web::{Answer, Failure};
use wire::shapes::{Fields, count, object};

/// Adds the routes.
pub(super) fn operator(config: &mut ServiceConfig) {
    resource::add(config, table().into_iter().map(Endpoint::row));
    config.default_service(web::to(unknown_path));
}

/// The method and the path of each endpoint.
pub(super) fn methods() -> Vec<(Method, &'static str)> {
    table().into_iter().map(|Endpoint { path, method, .. }| (method, path)).collect()
}

/// `GET /operator/v1/openapi.json`, which asks for no key.
async fn openapi(call: Call) -> Answer {
    call.no_query()?;
    let text = document::document(table()).to_json().map_err(Failure::internal)?;
    Ok(HttpResponse::Ok().content_type("application/json").body(text))
}

/// All endpoints, in the order of the document.
fn table() -> Vec<Endpoint> {
    [accounts(), money(), findings_and_deliveries(), radars_and_sources(), system()].into_iter().flatten().collect()
}

/// Accounts, their keys and their secrets.
fn accounts() -> Vec<Endpoint> {
    vec![
        guarded("/operator/v1/accounts", Method::GET, account::list)
            .says("Accounts in the order of their identifiers, with their balances.")
            .query(&["name", "state", "limit", "cursor"]),
        guarded("/operator/v1/accounts", Method::POST, account::create)
            .says("Makes an account; its key and secret are shown this once.")
            .body(requests::new_account())
            .answers(201),
        guarded("/operator/v1/accounts/{id}", Method::GET, account::show).says("One account."),
        guarded("/operator/v1/accounts/{id}", Method::PATCH, account::change)
            .says("Changes an account: stops it, starts it, sets its limits.")
            .body(requests::account_change()),
        guarded("/operator/v1/accounts/{id}/api-keys", Method::GET, api_keys::list)
            .says("The keys of an account, revoked ones among them."),
        guarded("/operator/v1/accounts/{id}/api-keys", Method::POST, api_keys::create)
            .says("Makes another key, which is shown this once.")
            .body(requests::new_key())
            .answers(201),
        guarded("/operator/v1/accounts/{id}/api-keys/{key_id}", Method::DELETE, api_keys::revoke)
            .says("Revokes a key."),
        guarded("/operator/v1/accounts/{id}/portal-links", Method::POST, portal_links::create)
            .says("Makes a link for one session of the customer on the portal; it waits ten minutes.")
            .body(requests::new_portal_link())
            .answers(201),
        guarded("/operator/v1/accounts/{id}/webhook-secret/rotate", Method::POST, webhook_secret::rotate)
            .says("Makes a new secret; the old one signs too for 24 hours."),
    ]
}

/// What accounts have, pay and have paid.
fn money() -> Vec<Endpoint> {
    vec![
        guarded("/operator/v1/accounts/{id}/top-ups", Method::POST, top_ups::create)
            .says("Adds money; the same payment reference again adds nothing.")
            .body(requests::top_up())
            .answers(201),
        guarded("/operator/v1/accounts/{id}/prices", Method::GET, prices::list)
            .says("Prices of its own, or what it pays now for every type.")
            .query(&["in_force"]),
        guarded("/operator/v1/accounts/{id}/prices/{radar_type}", Method::PUT, prices::set)
            .says("Sets what an account pays, from an instant on.")
            .body(requests::price()),
        guarded("/operator/v1/accounts/{id}/spend-cap", Method::GET, spend_cap::show)
            .says("The most that an account spends in a month."),
        guarded("/operator/v1/accounts/{id}/spend-cap", Method::PUT, spend_cap::set)
            .says("Sets the most that an account spends in a month.")
            .body(object("A cap.").always("amount_usd", requests::amount())),
        guarded("/operator/v1/accounts/{id}/spend-cap", Method::DELETE, spend_cap::remove).says("Removes the cap."),
        guarded("/operator/v1/accounts/{id}/balance-alerts", Method::GET, balance_alerts::show)
            .says("Where an account hears of its balance."),
        guarded("/operator/v1/accounts/{id}/balance-alerts", Method::PUT, balance_alerts::set)
            .says("Sets where an account hears of its balance.")
            .body(requests::balance_alerts()),
        guarded("/operator/v1/accounts/{id}/balance-alerts", Method::DELETE, balance_alerts::remove)
            .says("An account hears of its balance no more."),
        guarded("/operator/v1/accounts/{id}/ledger", Method::GET, ledger::page)
            .says("Every ledger transaction, oldest first.")
            .query(&["after", "cursor", "limit"]),
        guarded("/operator/v1/accounts/{id}/ledger.csv", Method::GET, ledger_csv::download)
            .says("The same as comma-separated values.")
            .query(&["month", "from", "to"])
            .media_type("text/csv"),
        guarded("/operator/v1/accounts/{id}/statements/{month}", Method::GET, statements::show)
            .says("The money of a month, by kind."),
        guarded("/operator/v1/accounts/{id}/spend/{month}", Method::GET, spend::show)
            .says("For what an account paid in a month: by radar type, and by radar."),
        guarded("/operator/v1/ledger/verify", Method::GET, verify::verify)
            .says("Whether the rows of accounts add up.")
            .query(&["account_id", "cursor", "limit"]),
    ]
}

/// What was found, and how it reaches receivers.
fn findings_and_deliveries() -> Vec<Endpoint> {
    vec![
        guarded("/operator/v1/findings", Method::GET, approvals::list)
            .says("Findings of accounts whose findings an operator approves, oldest first.")
            .query(&["state", "account_id", "cursor", "limit"]),
        guarded("/operator/v1/findings", Method::POST, push::push)
            .says("Takes a finding of a private provider.")
            .body(requests::finding())
            .answers(202),
        guarded("/operator/v1/findings/batch", Method::POST, push_batch::push_batch)
            .says("Takes up to 1,000 findings, each as a push by itself.")
            .body(requests::findings())
            .answers(207),
        guarded("/operator/v1/findings/{id}/approve", Method::POST, approvals::approve)
            .says("Lets a finding through: it is charged and published."),
        guarded("/operator/v1/findings/{id}/reject", Method::POST, approvals::reject).says("Turns a finding down."),
        guarded("/operator/v1/deliveries", Method::GET, log::list)
            .says("Deliveries of webhooks, newest first, each with the reason why it has not been sent yet.")
            .query(DELIVERIES),
        guarded("/operator/v1/deliveries/recover", Method::POST, recoveries::create)
            .says("Sends everything again that failed in a range of time.")
            .body(requests::recovery())
            .answers(202),
        guarded("/operator/v1/deliveries/recover/{id}", Method::GET, recoveries::show)
            .says("How far a recovery has come."),
        guarded("/operator/v1/deliveries/{update_id}", Method::GET, log::show)
            .says("A delivery with all its attempts."),
        guarded("/operator/v1/deliveries/{update_id}/resend", Method::POST, log::resend)
            .says("Sends a delivery again.")
            .answers(202),
        guarded("/operator/v1/endpoints", Method::GET, endpoints::list)
            .says("The addresses that webhooks go to, and their health.")
            .query(&["account_id", "state", "cursor", "limit"]),
        guarded("/operator/v1/endpoints/{id}/enable", Method::POST, endpoints::enable)
            .says("Enables an endpoint and releases what is held for it."),
    ]
}

/// What is watched, and where.
fn radars_and_sources() -> Vec<Endpoint> {
    vec![
        guarded("/operator/v1/radars", Method::GET, search::list)
            .says("Radars of all accounts, newest first; an asterisk ends the beginning of a domain, name or keyword.")
            .query(RADARS),
        guarded("/operator/v1/radars/deactivate", Method::POST, jobs::deactivate)
            .says("Deactivates all radars that are found by whole values, as a job, or counts them.")
            .body(requests::deactivation())
            .answers(202),
        guarded("/operator/v1/radars/{id}", Method::GET, radar_detail::show)
            .says("Everything that is known of a radar."),
        guarded("/operator/v1/radars/{id}/release", Method::POST, release::release)
            .says("Charges and publishes what a radar holds beyond the bound of its day."),
        guarded("/operator/v1/radars/{id}/timeline", Method::GET, timeline::show)
            .says("What happened to a radar, what it keeps out, and why it is as it is.")
            .query(&["cursor", "limit"]),
        guarded("/operator/v1/why/{id}", Method::GET, why::show)
            .says("In a sentence, why a radar, an update or an account is as it is."),
        guarded("/operator/v1/sources", Method::GET, sources::list)
            .says("Every source, with its terms, its state and its health.")
            .query(&["failing"]),
        guarded("/operator/v1/sources/{id}", Method::GET, sources::show).says("The same of one source."),
    ]
}

/// The processes, and what monitoring reads.
fn system() -> Vec<Endpoint> {
    vec![
        guarded("/operator/v1/audit", Method::GET, audit::list)
            .says("What operators did, newest first: when, with which key, from where, on what, and how it ended.")
            .query(&["about", "since", "cursor", "limit"]),
        guarded("/operator/v1/jobs", Method::GET, jobs::list)
            .says("Work on everything that matches, newest first: what is sent again, radars that are deactivated.")
            .query(&["cursor", "limit"]),
        guarded("/operator/v1/jobs/{id}", Method::GET, jobs::show).says("How far a job has come."),
        guarded("/operator/v1/jobs/{id}/stop", Method::POST, jobs::stop)
            .says("Stops a job; what it has done stays done."),
        guarded("/operator/v1/attention", Method::GET, attention::list).says("What needs a human, by kind."),
        guarded("/operator/v1/activity", Method::GET, activity::show)
            .says("What this process did in each minute of the last hour."),
        guarded("/operator/v1/actors", Method::GET, actors::list).says("Live actors by kind."),
        guarded("/operator/v1/nodes", Method::GET, nodes::list)
            .says("The processes that share the database, and the shards that each owns."),
        guarded("/operator/v1/nodes/{id}/drain", Method::POST, nodes::drain)
            .says("Gives the shards of a process to the others."),
        guarded("/operator/v1/clock", Method::GET, clock::show).says("The simulated instant."),
        guarded("/operator/v1/clock/advance", Method::POST, clock::advance)
            .says("Moves the simulated clock forward, and answers when the service is quiet there.")
            .body(object("How far.").always("seconds", count("Seconds.").minimum(Some(1)))),
        open("/operator/v1/openapi.json", Method::GET, openapi).says("This document."),
        open("/metrics", Method::GET, metrics::metrics)
            .says("Figures as Prometheus reads them.")
            .media_type("text/plain"),
        open("/health/live", Method::GET, health::live).says("Whether the process works."),
        open("/health/ready", Method::GET, health::ready).says("Whether it takes requests."),
    ]
}

const RADARS: &[&str] =
    &["id", "domain", "profile", "email", "name", "keyword", "account", "radar_type", "state", "cursor", "limit"];
const DELIVERIES: &[&str] =
    &["account_id", "endpoint_id", "radar_id", "update_id", "state", "since", "until", "cursor", "limit"];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use actix_web::http::Method;
    use serde_json::Value;

    use super::document::{document, name};
    use super::{methods, table};

    #[test]
    fn every_endpoint_is_in_the_document_under_a_name_of_its_own_and_with_a_sentence() {
        assert_eq!(name(&Method::PUT, "/operator/v1/accounts/{id}/spend-cap"), "putAccountsByIdSpendCap");
        let text = document(table()).to_json().expect("JSON");
        let document: Value = serde_json::from_str(&text).expect("JSON");
        let mut names = BTreeSet::new();
        for (method, path) in methods() {
            let operation = &document["paths"][path][method.as_str().to_ascii_lowercase()];
            assert!(operation["summary"].as_str().is_some_and(|summary| summary.ends_with('.')), "{method} {path}");
            assert!(names.insert(operation["operationId"].to_string()), "{method} {path}");
            let is_refused_to_readers = operation["responses"].get("403").is_some();
            assert_eq!(is_refused_to_readers, method != Method::GET, "{method} {path}");
        }
    }
}
