//! The operator API in the process, for pages that are made of its answers.

use std::rc::Rc;

use actix_web::http::Method;
use actix_web::web::{Data, ServiceConfig};
use actix_web::{HttpRequest, dev};
use bytes::Bytes;
use futures_util::future::LocalBoxFuture;
use serde_json::Value;

use super::call::HEADER;
use super::routes;
use super::state::OperatorState;
use crate::web::body;
use crate::web::in_process::{InProcess, request};
use clock::Clock;

/// Method, path with query, key and body of a request; answers the status and the body.
pub type Ask = Rc<dyn Fn(Method, String, String, Option<Value>) -> LocalBoxFuture<'static, (u16, Bytes)>>;

/// The body of a form; `None` for what is none.
pub type ReadForm = Rc<dyn Fn(HttpRequest, dev::Payload) -> LocalBoxFuture<'static, Option<Bytes>>>;

/// The longest form, in bytes.
const FORM_BYTES_MAX: usize = 16 * 1024;

pub(super) fn ask(state: Data<OperatorState>) -> Ask {
    let clock = Data::new(state.shared.clock.clone());
    let api = Rc::new(InProcess::new(move |config: &mut ServiceConfig| {
        config.app_data(clock.clone()).app_data(state.clone()).configure(routes::operator);
    }));
    Rc::new(move |method, path, key, body| {
        let api = api.clone();
        Box::pin(async move {
            let request = request(method, &path, &[(HEADER, &key)], body.as_ref());
            let answer = match request {
                Some(request) => api.send(request).await,
                None => None,
            };
            // Nothing of this fails for what a page asks; what still does is an error of the service.
            answer.unwrap_or((500, Bytes::new()))
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
