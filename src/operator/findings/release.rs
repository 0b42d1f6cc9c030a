//! `POST /operator/v1/radars/{id}/release` (decision 4.14).

use crate::operator::call::Call;
use crate::web::{Answer, Failure};
use domain::account::{Release, Released};
use domain::{CommandRejection, Missing, RadarId};
use wire::object;

/// Charges and publishes what a radar holds beyond the bound of its day, in order and as far as there is money.
pub(crate) async fn release(call: Call) -> Answer {
    let radar_id = RadarId(call.id("id")?);
    let shared = call.shared();
    let detail = shared.store.any_radar_detail(radar_id).await?.ok_or(Missing::Radar)?;
    let account_id = detail.radar.account_id;
    let (mut released, mut held, mut has_more) = (0, 0, true);
    while has_more {
        let answer = shared.ledger.ask(account_id, Release { radar_id }).await?;
        if let Err(rejection @ CommandRejection::Stopped) = answer {
            return Err(Failure::conflict("account", rejection));
        }
        let step: Released = answer?;
        released += step.released;
        (held, has_more) = (step.held, step.has_more);
    }
    // It may read on.
    shared.shards.wake(account_id, radar_id);
    call.data(200, "Held findings released", object! { radar_id, released, held })
}
