//! `GET /operator/v1/radars`: looks for radars of all accounts.

use serde::Serialize;

use crate::operator::call::Call;
use crate::web::call::Answer;
use domain::ids::AccountId;
use domain::radar::search::COUNT_MAX;
use store::RadarAndPause;
use wire::cursor::RadarCursor;
use wire::envelope::Page;
use wire::object;
use wire::operator::radars;
use wire::public::radar_record::RadarRecord;

/// A page of the radars that are looked for, newest first, and how many there are: exactly up to [`COUNT_MAX`].
pub(crate) async fn list(call: Call) -> Answer {
    let (search, limit) = radars::search(call.query())?;
    let store = &call.state.shared.store;
    let count = store.all_radars_count(&search).await?;
    let (found, has_more) = store.all_radars_found(&search, limit as usize).await?;
    let last = found.last().filter(|_| has_more);
    let next = last.map(|(radar, _)| RadarCursor { at: radar.created_at, id: radar.radar_id.0 }.encode());
    let page = Page::of(found.iter().map(record).collect(), next);
    let answer = object! {
        #[serde(flatten)]
        page,
        count: count.min(COUNT_MAX),
        count_is_exact: count <= COUNT_MAX,
    };
    call.fields(200, "Radars", answer)
}

fn record((radar, paused_since): &RadarAndPause) -> impl Serialize {
    let account_id: AccountId = radar.account_id;
    object! { account_id, set_up: radar.set_up, #[serde(flatten)] radar: RadarRecord::of(radar, *paused_since) }
}
