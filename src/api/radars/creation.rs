//! Creating radars: one of each category, and what a bulk shares with that, from a checked request to radars that are
//! being set up.

use actix_web::HttpResponse;
use actix_web::http::header::{HeaderName, HeaderValue};
use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;

use crate::api::call::Call;
use crate::web::call::text;
use crate::web::{Answer, Body, Failure, located};
use actors::ledger::LedgerError;
use domain::account::{CreateOnce, Created, CreatedOnce, Creation, KeptAnswer, RenderAnswer};
use domain::{Category, CommandRejection, Decision, FieldError, IsForbidden, KeyedRequest, NewRadar, Radar, RadarId};
use wire::envelope;
use wire::public::new_radar;
use wire::public::radar_record::RadarRecord;

const IDEMPOTENT_REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// A radar that was created, and since when it is paused.
pub(super) type CreatedRadar<'a> = (&'a Radar, Option<DateTime<Utc>>);

/// `POST /v1/radars/companies` (Spec 4.2).
pub(crate) async fn create_company(call: Call) -> Answer {
    one(call, Category::Company).await
}

/// `POST /v1/radars/contacts` (Spec 4.3).
pub(crate) async fn create_contact(call: Call) -> Answer {
    one(call, Category::Contact).await
}

/// `POST /v1/radars/industry` (Spec 4.4).
pub(crate) async fn create_industry(call: Call) -> Answer {
    one(call, Category::Industry).await
}

/// The whole of a single create.
async fn one(mut call: Call, category: Category) -> Answer {
    let body = call.body().await?;
    let read = |body: &Value, is_forbidden: IsForbidden<'_>| new_radar::read(body, Some(category), is_forbidden);
    let (request, wanted) = read_all(&call, &body, read)?;
    let creations = vec![creation(&call, wanted)];
    let (answer, is_replay) = match decide(&call, request, creations, RenderAnswer::new(answer_to_one)).await? {
        CreatedOnce::AnsweredBefore(answer) => (answer, true),
        CreatedOnce::New { answer: Some(answer), .. } => (answer, false),
        CreatedOnce::New { decisions, .. } => {
            let unwritable = || Failure::internal("the record of a new radar could not be written");
            return Err(created(decisions.first()).err().unwrap_or_else(unwritable));
        }
    };
    let path = path_of(&answer.body).unwrap_or_default();
    Ok(located(replayed(text(answer.status, answer.body)?, is_replay), &path))
}

/// Reads the idempotency key and the body of a request. The errors of both are listed together.
pub(super) fn read_all<T>(
    call: &Call,
    body: &Body,
    read: impl FnOnce(&Value, IsForbidden<'_>) -> Result<T, Vec<FieldError>>,
) -> Result<(Option<KeyedRequest>, T), Vec<FieldError>> {
    let asked = read(&body.value, &|host| !call.shared().guard.permits_host(host));
    match (call.keyed(body), asked) {
        (Ok(request), Ok(asked)) => Ok((request, asked)),
        (Ok(_), Err(errors)) => Err(errors),
        (Err(error), asked) => Err(std::iter::once(error).chain(asked.err().into_iter().flatten()).collect()),
    }
}

/// A radar to be created, with a new identifier.
pub(super) fn creation(call: &Call, wanted: NewRadar) -> Creation {
    let needs_set_up = !call.shared().catalog.is_only_pushed(wanted.radar_type);
    Creation { radar_id: RadarId(call.shared().ids.next(call.now())), wanted, needs_set_up }
}

/// Decides all creations in one transaction, or repeats the earlier answer to the same request.
pub(super) async fn decide(
    call: &Call,
    request: Option<KeyedRequest>,
    creations: Vec<Creation>,
    render: RenderAnswer,
) -> Result<CreatedOnce, Failure> {
    let shards = &call.shared().shards;
    let decided = match request {
        Some(request) => {
            let once = CreateOnce { request, creations, render };
            shards.submit(call.account_id(), vec![once]).await?.pop().ok_or(LedgerError::Gone)??
        }
        None => {
            let decisions = shards.submit(call.account_id(), creations).await?;
            CreatedOnce::New { answer: render.render(&decisions, call.now()), decisions }
        }
    };
    // A stopped account stops every item, so the whole request is rejected.
    if let CreatedOnce::New { decisions, .. } = &decided
        && let Some(Err(
            rejection
            @ (CommandRejection::Stopped | CommandRejection::Frozen { .. } | CommandRejection::UnknownAccount),
        )) = decisions.first()
    {
        return Err(rejection.clone().into());
    }
    Ok(decided)
}

/// The radar that a decision created.
pub(super) fn created(decision: Option<&Decision<Created>>) -> Result<CreatedRadar<'_>, Failure> {
    match decision {
        Some(Ok(Created { radar, paused_since })) => Ok((radar, *paused_since)),
        Some(Err(rejection)) => Err(rejection.clone().into()),
        None => Err(Failure::internal("a creation was not decided")),
    }
}

/// The answer, marked if it was given before (decision 2.9).
pub(super) fn replayed(mut response: HttpResponse, is_replay: bool) -> HttpResponse {
    if is_replay {
        response.headers_mut().insert(IDEMPOTENT_REPLAYED, HeaderValue::from_static("true"));
    }
    response
}

/// Where the radar is that an answer tells of; a kept answer is a text.
fn path_of(answer: &str) -> Option<String> {
    let answer: Value = serde_json::from_str(answer).ok()?;
    Some(format!("/v1/radars/{}", answer["data"]["radar_id"].as_str()?))
}

/// The JSON of an answer; `None` if it cannot be written, which does not happen for these types.
pub(super) fn answer_text(status: u16, body: &impl Serialize) -> Option<KeptAnswer> {
    Some(KeptAnswer { status, body: serde_json::to_string(body).ok()? })
}

fn answer_to_one(decisions: &[Decision<Created>], now: DateTime<Utc>) -> Option<KeptAnswer> {
    let (radar, paused_since) = created(decisions.first()).ok()?;
    answer_text(201, &envelope::data(201, "Radar created", now, RadarRecord::of(radar, paused_since)))
}
