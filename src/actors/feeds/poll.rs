//! One poll of a feed: under a claim, recorded, and its readers woken when the log has grown (decision 7.3).
//!
//! The source is asked with no transaction open. When a failed poll is repeated: `domain::scheduling::polling`.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use super::places::Entry;
use super::{PollFailure, PollResult, ScannerParts};
use domain::content;
use domain::ids::FeedId;
use domain::radar::set_up::Obstacle;
use domain::scheduling::attempts;
use domain::scheduling::polling::{self, PollIntervals};
use outbound::fetch::Validators;
use sources::{self, FeedKey, FeedPoll, Known, PollError};
use store::{ClaimedFeed, FeedRow, FeedValidators, NewLogItem, PollRecord, StoreError};

/// How often a claim is renewed while a poll takes long; a third of the shortest lease.
const RENEW_EVERY: Duration = Duration::from_secs(3);
/// How many new items one poll adds to a log at most; the others are still new at the next one.
const ITEMS_MAX: usize = 1_000;
/// Another process polls the feed, or the service stops.
const NOT_NOW: PollResult = Err(PollFailure::NotNow);

/// Polls a feed that is `claimed`, once its `entry` has a place, or for a set-up under a claim of its own; records the
/// result, and wakes the readers when the log has grown.
pub(super) async fn run(
    parts: &ScannerParts,
    feed_id: FeedId,
    claimed: Option<ClaimedFeed>,
    entry: Option<Entry>,
) -> Result<PollResult, StoreError> {
    let store = &parts.store;
    let is_for_set_up = claimed.is_none();
    let claimed = match claimed {
        Some(claimed) => Some(claimed),
        None => store.claim_feed(feed_id).await?,
    };
    let Some(claimed) = claimed else { return Ok(NOT_NOW) };
    let feed = &claimed.feed;
    // Without a lease its last rest is over.
    if attempts::is_to_blame(feed.open_attempts) && (feed.has_lease || is_for_set_up) {
        return rest(parts, &claimed).await;
    }
    let key = FeedKey { source_id: feed.source_id.clone(), token: feed.token.clone() };
    let fetching = Box::pin(fetch(parts, feed, &key, entry.as_ref()));
    let Some(polled) = while_claimed(parts, &claimed, fetching).await else { return Ok(NOT_NOW) };
    let now = parts.clock.now();
    let of_source = parts.catalog.get(&key.source_id).map(|source| source.poll_intervals);
    let intervals = PollIntervals::of(parts.poll_interval, of_source);
    let leave = |interval| entry.map_or(interval, |entry| entry.leave(interval));
    match polled? {
        // What a stop has cut short is due at once, for the next process.
        None | Some(Err(_)) if parts.web.is_stopping() => {
            store.put_off_poll(&claimed, Duration::ZERO).await?;
            Ok(NOT_NOW)
        }
        None => Ok(NOT_NOW),
        Some(Ok(poll)) => {
            parts.figures.note_items(&key.source_id, poll.items.len());
            let grows = !poll.items.is_empty();
            let interval = intervals.next(feed.poll_interval, grows);
            let record = to_record(poll, interval);
            let Some(head_seq) = store.record_poll(&claimed, record, now, leave(interval)).await? else {
                return Ok(NOT_NOW);
            };
            if grows {
                wake_readers(parts, feed_id).await?;
            }
            Ok(Ok(head_seq))
        }
        Some(Err(error)) => {
            let failures = u32::try_from(feed.failures + 1).unwrap_or(u32::MAX);
            let interval = intervals.current(feed.poll_interval);
            let next_in = leave(polling::retry_after(failures, interval, error.retry_after()));
            let class = error.class();
            parts.figures.note_failure(&key.source_id, class);
            let (message, obstacle, error) = (error.message(), error.obstacle(), error.reason());
            tracing::info!(%feed_id, source = %key.source_id, failures, error, "a poll failed");
            let record = PollRecord::Failed { message: message.clone(), error, class: Some(class) };
            store.record_poll(&claimed, record, now, next_in).await?;
            Ok(Err(PollFailure::Source { message, obstacle }))
        }
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
        validators: to_validators(&feed.validators),
        ..Known::default()
    };
    Ok(Some(sources::poll_feed(&parts.web, &parts.catalog, key, known).await))
}

/// Leaves a feed alone whose polls end the process, longer each time.
async fn rest(parts: &ScannerParts, claimed: &ClaimedFeed) -> Result<PollResult, StoreError> {
    let ClaimedFeed { feed, .. } = claimed;
    let error = format!("Its last {} polls ended the service; it is left alone for a while.", feed.open_attempts);
    tracing::warn!(feed_id = %feed.feed_id, attempts = feed.open_attempts, "polls of a feed end the process, it rests");
    let record = PollRecord::Failed { message: error.clone(), error: error.clone(), class: None };
    let next_in = attempts::rest_after(feed.open_attempts);
    parts.store.record_poll(claimed, record, parts.clock.now(), next_in).await?;
    Ok(Err(PollFailure::Source { message: error, obstacle: Obstacle::Inaccessible }))
}

/// Renews a claim for as long as `polling` takes; `None` when the claim was lost all the same. Neither stands still while the
/// other one waits for the database: each may be the next in line for it.
async fn while_claimed<T>(parts: &ScannerParts, claimed: &ClaimedFeed, polling: impl Future<Output = T>) -> Option<T> {
    let renewing = async {
        loop {
            parts.clock.sleep(RENEW_EVERY).await;
            match parts.store.renew_claim(claimed).await {
                Ok(false) => return,
                Ok(true) => {}
                // Nobody else can claim it either; if somebody has, the result is refused.
                Err(error) => tracing::debug!(feed_id = %claimed.feed.feed_id, %error, "a claim could not be renewed"),
            }
        }
    };
    tokio::select! {
        biased;
        polled = polling => Some(polled),
        () = renewing => None,
    }
}

fn to_record(poll: FeedPoll, interval: Duration) -> PollRecord {
    let is_cut_off = poll.items.len() > ITEMS_MAX;
    let items = poll.items.into_iter().take(ITEMS_MAX).map(|item| NewLogItem {
        native_id: item.native_id,
        content: content::size::bounded(serde_json::Value::Object(item.content).to_string()),
        role: item.role,
        dated_at: item.dated_at,
    });
    // The source must show the items that were cut off once more.
    let validators = if is_cut_off { Validators::default() } else { poll.validators };
    let Validators { etag, last_modified, body_hash } = validators;
    PollRecord::Succeeded {
        items: items.collect(),
        looked_at: poll.looked_at,
        validators: FeedValidators { etag, last_modified, body_hash },
        interval,
    }
}

fn to_validators(validators: &FeedValidators) -> Validators {
    let FeedValidators { etag, last_modified, body_hash } = validators.clone();
    Validators { etag, last_modified, body_hash }
}
