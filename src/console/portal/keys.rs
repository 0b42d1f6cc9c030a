//! `/portal/keys`: keys for programs, and the sessions of the portal.

use actix_web::HttpRequest;
use actix_web::http::Method;
use actix_web::web::Path;
use askama::Template;

use crate::api::segment;
use crate::frame::{Page, Submitted, Visit, made, new_key, page_with, see_made};
use crate::record::Record;

#[derive(Template)]
#[template(path = "portal/keys.html")]
struct Keys {
    title: &'static str,
    token: String,
    /// The key that was just made.
    made: Record,
    /// Keys of a kind, under its name.
    kinds: [(&'static str, Vec<Record>); 2],
}

/// `GET /portal/keys`
pub(crate) async fn list(visit: Visit, request: HttpRequest) -> Page {
    let found = visit.api.get("/v1/api-keys").await?.list("data");
    let (sessions, programs) = found.into_iter().partition(|key| key.is("kind", "portal_session"));
    let kinds = [("Keys of programs", programs), ("Sessions of this portal", sessions)];
    let made = made(&request);
    page_with(&Keys { title: "Keys", token: visit.token, made: made.clone(), kinds }, &request, &made)
}

/// `POST /portal/keys`: the new key is shown this once.
pub(crate) async fn create(form: Submitted, request: HttpRequest) -> Page {
    let made = form.visit.api.send(Method::POST, "/v1/api-keys", Some(new_key(&form))).await?.get("data");
    see_made(&request, "/portal/keys", &made)
}

/// `POST /portal/keys/{id}/revoke`
pub(crate) async fn revoke(form: Submitted, id: Path<String>) -> Page {
    form.delete(&format!("/v1/api-keys/{}", segment(&id)), "/portal/keys").await
}
