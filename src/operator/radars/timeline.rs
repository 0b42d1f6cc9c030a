//! `GET /operator/v1/radars/{id}/timeline`: what happened to a radar, newest first, and why it is as it is.

use serde::Serialize;
use serde_json::value::RawValue;
use uuid::Uuid;

use super::why;
use crate::operator::call::Call;
use crate::web::{Answer, Failure};
use domain::radar::why::kept_out_by;
use domain::{LedgerTx, Missing, RadarId, Showing};
use store::{Evidence, FeedCursor, LogItem, RadarDetail, RadarEvent};
use wire::operator::radars;
use wire::{Instant, Usd, object};

/// How many of the last items of each feed are looked at for what was kept out.
const ITEMS_SHOWN: u64 = 20;

/// The updates of a radar with their charges and deliveries, its charges as a subscription, and the last items that it has
/// read and does not report, each with the rules that keep it out as they are now.
pub(crate) async fn show(call: Call) -> Answer {
    let radar_id = RadarId(call.id("id")?);
    let (before_seq, limit) = radars::timeline(call.query())?;
    let store = call.store();
    let detail = store.any_radar_detail(radar_id).await?.ok_or(Missing::Radar)?;
    let events = store.radar_events(&detail.radar, before_seq, limit as usize).await?;
    let newest = match before_seq {
        None => None,
        Some(_) => store.radar_events(&detail.radar, None, 1).await?.updates.pop(),
    };
    let sentence = why::of_radar(&call, &detail, newest.as_ref().or(events.updates.first())).await?;
    let next = events.updates.last().filter(|_| events.has_more).map(|last| last.update_seq.to_string());
    let mut kept_out = Vec::new();
    for feed in &detail.feeds {
        let items = store.last_items(feed.feed_id, feed.read_seq, ITEMS_SHOWN).await?;
        for item in items {
            kept_out.extend(unreported(&call, &detail, feed, item)?);
        }
    }
    let record_ids: Vec<Uuid> = events.updates.iter().filter_map(|event| event.record_id).collect();
    let mut evidence = store.evidence(radar_id, &record_ids).await?;
    let mut updates = Vec::new();
    for event in &events.updates {
        let evidence = event.record_id.and_then(|record_id| evidence.remove(&record_id));
        updates.push(update(&call, event, evidence)?);
    }
    let answer = object! {
        radar_id,
        why: sentence,
        created_at: Instant(detail.radar.created_at),
        deactivated_at: detail.radar.deactivated_at.map(Instant),
        updates,
        charges: events.charges.iter().map(charge).collect::<Vec<_>>(),
        kept_out,
        next_cursor: next,
    };
    call.data(200, "Timeline", answer)
}

fn update(call: &Call, event: &RadarEvent, evidence: Option<Evidence>) -> Result<impl Serialize + use<>, Failure> {
    let delivery = event.delivery.as_ref().map(|logged| {
        let outlook = logged.outlook(call.now());
        object! {
            state: logged.delivery.state,
            attempts: logged.delivery.attempts,
            url: logged.url.clone(),
            reason: outlook.reason,
            finished_at: logged.finished_at.map(Instant),
        }
    });
    Ok(object! {
        update_id: event.update_id,
        update_type: event.update_type,
        discovered_at: Instant(event.discovered_at),
        detected_at: Instant(event.detected_at),
        charge: event.charge.as_ref().map(charge),
        delivery,
        evidence: evidence.map(read_at),
        payload: RawValue::from_string(event.body.clone()).map_err(Failure::internal)?,
    })
}

/// Where a finding was read, beside what its payload says.
fn read_at(evidence: Evidence) -> impl Serialize {
    let Evidence { source_id, page_url, body_hash, excerpt } = evidence;
    object! { source_id, page_url, excerpt, body_hash }
}

fn charge(tx: &LedgerTx) -> impl Serialize + use<> {
    object! { seq: tx.tx_seq, kind: tx.kind, amount_usd: Usd(tx.amount), at: Instant(tx.at) }
}

/// An item that the radar has read and does not report; `None` for those that it does.
fn unreported(
    call: &Call,
    detail: &RadarDetail,
    feed: &FeedCursor,
    item: LogItem,
) -> Result<Option<impl Serialize + use<>>, Failure> {
    let source = call.shared().catalog.get(&feed.source_id);
    let shows = source.map_or(Showing::SNAPSHOT, |source| source.shows);
    let rules = kept_out_by(&detail.radar, shows, &item.role, &item.content, item.dated_at);
    if rules.is_empty() {
        return Ok(None);
    }
    Ok(Some(object! {
        source_id: feed.source_id.clone(),
        detected_at: Instant(item.detected_at),
        dated_at: item.dated_at.map(Instant),
        kept_out_by: rules,
        content: RawValue::from_string(item.content).map_err(Failure::internal)?,
    }))
}
