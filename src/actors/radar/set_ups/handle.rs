//! The way to the scheduler, from any thread.

use tokio::sync::oneshot;

use super::{Drain, Look, SetUpScheduler};
use crate::actors::runtime::mailbox::Mailbox;
use crate::actors::runtime::metrics::{ActorMetrics, Kind};
use crate::clock::Clock;

/// The way to the scheduler.
#[derive(Clone)]
pub struct SetUpsHandle {
    mailbox: Mailbox<SetUpScheduler>,
    clock: Clock,
}

impl SetUpsHandle {
    /// The way to a scheduler that does not live yet.
    pub(in crate::actors) fn new(actor_metrics: &ActorMetrics, clock: &Clock) -> Self {
        Self { mailbox: Mailbox::new(Kind::SetUpScheduler, 1, actor_metrics, clock), clock: clock.clone() }
    }

    pub(super) fn mailbox(&self) -> &Mailbox<SetUpScheduler> {
        &self.mailbox
    }

    /// Says that a set-up is due.
    pub fn look(&self) {
        self.mailbox.notify(Look);
    }

    /// Begins nothing any more, cuts off what is under way and gives its claims back, so that they do not count as
    /// attempts that never ended.
    pub async fn drain(&self) {
        let (done, drained) = oneshot::channel();
        self.mailbox.notify(Drain { done });
        // A scheduler that is gone has nothing under way.
        self.clock.hold(drained).await.ok();
    }
}
