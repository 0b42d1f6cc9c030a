//! `GET /operator/v1/radars/{id}`: everything that is known of a radar of any account.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::operator::call::Call;
use crate::web::{Answer, Failure};
use domain::{Missing, ProfileKey, RadarId, UpdateFilter};
use sources::Ambiguity;
use store::{FeedCursor, RadarDetail, StoredProfile, StoredUpdate};
use wire::public::radar_health::DailyBoundRecord;
use wire::public::radar_record::RadarRecord;
use wire::{Instant, object};

/// How many of its last updates are shown.
const UPDATES_SHOWN: usize = 10;

/// One radar with its timer, its feeds and its last updates, newest first.
pub(crate) async fn show(call: Call) -> Answer {
    call.no_query()?;
    let radar_id = RadarId(call.id("id")?);
    let detail = call.store().any_radar_detail(radar_id).await?;
    let detail = detail.ok_or(Missing::Radar)?;
    let profile = match detail.radar.wanted.target.domain() {
        Some(domain) => call.store().company_profile(domain).await?,
        None => None,
    };
    let of_radar = UpdateFilter { radar_ids: vec![radar_id], is_newest_first: true, ..UpdateFilter::default() };
    let (updates, _) = call.store().updates(detail.radar.account_id, &of_radar, UPDATES_SHOWN).await?;
    let prices = call.store().price_list(detail.radar.account_id).await?;
    let (radar, now) = (&detail.radar, call.now());
    let daily_bound = DailyBoundRecord::of(radar, prices.at(radar.wanted.radar_type, now), now);
    call.record("Radar", record(&detail, profile.as_ref(), daily_bound, updates)?)
}

fn record(
    detail: &RadarDetail,
    profile: Option<&StoredProfile>,
    daily_bound: Option<DailyBoundRecord>,
    updates: Vec<StoredUpdate>,
) -> Result<impl Serialize, Failure> {
    let radar = &detail.radar;
    let updates: Result<Vec<_>, _> = updates.into_iter().map(|update| RawValue::from_string(update.body)).collect();
    Ok(object! {
        #[serde(flatten)]
        radar: RadarRecord::of(radar, detail.paused_since),
        account_id: radar.account_id,
        set_up: radar.set_up,
        model: radar.model,
        grace_period: radar.grace_period,
        period_no: radar.period_no,
        wake_at: detail.wake_at.map(Instant),
        #[serde(flatten)]
        daily_bound: daily_bound.map(|bound| object! { daily_bound: bound }),
        crashes: detail.crashes,
        last_error: &detail.last_error,
        feeds: detail.feeds.iter().map(feed).collect::<Vec<_>>(),
        profile: profile.map(profile_record),
        updates: updates.map_err(Failure::internal)?,
    })
}

fn profile_record(stored: &StoredProfile) -> impl Serialize {
    object! {
        looked_at: stored.looked_at.map(Instant),
        refresh_at: Instant(stored.refresh_at),
        last_error: &stored.last_error,
        // What makes a mention need a second sign; null for names that mean only the company.
        name_is_also: stored.profile.value(ProfileKey::Name).and_then(|name| Ambiguity::of(name).cause()),
        entries: stored.profile.entries(),
    }
}

fn feed(cursor: &FeedCursor) -> impl Serialize {
    object! {
        feed_id: cursor.feed_id,
        source: &cursor.source_id,
        token: &cursor.token,
        head_seq: cursor.head_seq,
        read_seq: cursor.read_seq,
        filtered_items: cursor.filtered_items,
        older_items: cursor.older_items,
        silent_seconds: cursor.silent_for.num_seconds(),
        polled_at: cursor.polled_at.map(Instant),
        succeeded_at: cursor.succeeded_at.map(Instant),
        next_poll_at: cursor.next_poll_at.map(Instant),
        last_error: &cursor.last_error,
    }
}
