//! What stands between a route and its endpoint: the operator's key, bodies, failures.

use actix_web::http::header::HOST;
use actix_web::http::{Method, StatusCode};
use actix_web::web::{self, Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use hmac::digest::CtOutput;
use sha2::{Digest, Sha256};

use super::endpoint::Endpoint;
use super::state::OperatorState;
use crate::web::body;
use crate::web::call::{self, Body, Handler, settled};
use crate::web::errors::Failure;
use config::OwnHosts;
use domain::field_limits::BODY_BYTES_MAX;
use domain::ids::AccountId;
use domain::rejection::{KeyHeader, Missing, Rejection};
use store::Account;
use wire::operator::values::RawFields;

/// The header of the operator's key.
pub(super) const HEADER: &str = "x-operator-key";

/// A request of the operator.
pub(super) type Call = call::Call<OperatorState>;

impl Call {
    /// The account that the path names.
    pub(super) fn account_id(&self) -> Result<AccountId, Failure> {
        Ok(AccountId(self.id("id")?))
    }

    /// The account, or a 404.
    pub(super) async fn account(&self, account_id: AccountId) -> Result<Account, Failure> {
        Ok(self.state.shared.store.account(account_id).await?.ok_or(Missing::Account)?)
    }

    /// The account that the path of a route without a query names, or a 404.
    pub(super) async fn existing_account(&self) -> Result<Account, Failure> {
        self.no_query()?;
        self.account(self.account_id()?).await
    }

    /// The JSON body, of a route that takes no query. It can be read once.
    pub(super) async fn body(&mut self) -> Result<Body, Failure> {
        self.body_of(BODY_BYTES_MAX).await
    }

    /// The same of at most `bytes_max` bytes.
    pub(super) async fn body_of(&mut self, bytes_max: usize) -> Result<Body, Failure> {
        let text = self.body_text(bytes_max).await?;
        let value = body::json(&text)
            .map_err(|failure| RawFields::of(&text).unreadable().map_or(failure, |error| vec![error].into()))?;
        Ok(Body { text, value })
    }
}

/// A route for the operator alone.
pub(super) fn guarded(path: &'static str, method: Method, endpoint: impl Handler<Call>) -> Endpoint {
    declared(path, method, true, endpoint)
}

/// A route that needs no key, for monitoring.
pub(super) fn open(path: &'static str, method: Method, endpoint: impl Handler<Call>) -> Endpoint {
    declared(path, method, false, endpoint)
}

fn declared(path: &'static str, method: Method, is_guarded: bool, endpoint: impl Handler<Call>) -> Endpoint {
    let route =
        web::method(method.clone()).to(move |request: HttpRequest, payload: Payload, state: Data<OperatorState>| {
            let endpoint = endpoint.clone();
            async move {
                let host = request.headers().get(HOST).map(|host| host.to_str().unwrap_or_default());
                if !state.hosts.permit(host) {
                    return HttpResponse::build(StatusCode::MISDIRECTED_REQUEST).body(OwnHosts::REFUSAL);
                }
                let clock = state.shared.clock.clone();
                let answer = if is_guarded && !is_operator(&request, &state.key) {
                    Err(Rejection::InvalidKey(KeyHeader::Operator).into())
                } else {
                    let (clock, payload) = (clock.clone(), payload.into_inner());
                    let call = Call { state, owner: (), clock, request: request.clone(), payload };
                    settled(async move { endpoint(call).await }).await
                };
                answer.unwrap_or_else(|failure: Failure| failure.respond(&request, clock.now()))
            }
        });
    Endpoint::new(path, method, is_guarded, route)
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
