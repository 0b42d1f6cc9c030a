//! The orderly end: polls under way get time, and what is cut off all the same is given back.

use actix::{ActorFutureExt, AsyncContext, Context, Handler, WrapFuture};
use tokio::sync::oneshot;

use super::FeedScanner;
use crate::actors::runtime::mailbox::Posted;
use crate::store::ClaimedFeed;

/// No poll is to be begun any more; tells when none is under way.
pub(super) struct Drain {
    pub(super) done: oneshot::Sender<()>,
}

/// What is under way is to be cut off; tells when that is done.
pub(super) struct Cancel {
    pub(super) done: oneshot::Sender<()>,
}

impl FeedScanner {
    /// Gives claims back, so that they do not count as attempts that never ended.
    pub(super) fn give_back(&mut self, claimed: Vec<ClaimedFeed>, context: &mut Context<Self>) {
        self.giving_back += 1;
        let store = self.parts.store.clone();
        let releasing = async move { store.sweep_release_feeds(&claimed).await };
        context.spawn(releasing.into_actor(self).map(|released, scanner, _| {
            scanner.giving_back -= 1;
            if let Err(error) = released {
                tracing::warn!(%error, "polls that were cut off could not be given back");
            }
            scanner.finish_drain();
        }));
    }

    /// Says that no poll is under way any more, once that is so.
    pub(super) fn finish_drain(&mut self) {
        if self.is_draining && self.polling.is_empty() && !self.is_looking && self.giving_back == 0 {
            for done in self.draining.drain(..) {
                done.send(()).ok();
            }
        }
    }
}

impl Handler<Posted<Drain>> for FeedScanner {
    type Result = ();

    fn handle(&mut self, posted: Posted<Drain>, _: &mut Context<Self>) {
        self.is_draining = true;
        self.draining.push(posted.open().done);
        self.finish_drain();
    }
}

impl Handler<Posted<Cancel>> for FeedScanner {
    type Result = ();

    fn handle(&mut self, posted: Posted<Cancel>, context: &mut Context<Self>) {
        self.is_draining = true;
        self.draining.push(posted.open().done);
        let under_way = self.polling.drain().filter_map(|(_, polling)| polling.claimed);
        let claimed = under_way.map(|(claimed, abort)| {
            abort.abort();
            claimed
        });
        let claimed = claimed.collect();
        self.give_back(claimed, context);
    }
}
