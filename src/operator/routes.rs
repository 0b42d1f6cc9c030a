//! Every route of the operator's listener.

use actix_web::HttpResponse;
use actix_web::http::Method;
use actix_web::web::{self, ServiceConfig};

use super::accounts::{account, api_keys, portal_links};
use super::call::{Call, delete, get, open, patch, post, put};
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
        get("/operator/v1/accounts", account::list)
            .says("Accounts in the order of their identifiers, with their balances.")
            .query(&["name", "state", "limit", "cursor"]),
        post("/operator/v1/accounts", account::create)
            .says("Makes an account; its key and secret are shown this once.")
            .body(requests::new_account())
            .answers(201),
        get("/operator/v1/accounts/{id}", account::show).says("One account."),
        patch("/operator/v1/accounts/{id}", account::change)
            .says("Changes an account: stops it, starts it, sets its limits.")
            .body(requests::account_change()),
        get("/operator/v1/accounts/{id}/api-keys", api_keys::list)
            .says("The keys of an account, revoked ones among them."),
        post("/operator/v1/accounts/{id}/api-keys", api_keys::create)
            .says("Makes another key, which is shown this once.")
            .body(requests::new_key())
            .answers(201),
        delete("/operator/v1/accounts/{id}/api-keys/{key_id}", api_keys::revoke).says("Revokes a key."),
        post("/operator/v1/accounts/{id}/portal-links", portal_links::create)
            .says("Makes a link for one session of the customer on the portal; it waits ten minutes.")
            .body(requests::new_portal_link())
            .answers(201),
        post("/operator/v1/accounts/{id}/webhook-secret/rotate", webhook_secret::rotate)
            .says("Makes a new secret; the old one signs too for 24 hours."),
    ]
}

/// What accounts have, pay and have paid.
fn money() -> Vec<Endpoint> {
    vec![
        post("/operator/v1/accounts/{id}/top-ups", top_ups::create)
            .says("Adds money; the same payment reference again adds nothing.")
            .body(requests::top_up())
            .answers(201),
        get("/operator/v1/accounts/{id}/prices", prices::list)
            .says("Prices of its own, or what it pays now for every type.")
            .query(&["in_force"]),
        put("/operator/v1/accounts/{id}/prices/{radar_type}", prices::set)
            .says("Sets what an account pays, from an instant on.")
            .body(requests::price()),
        get("/operator/v1/accounts/{id}/spend-cap", spend_cap::show)
            .says("The most that an account spends in a month."),
        put("/operator/v1/accounts/{id}/spend-cap", spend_cap::set)
            .says("Sets the most that an account spends in a month.")
            .body(object("A cap.").always("amount_usd", requests::amount())),
        delete("/operator/v1/accounts/{id}/spend-cap", spend_cap::remove).says("Removes the cap."),
        get("/operator/v1/accounts/{id}/balance-alerts", balance_alerts::show)
            .says("Where an account hears of its balance."),
        put("/operator/v1/accounts/{id}/balance-alerts", balance_alerts::set)
            .says("Sets where an account hears of its balance.")
            .body(requests::balance_alerts()),
        delete("/operator/v1/accounts/{id}/balance-alerts", balance_alerts::remove)
            .says("An account hears of its balance no more."),
        get("/operator/v1/accounts/{id}/ledger", ledger::page)
            .says("Every ledger transaction, oldest first.")
            .query(&["after", "cursor", "limit"]),
        get("/operator/v1/accounts/{id}/ledger.csv", ledger_csv::download)
            .says("The same as comma-separated values.")
            .query(&["month", "from", "to"])
            .media_type("text/csv"),
        get("/operator/v1/accounts/{id}/statements/{month}", statements::show).says("The money of a month, by kind."),
        get("/operator/v1/accounts/{id}/spend/{month}", spend::show)
            .says("For what an account paid in a month: by radar type, and by radar."),
        get("/operator/v1/ledger/verify", verify::verify)
            .says("Whether the rows of accounts add up.")
            .query(&["account_id", "cursor", "limit"]),
    ]
}

/// What was found, and how it reaches receivers.
fn findings_and_deliveries() -> Vec<Endpoint> {
    vec![
        get("/operator/v1/findings", approvals::list)
            .says("Findings of accounts whose findings an operator approves, oldest first.")
            .query(&["state", "account_id", "cursor", "limit"]),
        post("/operator/v1/findings", push::push)
            .says("Takes a finding of a private provider.")
            .body(requests::finding())
            .answers(202),
        post("/operator/v1/findings/batch", push_batch::push_batch)
            .says("Takes up to 1,000 findings, each as a push by itself.")
            .body(requests::findings())
            .answers(207),
        post("/operator/v1/findings/{id}/approve", approvals::approve)
            .says("Lets a finding through: it is charged and published."),
        post("/operator/v1/findings/{id}/reject", approvals::reject).says("Turns a finding down."),
        get("/operator/v1/deliveries", log::list)
            .says("Deliveries of webhooks, newest first, each with the reason why it has not been sent yet.")
            .query(DELIVERIES),
        post("/operator/v1/deliveries/recover", recoveries::create)
            .says("Sends everything again that failed in a range of time.")
            .body(requests::recovery())
            .answers(202),
        get("/operator/v1/deliveries/recover/{id}", recoveries::show).says("How far a recovery has come."),
        get("/operator/v1/deliveries/{update_id}", log::show).says("A delivery with all its attempts."),
        post("/operator/v1/deliveries/{update_id}/resend", log::resend).says("Sends a delivery again.").answers(202),
        get("/operator/v1/endpoints", endpoints::list)
            .says("The addresses that webhooks go to, and their health.")
            .query(&["account_id", "state", "cursor", "limit"]),
        post("/operator/v1/endpoints/{id}/enable", endpoints::enable)
            .says("Enables an endpoint and releases what is held for it."),
    ]
}

/// What is watched, and where.
fn radars_and_sources() -> Vec<Endpoint> {
    vec![
        get("/operator/v1/radars", search::list)
            .says("Radars of all accounts, newest first; an asterisk ends the beginning of a domain, name or keyword.")
            .query(RADARS),
        post("/operator/v1/radars/deactivate", jobs::deactivate)
            .says("Deactivates all radars that are found by whole values, as a job, or counts them.")
            .body(requests::deactivation())
            .answers(202),
        get("/operator/v1/radars/{id}", radar_detail::show).says("Everything that is known of a radar."),
        post("/operator/v1/radars/{id}/release", release::release)
            .says("Charges and publishes what a radar holds beyond the bound of its day."),
        get("/operator/v1/radars/{id}/timeline", timeline::show)
            .says("What happened to a radar, what it keeps out, and why it is as it is.")
            .query(&["cursor", "limit"]),
        get("/operator/v1/why/{id}", why::show)
            .says("In a sentence, why a radar, an update or an account is as it is."),
        get("/operator/v1/sources", sources::list)
            .says("Every source, with its terms, its state and its health.")
            .query(&["failing"]),
        get("/operator/v1/sources/{id}", sources::show).says("The same of one source."),
    ]
}

/// The processes, and what monitoring reads.
fn system() -> Vec<Endpoint> {
    vec![
        get("/operator/v1/audit", audit::list)
            .says("What operators did, newest first: when, with which key, from where, on what, and how it ended.")
            .query(&["about", "since", "cursor", "limit"]),
        get("/operator/v1/jobs", jobs::list)
            .says("Work on everything that matches, newest first: what is sent again, radars that are deactivated.")
            .query(&["cursor", "limit"]),
        get("/operator/v1/jobs/{id}", jobs::show).says("How far a job has come."),
        post("/operator/v1/jobs/{id}/stop", jobs::stop).says("Stops a job; what it has done stays done."),
        get("/operator/v1/attention", attention::list).says("What needs a human, by kind."),
        get("/operator/v1/activity", activity::show).says("What this process did in each minute of the last hour."),
        get("/operator/v1/actors", actors::list).says("Live actors by kind."),
        get("/operator/v1/nodes", nodes::list)
            .says("The processes that share the database, and the shards that each owns."),
        post("/operator/v1/nodes/{id}/drain", nodes::drain).says("Gives the shards of a process to the others."),
        get("/operator/v1/clock", clock::show).says("The simulated instant."),
        post("/operator/v1/clock/advance", clock::advance)
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
