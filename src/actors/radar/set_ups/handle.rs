//! The way to the scheduler, from any thread.

use super::SchedulerMessage;
use crate::runtime::mailbox::Mailbox;
use crate::runtime::metrics::{ActorMetrics, Kind};
use clock::Clock;

/// The way to the scheduler.
#[derive(Clone)]
pub struct SetUpsHandle {
    pub(super) mailbox: Mailbox<SchedulerMessage>,
    clock: Clock,
}

impl SetUpsHandle {
    /// The way to a scheduler that does not live yet.
    pub(crate) fn new(actor_metrics: &ActorMetrics, clock: &Clock) -> Self {
        Self { mailbox: Mailbox::new(Kind::SetUpScheduler, 1, actor_metrics, clock), clock: clock.clone() }
    }

    /// Says that a set-up is due.
    pub fn look(&self) {
        self.mailbox.notify(SchedulerMessage::Look);
    }

    /// Begins nothing any more, cuts off what is under way and gives its claims back, so that they do not count as
    /// attempts that never ended.
    pub async fn drain(&self) {
        // A scheduler that is gone has nothing under way.
        self.clock.hold(self.mailbox.ask_always(SchedulerMessage::Drain)).await;
    }
}
