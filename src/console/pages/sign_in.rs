//! Signing in with the operator's key, and out.

use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderValue, SET_COOKIE};
use actix_web::{HttpRequest, HttpResponse};
use askama::Template;

use crate::api::{Api, Ask};
use crate::frame::{Fields, Page, Problem, Submitted, cookie, page, see, session_of};
use crate::session::{LIFE, Sessions};

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
    let ask = request.app_data::<Ask>().ok_or(Problem::Broken)?;
    let sessions = request.app_data::<Sessions>().ok_or(Problem::Broken)?;
    let key = fields.field("key").to_owned();
    if Api::new(ask.clone(), key.clone()).get("/operator/v1/actors").await.is_err() {
        let mut refused = page(&SignIn { title: "Sign in", is_wrong: true })?;
        *refused.status_mut() = StatusCode::UNAUTHORIZED;
        return Ok(refused);
    }
    let id = sessions.begin(key).map_err(|_| Problem::Broken)?;
    with_cookie(see("/"), &cookie(&id, LIFE.as_secs()))
}

/// `POST /sign-out`
pub(crate) async fn end(request: HttpRequest, _form: Submitted) -> Page {
    if let (Some((id, _)), Some(sessions)) = (session_of(&request), request.app_data::<Sessions>()) {
        sessions.end(&id);
    }
    with_cookie(see("/sign-in"), &cookie("", 0))
}

fn with_cookie(mut answer: HttpResponse, cookie: &str) -> Page {
    let cookie = HeaderValue::from_str(cookie).map_err(|_| Problem::Broken)?;
    answer.headers_mut().insert(SET_COOKIE, cookie);
    Ok(answer)
}
