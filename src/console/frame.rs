//! What every page is made in: who visits, what a form carries, how a page is answered, and what is answered in its place.

use std::collections::HashMap;
use std::future::{Ready, ready};
use std::rc::Rc;

use actix_web::dev::Payload;
use actix_web::http::StatusCode;
use actix_web::http::header::{COOKIE, LOCATION};
use actix_web::web::Query;
use actix_web::{FromRequest, HttpRequest, HttpResponse, HttpResponseBuilder, ResponseError};
use askama::Template;
use bytes::Bytes;
use futures_util::future::LocalBoxFuture;
use url::form_urlencoded;

use crate::api::{Api, Ask, Refused};
use crate::session::{Session, Sessions};

/// The cookie that holds the identifier of a session.
const NAME: &str = "radar_console";

/// The body of a form, within bounds of size and of time; `None` for what is none.
pub type ReadForm = Rc<dyn Fn(HttpRequest, Payload) -> LocalBoxFuture<'static, Option<Bytes>>>;

/// What a page was asked for beside its path.
pub(crate) type Asked = Query<HashMap<String, String>>;

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
    /// The operator API did not do it.
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

#[derive(Template)]
#[template(path = "problem.html")]
struct ProblemPage<'a> {
    title: &'a str,
    message: String,
}

/// The value of a field of a search; empty where it was not asked for.
pub(crate) fn given<'a>(asked: &'a Asked, name: &str) -> &'a str {
    asked.get(name).map(|value| value.trim()).unwrap_or_default()
}

/// What is given of these fields, as a query has it.
pub(crate) fn given_of<'a>(asked: &'a Asked, names: &[&'a str]) -> Vec<(&'a str, &'a str)> {
    names.iter().map(|name| (*name, given(asked, name))).collect()
}

/// The page that a template makes.
pub(crate) fn page(template: &impl Template) -> Page {
    let text = template.render().map_err(|_| Problem::Broken)?;
    Ok(HttpResponse::Ok().content_type("text/html; charset=utf-8").body(text))
}

/// The answer to a form that was taken: the page at `path`, which is one of ours.
pub(crate) fn see(path: &str) -> HttpResponse {
    HttpResponse::SeeOther().insert_header((LOCATION, path)).finish()
}

/// `Set-Cookie` of a session, or of none. An identifier is hexadecimal.
pub(crate) fn cookie(id: &str, life_s: u64) -> String {
    format!("{NAME}={id}; Path=/; Max-Age={life_s}; HttpOnly; SameSite=Strict")
}

/// The session that a request belongs to.
pub(crate) fn session_of(request: &HttpRequest) -> Option<(String, Session)> {
    let sessions = request.app_data::<Sessions>()?;
    let cookies = request.headers().get_all(COOKIE).filter_map(|value| value.to_str().ok());
    let pairs = cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let mut ids = pairs.filter(|(name, _)| *name == NAME).map(|(_, id)| id.to_owned());
    ids.find_map(|id| sessions.get(&id).map(|session| (id, session)))
}

impl Visit {
    fn of(request: &HttpRequest) -> Result<Self, Problem> {
        let (_, session) = session_of(request).ok_or(Problem::SignedOut)?;
        let ask = request.app_data::<Ask>().ok_or(Problem::Broken)?;
        Ok(Self { api: Api::new(ask.clone(), session.key), token: session.token })
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

impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        match self {
            Self::SignedOut | Self::Refused(Refused { status: 401, .. }) => StatusCode::SEE_OTHER,
            Self::OutOfDate => StatusCode::FORBIDDEN,
            Self::Refused(refused) => StatusCode::from_u16(refused.status).unwrap_or(StatusCode::BAD_GATEWAY),
            Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Self::Broken => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    fn error_response(&self) -> HttpResponse {
        let status = self.status_code();
        if status == StatusCode::SEE_OTHER {
            return see("/sign-in");
        }
        let title = if status == StatusCode::NOT_FOUND { "Not found" } else { "Not done" };
        let text = ProblemPage { title, message: self.to_string() }.render().unwrap_or_default();
        HttpResponseBuilder::new(status).content_type("text/html; charset=utf-8").body(text)
    }
}
