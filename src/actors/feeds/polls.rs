//! Polls under way: those that are due, suspects alone, and those that a set-up asks for. Each reports its end.

use std::time::Duration;

use actix::{ActorFutureExt, AsyncContext, Context, WrapFuture};
use futures_util::FutureExt;
use futures_util::future::abortable;

use super::places::Entry;
use super::poll;
use super::{Asker, FeedScanner, PollFailure, PollResult, ScannerMessage};
use crate::runtime::claims::Claimant;
use crate::runtime::final_message::FinalMessage;
use crate::runtime::isolation::Alone;
use domain::ids::FeedId;
use store::{ClaimedFeed, StoreError};

/// A poll that has ended.
pub(super) struct Polled {
    pub(super) feed_id: FeedId,
    pub(super) was_suspect: bool,
    pub(super) result: Result<PollResult, StoreError>,
}

impl FeedScanner {
    pub(super) fn put_off(&mut self, claimed: ClaimedFeed, later: Duration, context: &mut Context<Self>) {
        let store = self.parts.store.clone();
        let putting_off = async move { store.put_off_poll(&claimed, later).await };
        context.spawn(putting_off.into_actor(self).map(|put_off, scanner, context| {
            if let Err(error) = put_off {
                tracing::warn!(%error, "a poll that found no place is left to the end of its lease");
            }
            // It has made room for another.
            scanner.look_soon(context);
        }));
    }

    pub(super) fn poll_claimed(&mut self, claimed: ClaimedFeed, alone: Option<Alone>, entry: Option<Entry>) {
        let feed_id = claimed.feed.feed_id;
        let (parts, kept, was_suspect) = (self.parts.clone(), claimed.clone(), alone.is_some());
        let polling = async move { Box::pin(poll::run(&parts, feed_id, Some(claimed), entry)).await };
        let polling = self.parts.isolation.run(alone, polling);
        let (polling, abort) = abortable(self.reported(feed_id, was_suspect, polling));
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
        let parts = self.parts.clone();
        let polling = async move { Box::pin(poll::run(&parts, feed_id, None, None)).await };
        actix::spawn(self.reported(feed_id, false, polling));
    }

    /// A poll whose end is reported, however it ends.
    fn reported<F: Future<Output = Result<PollResult, StoreError>>>(
        &self,
        feed_id: FeedId,
        was_suspect: bool,
        polling: F,
    ) -> impl Future<Output = ()> + use<F> {
        let polled = Polled { feed_id, was_suspect, result: Ok(Err(PollFailure::NotNow)) };
        let mut report = FinalMessage::new(&self.itself, ScannerMessage::Polled(polled));
        async move {
            let result = polling.await;
            if let Some(ScannerMessage::Polled(polled)) = report.message_mut() {
                polled.result = result;
            }
        }
    }
}
