//! `GET /v1/radars/{id}` (Spec 4.7).

use super::call::{Answer, Call, with_data};
use crate::domain::rejection::{Missing, Rejection};
use crate::wire::query;
use crate::wire::radar_record::RadarRecord;

/// One radar of the account.
pub(super) async fn get_radar(call: Call) -> Answer {
    query::none(call.query())?;
    let radar = call.state.store.radar(call.account_id(), call.radar_id()?).await?;
    let (radar, paused_since) = radar.ok_or(Rejection::NotFound(Missing::Radar))?;
    with_data(200, "Radar", call.now(), RadarRecord::of(&radar, paused_since))
}
