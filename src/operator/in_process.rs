//! The operator API as a function of one thread, for pages that are made of its answers: the same routes, keys and bodies,
//! without a connection.

use std::rc::Rc;

use actix_http::{Payload, Request};
use actix_service::boxed::{RcService, rc_service};
use actix_service::{IntoServiceFactory, Service, ServiceFactory, map_config};
use actix_web::body::to_bytes;
use actix_web::dev::{self, AppConfig, ServiceResponse};
use actix_web::http::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use actix_web::http::{Method, Uri};
use actix_web::web::Data;
use actix_web::{App, Error, HttpRequest};
use bytes::Bytes;
use futures_util::future::LocalBoxFuture;
use serde_json::Value;
use tokio::sync::OnceCell;

use super::call::HEADER;
use super::routes;
use super::state::OperatorState;
use crate::web::body;
use clock::Clock;

/// Method, path with query, key and body of a request; answers the status and the body.
pub type Ask = Rc<dyn Fn(Method, String, String, Option<Value>) -> LocalBoxFuture<'static, (u16, Bytes)>>;

/// The body of a form; `None` for what is none.
pub type ReadForm = Rc<dyn Fn(HttpRequest, dev::Payload) -> LocalBoxFuture<'static, Option<Bytes>>>;

/// The longest form, in bytes.
const FORM_BYTES_MAX: usize = 16 * 1024;

type Api = RcService<Request, ServiceResponse, Error>;

/// The API, made when it is first asked.
pub(super) fn ask(state: Data<OperatorState>) -> Ask {
    let api: Rc<OnceCell<Api>> = Rc::default();
    Rc::new(move |method, path, key, body| {
        let (api, state) = (api.clone(), state.clone());
        Box::pin(async move {
            // Nothing of this fails for what a page asks; what still does is an error of the service.
            answer(&api, state, method, &path, &key, body).await.unwrap_or((500, Bytes::new()))
        })
    })
}

/// Reads forms as bodies are read: nothing arrives on a connection that has not said so.
pub(super) fn read_form(clock: Clock) -> ReadForm {
    const FORM: &str = "application/x-www-form-urlencoded";
    Rc::new(move |request, payload| {
        let clock = clock.clone();
        Box::pin(async move { body::bytes_of(FORM, &request, payload, &clock, FORM_BYTES_MAX).await.ok() })
    })
}

async fn answer(
    api: &OnceCell<Api>,
    state: Data<OperatorState>,
    method: Method,
    path: &str,
    key: &str,
    body: Option<Value>,
) -> Option<(u16, Bytes)> {
    let request = request(method, path, key, body)?;
    let api = api.get_or_try_init(|| start(state)).await.ok()?;
    let response = api.call(request).await.ok()?;
    let status = response.status().as_u16();
    Some((status, to_bytes(response.into_body()).await.ok()?))
}

async fn start(state: Data<OperatorState>) -> Result<Api, ()> {
    let clock = Data::new(state.shared.clock.clone());
    let api = App::new().app_data(clock).app_data(state).configure(routes::operator).into_factory();
    Ok(rc_service(map_config(api, |()| AppConfig::default()).new_service(()).await?))
}

fn request(method: Method, path: &str, key: &str, body: Option<Value>) -> Option<Request> {
    let payload = body.map_or(Payload::None, |body| Payload::from(Bytes::from(body.to_string())));
    let mut request = Request::with_payload(payload);
    let head = request.head_mut();
    (head.method, head.uri) = (method, path.parse::<Uri>().ok()?);
    head.headers_mut().insert(HeaderName::from_static(HEADER), HeaderValue::from_str(key).ok()?);
    head.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Some(request)
}
