//! An API as a function of one thread: the same routes, keys and bodies, without a connection.

use actix_http::{Payload, Request};
use actix_service::boxed::{RcService, rc_service};
use actix_service::{IntoServiceFactory, Service, ServiceFactory, map_config};
use actix_web::body::to_bytes;
use actix_web::dev::{AppConfig, ServiceResponse};
use actix_web::http::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use actix_web::http::{Method, Uri};
use actix_web::web::ServiceConfig;
use actix_web::{App, Error};
use bytes::Bytes;
use serde_json::Value;
use tokio::sync::OnceCell;

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
