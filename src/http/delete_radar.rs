//! `DELETE /v1/radars/{id}` (Spec 4.8, decision 1.10).

use super::call::{Answer, Call, with_data};
use super::errors::Failure;
use crate::domain::account::Outcome;
use crate::domain::radar::Status;
use crate::domain::rejection::{Missing, Rejection};
use crate::wire::query;
use crate::wire::radar_record::RadarRecord;

/// Ends a radar; one that is inactive is answered as it is.
pub(super) async fn delete_radar(call: Call) -> Answer {
    const MESSAGE: &str = "Radar deactivated";
    query::none(call.query())?;
    let (account_id, radar_id) = (call.account_id(), call.radar_id()?);
    let found = call.state.store.radar(account_id, radar_id).await?;
    let (radar, _) = found.ok_or(Rejection::NotFound(Missing::Radar))?;
    if radar.status == Status::Inactive {
        return with_data(200, MESSAGE, call.now(), RadarRecord::of(&radar, None));
    }
    let Outcome::Deactivated(radar) = call.state.shards.deactivate(account_id, radar_id).await?? else {
        return Err(Failure::internal("the ledger answered a deactivation with something else"));
    };
    with_data(200, MESSAGE, call.now(), RadarRecord::of(&radar, None))
}
