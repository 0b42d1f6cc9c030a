//! `GET /v1/radars/{id}/health` (decisions 1.3, 4.11, 4.14).

use chrono::{DateTime, Utc};
use serde::Serialize;

use crate::api::call::Call;
use crate::web::Answer;
use domain::radar::health;
use domain::{FeedHealth, HealthState, Missing, Price, SetUp, Status};
use store::{FeedCursor, RadarDetail, RadarEvent};
use wire::public::radar_health::DailyBoundRecord;
use wire::{Instant, object};

/// How well a radar of the account can see.
pub(crate) async fn radar_health(call: Call) -> Answer {
    call.no_query()?;
    let (shared, now) = (call.shared(), call.now());
    let detail = shared.store.radar_detail(call.account_id(), call.radar_id()?).await?;
    let detail = detail.ok_or(Missing::Radar)?;
    let is_pushed = shared.catalog.has_push_source(detail.radar.wanted.radar_type);
    let prices = shared.store.price_list(detail.radar.account_id).await?;
    let price = prices.at(detail.radar.wanted.radar_type, now);
    let ended_by = match detail.radar.status {
        Status::Active => None,
        Status::Inactive => shared.store.radar_events(&detail.radar, None, 1).await?.updates.pop(),
    };
    let ended_by = ended_by.as_ref().and_then(RadarEvent::failure);
    call.record("Radar health", record(&detail, price, is_pushed, ended_by.as_deref(), now))
}

/// `ended_by` is what the failure said that ended it.
fn record<'a>(
    detail: &'a RadarDetail,
    price: Option<Price>,
    is_pushed: bool,
    ended_by: Option<&'a str>,
    now: DateTime<Utc>,
) -> impl Serialize + use<'a> {
    let RadarDetail { radar, paused_since, feeds, .. } = detail;
    let known: Vec<FeedHealth> = feeds.iter().map(FeedCursor::health).collect();
    let state = health::state(radar, paused_since.is_some(), &known, is_pushed, now);
    let last_failure = feeds.iter().filter(|feed| feed.failure_message.is_some()).max_by_key(|feed| feed.polled_at);
    let last_error = match radar.set_up {
        SetUp::Pending => detail.set_up_error.as_deref(),
        SetUp::Ready | SetUp::Failed => last_failure.and_then(|feed| feed.failure_message.as_deref()),
    };
    let next_poll_at = match state {
        HealthState::Ended | HealthState::Paused => None,
        HealthState::SettingUp => detail.set_up_due_at,
        HealthState::Watching | HealthState::Failing => feeds.iter().filter_map(|feed| feed.next_poll_at).min(),
    };
    object! {
        radar_id: radar.radar_id,
        state,
        status_reason: radar.status_reason,
        polled_at: feeds.iter().filter_map(|feed| feed.polled_at).max().map(Instant),
        succeeded_at: feeds.iter().filter_map(|feed| feed.succeeded_at).max().map(Instant),
        next_poll_at: next_poll_at.map(Instant),
        last_error: ended_by.or(last_error),
        ends_at: health::ends_at(&known).filter(|_| state == HealthState::Failing).map(Instant),
        filtered_items: feeds.iter().map(|feed| feed.filtered_items.unsigned_abs()).sum::<u64>(),
        older_items: feeds.iter().map(|feed| feed.older_items.unsigned_abs()).sum::<u64>(),
        sources: feeds.iter().map(source).collect::<Vec<_>>(),
        #[serde(flatten)]
        daily_bound: DailyBoundRecord::of(radar, price, now).map(|bound| object! { daily_bound: bound }),
    }
}

fn source(feed: &FeedCursor) -> impl Serialize {
    object! {
        source_id: &feed.source_id,
        polled_at: feed.polled_at.map(Instant),
        succeeded_at: feed.succeeded_at.map(Instant),
        next_poll_at: feed.next_poll_at.map(Instant),
        last_error: &feed.failure_message,
        filtered_items: feed.filtered_items.unsigned_abs(),
        older_items: feed.older_items.unsigned_abs(),
    }
}
