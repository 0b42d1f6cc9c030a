//! Findings of a radar: the items of its feeds that it has not read. The ledger decides what is published and charged.

use super::outcome::TurnError;
use super::parts::RadarParts;
use domain::account::{CursorMove, Finding, Origin, Provenance, Report};
use domain::content::event::FindingEvent;
use domain::ids::record_id;
use domain::{Radar, RadarType, Showing};
use store::{FeedCursor, LogItem};

/// How many items of a feed one intent carries at most.
const ITEMS_MAX: u64 = 100;
/// How many bytes of content one intent carries at most, unless a single item has more.
const INTENT_BYTES_MAX: usize = 1024 * 1024;
/// How many items of a feed one turn reads at most; then other radars have a turn.
const TURN_ITEMS_MAX: usize = 1_000;

/// Reports the unread items that the radar wants and that are not older than itself; its cursor moves in the same
/// transaction. A radar that holds as many findings as a day allows reads no further. Answers whether more is left than one
/// turn reads.
pub(super) async fn read_feed(parts: &RadarParts, radar: &mut Radar, cursor: &FeedCursor) -> Result<bool, TurnError> {
    let (mut read_seq, mut read) = (cursor.read_seq, 0);
    let source = parts.catalog.get(&cursor.source_id);
    let shows = source.map_or(Showing::SNAPSHOT, |source| source.shows);
    while read_seq < cursor.head_seq && radar.daily.full_since.is_none() {
        if read >= TURN_ITEMS_MAX {
            return Ok(true);
        }
        let mut items = parts.store.items_after(cursor.feed_id, read_seq, ITEMS_MAX).await?;
        items.truncate(within(items.iter().map(|item| item.content.len())));
        let Some(to_seq) = items.last().map(|item| item.seq) else { return Ok(false) };
        read += items.len();
        let all = items.len();
        let is_baseline = |item: &LogItem| shows.is_baseline(item.dated_at, radar.created_at);
        let older = items.extract_if(.., |item| is_baseline(item)).count();
        let wanted = items.into_iter().filter(|item| radar.wanted.wants(&item.role, &item.content));
        let findings: Vec<Finding> = wanted.map(|item| finding(cursor, radar.wanted.radar_type, item)).collect();
        let kept_out = all - findings.len();
        let cursor_move = CursorMove {
            feed_id: cursor.feed_id,
            from_seq: read_seq,
            to_seq,
            filtered: u32::try_from(kept_out).unwrap_or(u32::MAX),
            older: u32::try_from(older).unwrap_or(u32::MAX),
        };
        let command = Report { radar_id: radar.radar_id, findings, cursor: Some(cursor_move) };
        match parts.ledger.ask(radar.account_id, command).await? {
            Ok(outcome) if outcome.is_watching && !outcome.is_stale && !outcome.is_full => {
                radar.daily = outcome.daily;
                parts.scanner.figures().note(&cursor.source_id, |counts| {
                    counts.findings += outcome.published.len() as u64;
                    counts.older += older as u64;
                });
                read_seq = to_seq;
            }
            _ => return Ok(false),
        }
    }
    Ok(false)
}

/// How many items of these lengths one intent carries.
fn within(lengths: impl Iterator<Item = usize>) -> usize {
    let mut bytes = 0;
    let mut fits = |length: usize| {
        bytes += length;
        bytes <= INTENT_BYTES_MAX
    };
    lengths.take_while(|length| fits(*length)).count().max(1)
}

fn finding(cursor: &FeedCursor, radar_type: RadarType, item: LogItem) -> Finding {
    Finding {
        record_id: record_id(&cursor.source_id, &item.native_id),
        event: FindingEvent::of(radar_type, &item.content),
        content: item.content,
        detected_at: item.detected_at,
        origin: Origin::Web,
        provenance: Some(Provenance::Item { feed_id: cursor.feed_id, seq: item.seq }),
    }
}
