//! What stands between a route and its endpoint: the operator's key, bodies, failures.

use std::sync::Arc;

use actix_web::http::header::HOST;
use actix_web::http::{Method, StatusCode};
use actix_web::web::{self, Data, Payload};
use actix_web::{HttpRequest, HttpResponse};

use super::actions::{self, Action};
use super::endpoint::Endpoint;
use super::keys::OperatorKeys;
use super::state::OperatorState;
use crate::web::authentication::scope_of;
use crate::web::{Answer, Body, Failure, Handler, Shared, body, call, settled};
use config::OwnHosts;
use domain::field_limits::BODY_BYTES_MAX;
use domain::{AccountId, KeyHeader, Missing, Rejection};
use store::{Account, Store};
use wire::operator::values::RawFields;

/// The header of the operator's key.
pub(super) const HEADER: &str = "x-operator-key";

/// A request of the operator.
pub(super) type Call = call::Call<OperatorState>;

impl Call {
    /// What both APIs share.
    pub(super) fn shared(&self) -> &Shared {
        &self.state.shared
    }

    pub(super) fn store(&self) -> &Arc<Store> {
        &self.state.shared.store
    }

    /// The account that the path names.
    pub(super) fn account_id(&self) -> Result<AccountId, Failure> {
        Ok(AccountId(self.id("id")?))
    }

    /// The account, or a 404.
    pub(super) async fn account(&self, account_id: AccountId) -> Result<Account, Failure> {
        Ok(self.store().account(account_id).await?.ok_or(Missing::Account)?)
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
        actions::note_body(&self.request, &text);
        let value = body::json(&text)
            .map_err(|failure| RawFields::of(&text).unreadable().map_or(failure, |error| vec![error].into()))?;
        Ok(Body { text, value })
    }
}

/// What declares a route of a method for the operator alone.
macro_rules! guarded {
    ($($name:ident: $method:ident),+) => { $(
        pub(super) fn $name(path: &'static str, endpoint: impl Handler<Call>) -> Endpoint {
            declared(path, Method::$method, true, endpoint)
        }
    )+ };
}

guarded! { get: GET, post: POST, put: PUT, patch: PATCH, delete: DELETE }

/// A route that needs no key, for monitoring.
pub(super) fn open(path: &'static str, method: Method, endpoint: impl Handler<Call>) -> Endpoint {
    declared(path, method, false, endpoint)
}

fn declared(path: &'static str, method: Method, is_guarded: bool, endpoint: impl Handler<Call>) -> Endpoint {
    let is_noted = is_guarded && actions::are_noted(path, &method);
    let route =
        web::method(method.clone()).to(move |request: HttpRequest, payload: Payload, state: Data<OperatorState>| {
            let endpoint = endpoint.clone();
            async move {
                let host = request.headers().get(HOST).map(|host| host.to_str().unwrap_or_default());
                if !state.hosts.permit(host) {
                    return HttpResponse::build(StatusCode::MISDIRECTED_REQUEST).body(OwnHosts::REFUSAL);
                }
                let clock = state.shared.clock.clone();
                let answer = match refusal(&request, &state.keys).filter(|_| is_guarded) {
                    Some(rejection) => Err(rejection.into()),
                    None => {
                        let (clock, payload) = (clock.clone(), payload.into_inner());
                        let call = Call { state, owner: (), clock, request: request.clone(), payload };
                        settled(
                            async move { if is_noted { noted(endpoint, call).await } else { endpoint(call).await } },
                        )
                        .await
                    }
                };
                answer.unwrap_or_else(|failure: Failure| failure.respond(&request, clock.now()))
            }
        });
    Endpoint::new(path, method, is_guarded, route)
}

/// Answers a request that changes something, and notes it before and after.
async fn noted(endpoint: impl Handler<Call>, call: Call) -> Answer {
    let (request, clock) = (call.request.clone(), call.clock.clone());
    let key_id = request.headers().get(HEADER).map(|key| OperatorKeys::id_of(key.as_bytes()));
    let action = Action::begin(request.clone(), call.shared(), key_id.unwrap_or_default()).await?;
    let response = endpoint(call).await.unwrap_or_else(|failure| failure.respond(&request, clock.now()));
    action.end(&response).await;
    Ok(response)
}

/// Why the key that `request` carries is not good for it.
fn refusal(request: &HttpRequest, keys: &OperatorKeys) -> Option<Rejection> {
    let scopes = request.headers().get(HEADER).and_then(|given| keys.scopes_of(given.as_bytes()));
    let Some(scopes) = scopes else { return Some(Rejection::InvalidKey(KeyHeader::Operator)) };
    let scope = scope_of(request.method());
    (!scopes.permit(scope)).then_some(Rejection::MissingScope(KeyHeader::Operator, scope))
}

#[cfg(test)]
mod tests {
    use actix_web::http::Method;
    use actix_web::test::TestRequest;

    use super::refusal;
    use crate::operator::keys::OperatorKeys;
    use domain::{KeyHeader, Rejection, Scope};

    #[test]
    fn only_the_whole_key_is_good_and_one_that_reads_is_for_reading() {
        let keys = OperatorKeys::new("a long operator key", Some("a key that reads"));
        let invalid = Some(Rejection::InvalidKey(KeyHeader::Operator));
        let read_only = Some(Rejection::MissingScope(KeyHeader::Operator, Scope::Write));
        for (key, reads, writes) in [
            (Some("a long operator key"), &None, &None),
            (Some("a key that reads"), &None, &read_only),
            (Some(""), &invalid, &invalid),
            (Some("a long operator ke"), &invalid, &invalid),
            (Some("a long operator key2"), &invalid, &invalid),
            (Some("A long operator key"), &invalid, &invalid),
            (None, &invalid, &invalid),
        ] {
            for (method, expected) in [(Method::GET, reads), (Method::HEAD, reads), (Method::POST, writes)] {
                let request = TestRequest::with_uri("/").method(method);
                let request =
                    key.into_iter().fold(request, |request, key| request.insert_header(("x-operator-key", key)));
                assert_eq!(&refusal(&request.to_http_request(), &keys), expected, "{key:?}");
            }
        }
    }
}
