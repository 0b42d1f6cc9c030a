//! The report of a task that may panic or be cut off.

use super::mailbox::Mailbox;

/// A message that is sent when this is dropped, however that comes.
pub struct FinalMessage<M: Send + 'static> {
    mailbox: Mailbox<M>,
    message: Option<M>,
}

impl<M: Send + 'static> FinalMessage<M> {
    /// Sends `message` when it is dropped.
    pub fn new(mailbox: &Mailbox<M>, message: M) -> Self {
        Self { mailbox: mailbox.clone(), message: Some(message) }
    }

    /// The message, which can be changed until it is sent.
    pub fn message_mut(&mut self) -> Option<&mut M> {
        self.message.as_mut()
    }
}

impl<M: Send + 'static> Drop for FinalMessage<M> {
    fn drop(&mut self) {
        if let Some(message) = self.message.take() {
            self.mailbox.notify(message);
        }
    }
}
