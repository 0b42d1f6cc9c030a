//! Pages for people: the operators' console on the operator's listener, and the customers' portal on the public one.
//!
//! Duty: read answers of the operator API, or of the public one, and lay them out, hand forms to it. All of it works without
//! scripts; the only one keeps a page of the console as it is now. Never here: SQL, rules, anything that these APIs do not say. It
//! knows no key of its own: who signs in brings one, or a link for which the API gives one, and it is good if the API takes it.

mod api;
mod asked;
mod chart;
mod frame;
mod guard;
mod live;
mod pages;
mod portal;
mod record;
mod session;
mod site;

use actix_web::middleware::from_fn;
use actix_web::web::{self, ServiceConfig};

pub use api::Ask;
use clock::Clock;
use config::OwnHosts;
pub use frame::ReadForm;
use live::Streams;
use session::Sessions;
use site::Site;

/// The operators' pages, and who is signed in. Clones share the sessions.
#[derive(Clone)]
pub struct Console {
    site: Site,
    streams: Streams,
}

/// The customers' pages, where there are any.
#[derive(Clone)]
pub struct Portal(Option<Site>);

impl Console {
    /// Nobody is signed in yet; requests for other `hosts` are refused.
    pub fn new(clock: Clock, hosts: OwnHosts) -> Self {
        let streams = Streams::new(clock.clone());
        Self { site: Site::Console { sessions: Sessions::new(clock), hosts }, streams }
    }

    /// Ends what pages have open, so that the service can stop.
    pub fn close(&self) {
        self.streams.close();
    }

    /// What adds the pages, given the operator API on its thread and what reads the body of a form.
    pub fn pages(self) -> impl Fn(&mut ServiceConfig, Ask, ReadForm) + Clone + Send + 'static {
        move |config, ask, read_form| {
            config.app_data(self.streams.clone());
            mount(&self.site, "", pages::routes, config, ask, read_form);
        }
    }
}

impl Portal {
    /// Pages that are reached by `origin`; without one there are none.
    pub fn new(origin: Option<String>) -> Self {
        Self(origin.map(|origin| Site::Portal { origin }))
    }

    /// What adds the pages, given the public API on its thread and what reads the body of a form.
    pub fn pages(self) -> impl Fn(&mut ServiceConfig, Ask, ReadForm) + Clone + Send + 'static {
        move |config, ask, read_form| {
            if let Some(site) = &self.0 {
                mount(site, site.home(), portal::routes, config, ask, read_form);
            }
        }
    }
}

fn mount(
    site: &Site,
    below: &str,
    pages: fn(&mut ServiceConfig),
    config: &mut ServiceConfig,
    ask: Ask,
    read_form: ReadForm,
) {
    let pages = web::scope(below).wrap(from_fn(guard::guard)).configure(pages);
    config.service(pages.app_data(site.clone()).app_data(ask).app_data(read_form));
}
