//! What stands between a route and its endpoint: key, budget, scope, headers, failures (decision 3.1).

use std::sync::Arc;

use actix_web::http::header::HeaderValue;
use actix_web::http::{Method, StatusCode};
use actix_web::web::{self, Data, Payload};
use actix_web::{HttpRequest, HttpResponse, Route};
use chrono::{DateTime, Utc};

use super::state::ApiState;
use crate::web::{
    Body, BudgetKind, Failure, Handler, Shared, authentication, body, budgets, call, request_log, settled,
};
use domain::field_limits::BODY_BYTES_MAX;
use domain::idempotency_key::{self, IdempotencyKey};
use domain::scheduling::retention::kept_from;
use domain::{AccountId, FieldError, KeyHeader, KeyedRequest, RadarId, Rejection, Remaining, Scope, Spending};
use store::{KeyOwner, Store};

/// A request with a valid key. Its tokens are taken, unless the endpoint takes them itself.
pub(super) type Call = call::Call<ApiState, KeyOwner>;

impl Call {
    /// What both APIs share.
    pub(super) fn shared(&self) -> &Shared {
        &self.state.shared
    }

    pub(super) fn store(&self) -> &Arc<Store> {
        &self.state.shared.store
    }

    pub(super) fn account_id(&self) -> AccountId {
        self.owner.account_id
    }

    /// That the key is good for more than the method asks for (decision 3.13).
    pub(super) fn require(&self, scope: Scope) -> Result<(), Rejection> {
        if self.owner.scopes.permit(scope) { Ok(()) } else { Err(Rejection::MissingScope(KeyHeader::Api, scope)) }
    }

    /// What was published before is kept no longer, even if it is not removed yet.
    pub(super) fn kept_from(&self) -> DateTime<Utc> {
        kept_from(self.now(), self.state.retention)
    }

    /// The radar that the path names.
    pub(super) fn radar_id(&self) -> Result<RadarId, Failure> {
        Ok(RadarId(self.id("id")?))
    }

    /// The JSON body, of a route that takes no query. It can be read once.
    pub(super) async fn body(&mut self) -> Result<Body, Failure> {
        let text = self.body_text(BODY_BYTES_MAX).await?;
        let value = body::json(&text)?;
        Ok(Body { text, value })
    }

    /// The request with its `Idempotency-Key`, if it has one (decision 2.9).
    pub(super) fn keyed(&self, body: &Body) -> Result<Option<KeyedRequest>, FieldError> {
        let sent = self.request.headers().get_all(idempotency_key::FIELD).map(HeaderValue::as_bytes);
        let key = IdempotencyKey::read(sent)?;
        Ok(key.map(|key| KeyedRequest::new(&key, self.request.path().trim_end_matches('/'), &body.text)))
    }

    /// Takes a token from the minute for each item.
    pub(super) async fn spend_items(&self, items: u32) -> Result<(), Failure> {
        let now = self.steady_now();
        let taken = self.state.budgets.spend(&self.owner, BudgetKind::Write, Spending::Items(items), now).await?;
        taken.map(drop).map_err(|refused| Rejection::RateLimited(refused).into())
    }
}

/// What answers a method, which takes `tokens` from the budget of `kind` and a key of the method's scope.
pub(super) fn route(method: Method, kind: BudgetKind, tokens: u32, endpoint: impl Handler<Call>) -> Route {
    let scope = authentication::scope_of(&method);
    unscoped_route(method, kind, tokens, async move |call: Call| match call.owner.scopes.permit(scope) {
        true => endpoint(call).await,
        false => Err(Rejection::MissingScope(KeyHeader::Api, scope).into()),
    })
}

/// The same for a key of any scope: what is asked for decides what is needed.
pub(super) fn unscoped_route(method: Method, kind: BudgetKind, tokens: u32, endpoint: impl Handler<Call>) -> Route {
    web::method(method).to(move |request: HttpRequest, payload: Payload, state: Data<ApiState>| {
        let endpoint = endpoint.clone();
        async move {
            let clock = state.shared.clock.clone();
            match authentication::owner(&state.shared, &request).await {
                Ok(owner) => {
                    let call = Call { state, owner, clock, request, payload: payload.into_inner() };
                    metered(call, kind, tokens, endpoint).await
                }
                Err(failure) if failure.is_of_the_request() => state.strangers.refuse(failure, &request, &clock),
                Err(failure) => failure.respond(&request, clock.now()),
            }
        }
    })
}

/// Takes the tokens, answers, and says what is left.
pub(super) async fn metered(call: Call, kind: BudgetKind, tokens: u32, endpoint: impl Handler<Call>) -> HttpResponse {
    let (state, owner, request) = (call.state.clone(), call.owner, call.request.clone());
    request_log::note_account(&request, owner.account_id);
    // A malformed bulk costs a token of the second as well: reading it is the larger cost.
    let taken = state.budgets.spend(&owner, kind, Spending::Request(tokens), call.steady_now()).await;
    let (answer, remaining) = match taken {
        Ok(Ok(remaining)) => (settled(async move { endpoint(call).await }).await, Some(remaining)),
        Ok(Err(refused)) => (Err(Rejection::RateLimited(refused).into()), None),
        Err(error) => (Err(error.into()), None),
    };
    let now = state.shared.clock.now();
    let mut response = answer.unwrap_or_else(|failure| failure.respond(&request, now));
    // Of an endpoint that takes the tokens of its items, only a 429 carries the rate headers (Spec 8.1).
    let is_by_item = tokens == 0;
    if !is_by_item || response.status() == StatusCode::TOO_MANY_REQUESTS {
        let remaining = match remaining.filter(|_| !is_by_item) {
            Some(remaining) => Some(remaining),
            None => left(&state, &owner, kind).await,
        };
        if let Some(remaining) = remaining {
            budgets::set_headers(&mut response, remaining);
        }
    }
    response
}

/// What is left, where that can be told.
async fn left(state: &ApiState, owner: &KeyOwner, kind: BudgetKind) -> Option<Remaining> {
    let now = state.shared.clock.steady_now();
    state.budgets.spend(owner, kind, Spending::Look, now).await.ok()?.ok()
}
