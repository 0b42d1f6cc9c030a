//! The public API (Spec 4 to 8): one file per endpoint, and the table of routes.
//!
//! Duty: from a request to a command or a read, and from its outcome to an answer. Writes go to the ledger and the
//! shards, reads to the store. Never here: a rule, SQL, the shape of JSON.

mod account;
mod api_keys;
mod call;
mod email;
mod feed_addresses;
mod in_process;
mod mcp;
mod open_streams;
mod openapi;
mod portal_sessions;
mod radar_types;
mod radars;
mod routes;
mod state;
mod unknown_path;
mod updates;
mod webhooks;

use std::net::TcpListener;

use actix_web::dev::Server;
use actix_web::http::Method;
use actix_web::web::{Data, ServiceConfig};
use utoipa::openapi::OpenApi;

pub(crate) use open_streams::OpenStreams;
pub use state::ApiState;

use crate::web::in_process::{Ask, ReadForm, ask, read_form};
use crate::web::{Front, authentication};
use openapi::Docs;

/// The contract as an OpenAPI document.
pub fn document() -> OpenApi {
    openapi::document(routes::operations())
}

/// Every method and path, in the order of the table.
pub fn routes() -> Vec<(Method, &'static str)> {
    routes::methods()
}

/// The server on `listener`, not yet running: await it, or spawn it. It leaves signals to the process. `pages` adds what is
/// shown to people, which asks the API as everybody does.
pub fn serve(
    state: ApiState,
    front: Front,
    listener: TcpListener,
    workers: usize,
    pages: impl Fn(&mut ServiceConfig, Ask, ReadForm) + Clone + Send + 'static,
) -> std::io::Result<Server> {
    let shared = state.shared.clone();
    let (state, docs) = (Data::new(state), Data::new(Docs::new(&document())?));
    let configure = move |config: &mut ServiceConfig| {
        config.app_data(state.clone()).app_data(docs.clone()).configure(routes::public);
        if state.mcp {
            mcp::route(config, &state);
        }
        let ask = ask(authentication::HEADER, in_process::api(&state));
        pages(config, ask, read_form(state.shared.clock.clone()));
    };
    shared.serve("public", shared.connections.public, front, listener, workers, configure)
}
