//! The operator API: accounts, money, findings, the state of the system; and metrics and health.
//!
//! Duty: one file per resource. Envelope and errors are those of the public API, the key is its own; metrics and health
//! need no key. Never here: a rule, SQL, the shape of JSON, anything for customers.

mod accounts;
mod call;
mod deliveries;
mod findings;
mod money;
mod routes;
mod state;
mod system;

use std::net::TcpListener;

use actix_web::App;
use actix_web::dev::Server;
use actix_web::middleware::from_fn;
use actix_web::web::Data;

pub use state::OperatorState;
pub(crate) use system::clock::SIMULATED_NOW;

use crate::web::request_log::{self, RequestLog};
use crate::web::{connection, security_headers};

/// The server on `listener`, not yet running: await it, or spawn it. It leaves signals to the process.
///
/// # Errors
/// The listener cannot be used.
pub fn serve(state: OperatorState, listener: TcpListener, workers: usize) -> std::io::Result<Server> {
    let (service_clock, limits) = (state.shared.clock.clone(), state.shared.connections.operator);
    let clock = Data::new(state.shared.clock.clone());
    let log = Data::new(RequestLog {
        api: "operator",
        clock: state.shared.clock.clone(),
        metrics: state.shared.metrics.clone(),
    });
    let state = Data::new(state);
    let app = move || {
        App::new()
            .app_data(state.clone())
            .app_data(clock.clone())
            .app_data(log.clone())
            .wrap(from_fn(request_log::log))
            .wrap(from_fn(security_headers::add))
            .wrap(from_fn(connection::answer_in_turn))
            .configure(routes::operator)
    };
    connection::serve(app, listener, workers, limits, &service_clock)
}
