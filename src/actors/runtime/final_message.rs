//! The report of a task that may panic or be cut off.

use actix::dev::ToEnvelope;
use actix::{Actor, Handler};

use super::mailbox::{Mailbox, Posted};

/// A message that is sent when this is dropped, however that comes.
pub struct FinalMessage<A, M>
where
    A: Actor + Handler<Posted<M>>,
    A::Context: ToEnvelope<A, Posted<M>>,
    M: Send + 'static,
{
    mailbox: Mailbox<A>,
    message: Option<M>,
}

impl<A, M> FinalMessage<A, M>
where
    A: Actor + Handler<Posted<M>>,
    A::Context: ToEnvelope<A, Posted<M>>,
    M: Send + 'static,
{
    /// Sends `message` when it is dropped.
    pub fn new(mailbox: &Mailbox<A>, message: M) -> Self {
        Self { mailbox: mailbox.clone(), message: Some(message) }
    }

    /// The message, which can be changed until it is sent.
    pub fn message_mut(&mut self) -> Option<&mut M> {
        self.message.as_mut()
    }
}

impl<A, M> Drop for FinalMessage<A, M>
where
    A: Actor + Handler<Posted<M>>,
    A::Context: ToEnvelope<A, Posted<M>>,
    M: Send + 'static,
{
    fn drop(&mut self) {
        if let Some(message) = self.message.take() {
            self.mailbox.notify(message);
        }
    }
}
