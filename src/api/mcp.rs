//! `POST /mcp`: the tools of agents over HTTP (Model Context Protocol, "Streamable HTTP"), without sessions. Each message is
//! a request, and each answer is JSON.

use std::rc::Rc;
use std::sync::Arc;

use actix_web::HttpResponse;
use actix_web::http::header::{HeaderMap, ORIGIN};
use actix_web::http::{Method, StatusCode};
use actix_web::web::{Data, ServiceConfig};
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Value, json};

use super::call::{self, Call};
use super::in_process;
use super::state::ApiState;
use crate::mcp::{Api, Outcome, Request, Server};
use crate::web::budgets::BudgetKind::Read;
use crate::web::call::json as json_answer;
use crate::web::in_process::{InProcess, request};
use crate::web::{Answer, Cors, Failure, authentication, resource};
use domain::field_limits::BODY_BYTES_MAX;
use domain::idempotency_key;

const PATH: &str = "/mcp";

/// Adds the route. A message takes a token of the second; what a tool does takes those of its requests, and a key of their
/// scopes.
pub(super) fn route(config: &mut ServiceConfig, state: &Data<ApiState>) {
    let api = Rc::new(InProcess::new(in_process::api(state)));
    let endpoint = move |call: Call| answer(call, api.clone());
    resource::add(config, [(PATH, Method::POST, call::unscoped_route(Method::POST, Read, 0, endpoint))]);
}

async fn answer<C: Fn(&mut ServiceConfig) + 'static>(mut call: Call, api: Rc<InProcess<C>>) -> Answer {
    if is_of_a_strange_page(&call) {
        let error = json!({"code": -32600, "message": "the origin is none of http.cors_origins"});
        return json_answer(403, &json!({"jsonrpc": "2.0", "error": error}));
    }
    let body = call.body_text(BODY_BYTES_MAX).await?;
    let key = call.request.headers().get(authentication::HEADER).and_then(|key| key.to_str().ok());
    let key = key.unwrap_or_default().to_owned();
    let tools = Api::new(async move |request| ask(&api, &key, request).await);
    // Any host may be ours: who is led here by a name of a stranger comes from a page, and is told by its origin.
    let settings = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .disable_allowed_hosts();
    let factory = move || Ok(Server::new(tools.clone()));
    let service = StreamableHttpService::new(factory, Arc::new(NeverSessionManager::default()), settings);
    let (parts, body) = service.handle(message(call.request.headers(), body)?).await.into_parts();
    let body = body.collect().await.map_err(Failure::internal)?.to_bytes();
    let mut response = HttpResponse::build(StatusCode::from_u16(parts.status.as_u16()).map_err(Failure::internal)?);
    for (name, value) in &parts.headers {
        response.insert_header((name.as_str(), value.as_bytes()));
    }
    Ok(response.body(body))
}

/// Whether a browser sent it for a page that may not call: a name of its own that leads here does not help a page.
fn is_of_a_strange_page(call: &Call) -> bool {
    let cors = call.request.app_data::<Data<Cors>>();
    let origin = call.request.headers().get(ORIGIN);
    origin.is_some_and(|origin| !cors.is_some_and(|cors| cors.lets_through(origin)))
}

/// The message as `rmcp` takes it. What it never sees, it never logs: the key stays here.
fn message(headers: &HeaderMap, body: Bytes) -> Result<http_1::Request<Full<Bytes>>, Failure> {
    let mut message = http_1::Request::post(PATH);
    for (name, value) in headers.iter().filter(|(name, _)| name.as_str() != authentication::HEADER) {
        message = message.header(name.as_str(), value.as_bytes());
    }
    message.body(Full::new(body)).map_err(Failure::internal)
}

/// Asks the API with the key of the request.
async fn ask<C: Fn(&mut ServiceConfig)>(api: &InProcess<C>, key: &str, asked: Request) -> Outcome {
    let mut headers = vec![(authentication::HEADER, key)];
    headers.extend(asked.idempotency_key.as_deref().map(|key| (idempotency_key::FIELD, key)));
    let answer = match request(asked.method, &asked.path, &headers, asked.body.as_ref()) {
        Some(request) => api.send(request).await,
        None => None,
    };
    let Some((status, body)) = answer else { return Err(json!({"message": "The request cannot be sent."})) };
    let body: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
    if (200..300).contains(&status) { Ok(body) } else { Err(body) }
}
