//! Sessions on the portal: what its pages ask of the API beside everybody's routes, in the process alone.

use actix_web::http::Method;
use actix_web::web::{self, Data, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use chrono::{DateTime, TimeDelta, Utc};

use super::state::ApiState;
use crate::web::call::json;
use crate::web::secrets::api_keys;
use crate::web::{Answer, Failure, authentication, resource, settled};
use domain::{Grant, KeyKind, LinkToken, Missing};
use wire::{envelope, object};

/// How long a session lasts.
const SESSION_LIFE: TimeDelta = TimeDelta::hours(12);

/// Adds the routes. The key of a session is that of any request of it.
pub(super) fn routes(config: &mut ServiceConfig) {
    let rows = [
        ("/v1/portal-sessions/{token}", Method::POST, web::post().to(begin)),
        ("/v1/portal-sessions", Method::DELETE, web::delete().to(end)),
    ];
    resource::add(config, rows);
}

/// Uses a link up. A wrong token counts against its client as a wrong key does.
async fn begin(request: HttpRequest, state: Data<ApiState>) -> HttpResponse {
    let clock = state.shared.clock.clone();
    let token = request.match_info().get("token").and_then(LinkToken::parse);
    let (parts, now) = (state.clone(), clock.now());
    match settled(async move { begun(&parts, token.ok_or(Missing::Path)?, now).await }).await {
        Ok(answer) => answer,
        Err(failure) if failure.is_of_the_request() => state.strangers.refuse(failure, &request, &clock),
        Err(failure) => failure.respond(&request, now),
    }
}

async fn begun(state: &ApiState, token: LinkToken, now: DateTime<Utc>) -> Answer {
    let grant = Grant { expires_at: Some(now + SESSION_LIFE), ..Grant::ALL };
    let (key, stored) = api_keys::fresh(&state.shared, KeyKind::PortalSession, grant)?;
    state.shared.store.redeem_portal_link(&token, stored, now).await?.ok_or(Missing::Path)?;
    let life_s = SESSION_LIFE.num_seconds();
    json(201, &envelope::data(201, "Session begun", now, object! { api_key: key.expose().to_owned(), life_s }))
}

/// Ends the session whose key is sent.
async fn end(request: HttpRequest, state: Data<ApiState>) -> HttpResponse {
    let now = state.shared.clock.now();
    let (parts, key_hash) = (state.clone(), authentication::key_hash(&request));
    let ended = settled(async move { ended(&parts, &key_hash?, now).await }).await;
    ended.unwrap_or_else(|failure: Failure| failure.respond(&request, now))
}

async fn ended(state: &ApiState, key_hash: &str, now: DateTime<Utc>) -> Answer {
    state.shared.store.end_portal_session(key_hash).await?;
    state.shared.keys.clear();
    json(200, &envelope::data(200, "Session ended", now, ()))
}
