//! The customers' pages, one file per subject. They ask the public API with the key of the session and so see one account.

mod deliveries;
mod findings;
mod keys;
mod overview;
mod radars;
mod session;

use actix_web::web::{self, ServiceConfig};

use crate::frame::{Page, Problem, style};

/// Adds the pages.
pub(crate) fn routes(config: &mut ServiceConfig) {
    let at = |path: &str| web::resource(path.to_owned());
    config
        .service(web::resource(["", "/"]).get(overview::show))
        .service(at("/open/{token}").get(session::offer).post(session::begin))
        .service(at("/signed-out").get(session::signed_out))
        .service(at("/sign-out").post(session::end))
        .service(at("/radars").get(radars::list))
        .service(at("/radars/{id}").get(radars::show))
        .service(at("/findings").get(findings::list))
        .service(at("/findings/{id}").get(findings::show))
        .service(at("/findings/{id}/feedback").post(findings::mark))
        .service(at("/deliveries").get(deliveries::list))
        .service(at("/deliveries/{id}").get(deliveries::show))
        .service(at("/deliveries/{id}/resend").post(deliveries::resend))
        .service(at("/endpoints/{id}/enable").post(deliveries::enable))
        .service(at("/spending").get(overview::spending))
        .service(at("/keys").get(keys::list).post(keys::create))
        .service(at("/keys/{id}/revoke").post(keys::revoke))
        .service(at("/style.css").get(style))
        .default_service(web::to(no_page));
}

async fn no_page() -> Page {
    Err(Problem::NoPage)
}
