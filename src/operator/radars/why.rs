//! `GET /operator/v1/why/{id}`: in one sentence, why a radar is as it is or has found nothing, why an update has not
//! arrived, or what an account may do.

use crate::operator::call::Call;
use crate::web::call::Answer;
use crate::web::errors::Failure;
use domain::account_status::AccountStatus;
use domain::delivery::DeliveryState;
use domain::ids::{AccountId, RadarId, UpdateId};
use domain::radar::health::{self, FeedHealth};
use domain::radar::update::UpdateType;
use domain::radar::why::{Circumstances, why};
use domain::rejection::Missing;
use serde_json::Value;
use store::{Account, FeedCursor, RadarDetail, RadarEvent};
use wire::object;

/// Whatever has this identifier: a radar, an update or an account.
pub(crate) async fn show(call: Call) -> Answer {
    call.no_query()?;
    let (id, store) = (call.id("id")?, &call.state.shared.store);
    let (kind, sentence) = if let Some(detail) = store.any_radar_detail(RadarId(id)).await? {
        let last = store.radar_events(&detail.radar, None, 1).await?.updates.pop();
        ("radar", of_radar(&call, &detail, last.as_ref()).await?)
    } else if let Some(logged) = store.any_delivery(UpdateId(id)).await? {
        let outlook = logged.outlook(call.now());
        let sentence = match (logged.delivery.state, outlook.reason) {
            (DeliveryState::Delivered, _) | (_, None) => "It was delivered.".to_owned(),
            (_, Some(reason)) => reason.sentence().to_owned(),
        };
        ("update", sentence)
    } else if let Some(account) = store.account(AccountId(id)).await? {
        ("account", of_account(&account))
    } else {
        return Err(Missing::Radar.into());
    };
    call.data(200, "Why", object! { kind, id, why: sentence })
}

/// Why a radar is as it is; `last` is its last update.
pub(super) async fn of_radar(call: &Call, detail: &RadarDetail, last: Option<&RadarEvent>) -> Result<String, Failure> {
    let (shared, radar, now) = (&call.state.shared, &detail.radar, call.now());
    let account = shared.store.account(radar.account_id).await?;
    let is_pushed = shared.catalog.has_push_source(radar.wanted.radar_type);
    let feeds: Vec<FeedHealth> = detail.feeds.iter().map(FeedCursor::health).collect();
    let last_failure = detail.feeds.iter().filter(|feed| feed.last_error.is_some()).max_by_key(|feed| feed.polled_at);
    let ended_by = last.filter(|last| last.update_type == UpdateType::Failure).and_then(message);
    let last_error = ended_by.as_deref().or(detail.set_up_error.as_deref());
    let last_finding = last.filter(|last| last.update_type == UpdateType::Finding);
    Ok(why(&Circumstances {
        radar,
        health: health::state(radar, detail.paused_since.is_some(), &feeds, is_pushed, now),
        account_is: account.as_ref().and_then(hindrance),
        paused_since: detail.paused_since,
        feeds: feeds.len(),
        failing: feeds.iter().filter(|feed| feed.is_failing).count(),
        seen: detail.feeds.iter().filter(|feed| feed.succeeded_at.is_some()).count(),
        last_error: last_error.or_else(|| last_failure.and_then(|feed| feed.last_error.as_deref())),
        is_pushed,
        filtered_items: detail.feeds.iter().map(|feed| u64::try_from(feed.filtered_items).unwrap_or_default()).sum(),
        last_finding_at: last_finding.map(|last| last.discovered_at),
    }))
}

/// What the payload of a failure says.
fn message(failure: &RadarEvent) -> Option<String> {
    let body: Value = serde_json::from_str(&failure.body).ok()?;
    Some(body["content"]["message"].as_str()?.to_owned())
}

fn hindrance(account: &Account) -> Option<&'static str> {
    match (account.status, &account.frozen) {
        (_, Some(_)) => Some("frozen"),
        (AccountStatus::Inactive, None) => Some("stopped"),
        (AccountStatus::Active, None) => None,
    }
}

fn of_account(account: &Account) -> String {
    match (account.status, &account.frozen) {
        (_, Some(freeze)) => format!("It is frozen: {}.", freeze.reason.trim_end_matches('.')),
        (AccountStatus::Inactive, None) => {
            "An operator has stopped it: nothing is watched, charged or delivered.".to_owned()
        }
        (AccountStatus::Active, None) => "It is active.".to_owned(),
    }
}
