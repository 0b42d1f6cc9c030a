//! One request at a time on a connection.
//!
//! The stream and the answering of a request share a [`Exchange`]: while a request is answered, nothing is read but its body.
//! What a client sends ahead stays in the kernel, whose buffer is bounded.

use std::cell::Cell;
use std::rc::Rc;
use std::task::{Context, Waker};

/// Where a connection stands: what the service waits for on it. Clones share it.
#[derive(Clone, Default)]
pub(crate) struct Exchange(Rc<State>);

#[derive(Default)]
struct State {
    phase: Cell<Phase>,
    /// Requests that were begun.
    count: Cell<u64>,
    /// The connection, when it waits until it may read.
    reader: Cell<Option<Waker>>,
}

/// What the service waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Phase {
    /// For the head of a request.
    #[default]
    Head,
    /// For the body of the request.
    Body,
    /// For nothing from the client: a request is answered.
    Answer,
}

/// A request that is being answered, until the last of its answer is handed over.
pub(super) struct Answering(Exchange);

/// A body that is being read.
pub(crate) struct ReadingBody(Exchange);

impl Exchange {
    /// Lets the stream read the body of the request that is being answered, while the returned value lives.
    pub(crate) fn read_body(&self) -> ReadingBody {
        self.enter(Phase::Body);
        ReadingBody(self.clone())
    }

    pub(super) fn phase(&self) -> Phase {
        self.0.phase.get()
    }

    /// How many requests were begun on the connection.
    pub(super) fn count(&self) -> u64 {
        self.0.count.get()
    }

    /// Wakes the task of `context` when the phase changes.
    pub(super) fn wake_on_change(&self, context: &Context<'_>) {
        self.0.reader.set(Some(context.waker().clone()));
    }

    pub(super) fn answer(&self) -> Answering {
        self.0.count.set(self.count().wrapping_add(1));
        self.enter(Phase::Answer);
        Answering(self.clone())
    }

    fn enter(&self, phase: Phase) {
        self.0.phase.set(phase);
        if let Some(reader) = self.0.reader.take() {
            reader.wake();
        }
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.enter(Phase::Head);
    }
}

impl Drop for ReadingBody {
    fn drop(&mut self) {
        if self.0.phase() == Phase::Body {
            self.0.enter(Phase::Answer);
        }
    }
}
