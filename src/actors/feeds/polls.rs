//! Polls under way: those that are due, suspects alone, and those that a set-up asks for. Each reports its end.

use actix::{ActorFutureExt, AsyncContext, Context, WrapFuture};
use futures_util::FutureExt;
use futures_util::future::abortable;

use super::poll::{self, PollResult};
use super::{Asker, FeedScanner};
use crate::actors::runtime::isolation::Alone;
use crate::actors::runtime::mailbox::Mailbox;
use crate::domain::ids::FeedId;
use crate::store::{ClaimedFeed, StoreError};

/// A poll that has ended.
pub(super) struct Polled {
    pub(super) feed_id: FeedId,
    pub(super) was_suspect: bool,
    pub(super) result: Result<PollResult, StoreError>,
}

impl FeedScanner {
    /// Polls a feed alone whose last poll did not end.
    pub(super) fn try_suspect(&mut self, context: &mut Context<Self>) {
        if std::mem::replace(&mut self.has_suspect, true) {
            return;
        }
        let parts = self.parts.clone();
        let claiming = async move {
            let alone = parts.isolation.alone().await;
            (parts.store.sweep_claim_suspect_feed().await, alone)
        };
        context.spawn(claiming.into_actor(self).map(|(found, alone), scanner, context| match found {
            Ok(Some(claimed)) if scanner.is_draining => scanner.give_back(vec![claimed], context),
            Ok(Some(claimed)) => scanner.poll_claimed(claimed, Some(alone)),
            Ok(None) => scanner.has_suspect = false,
            Err(error) => {
                scanner.has_suspect = false;
                tracing::warn!(%error, "a suspect feed could not be claimed");
            }
        }));
    }

    /// Polls a feed that was claimed because it is due; a suspect alone.
    pub(super) fn poll_claimed(&mut self, claimed: ClaimedFeed, alone: Option<Alone>) {
        let feed_id = claimed.feed.feed_id;
        let (parts, report) = (self.parts.clone(), Report::new(feed_id, alone.is_some(), &self.itself));
        let (kept, at_work) = (claimed.clone(), parts.isolation.begin());
        let polling = async move {
            let attempt = poll::run(&parts, feed_id, Some(claimed));
            let result = match alone {
                Some(alone) => alone.run(attempt).await,
                None => attempt.await,
            };
            drop(at_work);
            report.send(result);
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
        let (parts, report) = (self.parts.clone(), Report::new(feed_id, false, &self.itself));
        actix::spawn(async move { report.send(poll::run(&parts, feed_id, None).await) });
    }
}

/// Tells the scanner that a poll has ended, however it comes.
struct Report {
    polled: Option<Polled>,
    scanner: Mailbox<FeedScanner>,
}

impl Report {
    fn new(feed_id: FeedId, was_suspect: bool, scanner: &Mailbox<FeedScanner>) -> Self {
        let polled = Polled { feed_id, was_suspect, result: Ok(PollResult::NotOurs) };
        Self { polled: Some(polled), scanner: scanner.clone() }
    }

    fn send(mut self, result: Result<PollResult, StoreError>) {
        if let Some(polled) = &mut self.polled {
            polled.result = result;
        }
    }
}

impl Drop for Report {
    fn drop(&mut self) {
        if let Some(polled) = self.polled.take() {
            self.scanner.notify(polled);
        }
    }
}
