//! What stands between a route and its endpoint: key, budget, headers, failures (decision 3.1).

use actix_web::http::header::HeaderValue;
use actix_web::http::{Method, StatusCode};
use actix_web::web::{self, Data, Payload};
use actix_web::{HttpRequest, HttpResponse, Route, dev};
use chrono::{DateTime, Utc};
use utoipa::openapi::HttpMethod;
use utoipa::openapi::path::Operation;
use uuid::Uuid;

use super::state::ApiState;
use crate::domain::field_limits::BODY_BYTES_MAX;
use crate::domain::idempotency_key::{self, IdempotencyKey, KeyedRequest};
use crate::domain::ids::{AccountId, RadarId};
use crate::domain::rejection::{FieldError, Rejection};
use crate::store::KeyOwner;
use crate::web::budgets::{self, BudgetKind};
use crate::web::call::{Answer, Body, settled};
use crate::web::errors::Failure;
use crate::web::{authentication, body, request_log};
use crate::wire::parameters;
use crate::wire::public::query;

/// A request with a valid key. Its tokens are taken, unless the endpoint takes them itself.
pub(super) struct Call {
    pub(super) state: Data<ApiState>,
    pub(super) owner: KeyOwner,
    request: HttpRequest,
    payload: dev::Payload,
}

/// A method of a path: what answers it, and what the document says about it.
pub(super) struct Endpoint {
    pub(super) method: HttpMethod,
    pub(super) route: Route,
    pub(super) operation: Describe,
}

/// A method, as the document and as the server name it.
pub(super) type Verb = (HttpMethod, Method);

pub(super) const GET: Verb = (HttpMethod::Get, Method::GET);
pub(super) const POST: Verb = (HttpMethod::Post, Method::POST);
pub(super) const DELETE: Verb = (HttpMethod::Delete, Method::DELETE);

/// Describes an endpoint for the document.
pub(super) type Describe = fn() -> Operation;

/// What answers the requests to a route.
pub(super) trait Handler: AsyncFn(Call) -> Answer + Clone + 'static {}
impl<F: AsyncFn(Call) -> Answer + Clone + 'static> Handler for F {}

/// How a route takes tokens.
#[derive(Clone, Copy)]
enum Metering {
    /// One for the request.
    Single(BudgetKind),
    /// One token of the second for the request; the endpoint takes one of the minute per item. Only a 429 carries the
    /// rate headers (Spec 8.1).
    ByItem(BudgetKind),
}

/// An endpoint that takes one token per request.
pub(super) fn single(
    (documented, method): Verb,
    kind: BudgetKind,
    endpoint: impl Handler,
    operation: Describe,
) -> Endpoint {
    Endpoint { route: route(method, Metering::Single(kind), endpoint), method: documented, operation }
}

/// An endpoint that takes the tokens of its items itself, with [`Call::spend_items`].
pub(super) fn by_item(
    (documented, method): Verb,
    kind: BudgetKind,
    endpoint: impl Handler,
    operation: Describe,
) -> Endpoint {
    Endpoint { route: route(method, Metering::ByItem(kind), endpoint), method: documented, operation }
}

impl Call {
    pub(super) fn account_id(&self) -> AccountId {
        self.owner.account_id
    }

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

    /// The radar that the path names.
    pub(super) fn radar_id(&self) -> Result<RadarId, Failure> {
        Ok(query::radar_id(self.request.match_info().get("id").unwrap_or_default())?)
    }

    /// An identifier in the path.
    pub(super) fn path_id(&self, name: &str) -> Result<Uuid, Failure> {
        Ok(parameters::path_id(self.request.match_info().get(name).unwrap_or_default())?)
    }

    /// The JSON body, of a route that takes no query. It can be read once.
    pub(super) async fn body(&mut self) -> Result<Body, Failure> {
        self.no_query()?;
        let text = body::bytes(&self.request, self.payload.take(), &self.state.shared.clock, BODY_BYTES_MAX).await?;
        let value = body::json(&text)?;
        Ok(Body { text, value })
    }

    /// The request with its `Idempotency-Key`, if it has one (decision 2.9).
    pub(super) fn keyed(&self, body: &Body) -> Result<Option<KeyedRequest>, FieldError> {
        let sent = self.request.headers().get_all(idempotency_key::FIELD).map(HeaderValue::as_bytes);
        let key = IdempotencyKey::read(sent)?;
        Ok(key.map(|key| KeyedRequest::new(&key, self.request.path(), &body.text)))
    }

    /// Notes the identifier of the error for the log line.
    pub(super) fn note_error(&self, error_id: Uuid) {
        request_log::note_error(&self.request, error_id);
    }

    /// Takes a token from the minute for each item.
    pub(super) fn spend_items(&self, kind: BudgetKind, items: u32) -> Result<(), Failure> {
        let taken = self.state.budgets.finish_bulk(&self.owner, kind, items, self.now());
        taken.map(drop).map_err(|refused| Rejection::RateLimited(refused).into())
    }
}

fn route(method: Method, metering: Metering, endpoint: impl Handler) -> Route {
    web::method(method).to(move |request: HttpRequest, payload: Payload, state: Data<ApiState>| {
        let endpoint = endpoint.clone();
        async move {
            let clock = state.shared.clock.clone();
            match authentication::owner(&state.shared, &request).await {
                Ok(owner) => {
                    let call = Call { state, owner, request: request.clone(), payload: payload.into_inner() };
                    metered(request, call, metering, endpoint).await
                }
                Err(failure) if failure.is_of_the_request() => state.strangers.refuse(failure, &request, clock.now()),
                Err(failure) => failure.respond(&request, clock.now()),
            }
        }
    })
}

async fn metered(request: HttpRequest, call: Call, metering: Metering, endpoint: impl Handler) -> HttpResponse {
    request_log::note_account(&request, call.account_id());
    let (state, owner) = (call.state.clone(), call.owner);
    let (kind, taken) = match metering {
        Metering::Single(kind) => (kind, state.budgets.take(&owner, kind, 1, call.now()).map(Some)),
        // A malformed bulk costs a token as well: reading it is the larger cost.
        Metering::ByItem(kind) => (kind, state.budgets.take(&owner, kind, 0, call.now()).map(|_| None)),
    };
    let (answer, remaining) = match taken {
        Ok(remaining) => (settled(async move { endpoint(call).await }).await, remaining),
        Err(refused) => (Err(Rejection::RateLimited(refused).into()), None),
    };
    let now = state.shared.clock.now();
    let mut response = answer.unwrap_or_else(|failure| failure.respond(&request, now));
    let is_bare = matches!(metering, Metering::ByItem(_)) && response.status() != StatusCode::TOO_MANY_REQUESTS;
    if let Some(remaining) = remaining.or_else(|| state.budgets.look(&owner, kind, now)).filter(|_| !is_bare) {
        budgets::set_headers(&mut response, remaining);
    }
    response
}
