//! `GET /operator/v1/why/{id}`: in one sentence, why a radar is as it is or has found nothing, why an update has not
//! arrived, or what an account may do.

use crate::operator::call::Call;
use crate::web::{Answer, Failure};
use domain::account_status::{self, hindrance};
use domain::radar::health;
use domain::radar::why::why;
use domain::{AccountId, Circumstances, FeedHealth, Missing, RadarId, UpdateId, UpdateType};
use store::{FeedCursor, RadarDetail, RadarEvent};
use wire::object;

/// Whatever has this identifier: a radar, an update or an account.
pub(crate) async fn show(call: Call) -> Answer {
    call.no_query()?;
    let (id, store) = (call.id("id")?, call.store());
    let (kind, sentence) = if let Some(detail) = store.any_radar_detail(RadarId(id)).await? {
        let last = store.radar_events(&detail.radar, None, 1).await?.updates.pop();
        ("radar", of_radar(&call, &detail, last.as_ref()).await?)
    } else if let Some(logged) = store.any_delivery(UpdateId(id)).await? {
        ("update", logged.outlook(call.now()).why().to_owned())
    } else if let Some(account) = store.account(AccountId(id)).await? {
        ("account", account_status::why(account.status, account.frozen.as_ref().map(|freeze| freeze.reason.as_str())))
    } else {
        return Err(Missing::Radar.into());
    };
    call.data(200, "Why", object! { kind, id, why: sentence })
}

/// Why a radar is as it is; `last` is its last update.
pub(super) async fn of_radar(call: &Call, detail: &RadarDetail, last: Option<&RadarEvent>) -> Result<String, Failure> {
    let (shared, radar, now) = (call.shared(), &detail.radar, call.now());
    let account = shared.store.account(radar.account_id).await?;
    let is_pushed = shared.catalog.has_push_source(radar.wanted.radar_type);
    let feeds: Vec<FeedHealth> = detail.feeds.iter().map(FeedCursor::health).collect();
    let last_failure = detail.feeds.iter().filter(|feed| feed.last_error.is_some()).max_by_key(|feed| feed.polled_at);
    let ended_by = last.and_then(RadarEvent::failure);
    let last_error = ended_by.as_deref().or(detail.set_up_error.as_deref());
    let last_finding = last.filter(|last| last.update_type == UpdateType::Finding);
    Ok(why(&Circumstances {
        radar,
        health: health::state(radar, detail.paused_since.is_some(), &feeds, is_pushed, now),
        account_is: account.and_then(|account| hindrance(account.status, account.frozen.is_some())),
        paused_since: detail.paused_since,
        feeds: feeds.len(),
        failing: feeds.iter().filter(|feed| feed.is_failing).count(),
        seen: detail.feeds.iter().filter(|feed| feed.succeeded_at.is_some()).count(),
        last_error: last_error.or_else(|| last_failure.and_then(|feed| feed.last_error.as_deref())),
        is_pushed,
        filtered_items: detail.feeds.iter().map(|feed| feed.filtered_items.unsigned_abs()).sum(),
        older_items: detail.feeds.iter().map(|feed| feed.older_items.unsigned_abs()).sum(),
        last_finding_at: last_finding.map(|last| last.discovered_at),
    }))
}
