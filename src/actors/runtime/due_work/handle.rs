//! The way to an engine.

use tokio::sync::oneshot;

use super::Cause;
use crate::runtime::mailbox::Mailbox;
use crate::runtime::metrics::{ActorMetrics, Kind};
use clock::Clock;
use store::Claim;

/// The messages of the engine.
pub(super) enum WorkMessage<T> {
    /// Something may be due.
    Look,
    /// Begin a piece that was claimed because somebody asked for it.
    Begin(T),
    /// A piece has ended.
    Ended(Claim, Cause),
    /// Begin nothing any more, and where it is hasty cut off what is under way; answered once nothing is.
    Drain { done: oneshot::Sender<()>, is_hasty: bool },
}

/// The way to an engine, from any thread.
pub(crate) struct WorkHandle<T: Send + 'static> {
    pub(super) mailbox: Mailbox<WorkMessage<T>>,
    clock: Clock,
}

impl<T: Send + 'static> WorkHandle<T> {
    /// The way to an engine that does not live yet, and counts as an actor of `kind`.
    pub(crate) fn new(kind: Kind, actor_metrics: &ActorMetrics, clock: &Clock) -> Self {
        Self { mailbox: Mailbox::new(kind, 1, actor_metrics, clock), clock: clock.clone() }
    }

    /// Says that something may be due.
    pub(crate) fn look(&self) {
        self.mailbox.notify(WorkMessage::Look);
    }

    /// Begins a claimed piece, due or not.
    pub(crate) fn begin(&self, claimed: T) {
        self.mailbox.notify(WorkMessage::Begin(claimed));
    }

    /// Begins nothing any more, and waits until nothing is under way.
    pub(crate) async fn drain(&self) {
        self.stop(false).await;
    }

    /// Begins nothing any more, cuts off what is under way and gives its claims back, so that they do not count as attempts
    /// that never ended.
    pub(crate) async fn cancel(&self) {
        self.stop(true).await;
    }

    async fn stop(&self, is_hasty: bool) {
        // An engine that is gone has nothing under way.
        self.clock.hold(self.mailbox.ask_always(|done| WorkMessage::Drain { done, is_hasty })).await;
    }
}

impl<T: Send + 'static> Clone for WorkHandle<T> {
    fn clone(&self) -> Self {
        Self { mailbox: self.mailbox.clone(), clock: self.clock.clone() }
    }
}
