//! The way to the scanner.

use std::rc::Rc;

use chrono::{DateTime, Utc};

use super::{Feeds, ScannerParts, SourceFigures};
use crate::runtime::WorkHandle;
use domain::{FeedId, Obstacle};
use store::{ClaimedFeed, DueTable, StoreError};

/// How many readers are woken at once after a pause; the housekeeper finds the others.
const LAGGING_MAX: u64 = 1_000;

/// Why a poll for a set-up failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PollFailure {
    /// The source could not be read.
    #[error("{message}")]
    Source {
        /// What went wrong, in a sentence.
        message: String,
        /// What that says about the target.
        obstacle: Obstacle,
    },
    /// The source was not asked: another process has the feed, or the database is away. Ask again later.
    #[error("the feed cannot be polled now")]
    NotNow,
}

/// The way to the scanner. Lives on the actors' thread.
#[derive(Clone)]
pub struct ScannerHandle {
    pub(super) feeds: Rc<Feeds>,
    pub(super) engine: WorkHandle<ClaimedFeed>,
}

impl ScannerHandle {
    /// The figures of the sources.
    pub fn figures(&self) -> &SourceFigures {
        &self.feeds.parts.figures
    }

    /// Makes sure that a feed was polled at or after `since`, and answers with the last number of its log. It is polled at
    /// once, due or not, and for all that ask meanwhile.
    pub async fn poll_since(&self, feed_id: FeedId, since: DateTime<Utc>) -> Result<i64, PollFailure> {
        let known = self.feeds.parts.store.feed(feed_id).await.ok().flatten();
        if let Some(feed) = known.filter(|feed| feed.succeeded_at.is_some_and(|at| at >= since)) {
            return Ok(feed.head_seq);
        }
        let (polled, is_first) = self.feeds.polls.wait_for(feed_id);
        if is_first {
            // By itself: the caller may be cut off, and others wait as well.
            let scanner = self.clone();
            actix::spawn(async move { scanner.claim(feed_id).await });
        }
        polled.await.unwrap_or(Err(PollFailure::NotNow))
    }

    async fn claim(&self, feed_id: FeedId) {
        match self.feeds.parts.store.claim_feed(feed_id).await {
            Ok(Some(claimed)) => return self.engine.begin(claimed),
            Ok(None) => {}
            Err(error) => tracing::warn!(%feed_id, %error, "a feed could not be claimed"),
        }
        self.feeds.polls.give_up(feed_id);
    }

    /// Says that a feed may be due, here and to the other processes.
    pub fn kick(&self) {
        self.look();
        let store = self.feeds.parts.store.clone();
        actix::spawn(async move { store.hint(DueTable::Feeds).await });
    }

    /// Has this process look for due feeds.
    pub fn look(&self) {
        self.engine.look();
    }

    /// Says that a pause has ended: its radars have items to read, and feeds to be polled.
    pub fn resume(&self) {
        let scanner = self.clone();
        actix::spawn(async move {
            if let Err(error) = scanner.wake_paused().await {
                tracing::warn!(%error, "the readers that were paused could not be found");
            }
            scanner.kick();
        });
    }

    async fn wake_paused(&self) -> Result<(), StoreError> {
        let ScannerParts { store, wake_reader, .. } = &self.feeds.parts;
        store.wake_feeds().await?;
        for (account_id, radar_id) in store.all_lagging_radars(LAGGING_MAX).await? {
            wake_reader(account_id, radar_id);
        }
        Ok(())
    }

    /// Begins no poll any more, lets none wait for its place, and waits until none is under way.
    pub async fn drain(&self) {
        self.feeds.places.close();
        self.feeds.parts.web.stop_waiting();
        self.engine.drain().await;
    }

    /// Cuts off what is under way and gives its claims back, so that it does not count as an attempt that never ended.
    pub async fn cancel(&self) {
        self.engine.cancel().await;
    }
}
