//! The operator API: accounts, money, findings, the state of the system; and metrics and health.
//!
//! Duty: one file per resource. Envelope and errors are those of the public API, the key is its own; metrics and health
//! need no key. Their answers are written where they are given, with `object!`. Never here: a rule, SQL, anything for customers.

mod accounts;
mod call;
mod deliveries;
mod findings;
mod money;
mod routes;
mod state;
mod system;

use std::net::TcpListener;

use actix_web::dev::Server;
use actix_web::http::Method;
use actix_web::web::{Data, ServiceConfig};

use crate::web::Front;

pub use state::OperatorState;
pub(crate) use system::clock::SIMULATED_NOW;

/// Every method and path, in the order of the table.
pub fn routes() -> Vec<(Method, &'static str)> {
    routes::methods()
}

/// The server on `listener`, not yet running: await it, or spawn it. It leaves signals to the process.
pub fn serve(state: OperatorState, listener: TcpListener, workers: usize) -> std::io::Result<Server> {
    let shared = state.shared.clone();
    let state = Data::new(state);
    let configure = move |config: &mut ServiceConfig| {
        config.app_data(state.clone()).configure(routes::operator);
    };
    shared.serve("operator", shared.connections.operator, Front::default(), listener, workers, configure)
}
