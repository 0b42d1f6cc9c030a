//! The console: the operators' pages, on the operator's listener.
//!
//! Duty: read answers of the operator API and lay them out, hand forms to it. All of it works without scripts; the only one
//! keeps a page as it is now. Never here: SQL, rules, anything that the operator API does not say. It knows no key of its own: who signs in
//! brings one, and it is good if the operator API takes it.

mod api;
mod chart;
mod frame;
mod guard;
mod live;
mod pages;
mod record;
mod session;

use actix_web::middleware::from_fn;
use actix_web::web::{self, ServiceConfig};

pub use api::Ask;
use clock::Clock;
use config::OwnHosts;
pub use frame::ReadForm;
use live::Streams;
use session::Sessions;

/// The pages and who is signed in. Clones share the sessions.
#[derive(Clone)]
pub struct Console {
    sessions: Sessions,
    streams: Streams,
    hosts: OwnHosts,
}

impl Console {
    /// Nobody is signed in yet; requests for other `hosts` are refused.
    pub fn new(clock: Clock, hosts: OwnHosts) -> Self {
        Self { sessions: Sessions::new(clock.clone()), streams: Streams::new(clock), hosts }
    }

    /// Ends what pages have open, so that the service can stop.
    pub fn close(&self) {
        self.streams.close();
    }

    /// Adds the pages. `ask` is the operator API on this thread, `read_form` reads the body of a form.
    pub fn mount(&self, config: &mut ServiceConfig, ask: Ask, read_form: ReadForm) {
        let pages = web::scope("").wrap(from_fn(guard::guard)).configure(pages::routes);
        let pages = pages.service(web::resource("/live/{page}").get(live::follow));
        config
            .app_data(self.sessions.clone())
            .app_data(self.streams.clone())
            .app_data(self.hosts.clone())
            .app_data(ask)
            .app_data(read_form)
            .service(pages);
    }
}
