//! What every page is made in: who visits, what a form carries, how a page is answered, and what is answered in its place.

use std::collections::HashMap;
use std::future::{Ready, ready};
use std::rc::Rc;

use actix_web::dev::Payload;
use actix_web::http::header::{CACHE_CONTROL, HeaderValue, LOCATION, SET_COOKIE};
use actix_web::http::{Method, StatusCode};
use actix_web::{FromRequest, HttpRequest, HttpResponse, ResponseError};
use askama::Template;
use bytes::Bytes;
use futures_util::future::LocalBoxFuture;
use serde_json::{Value, json};
use url::form_urlencoded;

use crate::api::{Api, Ask, Refused};
use crate::record::Record;
use crate::session::Session;
use crate::site::{Site, made_for};

/// How long something waits to be shown once, in seconds.
const MADE_LIFE_S: u64 = 60;

const STYLE: &str = include_str!("assets/console.css");

/// The body of a form, within bounds of size and of time; `None` for what is none.
pub type ReadForm = Rc<dyn Fn(HttpRequest, Payload) -> LocalBoxFuture<'static, Option<Bytes>>>;

/// What a handler answers.
pub(crate) type Page = Result<HttpResponse, Problem>;

/// What is answered instead of a page.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Problem {
    /// Nobody is signed in.
    #[error("sign in first")]
    SignedOut,
    /// A form that does not carry the token of its session.
    #[error("this form is out of date: go back, load the page again, and send it once more")]
    OutOfDate,
    /// A page that there is not.
    #[error("there is no such page")]
    NoPage,
    /// The API did not do it.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// As many pages are live as may be.
    #[error("as many pages are live as may be")]
    Busy,
    /// Nothing that can be helped.
    #[error("the page could not be made")]
    Broken,
}

/// Who is signed in, and what they see the service through.
pub(crate) struct Visit {
    pub(crate) api: Api,
    /// What each form carries.
    pub(crate) token: String,
}

/// The fields of a form.
pub(crate) struct Fields(HashMap<String, String>);

/// A form of a session.
pub(crate) struct Submitted {
    pub(crate) visit: Visit,
    fields: Fields,
}

/// The page that a template makes.
pub(crate) fn page(template: &impl Template) -> Page {
    let text = template.render().map_err(|_| Problem::Broken)?;
    Ok(HttpResponse::Ok().content_type("text/html; charset=utf-8").body(text))
}

/// The style of all pages.
pub(crate) async fn style() -> HttpResponse {
    asset("text/css; charset=utf-8", STYLE)
}

/// What pages load, which may be kept for a while.
pub(crate) fn asset(media_type: &str, text: &'static str) -> HttpResponse {
    HttpResponse::Ok().content_type(media_type).insert_header((CACHE_CONTROL, "max-age=300")).body(text)
}

/// The answer to a form that was taken: the page at `path`, which is one of ours.
pub(crate) fn see(path: &str) -> HttpResponse {
    HttpResponse::SeeOther().insert_header((LOCATION, path)).finish()
}

/// The answer to a form that made something: the page at `path`, which alone is handed what is secret of it, for a minute. So it is
/// in no address, and loading the page again makes nothing.
pub(crate) fn see_made(request: &HttpRequest, path: &str, made: &Record) -> Page {
    let secret = ["api_key", "webhook_secret", "url", "expires_at"].map(|name| (name, made.text(name)));
    let secret: HashMap<_, _> = secret.into_iter().filter(|(_, text)| !text.is_empty()).collect();
    let held = hex::encode(serde_json::to_vec(&secret).map_err(|_| Problem::Broken)?);
    with_cookie(see(path), &site_of(request)?.made_cookie(&held, path, MADE_LIFE_S))
}

/// What is asked for a new key: what it may do, and until when, if it is to end.
pub(crate) fn new_key(form: &Submitted) -> Value {
    let scopes: Vec<&str> = ["read", "write"].into_iter().filter(|scope| !form.field(scope).is_empty()).collect();
    let ends_on = Some(form.field("expires_on")).filter(|day| !day.is_empty());
    json!({"scopes": scopes, "expires_at": ends_on.map(|day| format!("{day}T00:00:00Z"))})
}

/// What the page of a request is to show once; nothing where nothing was made.
pub(crate) fn made(request: &HttpRequest) -> Record {
    let held = made_for(request).and_then(|held| hex::decode(held).ok());
    held.and_then(|text| serde_json::from_slice(&text).ok()).map(Record).unwrap_or_default()
}

/// The page of a request, which shows `made` this once.
pub(crate) fn page_with(template: &impl Template, request: &HttpRequest, made: &Record) -> Page {
    let shown = page(template)?;
    if *made == Record::default() {
        return Ok(shown);
    }
    with_cookie(shown, &site_of(request)?.made_cookie("", request.path(), 0))
}

/// The answer with a cookie.
pub(crate) fn with_cookie(mut answer: HttpResponse, cookie: &str) -> Page {
    let cookie = HeaderValue::from_str(cookie).map_err(|_| Problem::Broken)?;
    answer.headers_mut().insert(SET_COOKIE, cookie);
    Ok(answer)
}

/// The pages that a request is for.
pub(crate) fn site_of(request: &HttpRequest) -> Result<&Site, Problem> {
    request.app_data::<Site>().ok_or(Problem::Broken)
}

/// The API behind the pages, with this key.
pub(crate) fn api_of(request: &HttpRequest, key: String) -> Result<Api, Problem> {
    let ask = request.app_data::<Ask>().ok_or(Problem::Broken)?;
    Ok(Api::new(ask.clone(), request, key))
}

impl Visit {
    /// Who sends a request.
    pub(crate) fn of(request: &HttpRequest) -> Result<Self, Problem> {
        let site = site_of(request)?;
        let session = site.held_by(request).and_then(|held| site.session(&held));
        let Session { key, token } = session.ok_or(Problem::SignedOut)?;
        Ok(Self { api: api_of(request, key)?, token })
    }
}

impl Fields {
    /// A field of the form; empty where it is missing.
    pub(crate) fn field(&self, name: &str) -> &str {
        self.0.get(name).map(|value| value.trim()).unwrap_or_default()
    }
}

impl Submitted {
    /// A field of the form; empty where it is missing.
    pub(crate) fn field(&self, name: &str) -> &str {
        self.fields.field(name)
    }

    /// Hands the API what was submitted, and shows the page `back`.
    pub(crate) async fn send(&self, method: Method, path: &str, body: Value, back: &str) -> Page {
        self.visit.api.send(method, path, Some(body)).await?;
        Ok(see(back))
    }

    /// Has done what `path` names, and shows the page `back`.
    pub(crate) async fn post(&self, path: &str, back: &str) -> Page {
        self.send(Method::POST, path, json!({}), back).await
    }

    /// Has removed what `path` names, and shows the page `back`.
    pub(crate) async fn delete(&self, path: &str, back: &str) -> Page {
        self.visit.api.send(Method::DELETE, path, None).await?;
        Ok(see(back))
    }
}

impl FromRequest for Fields {
    type Error = Problem;
    type Future = LocalBoxFuture<'static, Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let read_form = request.app_data::<ReadForm>().cloned();
        let (request, payload) = (request.clone(), payload.take());
        Box::pin(async move {
            let body = read_form.ok_or(Problem::Broken)?(request, payload).await.ok_or(Problem::OutOfDate)?;
            Ok(Self(form_urlencoded::parse(&body).into_owned().collect()))
        })
    }
}

impl FromRequest for Visit {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Self::of(request))
    }
}

impl FromRequest for Submitted {
    type Error = Problem;
    type Future = LocalBoxFuture<'static, Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let visit = Visit::of(request);
        let fields = Fields::from_request(request, payload);
        Box::pin(async move {
            let (visit, fields) = (visit?, fields.await?);
            // The token is as secret as the session, so how long a comparison takes tells nobody who could send one.
            if fields.field("token") == visit.token { Ok(Self { visit, fields }) } else { Err(Problem::OutOfDate) }
        })
    }
}

// What a visitor sees of a problem is made by the guard, which knows the pages.
impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        match self {
            Self::SignedOut | Self::Refused(Refused { status: 401, .. }) => StatusCode::SEE_OTHER,
            Self::OutOfDate => StatusCode::FORBIDDEN,
            Self::NoPage => StatusCode::NOT_FOUND,
            Self::Refused(refused) => StatusCode::from_u16(refused.status).unwrap_or(StatusCode::BAD_GATEWAY),
            Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Self::Broken => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    fn error_response(&self) -> HttpResponse {
        HttpResponse::new(self.status_code())
    }
}
