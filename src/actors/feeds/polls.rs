//! Polls under way and those who wait for them: a feed that several set-ups ask for is polled once.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use tokio::sync::oneshot;

use super::{Feeds, PollFailure};
use domain::FeedId;
use store::StoreError;

/// Where the log of a polled feed stands, or why it could not be read.
pub(super) type PollResult = Result<i64, PollFailure>;

/// The feeds that are polled, or claimed to be polled, and who waits for each.
#[derive(Default)]
pub(super) struct Polls(RefCell<HashMap<FeedId, Asked>>);

#[derive(Default)]
struct Asked {
    is_under_way: bool,
    askers: Vec<oneshot::Sender<PollResult>>,
}

/// A poll under way. Those who wait get its result when it ends, however that comes.
pub(super) struct Polling {
    pub(super) feeds: Rc<Feeds>,
    feed_id: FeedId,
    result: PollResult,
}

impl Polls {
    /// Waits for the next result of a feed; and whether the caller is to claim it, because nobody has asked for it yet.
    pub(super) fn wait_for(&self, feed_id: FeedId) -> (oneshot::Receiver<PollResult>, bool) {
        let (asker, answer) = oneshot::channel();
        let mut polls = self.0.borrow_mut();
        let is_first = !polls.contains_key(&feed_id);
        polls.entry(feed_id).or_default().askers.push(asker);
        (answer, is_first)
    }

    /// A feed could not be claimed: those who wait are told so, unless it is polled because it was due.
    pub(super) fn give_up(&self, feed_id: FeedId) {
        if self.0.borrow().get(&feed_id).is_some_and(|asked| !asked.is_under_way) {
            self.answer(feed_id, &Err(PollFailure::NotNow));
        }
    }

    /// Forgets everything; those who wait ask again later.
    pub(super) fn forget(&self) {
        self.0.borrow_mut().clear();
    }

    fn answer(&self, feed_id: FeedId, result: &PollResult) {
        let asked = self.0.borrow_mut().remove(&feed_id).unwrap_or_default();
        for asker in asked.askers {
            // A set-up that was cut off asks again when it is repeated.
            asker.send(result.clone()).ok();
        }
    }
}

impl Polling {
    pub(super) fn begin(feeds: Rc<Feeds>, feed_id: FeedId) -> Self {
        feeds.polls.0.borrow_mut().entry(feed_id).or_default().is_under_way = true;
        Self { feeds, feed_id, result: Err(PollFailure::NotNow) }
    }

    /// Notes how the poll ended.
    pub(super) fn note(&mut self, polled: Result<PollResult, StoreError>) {
        self.result = polled.unwrap_or_else(|error| {
            tracing::warn!(feed_id = %self.feed_id, %error, "a poll could not be recorded");
            Err(PollFailure::NotNow)
        });
    }
}

impl Drop for Polling {
    fn drop(&mut self) {
        self.feeds.polls.answer(self.feed_id, &self.result);
    }
}
