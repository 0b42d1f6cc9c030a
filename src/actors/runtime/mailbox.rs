//! The one way to send: bounded, counted, and to an actor that may have been restarted meanwhile.
//!
//! actix does not bound mailboxes, does not tell the sender that an actor is dead, and does not show its queue. So every
//! message carries a slot: when none is left the sender gets an error at once, and what waits is counted until it is
//! handled.

use std::sync::Arc;

use actix::{Message, Recipient};
use parking_lot::RwLock;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use super::metrics::{ActorMetrics, Kind, Queued};
use clock::{Busy, Clock};

/// The actor takes no more for now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the queue is full")]
pub struct Full;

/// A bounded way to an actor that takes messages `M`. Clones share the bound.
pub struct Mailbox<M: Send + 'static>(Arc<MailboxState<M>>);

pub(super) struct MailboxState<M: Send + 'static> {
    address: RwLock<Option<Recipient<Posted<M>>>>,
    slots: Arc<Semaphore>,
    pub(super) actor_metrics: ActorMetrics,
    pub(super) clock: Clock,
    pub(super) kind: Kind,
}

/// A message in its slot.
pub struct Posted<M> {
    message: M,
    slot: Slot,
}

/// A place in a queue, and proof that something waits: freed when dropped.
pub struct Slot {
    _permit: Option<OwnedSemaphorePermit>,
    _queued: Queued,
    _busy: Option<Busy>,
}

impl<M> Posted<M> {
    /// The message, out of its slot: it counts as handled from here on.
    pub fn open(self) -> M {
        self.message
    }

    /// The message and its slot, for an actor that keeps a queue of its own.
    pub fn keep(self) -> (M, Slot) {
        (self.message, self.slot)
    }
}

impl<M: 'static> Message for Posted<M> {
    type Result = ();
}

impl<M: Send + 'static> Mailbox<M> {
    /// A mailbox with room for `capacity` messages, whose actor does not live yet.
    pub fn new(kind: Kind, capacity: usize, actor_metrics: &ActorMetrics, clock: &Clock) -> Self {
        let (actor_metrics, clock) = (actor_metrics.clone(), clock.clone());
        let slots = Arc::new(Semaphore::new(capacity));
        Self(Arc::new(MailboxState { address: RwLock::default(), slots, actor_metrics, clock, kind }))
    }

    /// Gives the mailbox its actor, or the next one after a restart.
    pub fn connect(&self, address: impl Into<Recipient<Posted<M>>>) {
        *self.0.address.write() = Some(address.into());
    }

    /// What the mailbox belongs to.
    pub(super) fn shared(&self) -> &MailboxState<M> {
        &self.0
    }

    /// Sends a message if there is room. A message to an actor that has died is dropped, and its reply channel with it.
    ///
    /// # Errors
    /// [`Full`] when there is no room; nothing was sent.
    pub fn post(&self, message: M) -> Result<(), Full> {
        let Ok(slot) = self.0.slots.clone().try_acquire_owned() else {
            self.0.actor_metrics.note(self.0.kind, |figures| figures.refused += 1);
            return Err(Full);
        };
        self.send(message, Some(slot));
        Ok(())
    }

    /// Sends a message whose number is bounded elsewhere: a wake that coalesces, a report of a child, a drain.
    pub fn notify(&self, message: M) {
        self.send(message, None);
    }

    /// [Posts](Self::post) a message that is answered through a channel; `None` when the actor died before it answered.
    ///
    /// # Errors
    /// [`Full`] when there is no room; nothing was sent.
    pub async fn ask<T>(&self, message: impl FnOnce(oneshot::Sender<T>) -> M) -> Result<Option<T>, Full> {
        let (reply, answer) = oneshot::channel();
        self.post(message(reply))?;
        Ok(answer.await.ok())
    }

    /// The same for a message whose number is bounded elsewhere.
    pub async fn ask_always<T>(&self, message: impl FnOnce(oneshot::Sender<T>) -> M) -> Option<T> {
        let (reply, answer) = oneshot::channel();
        self.notify(message(reply));
        answer.await.ok()
    }

    #[expect(clippy::disallowed_methods, reason = "the permit bounds the mailbox")]
    fn send(&self, message: M, permit: Option<OwnedSemaphorePermit>) {
        let MailboxState { address, actor_metrics, clock, kind, .. } = &*self.0;
        let slot = Slot { _permit: permit, _queued: actor_metrics.queued(*kind), _busy: clock.busy() };
        if let Some(address) = &*address.read() {
            address.do_send(Posted { message, slot });
        }
    }
}

impl<M: Send + 'static> Clone for Mailbox<M> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}
