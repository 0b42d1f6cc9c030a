//! The one way to send: bounded, counted, and to an actor that may have been restarted meanwhile.
//!
//! actix does not bound mailboxes, does not tell the sender that an actor is dead, and does not show its queue. So every
//! message carries a slot: when none is left the sender gets an error at once, and what waits is counted until it is
//! handled.

use std::sync::{Arc, PoisonError, RwLock};

use actix::dev::ToEnvelope;
use actix::{Actor, Addr, Handler, Message};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::metrics::{ActorMetrics, Kind, Queued};
use crate::clock::{Busy, Clock};

/// The actor takes no more for now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the queue is full")]
pub struct Full;

/// A bounded way to an actor of kind `A`. Clones share the bound.
pub struct Mailbox<A: Actor> {
    address: Arc<RwLock<Option<Addr<A>>>>,
    slots: Arc<Semaphore>,
    actor_metrics: ActorMetrics,
    clock: Clock,
    kind: Kind,
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

impl<A: Actor> Mailbox<A> {
    /// A mailbox with room for `capacity` messages, whose actor does not live yet.
    pub fn new(kind: Kind, capacity: usize, actor_metrics: &ActorMetrics, clock: &Clock) -> Self {
        Self {
            address: Arc::default(),
            slots: Arc::new(Semaphore::new(capacity)),
            actor_metrics: actor_metrics.clone(),
            clock: clock.clone(),
            kind,
        }
    }

    /// Gives the mailbox its actor, or the next one after a restart.
    pub fn connect(&self, address: Addr<A>) {
        *self.address.write().unwrap_or_else(PoisonError::into_inner) = Some(address);
    }

    /// Sends a message if there is room. A message to an actor that has died is dropped, and its reply channel with it.
    ///
    /// # Errors
    /// [`Full`] when there is no room; nothing was sent.
    pub fn post<M>(&self, message: M) -> Result<(), Full>
    where
        A: Handler<Posted<M>>,
        A::Context: ToEnvelope<A, Posted<M>>,
        M: Send + 'static,
    {
        let Ok(slot) = self.slots.clone().try_acquire_owned() else {
            self.actor_metrics.refused(self.kind);
            return Err(Full);
        };
        self.send(message, Some(slot));
        Ok(())
    }

    /// Sends a message whose number is bounded elsewhere: a wake that coalesces, a report of a child, a drain.
    pub fn notify<M>(&self, message: M)
    where
        A: Handler<Posted<M>>,
        A::Context: ToEnvelope<A, Posted<M>>,
        M: Send + 'static,
    {
        self.send(message, None);
    }

    #[expect(clippy::disallowed_methods, reason = "the permit bounds the mailbox")]
    fn send<M>(&self, message: M, permit: Option<OwnedSemaphorePermit>)
    where
        A: Handler<Posted<M>>,
        A::Context: ToEnvelope<A, Posted<M>>,
        M: Send + 'static,
    {
        let slot = Slot { _permit: permit, _queued: self.actor_metrics.queued(self.kind), _busy: self.clock.busy() };
        let address = self.address.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(address) = &*address {
            address.do_send(Posted { message, slot });
        }
    }
}

impl<A: Actor> Clone for Mailbox<A> {
    fn clone(&self) -> Self {
        Self {
            address: self.address.clone(),
            slots: self.slots.clone(),
            actor_metrics: self.actor_metrics.clone(),
            clock: self.clock.clone(),
            kind: self.kind,
        }
    }
}
