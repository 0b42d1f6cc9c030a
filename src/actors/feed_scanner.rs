//! Polls the feeds that somebody reads, each once for all who read it, and wakes those readers when there is something
//! new (decision 7.3).
//!
//! A feed is claimed in the database before it is polled, so that any number of processes poll it once. What a source
//! answers with 500 is tried again with growing waits; see [`retry_after`].

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use actix::{Actor, ActorFutureExt, AsyncContext, Context, Handler, SpawnHandle, WrapFuture};
use chrono::{DateTime, Utc};
use tokio::sync::oneshot;

use super::census::{Census, Kind};
use super::keeper::{self, ExitGuard};
use super::mailbox::{Mailbox, Posted};
use super::shards::Shards;
use crate::clock::Clock;
use crate::domain::ids::FeedId;
use crate::outbound::fetch::{Validators, Web};
use crate::sources::{self, Catalog, FeedKey, FeedPoll, Known};
use crate::store::{ClaimedFeed, FeedValidators, NewLogItem, PollRecord, Store, StoreError};

/// How many feeds are polled at the same time.
const POLLS_MAX: usize = 32;
/// How long a claim lasts; a process that dies leaves its feeds alone for this long. A long poll renews its claim.
const LEASE: Duration = Duration::from_secs(30);
/// How often due feeds are looked for, whatever the timers say.
const LOOK_EVERY: Duration = Duration::from_secs(15);
/// How soon a poll is asked for again that another process has claimed, or that the database did not take.
const ASK_AGAIN_AFTER: Duration = Duration::from_secs(1);
/// The waits after failed polls.
const RETRY_MIN: Duration = Duration::from_secs(60);
const RETRY_MAX: Duration = Duration::from_secs(6 * 60 * 60);

/// A first look that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PollFailure {
    /// What went wrong, in a sentence.
    pub message: String,
    /// Whether another try may go better.
    pub is_worth_retrying: bool,
}

/// When a feed is polled again after `failures` failed polls in a row; never sooner than the source asked for.
pub fn retry_after(failures: u32, interval: Duration, asked_for: Option<Duration>) -> Duration {
    let step = keeper::backoff(failures, RETRY_MIN.min(interval), RETRY_MAX);
    step.max(asked_for.unwrap_or_default().min(RETRY_MAX))
}

/// What the scanner needs.
#[derive(Clone)]
pub struct ScannerParts {
    /// The database.
    pub store: Arc<Store>,
    /// The time.
    pub clock: Clock,
    /// Fetches from targets.
    pub web: Web,
    /// The sources.
    pub catalog: Arc<Catalog>,
    /// The readers.
    pub shards: Shards,
    /// Replaces every source's own interval.
    pub poll_interval: Option<Duration>,
}

/// The way to the scanner.
#[derive(Clone)]
pub struct ScannerHandle {
    mailbox: Mailbox<FeedScanner>,
    clock: Clock,
}

impl ScannerHandle {
    /// Makes sure that a feed was polled at or after `since`, and answers with the last number of its log.
    ///
    /// # Errors
    /// [`PollFailure`] when the source did not answer well.
    pub async fn poll_since(&self, feed_id: FeedId, since: DateTime<Utc>) -> Result<i64, PollFailure> {
        let (answer, polled) = oneshot::channel();
        let busy = PollFailure { message: "Too many feeds are being polled.".to_owned(), is_worth_retrying: true };
        self.mailbox.post(PollSince { feed_id, since, answer }).map_err(|_| busy.clone())?;
        polled.await.unwrap_or(Err(busy))
    }

    /// Hints that a feed may be due.
    pub fn look(&self) {
        self.mailbox.notify(Look);
    }

    /// Waits until no poll is under way; none is begun any more.
    pub async fn drain(&self) {
        let (done, drained) = oneshot::channel();
        self.mailbox.notify(Drain { done });
        // A scanner that is gone polls nothing.
        self.clock.io(drained).await.ok();
    }
}

/// Starts the scanner on this thread; it is kept alive.
pub fn start(parts: &ScannerParts, census: &Census, queue: usize) -> ScannerHandle {
    let mailbox = Mailbox::new(Kind::FeedScanner, queue, census, &parts.clock);
    let (factory_parts, itself) = (parts.clone(), mailbox.clone());
    keeper::keep(Kind::FeedScanner, census, &parts.clock, &mailbox, move |guard| {
        FeedScanner::new(factory_parts.clone(), itself.clone(), guard).start()
    });
    ScannerHandle { mailbox, clock: parts.clock.clone() }
}

struct PollSince {
    feed_id: FeedId,
    since: DateTime<Utc>,
    answer: Asker,
}

struct Look;

struct Drain {
    done: oneshot::Sender<()>,
}

type Asker = oneshot::Sender<Result<i64, PollFailure>>;

/// A poll that has ended.
struct Polled {
    feed_id: FeedId,
    result: Result<PollResult, StoreError>,
}

/// What a poll came to.
enum PollResult {
    /// The log stands at this number.
    Read(i64),
    /// The source did not answer well.
    Failed(PollFailure),
    /// Somebody else polls the feed.
    NotOurs,
}

/// The actor.
pub struct FeedScanner {
    parts: ScannerParts,
    itself: Mailbox<Self>,
    /// The feeds under way, and who waits for them.
    polling: HashMap<FeedId, Vec<Asker>>,
    is_looking: bool,
    look_again: bool,
    timer: Option<SpawnHandle>,
    draining: Vec<oneshot::Sender<()>>,
    is_draining: bool,
    _guard: ExitGuard,
}

impl Actor for FeedScanner {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        self.look(context);
    }
}

impl FeedScanner {
    fn new(parts: ScannerParts, itself: Mailbox<Self>, guard: ExitGuard) -> Self {
        Self {
            parts,
            itself,
            polling: HashMap::new(),
            is_looking: false,
            look_again: false,
            timer: None,
            draining: Vec::new(),
            is_draining: false,
            _guard: guard,
        }
    }

    /// Claims what is due, polls it, and sets the timer for what comes next.
    fn look(&mut self, context: &mut Context<Self>) {
        if self.is_looking {
            self.look_again = true;
            return;
        }
        let room = POLLS_MAX.saturating_sub(self.polling.len());
        if room == 0 || self.is_draining {
            return;
        }
        self.is_looking = true;
        let ScannerParts { store, clock, .. } = self.parts.clone();
        let claiming = async move {
            let now = clock.now();
            let claimed = store.sweep_claim_due_feeds(now, now + LEASE, room as u64).await?;
            let next_at = store.sweep_next_poll_at().await?;
            Ok::<_, StoreError>((claimed, next_at))
        };
        context.spawn(claiming.into_actor(self).map(|found, scanner, context| {
            scanner.is_looking = false;
            let now = scanner.parts.clock.now();
            let mut look_at = now + scanner.parts.clock.backstop(LOOK_EVERY);
            match found {
                Ok((claimed, next_at)) => {
                    look_at = next_at.unwrap_or(look_at).min(look_at).max(now + Duration::from_millis(50));
                    for feed in claimed {
                        scanner.poll(feed.feed.feed_id, Some(feed));
                    }
                }
                Err(error) => {
                    tracing::warn!(%error, "the due feeds could not be claimed");
                    look_at = now + ASK_AGAIN_AFTER;
                }
            }
            scanner.look_at(look_at, context);
            if std::mem::take(&mut scanner.look_again) {
                scanner.look(context);
            }
        }));
    }

    fn look_at(&mut self, at: DateTime<Utc>, context: &mut Context<Self>) {
        if let Some(timer) = self.timer.take() {
            context.cancel_future(timer);
        }
        let clock = self.parts.clock.clone();
        let sleep = async move { clock.sleep_until(at).await };
        self.timer = Some(context.spawn(sleep.into_actor(self).map(|(), scanner, context| scanner.look(context))));
    }

    /// Begins a poll outside the mailbox; it reports back.
    fn poll(&mut self, feed_id: FeedId, claimed: Option<ClaimedFeed>) {
        self.polling.entry(feed_id).or_default();
        let (parts, itself) = (self.parts.clone(), self.itself.clone());
        actix::spawn(async move {
            let result = poll_claimed(&parts, feed_id, claimed).await;
            itself.notify(Polled { feed_id, result });
        });
    }
}

impl Handler<Posted<PollSince>> for FeedScanner {
    type Result = ();

    fn handle(&mut self, posted: Posted<PollSince>, context: &mut Context<Self>) {
        let PollSince { feed_id, since, answer } = posted.open();
        let store = self.parts.store.clone();
        let known = async move { store.sweep_feed(feed_id).await };
        context.spawn(known.into_actor(self).map(move |feed, scanner, _| {
            match feed.ok().flatten().filter(|feed| feed.succeeded_at.is_some_and(|at| at >= since)) {
                Some(feed) => drop(answer.send(Ok(feed.head_seq))),
                None => match scanner.polling.get_mut(&feed_id) {
                    Some(askers) => askers.push(answer),
                    None => {
                        scanner.polling.insert(feed_id, vec![answer]);
                        scanner.poll(feed_id, None);
                    }
                },
            }
        }));
    }
}

impl Handler<Posted<Polled>> for FeedScanner {
    type Result = ();

    fn handle(&mut self, posted: Posted<Polled>, context: &mut Context<Self>) {
        let Polled { feed_id, result } = posted.open();
        let askers = self.polling.remove(&feed_id).unwrap_or_default();
        let answer = match result {
            Ok(PollResult::Read(head_seq)) => Ok(head_seq),
            Ok(PollResult::Failed(failure)) => Err(failure),
            Ok(PollResult::NotOurs) => {
                Err(PollFailure { message: "The feed is being polled elsewhere.".to_owned(), is_worth_retrying: true })
            }
            Err(error) => {
                tracing::warn!(feed.id = %feed_id, %error, "a poll could not be recorded");
                Err(PollFailure { message: "The poll could not be recorded.".to_owned(), is_worth_retrying: true })
            }
        };
        for asker in askers {
            // A set-up that was cut off asks again when it is repeated.
            asker.send(answer.clone()).ok();
        }
        if self.is_draining && self.polling.is_empty() {
            for done in self.draining.drain(..) {
                done.send(()).ok();
            }
        }
        self.look(context);
    }
}

impl Handler<Posted<Look>> for FeedScanner {
    type Result = ();

    fn handle(&mut self, posted: Posted<Look>, context: &mut Context<Self>) {
        posted.open();
        self.look(context);
    }
}

impl Handler<Posted<Drain>> for FeedScanner {
    type Result = ();

    fn handle(&mut self, posted: Posted<Drain>, _: &mut Context<Self>) {
        self.is_draining = true;
        let done = posted.open().done;
        if self.polling.is_empty() {
            done.send(()).ok();
        } else {
            self.draining.push(done);
        }
    }
}

/// Polls a feed under a claim, records what came of it, and wakes its readers when its log has grown.
async fn poll_claimed(
    parts: &ScannerParts,
    feed_id: FeedId,
    claimed: Option<ClaimedFeed>,
) -> Result<PollResult, StoreError> {
    let store = &parts.store;
    let claimed = match claimed {
        Some(claimed) => claimed,
        None => {
            let now = parts.clock.now();
            match store.sweep_claim_feed(feed_id, now, now + LEASE).await? {
                Some(claimed) => claimed,
                None => return Ok(PollResult::NotOurs),
            }
        }
    };
    let feed = &claimed.feed;
    let key = FeedKey { source_id: feed.source_id.clone(), token: feed.token.clone() };
    let known_items = store.sweep_known_items(feed_id).await?;
    let known = Known {
        first_poll: feed.succeeded_at.is_none(),
        is_known: &|native_id| known_items.contains(native_id),
        validators: to_validators(&feed.validators),
    };
    let polling = sources::poll_feed(&parts.web, &parts.catalog, &key, known);
    let Some(polled) = while_claimed(parts, &claimed, polling).await? else { return Ok(PollResult::NotOurs) };
    let now = parts.clock.now();
    let interval = parts
        .poll_interval
        .or_else(|| parts.catalog.get(&key.source_id).map(sources::Source::poll_interval))
        .unwrap_or(RETRY_MAX);
    match polled {
        Ok(poll) => {
            let (record, grows) = to_record(poll);
            let Some(head_seq) = store.sweep_record_poll(&claimed, record, now, now + interval).await? else {
                return Ok(PollResult::NotOurs);
            };
            if grows {
                for (account_id, radar_id) in store.sweep_lagging_readers(feed_id).await? {
                    parts.shards.rouse(account_id, radar_id);
                }
            }
            Ok(PollResult::Read(head_seq))
        }
        Err(fault) => {
            let failures = u32::try_from(feed.failures + 1).unwrap_or(u32::MAX);
            let next_at = now + retry_after(failures, interval, fault.retry_after());
            let failure = PollFailure { message: fault.to_string(), is_worth_retrying: fault.is_transient() };
            tracing::info!(feed.id = %feed_id, source = %key.source_id, failures, error = %fault, "a poll failed");
            let record = PollRecord::Failed { error: failure.message.clone() };
            store.sweep_record_poll(&claimed, record, now, next_at).await?;
            Ok(PollResult::Failed(failure))
        }
    }
}

/// Renews a claim for as long as `polling` takes; `None` when the claim was lost all the same.
async fn while_claimed<T>(
    parts: &ScannerParts,
    claimed: &ClaimedFeed,
    polling: impl Future<Output = T>,
) -> Result<Option<T>, StoreError> {
    let mut polling = std::pin::pin!(polling);
    loop {
        tokio::select! {
            biased;
            polled = &mut polling => return Ok(Some(polled)),
            () = parts.clock.sleep(LEASE / 3) => {
                if !parts.store.sweep_renew_claim(claimed, parts.clock.now() + LEASE).await? {
                    return Ok(None);
                }
            }
        }
    }
}

fn to_record(poll: FeedPoll) -> (PollRecord, bool) {
    let grows = !poll.items.is_empty();
    let items = poll.items.into_iter().map(|item| NewLogItem {
        native_id: item.native_id,
        content: serde_json::Value::Object(item.content).to_string(),
        position: item.position,
    });
    let Validators { etag, last_modified, body_hash } = poll.validators;
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
