//! An API as a function of one thread: the same routes, keys and bodies, without a connection.

use std::rc::Rc;

use actix_http::{Payload, Request};
use actix_service::boxed::{RcService, rc_service};
use actix_service::{IntoServiceFactory, Service, ServiceFactory, map_config};
use actix_web::body::to_bytes;
use actix_web::dev::{AppConfig, ServiceResponse};
use actix_web::http::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use actix_web::http::{Method, Uri};
use actix_web::web::ServiceConfig;
use actix_web::{App, Error, HttpMessage, HttpRequest, dev};
use bytes::Bytes;
use futures_util::future::LocalBoxFuture;
use serde_json::Value;
use tokio::sync::OnceCell;

use super::body;
use super::headers::client_address;
use clock::Clock;

/// An API for pages: the request of the page, then method, path with query, key and body of what it asks; answers the status
/// and the body.
pub type Ask = Rc<dyn Fn(&HttpRequest, Method, String, String, Option<Value>) -> LocalBoxFuture<'static, (u16, Bytes)>>;

/// The body of a form; `None` for what is none.
pub type ReadForm = Rc<dyn Fn(HttpRequest, dev::Payload) -> LocalBoxFuture<'static, Option<Bytes>>>;

/// The longest form, in bytes.
const FORM_BYTES_MAX: usize = 16 * 1024;

/// An API, made when it is first asked.
pub(crate) struct InProcess<C> {
    configure: C,
    service: OnceCell<RcService<Request, ServiceResponse, Error>>,
}

impl<C: Fn(&mut ServiceConfig)> InProcess<C> {
    /// The API whose routes, and what they work with, `configure` adds.
    pub(crate) fn new(configure: C) -> Self {
        Self { configure, service: OnceCell::new() }
    }

    /// The status and the body of an answer; `None` when there is none, which is an error of the service.
    pub(crate) async fn send(&self, request: Request) -> Option<(u16, Bytes)> {
        let service = self.service.get_or_try_init(|| self.start()).await.ok()?;
        let response = service.call(request).await.ok()?;
        let status = response.status().as_u16();
        Some((status, to_bytes(response.into_body()).await.ok()?))
    }

    async fn start(&self) -> Result<RcService<Request, ServiceResponse, Error>, ()> {
        let app = App::new().configure(&self.configure).into_factory();
        Ok(rc_service(map_config(app, |()| AppConfig::default()).new_service(()).await?))
    }
}

/// The API that `configure` adds, whose key stands in `header`. It is asked for the client that asks for the page.
pub(crate) fn ask(header: &'static str, configure: impl Fn(&mut ServiceConfig) + 'static) -> Ask {
    let api = Rc::new(InProcess::new(configure));
    Rc::new(move |page, method, path, key, body| {
        let (api, client) = (api.clone(), client_address::client(page));
        Box::pin(async move {
            let answer = match request(method, &path, &[(header, &key)], body.as_ref()) {
                Some(request) => {
                    client_address::note(&mut request.extensions_mut(), client);
                    api.send(request).await
                }
                None => None,
            };
            // Nothing of this fails for what a page asks; what still does is an error of the service.
            answer.unwrap_or((500, Bytes::new()))
        })
    })
}

/// Reads forms as bodies are read: nothing arrives on a connection that has not said so.
pub(crate) fn read_form(clock: Clock) -> ReadForm {
    const FORM: &str = "application/x-www-form-urlencoded";
    Rc::new(move |request, payload| {
        let clock = clock.clone();
        Box::pin(async move { body::bytes_of(FORM, &request, payload, &clock, FORM_BYTES_MAX).await.ok() })
    })
}

/// A request with these headers beside that of its body; `None` when a part of it cannot be sent.
pub(crate) fn request(
    method: Method,
    path: &str,
    headers: &[(&'static str, &str)],
    body: Option<&Value>,
) -> Option<Request> {
    let payload = body.map_or(Payload::None, |body| Payload::from(Bytes::from(body.to_string())));
    let mut request = Request::with_payload(payload);
    let head = request.head_mut();
    (head.method, head.uri) = (method, path.parse::<Uri>().ok()?);
    head.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    for (name, value) in headers {
        head.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_str(value).ok()?);
    }
    Some(request)
}
