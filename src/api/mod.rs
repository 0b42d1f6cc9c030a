//! The public API (Spec 4 to 8): one file per endpoint, and the table of routes.
//!
//! Duty: from a request to a command or a read, and from its outcome to an answer. Writes go to the ledger and the
//! shards, reads to the store. Never here: a rule, SQL, the shape of JSON.

mod account;
mod call;
mod openapi;
mod radar_types;
mod radars;
mod routes;
mod state;
mod unknown_path;
mod updates;
mod webhooks;

use std::net::TcpListener;

use actix_web::App;
use actix_web::dev::Server;
use actix_web::middleware::from_fn;
use actix_web::web::Data;
use utoipa::openapi::OpenApi;

pub use state::ApiState;

use crate::web::request_log::{self, RequestLog};
use crate::web::{connection, security_headers};
use openapi::Docs;

/// The contract as an OpenAPI document.
pub fn document() -> OpenApi {
    openapi::document(routes::operations())
}

/// The server on `listener`, not yet running: await it, or spawn it. It leaves signals to the process.
///
/// # Errors
/// The listener cannot be used.
pub fn serve(state: ApiState, listener: TcpListener, workers: usize) -> std::io::Result<Server> {
    let (service_clock, limits) = (state.shared.clock.clone(), state.shared.connections.public);
    let clock = Data::new(state.shared.clock.clone());
    let log = Data::new(RequestLog {
        api: "public",
        clock: state.shared.clock.clone(),
        metrics: state.shared.metrics.clone(),
    });
    let docs = Data::new(Docs::new(&document())?);
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
