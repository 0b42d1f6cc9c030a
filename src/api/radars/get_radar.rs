//! `GET /v1/radars/{id}` (Spec 4.7).

use crate::api::call::Call;
use crate::web::Answer;
use domain::Missing;
use wire::public::radar_record::RadarRecord;

/// One radar of the account.
pub(crate) async fn get_radar(call: Call) -> Answer {
    call.no_query()?;
    let radar = call.store().radar(call.account_id(), call.radar_id()?).await?;
    let (radar, paused_since) = radar.ok_or(Missing::Radar)?;
    call.record("Radar", RadarRecord::of(&radar, paused_since))
}
