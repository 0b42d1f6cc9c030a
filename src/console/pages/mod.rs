//! The pages, one file per subject.

mod accounts;
mod changes;
mod clock;
mod deliveries;
mod findings;
mod jobs;
mod ledger;
mod nodes;
mod overview;
mod radars;
mod sign_in;
mod sources;

use actix_web::web::{self, ServiceConfig};

use crate::frame::{asset, style};
use crate::live;

const SCRIPT: &str = include_str!("../assets/console.js");

/// Adds the pages.
pub(crate) fn routes(config: &mut ServiceConfig) {
    let at = |path: &str| web::resource(path.to_owned());
    config
        .service(at("/").get(overview::show))
        .service(at("/find").get(overview::find))
        .service(at("/sign-in").get(sign_in::show).post(sign_in::begin))
        .service(at("/sign-out").post(sign_in::end))
        .service(at("/radars").get(radars::list))
        .service(at("/radars/deactivate").get(jobs::confirm_deactivate).post(jobs::deactivate))
        .service(at("/radars/{id}").get(radars::show))
        .service(at("/radars/{id}/release").post(radars::release))
        .service(at("/accounts").get(accounts::list).post(accounts::create))
        .service(at("/accounts/{id}").get(accounts::show))
        .service(at("/accounts/{id}/status").post(accounts::set_status))
        .service(at("/accounts/{id}/top-ups").post(accounts::top_up))
        .service(at("/accounts/{id}/prices").post(accounts::set_price))
        .service(at("/accounts/{id}/api-keys").post(accounts::create_key))
        .service(at("/accounts/{id}/portal-links").post(accounts::create_portal_link))
        .service(at("/accounts/{id}/api-keys/{key_id}/revoke").post(accounts::revoke_key))
        .service(at("/accounts/{id}/ledger").get(accounts::ledger))
        .service(at("/accounts/{id}/spend").get(accounts::spend))
        .service(at("/ledger").get(ledger::show))
        .service(at("/findings").get(findings::list))
        .service(at("/findings/{id}/{decision}").post(findings::decide))
        .service(at("/changes").get(changes::list))
        .service(at("/jobs").get(jobs::list))
        .service(at("/jobs/{id}").get(jobs::show))
        .service(at("/jobs/{id}/stop").post(jobs::stop))
        .service(at("/nodes").get(nodes::list))
        .service(at("/nodes/{id}/drain").post(nodes::drain))
        .service(at("/deliveries").get(deliveries::list))
        .service(at("/deliveries/recover").get(jobs::confirm_resend).post(jobs::resend))
        .service(at("/deliveries/{id}").get(deliveries::show))
        .service(at("/deliveries/{id}/resend").post(deliveries::resend))
        .service(at("/endpoints/{id}/enable").post(deliveries::enable))
        .service(at("/sources").get(sources::list))
        .service(at("/sources/{id}").get(sources::show))
        .service(at("/clock").get(clock::show))
        .service(at("/clock/advance").post(clock::advance))
        .service(at("/live/{page}").get(live::follow))
        .service(at("/console.css").get(style))
        .service(at("/console.js").get(async || asset("text/javascript; charset=utf-8", SCRIPT)));
}
