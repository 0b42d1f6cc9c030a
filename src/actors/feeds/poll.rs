//! One poll of a feed: under a claim, recorded, and its readers woken when the log has grown (decision 7.3).
//!
//! The source is asked with no transaction open. When a failed poll is repeated: `domain::scheduling::polling`.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use tracing::field::Empty;
use tracing::{Instrument, Level};

use super::places::Entry;
use super::polls::PollResult;
use super::{PollFailure, ScannerParts};
use crate::runtime::Cause;
use domain::scheduling::attempts;
use domain::scheduling::polling::{self, PollIntervals};
use domain::{FailureClass, FeedId, Obstacle, content};
use outbound::fetch::Validators;
use sources::{self, FeedKey, FeedPoll, FoundItem, Known, PollError};
use store::{ClaimedFeed, DueTable, FeedReaders, FeedRow, NewLogItem, PollRecord, StoreError};

/// How many new items one poll adds to a log at most; the others are still new at the next one.
const ITEMS_MAX: usize = 1_000;
/// Another process polls the feed, or the service stops.
const NOT_NOW: PollResult = Err(PollFailure::NotNow);

/// Polls a feed that is claimed, once its `entry` has a place; records the result, and wakes the readers when the log has grown.
pub(super) async fn run(
    parts: &ScannerParts,
    claimed: &ClaimedFeed,
    cause: Cause,
    entry: Option<Entry>,
) -> Result<PollResult, StoreError> {
    let ClaimedFeed { feed, claim } = claimed;
    // Without a lease its last rest is over.
    if attempts::is_to_blame(claim.open_attempts) && (feed.has_lease || cause == Cause::Asked) {
        return rest(parts, claimed).await;
    }
    let (store, feed_id) = (&parts.store, feed.feed_id);
    let key = FeedKey { source_id: feed.source_id.clone(), token: feed.token.clone() };
    let polled = Box::pin(fetch(parts, feed, &key, entry.as_ref())).await?;
    let now = parts.clock.now();
    let of_source = parts.catalog.get(&key.source_id).map(|source| source.poll_intervals_at(parts.web.steady_now()));
    let intervals = PollIntervals::of(parts.poll_interval, of_source);
    let leave = |interval| entry.map_or(interval, |entry| entry.leave(interval));
    match polled {
        // What a stop has cut short is due at once, for the next process.
        None | Some(Err(_)) if parts.web.is_stopping() => {
            store.give_back(DueTable::Feeds, *claim, Duration::ZERO).await?;
            Ok(NOT_NOW)
        }
        None => Ok(NOT_NOW),
        Some(Ok(poll)) => {
            let items = poll.items.len();
            parts.figures.note(&key.source_id, |counts| counts.items += items as u64);
            let grows = items > 0;
            let interval = intervals.next(feed.poll_interval, grows);
            let record = to_record(poll, interval);
            let Some(head_seq) = store.record_poll(claimed, record, now, leave(interval)).await? else {
                return Ok(NOT_NOW);
            };
            if grows {
                log_growth(parts, feed, items).await;
                wake_readers(parts, feed_id).await?;
            }
            Ok(Ok(head_seq))
        }
        Some(Err(error)) => {
            let failures = u32::try_from(feed.failures + 1).unwrap_or(u32::MAX);
            let interval = intervals.current(feed.poll_interval);
            let next_in = leave(polling::retry_after(failures, interval, error.retry_after()));
            let class = error.class();
            parts.figures.note(&key.source_id, |counts| *counts.failures.entry(class).or_default() += 1);
            let (message, obstacle, error) = (error.message(), error.obstacle(), error.reason());
            let FeedReaders { radars, domain } = store.feed_readers(feed_id).await.unwrap_or_default();
            tracing::info!(%feed_id, source = %key.source_id, domain, radars, failures, error, "a poll failed");
            let record = PollRecord::Failed { message: message.clone(), error, class: Some(class) };
            store.record_poll(claimed, record, now, next_in).await?;
            Ok(Err(PollFailure::Source { message, obstacle }))
        }
    }
}

/// Looks for who reads the feed only where the line is wanted.
async fn log_growth(parts: &ScannerParts, feed: &FeedRow, items: usize) {
    if tracing::enabled!(Level::DEBUG) {
        let FeedReaders { radars, domain } = parts.store.feed_readers(feed.feed_id).await.unwrap_or_default();
        tracing::debug!(feed_id = %feed.feed_id, source = feed.source_id, domain, radars, items, "a poll shows something new");
    }
}

async fn wake_readers(parts: &ScannerParts, feed_id: FeedId) -> Result<(), StoreError> {
    for (account_id, radar_id) in parts.store.lagging_radars_of_feed(feed_id).await? {
        (parts.wake_reader)(account_id, radar_id);
    }
    Ok(())
}

/// Asks the source, once its `entry` has a place; `None` where there are no places any more.
async fn fetch(
    parts: &ScannerParts,
    feed: &FeedRow,
    key: &FeedKey,
    entry: Option<&Entry>,
) -> Result<Option<Result<FeedPoll, PollError>>, StoreError> {
    let _place = match entry {
        Some(entry) => {
            let Some(place) = entry.place().await else { return Ok(None) };
            Some(place)
        }
        None => None,
    };
    parts.faults.pass("feed.poll", &feed.token);
    let first_poll = feed.succeeded_at.is_none();
    let known = Known {
        first_poll,
        // Before its baseline a feed has shown nothing.
        ids: Arc::new(if first_poll { HashSet::new() } else { parts.store.known_items(feed.feed_id).await? }),
        validators: feed.validators.clone(),
        ..Known::default()
    };
    let began_at = parts.clock.steady_now();
    let span = tracing::trace_span!(
        target: "otlp", "poll", otel.kind = "client", feed_id = %feed.feed_id, source = key.source_id, items = Empty,
        class = Empty, error = Empty
    );
    let polled = sources::poll_feed(&parts.web, &parts.catalog, key, known).instrument(span.clone()).await;
    let class = polled.as_ref().err().map(PollError::class);
    span.record("items", polled.as_ref().ok().map(|poll| poll.items.len()));
    span.record("class", class.map(FailureClass::as_str)).record("error", polled.is_err());
    parts.figures.note_poll(&key.source_id, class, parts.clock.steady_now() - began_at);
    Ok(Some(polled))
}

/// Leaves a feed alone whose polls end the process, longer each time.
async fn rest(parts: &ScannerParts, claimed: &ClaimedFeed) -> Result<PollResult, StoreError> {
    let attempts = claimed.claim.open_attempts;
    let feed = &claimed.feed;
    let FeedReaders { radars, domain } = parts.store.feed_readers(feed.feed_id).await.unwrap_or_default();
    let error = format!("Its last {attempts} polls ended the service; it is left alone for a while.");
    tracing::warn!(feed_id = %feed.feed_id, domain, radars, attempts, "polls of a feed end the process, it rests");
    let record = PollRecord::Failed { message: error.clone(), error: error.clone(), class: None };
    let next_in = attempts::rest_after(attempts);
    parts.store.record_poll(claimed, record, parts.clock.now(), next_in).await?;
    Ok(Err(PollFailure::Source { message: error, obstacle: Obstacle::Inaccessible }))
}

fn to_record(poll: FeedPoll, interval: Duration) -> PollRecord {
    let is_cut_off = poll.items.len() > ITEMS_MAX;
    let items = poll.items.into_iter().take(ITEMS_MAX).map(to_log_item);
    // The source must show the items that were cut off once more.
    let validators = if is_cut_off { Validators::default() } else { poll.validators };
    PollRecord::Succeeded { items: items.collect(), looked_at: poll.looked_at, validators, interval }
}

fn to_log_item(item: FoundItem) -> NewLogItem {
    NewLogItem {
        native_id: item.native_id,
        content: content::size::bounded(serde_json::Value::Object(item.content).to_string()),
        role: item.role,
        dated_at: item.dated_at,
        page_url: item.page.as_ref().map(|page| page.url.clone()),
        body_hash: item.page.and_then(|page| page.body_hash.clone()),
        excerpt: item.excerpt,
    }
}
