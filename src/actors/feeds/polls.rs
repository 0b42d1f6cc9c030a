//! Polls under way: those that are due, suspects alone, and those that a set-up asks for. Each reports its end.

use futures_util::FutureExt;
use futures_util::future::abortable;

use super::poll::{self, PollResult};
use super::{Asker, FeedScanner};
use crate::actors::runtime::final_message::FinalMessage;
use crate::actors::runtime::isolation::Alone;
use crate::domain::ids::FeedId;
use crate::store::{ClaimedFeed, StoreError};

/// A poll that has ended.
pub(super) struct Polled {
    pub(super) feed_id: FeedId,
    pub(super) was_suspect: bool,
    pub(super) result: Result<PollResult, StoreError>,
}

impl FeedScanner {
    /// Polls a feed that was claimed because it is due; a suspect alone.
    pub(super) fn poll_claimed(&mut self, claimed: ClaimedFeed, alone: Option<Alone>) {
        let feed_id = claimed.feed.feed_id;
        let (parts, mut report) = (self.parts.clone(), self.report(feed_id, alone.is_some()));
        let (kept, at_work) = (claimed.clone(), parts.isolation.begin());
        let polling = async move {
            let polling = Box::pin(poll::run(&parts, feed_id, Some(claimed)));
            let result = match alone {
                Some(alone) => alone.run(polling).await,
                None => polling.await,
            };
            drop(at_work);
            if let Some(polled) = report.message_mut() {
                polled.result = result;
            }
        };
        let (polling, abort) = abortable(polling);
        actix::spawn(polling.map(drop));
        self.polling.entry(feed_id).or_default().claimed = Some((kept, abort));
    }

    /// Polls a feed for a set-up, due or not.
    pub(super) fn poll_for(&mut self, feed_id: FeedId, asker: Asker) {
        let polling = self.polling.entry(feed_id).or_default();
        polling.askers.push(asker);
        if polling.askers.len() > 1 || polling.claimed.is_some() {
            return;
        }
        let (parts, mut report) = (self.parts.clone(), self.report(feed_id, false));
        actix::spawn(async move {
            let result = Box::pin(poll::run(&parts, feed_id, None)).await;
            if let Some(polled) = report.message_mut() {
                polled.result = result;
            }
        });
    }

    /// The report of a poll, which is sent however the poll ends.
    fn report(&self, feed_id: FeedId, was_suspect: bool) -> FinalMessage<Self, Polled> {
        FinalMessage::new(&self.itself, Polled { feed_id, was_suspect, result: Ok(PollResult::NotOurs) })
    }
}
