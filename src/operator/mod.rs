//! The operator API: accounts, money, findings, the state of the system; and metrics and health.
//!
//! Duty: one file per resource. Envelope and errors are those of the public API, the key is its own; metrics and health
//! need no key. Their answers are written where they are given, with `object!`. Never here: a rule, SQL, anything for customers.

mod accounts;
mod actions;
mod activity;
mod audit;
mod call;
mod deliveries;
mod document;
mod endpoint;
mod findings;
mod jobs;
mod keys;
mod money;
mod radars;
mod requests;
mod routes;
mod state;
mod system;

use std::net::TcpListener;

use actix_web::dev::Server;
use actix_web::http::Method;
use actix_web::web::{Data, ServiceConfig};

use crate::web::Front;
use crate::web::in_process::{self, Ask, ReadForm};
pub use keys::OperatorKeys;
pub use state::OperatorState;
pub(crate) use system::clock::SIMULATED_NOW;

/// Threads that serve the operator; one, which also keeps the minutes of what is done.
const WORKERS: usize = 1;

/// Every method and path, in the order of the table.
pub fn routes() -> Vec<(Method, &'static str)> {
    routes::methods()
}

/// The server on `listener`, not yet running: await it, or spawn it. It leaves signals to the process. `pages` adds what is
/// shown to people, which asks the API as everybody does.
pub fn serve(
    state: OperatorState,
    listener: TcpListener,
    pages: impl Fn(&mut ServiceConfig, Ask, ReadForm) + Clone + Send + 'static,
) -> std::io::Result<Server> {
    let shared = state.shared.clone();
    let state = Data::new(state);
    let configure = move |config: &mut ServiceConfig| {
        actix_web::rt::spawn(state.activity.clone().keep(state.sources.clone(), state.shared.clone()));
        config.app_data(state.clone()).configure(routes::operator);
        let (clock, asked) = (Data::new(state.shared.clock.clone()), state.clone());
        let api = move |config: &mut ServiceConfig| {
            config.app_data(clock.clone()).app_data(asked.clone()).configure(routes::operator);
        };
        pages(config, in_process::ask(call::HEADER, api), in_process::read_form(state.shared.clock.clone()));
    };
    shared.serve("operator", shared.connections.operator, Front::default(), listener, WORKERS, configure)
}
