//! The orderly end: polls under way get time; those that wait for a place or their host, and those that are cut off all
//! the same, are given back.

use actix::{Context, Handler};
use tokio::sync::oneshot;

use super::FeedScanner;
use crate::actors::runtime::claims::Claimant;
use crate::actors::runtime::mailbox::Posted;

/// Begin no poll any more, and let none wait; answer once none is under way.
pub(super) struct Drain {
    pub(super) done: oneshot::Sender<()>,
}

/// Cut off what is under way; answer once that is done.
pub(super) struct Cancel {
    pub(super) done: oneshot::Sender<()>,
}

impl Handler<Posted<Drain>> for FeedScanner {
    type Result = ();

    fn handle(&mut self, posted: Posted<Drain>, _: &mut Context<Self>) {
        self.places.close();
        self.parts.web.stop_waiting();
        self.drain(posted.open().done);
    }
}

impl Handler<Posted<Cancel>> for FeedScanner {
    type Result = ();

    fn handle(&mut self, posted: Posted<Cancel>, context: &mut Context<Self>) {
        let under_way = self.polling.drain().filter_map(|(_, polling)| polling.claimed);
        let claimed = under_way.map(|(claimed, abort)| {
            abort.abort();
            claimed
        });
        let claimed = claimed.collect();
        self.give_back(claimed, context);
        self.drain(posted.open().done);
    }
}
