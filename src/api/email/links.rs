//! Where the links in mails lead: pages with one button. Programs that look at links ahead of people change nothing by it; the
//! one POST of RFC 8058 is the same as the button.

use actix_web::http::Method;
use actix_web::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY};
use actix_web::web::{self, Data, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse, Route};

use crate::api::state::ApiState;
use crate::web::{Failure, resource};
use domain::{LinkToken, Missing};

#[derive(Clone, Copy)]
enum Link {
    Confirm,
    Stop,
}

/// Adds the pages. They are for people and so not in the document.
pub(crate) fn routes(config: &mut ServiceConfig) {
    let links = [("/v1/email/{token}/confirm", Link::Confirm), ("/v1/email/{token}/stop", Link::Stop)];
    let rows = links.map(|(path, link)| [(path, Method::GET, shown(link)), (path, Method::POST, done(link))]);
    resource::add(config, rows.into_iter().flatten());
}

fn shown(link: Link) -> Route {
    web::get().to(move || async move {
        match link {
            Link::Confirm => page("Send alerts and a daily digest to this address?", Some("Confirm")),
            Link::Stop => page("Send nothing to this address any more?", Some("Stop")),
        }
    })
}

fn done(link: Link) -> Route {
    web::post().to(move |request: HttpRequest, state: Data<ApiState>| async move {
        let clock = &state.shared.clock;
        let store = &state.shared.store;
        // The form of a token is checked first, so that a guess costs no look-up.
        let found = match (request.match_info().get("token").and_then(LinkToken::parse), link) {
            (None, _) => Ok(false),
            (Some(token), Link::Confirm) => store.confirm_mail_address(token.expose(), clock.now()).await,
            (Some(token), Link::Stop) => store.stop_mails(token.expose(), clock.now()).await,
        };
        match (found, link) {
            (Ok(true), Link::Confirm) => page("This address is confirmed.", None),
            (Ok(true), Link::Stop) => page("Nothing is sent to this address any more.", None),
            (Ok(false), _) => state.strangers.refuse(Failure::from(Missing::Path), &request, clock),
            (Err(error), _) => Failure::from(error).respond(&request, clock.now()),
        }
    })
}

fn page(text: &str, button: Option<&str>) -> HttpResponse {
    let form = button.map(|button| format!("<form method=\"post\"><button>{button}</button></form>"));
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "text/html; charset=utf-8"))
        .insert_header((CONTENT_SECURITY_POLICY, "default-src 'none'; form-action 'self'; frame-ancestors 'none'"))
        .insert_header((REFERRER_POLICY, "no-referrer"))
        .body(format!(
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Radar</title></head><body><p>{text}</p>{}\
             </body></html>",
            form.unwrap_or_default()
        ))
}
