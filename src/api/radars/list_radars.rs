//! `GET /v1/radars` (Spec 4.6, decision 3.3).

use crate::api::call::Call;
use crate::web::call::Answer;
use wire::cursor::RadarCursor;
use wire::public::query;
use wire::public::radar_page::RadarPage;
use wire::public::radar_record::RadarRecord;

/// A page of the account's radars, newest first.
pub(crate) async fn list_radars(call: Call) -> Answer {
    let (filter, limit) = query::radars(call.query())?;
    let (radars, has_more) = call.state.shared.store.radars(call.account_id(), &filter, limit as usize).await?;
    let last = radars.last().filter(|_| has_more);
    let next = last.map(|(radar, _)| RadarCursor { at: radar.created_at, id: radar.radar_id.0 });
    let records = radars.iter().map(|(radar, paused_since)| RadarRecord::of(radar, *paused_since)).collect();
    call.fields(200, "Radars", RadarPage::of(limit, records, next))
}
