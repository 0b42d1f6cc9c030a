//! What stands between a route and its endpoint: the operator's key, bodies, failures.

use actix_web::http::Method;
use actix_web::web::{self, Data, Payload};
use actix_web::{HttpRequest, Route, dev};
use chrono::{DateTime, Utc};
use hmac::digest::CtOutput;
use serde::Serialize;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::state::OperatorState;
use crate::domain::field_limits::BODY_BYTES_MAX;
use crate::domain::ids::AccountId;
use crate::domain::rejection::{KeyHeader, Rejection};
use crate::web::call::{self, Answer, Body, settled};
use crate::web::errors::Failure;
use crate::web::{body, request_log};
use crate::wire::envelope;
use crate::wire::operator::values::RawFields;
use crate::wire::parameters;

const HEADER: &str = "x-operator-key";

/// A request of the operator.
pub(super) struct Call {
    pub(super) state: Data<OperatorState>,
    request: HttpRequest,
    payload: dev::Payload,
}

impl Call {
    pub(super) fn now(&self) -> DateTime<Utc> {
        self.state.shared.clock.now()
    }

    /// The query as it was sent.
    pub(super) fn query(&self) -> &str {
        self.request.query_string()
    }

    /// Refuses a query on a route that takes no parameters.
    pub(super) fn no_query(&self) -> Result<(), Failure> {
        Ok(parameters::none(self.query())?)
    }

    /// A part of the path.
    pub(super) fn segment(&self, name: &str) -> &str {
        self.request.match_info().get(name).unwrap_or_default()
    }

    /// The account that the path names.
    pub(super) fn account_id(&self) -> Result<AccountId, Failure> {
        Ok(AccountId(self.id("id")?))
    }

    /// An identifier in the path.
    pub(super) fn id(&self, name: &str) -> Result<Uuid, Failure> {
        Ok(parameters::path_id(self.segment(name))?)
    }

    /// The JSON body, of a route that takes no query. It can be read once.
    pub(super) async fn body(&mut self) -> Result<Body, Failure> {
        self.body_of(BODY_BYTES_MAX).await
    }

    /// The same of at most `bytes_max` bytes.
    pub(super) async fn body_of(&mut self, bytes_max: usize) -> Result<Body, Failure> {
        self.no_query()?;
        let text = body::bytes(&self.request, self.payload.take(), &self.state.shared.clock, bytes_max).await?;
        let value = body::json(&text)
            .map_err(|failure| RawFields::of(&text).unreadable().map_or(failure, |error| vec![error].into()))?;
        Ok(Body { text, value })
    }

    /// Notes the identifier of the error for the log line.
    pub(super) fn note_error(&self, error_id: Uuid) {
        request_log::note_error(&self.request, error_id);
    }

    /// An answer with `data`.
    pub(super) fn data(&self, code: u16, message: &str, data: impl Serialize) -> Answer {
        call::json(code, &envelope::data(code, message, self.now(), data))
    }

    /// An answer whose own fields stand beside the common ones.
    pub(super) fn fields(&self, code: u16, message: &str, fields: impl Serialize) -> Answer {
        call::json(code, &envelope::success(code, message, self.now(), fields))
    }
}

/// What answers the requests to a route.
pub(super) trait Handler: AsyncFn(Call) -> Answer + Clone + 'static {}
impl<F: AsyncFn(Call) -> Answer + Clone + 'static> Handler for F {}

/// A route for the operator alone.
pub(super) fn guarded(method: Method, endpoint: impl Handler) -> Route {
    route(method, true, endpoint)
}

/// A route that needs no key, for monitoring.
pub(super) fn open(method: Method, endpoint: impl Handler) -> Route {
    route(method, false, endpoint)
}

fn route(method: Method, is_guarded: bool, endpoint: impl Handler) -> Route {
    web::method(method).to(move |request: HttpRequest, payload: Payload, state: Data<OperatorState>| {
        let endpoint = endpoint.clone();
        async move {
            let clock = state.shared.clock.clone();
            let answer = if is_guarded && !is_operator(&request, &state.key) {
                Err(Rejection::InvalidKey(KeyHeader::Operator).into())
            } else {
                let call = Call { state, request: request.clone(), payload: payload.into_inner() };
                settled(async move { endpoint(call).await }).await
            };
            answer.unwrap_or_else(|failure: Failure| failure.respond(&request, clock.now()))
        }
    })
}

/// Compares digests in constant time, so that timing reveals neither the length nor a matching part of the key.
fn is_operator(request: &HttpRequest, key: &str) -> bool {
    let digest = |text: &[u8]| CtOutput::<Sha256>::new(Sha256::digest(text));
    request.headers().get(HEADER).is_some_and(|given| digest(given.as_bytes()) == digest(key.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::is_operator;
    use actix_web::test::TestRequest;

    #[test]
    fn only_the_whole_key_is_good() {
        let with = |key: &str| TestRequest::default().insert_header(("x-operator-key", key)).to_http_request();
        assert!(is_operator(&with("a long operator key"), "a long operator key"));
        for wrong in ["", "a long operator ke", "a long operator key2", "A long operator key"] {
            assert!(!is_operator(&with(wrong), "a long operator key"), "{wrong}");
        }
        assert!(!is_operator(&TestRequest::default().to_http_request(), "a long operator key"));
    }
}
