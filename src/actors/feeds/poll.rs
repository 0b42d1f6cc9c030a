//! One poll of a feed: under a claim, recorded, and its readers woken when the log has grown (decision 7.3).
//!
//! The source is asked with no transaction open. What it answers with 500 is tried again with growing waits; see
//! [`retry_after`].

use std::sync::Arc;
use std::time::Duration;

use super::{PollFailure, ScannerParts};
use crate::actors::runtime::supervisor;
use crate::domain::content_size;
use crate::domain::ids::FeedId;
use crate::domain::radar::set_up::Obstacle;
use crate::domain::scheduling::attempts;
use crate::outbound::fetch::Validators;
use crate::sources::{self, FeedKey, FeedPoll, Known};
use crate::store::{ClaimedFeed, FeedValidators, NewLogItem, PollRecord, StoreError};

/// How often a claim is renewed while a poll takes long; a third of the shortest lease.
const RENEW_EVERY: Duration = Duration::from_secs(3);
/// The waits after failed polls.
const RETRY_MIN: Duration = Duration::from_secs(60);
const RETRY_MAX: Duration = Duration::from_secs(6 * 60 * 60);

/// How many new items one poll adds to a log at most; the others are still new at the next one.
const ITEMS_MAX: usize = 1_000;

/// What a poll came to.
pub(super) enum PollResult {
    /// The log stands at this number.
    Read(i64),
    /// The source did not answer well.
    Failed(PollFailure),
    /// Somebody else polls the feed.
    NotOurs,
}

/// When a feed is polled again after `failures` failed polls in a row; never sooner than the source asked for.
pub fn retry_after(failures: u32, interval: Duration, asked_for: Option<Duration>) -> Duration {
    let step = supervisor::backoff(failures, RETRY_MIN.min(interval), RETRY_MAX);
    step.max(asked_for.unwrap_or_default().min(RETRY_MAX))
}

/// Polls a feed under a claim (one of its own, for a set-up, unless it is `claimed`), records what came of it, and wakes its readers when its log has grown.
pub(super) async fn run(
    parts: &ScannerParts,
    feed_id: FeedId,
    claimed: Option<ClaimedFeed>,
) -> Result<PollResult, StoreError> {
    let store = &parts.store;
    let is_for_set_up = claimed.is_none();
    let claimed = match claimed {
        Some(claimed) => claimed,
        None => match store.sweep_claim_feed(feed_id).await? {
            Some(claimed) => claimed,
            None => return Ok(PollResult::NotOurs),
        },
    };
    let feed = &claimed.feed;
    // Without a lease its last rest is over.
    if attempts::is_to_blame(feed.open_attempts) && (feed.has_lease || is_for_set_up) {
        return rest(parts, &claimed).await;
    }
    parts.faults.pass("feed.poll", &feed.token);
    let key = FeedKey { source_id: feed.source_id.clone(), token: feed.token.clone() };
    let known = Known {
        first_poll: feed.succeeded_at.is_none(),
        ids: Arc::new(store.sweep_known_items(feed_id).await?),
        validators: to_validators(&feed.validators),
    };
    let polling = sources::poll_feed(&parts.web, &parts.catalog, &key, known);
    let Some(polled) = while_claimed(parts, &claimed, polling).await else { return Ok(PollResult::NotOurs) };
    let now = parts.clock.now();
    let interval = parts
        .poll_interval
        .or_else(|| parts.catalog.get(&key.source_id).map(sources::Source::poll_interval))
        .unwrap_or(RETRY_MAX);
    match polled {
        Ok(poll) => {
            let (record, grows) = to_record(poll);
            let Some(head_seq) = store.sweep_record_poll(&claimed, record, now, interval).await? else {
                return Ok(PollResult::NotOurs);
            };
            if grows {
                for (account_id, radar_id) in store.sweep_lagging_readers(feed_id).await? {
                    (parts.wake_reader)(account_id, radar_id);
                }
            }
            Ok(PollResult::Read(head_seq))
        }
        Err(fault) => {
            let failures = u32::try_from(feed.failures + 1).unwrap_or(u32::MAX);
            let next_in = retry_after(failures, interval, fault.retry_after());
            let (message, error) = (fault.to_string(), fault.reason());
            tracing::info!(feed.id = %feed_id, source = %key.source_id, failures, error, "a poll failed");
            let record = PollRecord::Failed { error };
            store.sweep_record_poll(&claimed, record, now, next_in).await?;
            Ok(PollResult::Failed(PollFailure::Source { message, obstacle: fault.obstacle() }))
        }
    }
}

/// Leaves a feed alone whose polls end the process, longer each time.
async fn rest(parts: &ScannerParts, claimed: &ClaimedFeed) -> Result<PollResult, StoreError> {
    let ClaimedFeed { feed, .. } = claimed;
    let error = format!("Its last {} polls ended the service; it is left alone for a while.", feed.open_attempts);
    tracing::warn!(feed.id = %feed.feed_id, attempts = feed.open_attempts, "polls of a feed end the process, it rests");
    let record = PollRecord::Rests { error: error.clone() };
    let next_in = attempts::rest_after(feed.open_attempts);
    parts.store.sweep_record_poll(claimed, record, parts.clock.now(), next_in).await?;
    Ok(PollResult::Failed(PollFailure::Source { message: error, obstacle: Obstacle::Refused }))
}

/// Renews a claim for as long as `polling` takes; `None` when the claim was lost all the same.
async fn while_claimed<T>(parts: &ScannerParts, claimed: &ClaimedFeed, polling: impl Future<Output = T>) -> Option<T> {
    let mut polling = std::pin::pin!(polling);
    loop {
        tokio::select! {
            biased;
            polled = &mut polling => return Some(polled),
            () = parts.clock.sleep(RENEW_EVERY) => match parts.store.sweep_renew_claim(claimed).await {
                Ok(false) => return None,
                Ok(true) => {}
                // Nobody else can claim it either; the result is refused if somebody has.
                Err(error) => tracing::debug!(feed.id = %claimed.feed.feed_id, %error, "a claim could not be renewed"),
            }
        }
    }
}

fn to_record(poll: FeedPoll) -> (PollRecord, bool) {
    let grows = !poll.items.is_empty();
    let is_cut_off = poll.items.len() > ITEMS_MAX;
    let items = poll.items.into_iter().take(ITEMS_MAX).map(|item| NewLogItem {
        native_id: item.native_id,
        content: content_size::bounded(serde_json::Value::Object(item.content).to_string()),
        position: item.position,
    });
    // What was left must be shown again.
    let validators = if is_cut_off { Validators::default() } else { poll.validators };
    let Validators { etag, last_modified, body_hash } = validators;
    let record = PollRecord::Succeeded {
        items: items.collect(),
        looked_at: poll.looked_at,
        validators: FeedValidators { etag, last_modified, body_hash },
    };
    (record, grows)
}

fn to_validators(validators: &FeedValidators) -> Validators {
    let FeedValidators { etag, last_modified, body_hash } = validators.clone();
    Validators { etag, last_modified, body_hash }
}

#[cfg(test)]
mod tests {
    use super::retry_after;
    use std::time::Duration;

    #[test]
    fn failed_polls_are_repeated_later_each_time_and_never_before_the_source_asked() {
        let hour = Duration::from_secs(3600);
        for (failures, asked_for_s, expected_s) in
            [(1, None, 60), (2, None, 120), (3, None, 240), (20, None, 21_600), (1, Some(900), 900), (2, Some(5), 120)]
        {
            let asked_for = asked_for_s.map(Duration::from_secs);
            assert_eq!(retry_after(failures, hour, asked_for), Duration::from_secs(expected_s), "{failures}");
        }
        assert_eq!(
            retry_after(1, Duration::from_secs(1), None),
            Duration::from_secs(1),
            "a short interval retries soon"
        );
    }
}
