//! `DELETE /v1/radars/{id}` (Spec 4.8, decision 1.10).

use crate::api::call::Call;
use crate::web::Answer;
use domain::account::Deactivated;
use domain::{Missing, Status};
use wire::public::radar_record::RadarRecord;

/// Ends a radar; one that is inactive is answered as it is.
pub(crate) async fn delete_radar(call: Call) -> Answer {
    const MESSAGE: &str = "Radar deactivated";
    call.no_query()?;
    let (account_id, radar_id) = (call.account_id(), call.radar_id()?);
    let found = call.store().radar(account_id, radar_id).await?;
    let (radar, _) = found.ok_or(Missing::Radar)?;
    if radar.status == Status::Inactive {
        return call.data(200, MESSAGE, RadarRecord::of(&radar, None));
    }
    let Deactivated(radar) = call.shared().shards.deactivate(account_id, radar_id).await??;
    call.data(200, MESSAGE, RadarRecord::of(&radar, None))
}
