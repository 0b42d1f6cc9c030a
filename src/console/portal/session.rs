//! The way in by a link, and the way out.

use actix_web::HttpRequest;
use actix_web::http::Method;
use actix_web::web::Path;
use askama::Template;

use crate::api::{Refused, segment};
use crate::frame::{Page, Submitted, api_of, page, see, site_of, with_cookie};

#[derive(Template)]
#[template(path = "portal/open.html")]
struct Open {
    title: &'static str,
}

#[derive(Template)]
#[template(path = "portal/signed_out.html")]
struct SignedOut {
    title: &'static str,
    /// Whether a link was tried.
    is_used: bool,
}

/// `GET /portal/open/{token}`: a button and no more. Programs that look at links ahead of people use none up.
pub(crate) async fn offer() -> Page {
    page(&Open { title: "Your radars" })
}

/// `POST /portal/open/{token}`
pub(crate) async fn begin(request: HttpRequest, token: Path<String>) -> Page {
    let path = format!("/v1/portal-sessions/{}", segment(&token));
    let begun = match api_of(&request, String::new())?.send(Method::POST, &path, None).await {
        Ok(begun) => begun.get("data"),
        Err(Refused { status: 404, .. }) => return gone(true),
        Err(refused) => return Err(refused.into()),
    };
    let site = site_of(&request)?;
    with_cookie(see(site.home()), &site.cookie(&begun.text("api_key"), begun.number("life_s") as u64))
}

/// `GET /portal/signed-out`
pub(crate) async fn signed_out() -> Page {
    gone(false)
}

fn gone(is_used: bool) -> Page {
    page(&SignedOut { title: if is_used { "This link is over" } else { "Signed out" }, is_used })
}

/// `POST /portal/sign-out`
pub(crate) async fn end(request: HttpRequest, form: Submitted) -> Page {
    form.visit.api.send(Method::DELETE, "/v1/portal-sessions", None).await?;
    let site = site_of(&request)?;
    with_cookie(see(site.way_in()), &site.cookie("", 0))
}
