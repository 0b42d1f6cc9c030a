//! Signing in with the operator's key, and out.

use actix_web::HttpRequest;
use actix_web::http::StatusCode;
use askama::Template;

use crate::frame::{Fields, Page, Problem, Submitted, api_of, page, see, site_of, with_cookie};
use crate::session::{LIFE, Sessions};
use crate::site::Site;

#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignIn {
    title: &'static str,
    is_wrong: bool,
}

/// `GET /sign-in`
pub(crate) async fn show() -> Page {
    page(&SignIn { title: "Sign in", is_wrong: false })
}

/// `POST /sign-in`: the key is good if the operator API takes it.
pub(crate) async fn begin(request: HttpRequest, fields: Fields) -> Page {
    let key = fields.field("key").to_owned();
    if api_of(&request, key.clone())?.get("/operator/v1/actors").await.is_err() {
        let mut refused = page(&SignIn { title: "Sign in", is_wrong: true })?;
        *refused.status_mut() = StatusCode::UNAUTHORIZED;
        return Ok(refused);
    }
    let (site, sessions) = sessions_of(&request)?;
    let id = sessions.begin(key).map_err(|_| Problem::Broken)?;
    with_cookie(see(site.home()), &site.cookie(&id, LIFE.as_secs()))
}

/// `POST /sign-out`
pub(crate) async fn end(request: HttpRequest, _form: Submitted) -> Page {
    let (site, sessions) = sessions_of(&request)?;
    if let Some(id) = site.held_by(&request) {
        sessions.end(&id);
    }
    with_cookie(see(site.way_in()), &site.cookie("", 0))
}

fn sessions_of(request: &HttpRequest) -> Result<(&Site, &Sessions), Problem> {
    match site_of(request)? {
        site @ Site::Console { sessions, .. } => Ok((site, sessions)),
        Site::Portal { .. } => Err(Problem::Broken),
    }
}
