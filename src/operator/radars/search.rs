//! `GET /operator/v1/radars`: looks for radars of all accounts.

use serde::Serialize;

use crate::operator::call::Call;
use crate::web::Answer;
use domain::AccountId;
use store::RadarAndPause;
use wire::operator::radars;
use wire::public::radar_record::RadarRecord;
use wire::{Page, RadarCursor, object};

/// A page of the radars that are looked for, newest first, and how many there are, as far as they are counted.
pub(crate) async fn list(call: Call) -> Answer {
    let (search, limit) = radars::search(call.query())?;
    let store = call.store();
    let found = store.all_radars_found(&search, limit as usize).await?;
    let last = found.radars.last().filter(|_| found.has_more);
    let next = last.map(|(radar, _)| RadarCursor { at: radar.created_at, id: radar.radar_id.0 }.encode());
    let page = Page::of(found.radars.iter().map(record).collect(), next);
    let answer = object! {
        #[serde(flatten)]
        page,
        count: found.count,
        count_is_exact: found.count_is_exact,
    };
    call.fields(200, "Radars", answer)
}

fn record((radar, paused_since): &RadarAndPause) -> impl Serialize {
    let account_id: AccountId = radar.account_id;
    object! { account_id, set_up: radar.set_up, #[serde(flatten)] radar: RadarRecord::of(radar, *paused_since) }
}
