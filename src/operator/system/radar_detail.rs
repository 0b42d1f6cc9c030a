//! `GET /operator/v1/radars/{id}`: everything that is known of a radar of any account.

use serde_json::value::RawValue;

use crate::domain::ids::RadarId;
use crate::domain::rejection::{Missing, Rejection};
use crate::operator::call::Call;
use crate::store::{FeedReading, RadarDetail, StoredUpdate};
use crate::web::call::Answer;
use crate::web::errors::Failure;
use crate::wire::operator::system::{FeedRecord, RadarDetailRecord};
use crate::wire::public::radar_record::RadarRecord;
use crate::wire::time::Instant;

/// How many of its last updates are shown.
const UPDATES_SHOWN: u64 = 10;

/// One radar with its timer, its feeds and its last updates, newest first.
pub(crate) async fn show(call: Call) -> Answer {
    call.no_query()?;
    let radar_id = RadarId(call.id("id")?);
    let detail = call.state.shared.store.sweep_radar_detail(radar_id).await?;
    let detail = detail.ok_or(Rejection::NotFound(Missing::Radar))?;
    let updates = call.state.shared.store.last_updates(detail.radar.account_id, radar_id, UPDATES_SHOWN).await?;
    call.data(200, "Radar", record(&detail, updates)?)
}

fn record(detail: &RadarDetail, updates: Vec<StoredUpdate>) -> Result<RadarDetailRecord<'_>, Failure> {
    let radar = &detail.radar;
    let updates: Result<Vec<_>, _> = updates.into_iter().map(|update| RawValue::from_string(update.body)).collect();
    Ok(RadarDetailRecord {
        radar: RadarRecord::of(radar, detail.paused_since),
        account_id: radar.account_id.0,
        set_up: radar.set_up.as_str(),
        model: radar.model.as_str(),
        grace_period: radar.grace_period.as_str(),
        period_no: radar.period_no,
        wake_at: detail.wake_at.map(Instant),
        crashes: detail.crashes,
        last_error: detail.last_error.as_deref(),
        feeds: detail.feeds.iter().map(feed).collect(),
        updates: updates.map_err(Failure::internal)?,
    })
}

fn feed(reading: &FeedReading) -> FeedRecord<'_> {
    FeedRecord {
        feed_id: reading.feed_id.0,
        source: &reading.source_id,
        token: &reading.token,
        head_seq: reading.head_seq,
        read_seq: reading.read_seq,
        polled_at: reading.polled_at.map(Instant),
        succeeded_at: reading.succeeded_at.map(Instant),
        next_poll_at: reading.next_poll_at.map(Instant),
        last_error: reading.last_error.as_deref(),
    }
}
