//! A method of a path, declared once: for the server and for the document.

use actix_web::Route;
use actix_web::http::Method;
use utoipa::openapi::path::{OperationBuilder, Parameter};
use utoipa::openapi::{HttpMethod, Ref, RefOr, Response, Schema};

use crate::api::call::{Call, route};
use crate::api::openapi::answers::{
    FORBIDDEN, INTERNAL, INVALID, RATE_LIMITED, RejectionAnswer, UNAUTHORIZED, UNAVAILABLE, body, record, success,
    unchanged,
};
use crate::api::openapi::prose;
use crate::web::Handler;
use crate::web::budgets::BudgetKind::{self, Read, Write};
use wire::error;
use wire::schema::answers::with_data;

/// A method of a path: what answers it, and what the document says about it.
pub(super) struct Endpoint {
    pub(super) path: &'static str,
    /// The method, as the document and as the server name it.
    pub(super) verb: (HttpMethod, Method),
    pub(super) route: Route,
    pub(super) operation: OperationBuilder,
}

/// What reads, and takes a read token. `id` names it in the document.
pub(super) fn get(path: &'static str, id: &str, handler: impl Handler<Call>) -> Endpoint {
    endpoint(path, id, (HttpMethod::Get, Method::GET), (Read, 1), handler)
}

/// What sets something, and takes a write token.
pub(super) fn put(path: &'static str, id: &str, handler: impl Handler<Call>) -> Endpoint {
    endpoint(path, id, (HttpMethod::Put, Method::PUT), (Write, 1), handler)
}

/// What ends something, and takes a read token.
pub(super) fn delete(path: &'static str, id: &str, handler: impl Handler<Call>) -> Endpoint {
    endpoint(path, id, (HttpMethod::Delete, Method::DELETE), (Read, 1), handler)
}

/// What makes or does something, and takes a write token.
pub(super) fn post(path: &'static str, id: &str, handler: impl Handler<Call>) -> Endpoint {
    post_for(path, id, (Write, 1), handler)
}

/// The same for other tokens: it takes so many of the minute and one of the second per request; none of the minute where it
/// takes those of its items itself, with [`Call::spend_items`].
pub(super) fn post_for(
    path: &'static str,
    id: &str,
    tokens: (BudgetKind, u32),
    handler: impl Handler<Call>,
) -> Endpoint {
    endpoint(path, id, (HttpMethod::Post, Method::POST), tokens, handler)
}

fn endpoint(
    path: &'static str,
    id: &str,
    verb: (HttpMethod, Method),
    (kind, tokens): (BudgetKind, u32),
    handler: impl Handler<Call>,
) -> Endpoint {
    let route = route(verb.1.clone(), kind, tokens, handler);
    Endpoint::new(path, verb, route, prose::operation(id))
}

impl Endpoint {
    /// One with the rejections that all endpoints share: 400, 401, 403, 429, 500 and 503.
    pub(super) fn new(
        path: &'static str,
        verb: (HttpMethod, Method),
        route: Route,
        operation: OperationBuilder,
    ) -> Self {
        let shared = [INVALID, UNAUTHORIZED, FORBIDDEN, RATE_LIMITED, INTERNAL, UNAVAILABLE];
        Self { path, verb, route, operation }.or_rejected(&shared)
    }

    pub(super) fn parameter(self, parameter: Parameter) -> Self {
        self.with(|operation| operation.parameter(parameter))
    }

    /// The body of a request, which must be there.
    pub(super) fn body(self, schema: impl Into<RefOr<Schema>>) -> Self {
        self.with(|operation| operation.request_body(Some(body(schema))))
    }

    pub(super) fn response(self, status: u16, response: impl Into<RefOr<Response>>) -> Self {
        self.with(|operation| operation.response(status.to_string(), response))
    }

    /// A success of a metered route, whose own field is `data`.
    pub(super) fn with_data(self, status: u16, description: &str, data: impl Into<RefOr<Schema>>) -> Self {
        self.response(status, success(description, with_data(status, data)))
    }

    /// A single record in `data`, which has a tag.
    pub(super) fn with_record(self, description: &str, data: impl Into<RefOr<Schema>>) -> Self {
        self.response(200, record(description, with_data(200, data))).response(304, unchanged())
    }

    /// These rejections, beside those that all endpoints share.
    pub(super) fn or_rejected(self, rejections: &[RejectionAnswer]) -> Self {
        rejections.iter().fold(self, |endpoint, (name, example)| {
            let (status, ..) = error::parts(&example());
            endpoint.response(status, Ref::from_response_name(*name))
        })
    }

    fn with(self, describe: impl FnOnce(OperationBuilder) -> OperationBuilder) -> Self {
        Self { operation: describe(self.operation), ..self }
    }
}
