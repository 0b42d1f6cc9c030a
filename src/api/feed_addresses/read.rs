//! `GET /v1/feeds/{token}.atom` and `.json`: the newest updates, for anybody who has the address.
//!
//! The token takes the place of a key and is nowhere but in the path, of which the log tells the route alone.

use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderValue};
use actix_web::web::{self, Data, Payload};
use actix_web::{HttpRequest, HttpResponse, Route};

use crate::api::call::{Call, metered};
use crate::api::state::ApiState;
use crate::web::budgets::BudgetKind::Read;
use crate::web::headers::entity_tag;
use crate::web::{Answer, Failure};
use domain::field_limits::FEED_ENTRIES_MAX;
use domain::{KeyHeader, LinkToken, Missing, Rejection};
use store::{FeedAddress, KeyOwner};
use wire::forms::summary::Summary;
use wire::forms::{atom, json_feed};
use wire::time;

/// What a feed reader reads.
#[derive(Clone, Copy)]
pub(crate) enum Form {
    Atom,
    Json,
}

/// What answers for a form.
pub(crate) fn route(form: Form) -> Route {
    web::get().to(move |request: HttpRequest, payload: Payload, state: Data<ApiState>| async move {
        let clock = state.shared.clock.clone();
        match address_of(&state, &request).await {
            Ok((owner, address)) => {
                let call = Call { state, owner, clock, request, payload: payload.into_inner() };
                metered(call, Read, 1, async move |call| read(call, address, form).await).await
            }
            Err(failure) if failure.is_of_the_request() => state.strangers.refuse(failure, &request, &clock),
            Err(failure) => failure.respond(&request, clock.now()),
        }
    })
}

/// The address that the path names, and whose it is. The form of a token is checked first, so that a guess costs no look-up.
async fn address_of(state: &ApiState, request: &HttpRequest) -> Result<(KeyOwner, FeedAddress), Failure> {
    let token = request.match_info().get("token").and_then(LinkToken::parse).ok_or(Missing::FeedAddress)?;
    let found = state.shared.store.feed_address_of_token(&token).await?;
    let (owner, address) = found.ok_or(Missing::FeedAddress)?;
    if owner.is_active { Ok((owner, address)) } else { Err(Rejection::InvalidKey(KeyHeader::Api).into()) }
}

async fn read(call: Call, address: FeedAddress, form: Form) -> Answer {
    call.no_query()?;
    let (account_id, from) = (call.account_id(), call.kept_from());
    let updates = call.store().newest_updates(account_id, address.radar_id, from, FEED_ENTRIES_MAX).await?;
    let entries: Vec<Summary> = updates.iter().map(|update| Summary::of(&update.body)).collect();
    let (media_type, body) = match form {
        Form::Atom => {
            let id = format!("urn:uuid:{}", address.feed_id);
            (atom::MEDIA_TYPE, atom::feed(&id, &time::text(address.created_at), &entries))
        }
        Form::Json => (json_feed::MEDIA_TYPE, json_feed::feed(&entries)),
    };
    let tag = entity_tag::of(body.as_bytes());
    let mut response = match entity_tag::unchanged(&call.request, &tag) {
        Some(unchanged) => unchanged,
        None => HttpResponse::Ok().insert_header((CONTENT_TYPE, media_type)).insert_header((ETAG, tag)).body(body),
    };
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    Ok(response)
}
