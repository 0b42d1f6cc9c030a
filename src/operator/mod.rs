//! The operator's own listener: accounts, money, pushed findings, what is going on inside; metrics and health.
//!
//! Duty: one file per resource. It has the envelope and the errors of the public API, and a key of its own; metrics and
//! health ask for none. Never here: a rule, SQL, anything for customers.

mod accounts;
mod actors;
mod api_keys;
mod approvals;
mod balance_alerts;
mod call;
mod clock;
mod findings;
mod health;
mod ledger;
mod ledger_csv;
mod metrics;
mod prices;
mod radar_detail;
mod routes;
mod secrets;
mod shapes;
mod spend_cap;
mod state;
mod statements;
mod top_ups;

use std::net::TcpListener;

use actix_web::App;
use actix_web::dev::Server;
use actix_web::middleware::from_fn;
use actix_web::web::Data;

pub(crate) use clock::SIMULATED_NOW;
pub use state::OperatorState;

use crate::http::request_log::{self, RequestLog};
use crate::http::{connection, security_headers};

/// The server on `listener`, not yet running: await it, or spawn it. It leaves signals to the process.
///
/// # Errors
/// The listener cannot be used.
pub fn serve(state: OperatorState, listener: TcpListener, workers: usize) -> std::io::Result<Server> {
    let (service_clock, limits) = (state.clock.clone(), state.connections);
    let clock = Data::new(state.clock.clone());
    let log = Data::new(RequestLog { api: "operator", clock: state.clock.clone(), metrics: state.metrics.clone() });
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
