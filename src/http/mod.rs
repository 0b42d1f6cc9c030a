//! The public API (Spec 4 to 8): one file per endpoint, and what all of them share.
//!
//! Duty: from a request to a command or a read, and from what came of it to an answer. Writes go to the ledger and the
//! shards, reads to the store. Never here: a rule, SQL, the shape of JSON.

mod account;
mod authentication;
pub(crate) mod body;
mod budgets;
mod bulk;
pub(crate) mod call;
pub(crate) mod connection;
mod create_company;
mod create_contact;
mod create_industry;
mod creation;
mod delete_radar;
mod docs;
pub(crate) mod errors;
mod get_radar;
mod ids;
mod list_radars;
mod list_updates;
mod metrics;
pub mod openapi;
pub(crate) mod request_log;
pub(crate) mod routes;
pub(crate) mod security_headers;
mod state;
mod strangers;
mod webhook_schema;
mod webhook_test;

use std::net::TcpListener;

use actix_web::App;
use actix_web::dev::Server;
use actix_web::middleware::from_fn;
use actix_web::web::Data;

pub use authentication::KeyCache;
pub use budgets::{BudgetKind, Budgets};
pub use connection::{ConnectionLimits, ListenerLimits};
pub use ids::Identifiers;
pub use metrics::{RequestCounts, RequestLabels, RequestMetrics};
pub use state::{ApiParts, ApiState, DefaultLimits};

use docs::Docs;
use request_log::RequestLog;

/// The server on `listener`, not yet running: await it, or spawn it. It leaves signals to the process.
///
/// # Errors
/// The listener cannot be used.
pub fn serve(state: ApiState, listener: TcpListener, workers: usize) -> std::io::Result<Server> {
    let (service_clock, limits) = (state.clock.clone(), state.connections.public);
    let clock = Data::new(state.clock.clone());
    let log = Data::new(RequestLog { api: "public", clock: state.clock.clone(), metrics: state.metrics.clone() });
    let docs = Data::new(Docs::new()?);
    let state = Data::new(state);
    let app = move || {
        App::new()
            .app_data(state.clone())
            .app_data(clock.clone())
            .app_data(log.clone())
            .app_data(docs.clone())
            .wrap(from_fn(request_log::log))
            .wrap(from_fn(security_headers::add))
            .wrap(from_fn(connection::answer_in_turn))
            .configure(routes::public)
    };
    connection::serve(app, listener, workers, limits, &service_clock)
}
