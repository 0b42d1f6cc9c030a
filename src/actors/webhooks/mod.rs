//! Sends what the outbox holds, a fair share for each account and endpoint, and records every attempt (decisions 5.1,
//! 5.5).
//!
//! New deliveries come from the ledger in memory, claimed in the transaction that wrote them; all others are claimed in
//! the table. An attempt runs as a task of its own, with no transaction open, and ends with a message, even when it panics;
//! results are recorded many at a time. The dispatcher holds no truth: what it forgets is due again when its lease ends.
//! Rules: `domain::delivery`. Transactions: `store::outbox`.
//!
//! Its claims are those of all due work (`store::claims`), but it has a loop of its own beside that of `runtime::due_work`:
//! most deliveries come in memory and are never looked for, what is looked for are endpoints, each with a gate, a lease
//! outlasts its attempt and is not renewed, and no attempt is a suspect.

mod alerts;
mod attempt;
mod figures;
mod handle;
mod recording;
mod sending;
mod table;

use std::rc::Rc;
use std::sync::Arc;

use actix::{Actor, Addr, Context, Handler, SpawnHandle};
use chrono::{DateTime, TimeDelta, Utc};
use parking_lot::Mutex;
use tokio::sync::{oneshot, watch};

use crate::runtime::{ExitGuard, GroupDelay, Mailbox, Posted};
use clock::Clock;
use domain::{EndpointLimiter, ReadyQueue, RetrySchedule, WaitingEndpoints};
use store::faults::Faults;
use store::{EndedAttempt, HandOver, Store};
use webhooks::attempt::Sender;

pub use figures::DispatchFigures;
pub use handle::{DispatcherHandle, start};

use attempt::{Ended, Outgoing};
use handle::Room;

/// How much longer than an attempt its lease lasts: room for waiting in memory, for recording it, and for clocks that
/// differ.
const LEASE_MARGIN: TimeDelta = TimeDelta::seconds(30);

/// The messages of the dispatcher.
#[expect(
    clippy::large_enum_variant,
    reason = "nearly all messages are of the largest kind, and each is boxed to be sent"
)]
enum DispatcherMessage {
    /// Look through the table: deliveries may have become due.
    Kick,
    /// A commit has written deliveries, and reserved places in that life of the dispatcher.
    Written { life: u64, written: HandOver },
    /// An attempt's task has ended.
    Ended(Ended),
    /// Claim nothing more, and where it is hasty give up what is under way instead of waiting for its time-out; answered
    /// once nothing is under way.
    Drain { done: oneshot::Sender<()>, is_hasty: bool },
}

/// What the dispatcher needs.
#[derive(Clone)]
pub struct DispatcherParts {
    /// The database.
    pub store: Arc<Store>,
    /// The time.
    pub clock: Clock,
    /// What sends one attempt.
    pub sender: Sender,
    /// When failed attempts are repeated.
    pub schedule: RetrySchedule,
    /// How many attempts may be under way.
    pub concurrency: usize,
    /// What operators see of its work.
    pub figures: DispatchFigures,
    /// Injected faults, for tests.
    pub faults: Faults,
}

impl DispatcherParts {
    fn timeout(&self) -> TimeDelta {
        TimeDelta::from_std(self.sender.timeout()).unwrap_or(TimeDelta::MAX / 4)
    }

    fn lease(&self) -> TimeDelta {
        self.timeout() + LEASE_MARGIN
    }
}

/// The actor.
pub struct WebhookDispatcher {
    parts: Rc<DispatcherParts>,
    mailbox: Mailbox<DispatcherMessage>,
    /// Shared with the ledger, which reserves places for what it hands over.
    room: Arc<Mutex<Room>>,
    /// Tells the attempts of this life from those of one that panicked.
    life: u64,
    ready: ReadyQueue<Outgoing>,
    waiting: WaitingEndpoints,
    /// Attempts that have ended and are not recorded yet, each with the host at which it still holds a place.
    ended: Vec<(EndedAttempt, Option<Arc<str>>)>,
    is_recording: bool,
    delay: GroupDelay,
    /// Whether the table is being read or claimed from.
    is_at_table: bool,
    /// Whether the table may hold deliveries that are not known here.
    is_stale: bool,
    /// When the table is read next, by the steady clock: a wall clock that is set back must not delay it.
    poll_at: DateTime<Utc>,
    errors: u32,
    timer: Option<(DateTime<Utc>, SpawnHandle)>,
    hurry: watch::Sender<bool>,
    draining: Option<Vec<oneshot::Sender<()>>>,
    _guard: ExitGuard,
}

impl Actor for WebhookDispatcher {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Context<Self>) {
        self.advance(context);
    }
}

impl WebhookDispatcher {
    fn begin_life(
        parts: Rc<DispatcherParts>,
        mailbox: Mailbox<DispatcherMessage>,
        room: Arc<Mutex<Room>>,
        guard: ExitGuard,
    ) -> Addr<Self> {
        let life = room.lock().life + 1;
        *room.lock() = Room { life, limiter: EndpointLimiter::new(parts.concurrency) };
        let poll_at = parts.clock.steady_now();
        let dispatcher = Self {
            parts,
            mailbox,
            room,
            life,
            ready: ReadyQueue::default(),
            waiting: WaitingEndpoints::default(),
            ended: Vec::new(),
            is_recording: false,
            delay: GroupDelay::default(),
            is_at_table: false,
            is_stale: true,
            poll_at,
            errors: 0,
            timer: None,
            hurry: watch::Sender::new(false),
            draining: None,
            _guard: guard,
        };
        dispatcher.start()
    }

    /// Does what can be done now; called after every event.
    fn advance(&mut self, context: &mut Context<Self>) {
        self.send_ready();
        self.record(context);
        self.visit_table(context);
        self.finish_drain();
        self.parts.figures.note(self.room.lock().limiter.in_flight(), self.ready.len());
    }

    fn finish_drain(&mut self) {
        let is_idle = self.ready.is_empty() && self.ended.is_empty() && !self.is_recording && !self.is_at_table;
        if !is_idle || self.room.lock().limiter.in_flight() > 0 {
            return;
        }
        for done in self.draining.iter_mut().flat_map(|waiting| waiting.drain(..)) {
            // The stop may have run out of time.
            done.send(()).ok();
        }
    }
}

impl Handler<Posted<DispatcherMessage>> for WebhookDispatcher {
    type Result = ();

    fn handle(&mut self, posted: Posted<DispatcherMessage>, context: &mut Context<Self>) {
        match posted.open() {
            DispatcherMessage::Kick => self.is_stale = true,
            DispatcherMessage::Written { life, written } => self.take_over(life, written),
            DispatcherMessage::Ended(ended) if ended.life == self.life => self.note_ended(ended),
            DispatcherMessage::Ended(_) => return,
            DispatcherMessage::Drain { done, is_hasty } => {
                self.room.lock().limiter.close();
                self.draining.get_or_insert_default().push(done);
                if is_hasty {
                    self.hurry.send_replace(true);
                }
                self.give_back_ready();
            }
        }
        self.advance(context);
    }
}

#[cfg(test)]
mod tests;
