//! What the endpoints that create radars share: from a checked request to a radar that is being set up.

use actix_web::web::Data;
use serde_json::Value;

use super::call::{Answer, Call, with_data};
use super::state::ApiState;
use crate::domain::book::{Command, Creation, Outcome};
use crate::domain::ids::{AccountId, RadarId};
use crate::domain::radar::{NewRadar, PricingModel, Radar};
use crate::domain::rejection::FieldError;
use crate::domain::webhook_url::IsForbidden;
use crate::http::errors::Failure;
use crate::store::RadarAndPause;
use crate::wire::radar_record::RadarRecord;

/// Reads a body into what it asks for.
pub(super) type Read = fn(&Value, IsForbidden<'_>) -> Result<NewRadar, Vec<FieldError>>;

/// The whole of a single create.
pub(super) async fn one(mut call: Call, read: Read) -> Answer {
    let body = call.body().await?;
    let wanted = read(&body, &|address| !call.state.guard.permits(address))?;
    let account_id = call.account_id();
    let command = command(&call.state, wanted);
    let Outcome::Created(radar) = call.state.ledger.ask(account_id, command).await?? else {
        return Err(Failure::internal("the ledger answered a creation with something else"));
    };
    let created = started(&call.state, account_id, vec![*radar]).await;
    let Some((radar, paused_since)) = created.first() else {
        return Err(Failure::internal("a created radar is gone"));
    };
    with_data(201, "Radar created", call.now(), RadarRecord::of(radar, *paused_since))
}

/// The command that creates a radar, with a fresh identifier.
pub(super) fn command(state: &ApiState, wanted: NewRadar) -> Command {
    Command::Create(Box::new(Creation { radar_id: RadarId(state.ids.next(state.clock.now())), wanted }))
}

/// Wakes radars that were created, and says since when each is paused: one may be from its beginning (decision 1.2).
pub(super) async fn started(state: &Data<ApiState>, account_id: AccountId, radars: Vec<Radar>) -> Vec<RadarAndPause> {
    for radar in &radars {
        state.shards.rouse(account_id, radar.radar_id);
    }
    let can_be_paused = |radar: &Radar| radar.model == PricingModel::UpdateBased;
    let pauses = match radars.iter().any(can_be_paused) {
        // The radars exist: that their pause cannot be read must not look as if they did not.
        true => state.store.pauses(account_id).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "the pauses of new radars could not be read");
            Default::default()
        }),
        false => Default::default(),
    };
    let with_pause = |radar: Radar| {
        let paused_since = pauses.get(&radar.wanted.radar_type).copied().filter(|_| can_be_paused(&radar));
        (radar, paused_since)
    };
    radars.into_iter().map(with_pause).collect()
}
