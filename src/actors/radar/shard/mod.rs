//! The parent of the radars of the accounts that hash to it: it fires their reminders, starts, restarts and lets go
//! their actors.
//!
//! The reminder of a radar is durable: `radar.wake_at` in the database. A shard reads those of the next ten minutes from
//! an index (`window`), sets a timer for the first of each account (`reminders`), and fires those of an account
//! together, whether or not an actor is resident: renewals go to the ledger, account by account (`settling`), and a
//! radar with something else to do takes a turn (`children`).

mod children;
mod reminders;
mod settling;
mod window;

use std::collections::HashMap;
use std::rc::Rc;
use std::time::Duration;

use actix::{Actor, ActorFutureExt, AsyncContext, Context, Handler, SpawnHandle, WrapFuture};
use chrono::{DateTime, Utc};

use super::actor::{Report, Request};
use super::parts::SharedParts;
use super::turn::Next;
use crate::runtime::mailbox::{Mailbox, Posted};
use crate::runtime::supervisor::ExitGuard;
use children::Child;
use domain::ids::{AccountId, RadarId};
use reminders::{Expected, Reminders};
use settling::Settling;
use store::Wake;
use window::{WINDOW, Window};

/// When a window is read again that could not be read.
const READ_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// The messages of a shard.
pub enum ShardMessage {
    /// A request to a radar of this shard.
    Request {
        /// Whose radar it is.
        account_id: AccountId,
        /// The radar.
        radar_id: RadarId,
        /// What is asked.
        request: Request,
    },
    /// Something will be due in this shard at that instant.
    Ahead(DateTime<Utc>),
    /// A report of the actor of a radar.
    Report {
        /// The radar.
        radar_id: RadarId,
        /// Which of the actors that the shard has started.
        generation: u64,
        /// What it reports.
        report: Report,
    },
}

/// The actor.
pub struct RadarShard {
    parts: SharedParts,
    shard: i64,
    itself: Mailbox<ShardMessage>,
    children: HashMap<RadarId, Child>,
    next_generation: u64,
    life: Rc<()>,
    /// When the window is read next.
    next_reading: Option<(DateTime<Utc>, SpawnHandle)>,
    reminders: Reminders,
    settling: Settling,
    /// Whether the last window could not be read: a shard logs an outage once.
    is_blind: bool,
    _guard: ExitGuard,
}

impl Actor for RadarShard {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        self.read_window(context);
    }
}

impl RadarShard {
    /// A shard that knows no radar yet, reached through `itself`.
    pub fn new(parts: SharedParts, shard: i64, itself: Mailbox<ShardMessage>, guard: ExitGuard) -> Self {
        Self {
            parts,
            shard,
            itself,
            children: HashMap::new(),
            next_generation: 0,
            life: Rc::new(()),
            next_reading: None,
            reminders: Reminders::default(),
            settling: Settling::default(),
            is_blind: false,
            _guard: guard,
        }
    }

    /// Reads the reminders that are due soon, sets their timers, and the one for the next reading.
    fn read_window(&mut self, context: &mut Context<Self>) {
        self.next_reading = None;
        let (parts, shard, settling) = (self.parts.clone(), self.shard, self.settling.accounts());
        let window = async move { window::read(&parts, shard, &settling).await };
        context.spawn(window.into_actor(self).map(|window, shard, context| match window {
            Ok(Window { wakes, next_at }) => {
                shard.is_blind = false;
                wakes.into_iter().for_each(|wake| shard.expect_wake(wake, context));
                shard.read_window_at(next_at, context);
            }
            Err(error) => {
                if !std::mem::replace(&mut shard.is_blind, true) {
                    tracing::warn!(%error, "the wakes of a shard cannot be read");
                }
                shard.read_window_at(shard.parts.clock.now() + READ_AGAIN_AFTER, context);
            }
        }));
    }

    /// Moves the next reading of the window to an earlier instant.
    fn read_window_at(&mut self, at: DateTime<Utc>, context: &mut Context<Self>) {
        if let Some((set_for, timer)) = self.next_reading {
            if set_for <= at {
                return;
            }
            context.cancel_future(timer);
        }
        let clock = self.parts.clock.clone();
        let sleep = async move { clock.look_at(at).await };
        let timer = context.spawn(sleep.into_actor(self).map(|(), shard, context| shard.read_window(context)));
        self.next_reading = Some((at, timer));
    }

    /// Takes up a reminder of the window, unless the radar is at work or has one already.
    fn expect_wake(&mut self, wake: Wake, context: &mut Context<Self>) {
        let Wake { account_id, radar_id, wake_at, is_renewal } = wake;
        if is_renewal {
            self.expect(account_id, Expected::Renewal, wake_at, context);
        } else if !self.children.contains_key(&radar_id) && !self.reminders.has_turn(account_id, radar_id) {
            self.expect(account_id, Expected::Turn(radar_id), wake_at, context);
        }
    }

    fn expect(&mut self, account_id: AccountId, expected: Expected, at: DateTime<Utc>, context: &mut Context<Self>) {
        if self.reminders.expect(account_id, expected, at) {
            self.remind_at(account_id, at, context);
        }
    }

    fn remind_at(&mut self, account_id: AccountId, at: DateTime<Utc>, context: &mut Context<Self>) {
        let clock = self.parts.clock.clone();
        let sleep = async move { clock.sleep_until(at).await };
        context.spawn(sleep.into_actor(self).map(move |(), shard, context| shard.remind(account_id, at, context)));
    }

    /// Fires what is due in an account, whose timer was set for `at`.
    fn remind(&mut self, account_id: AccountId, at: DateTime<Utc>, context: &mut Context<Self>) {
        // The system clock may have been set back meanwhile.
        let fired = self.reminders.fire(account_id, self.parts.clock.now().max(at));
        if let Some(due_at) = fired.renewal_at {
            self.settle(account_id, due_at, None, context);
        }
        for radar_id in fired.radars {
            self.pass_on(account_id, radar_id, Request::Wake);
        }
        if let Some(next_at) = fired.next_at {
            self.remind_at(account_id, next_at, context);
        }
    }

    /// Takes over what an idle radar has to do later.
    fn take_over(&mut self, account_id: AccountId, radar_id: RadarId, next: Next, context: &mut Context<Self>) {
        match next {
            Next::Nothing => {}
            Next::AfterRenewal(due_at) => self.settle(account_id, due_at, Some(radar_id), context),
            Next::Turn(at) | Next::Renewal(at) if at > self.parts.clock.now() + WINDOW => {
                self.read_window_at(at - WINDOW, context);
            }
            Next::Turn(at) => self.expect(account_id, Expected::Turn(radar_id), at, context),
            Next::Renewal(at) => self.expect(account_id, Expected::Renewal, at, context),
        }
    }
}

impl Handler<Posted<ShardMessage>> for RadarShard {
    type Result = ();

    fn handle(&mut self, posted: Posted<ShardMessage>, context: &mut Context<Self>) {
        match posted.open() {
            ShardMessage::Request { account_id, radar_id, request } => self.pass_on(account_id, radar_id, request),
            ShardMessage::Ahead(wake_at) => self.read_window_at(wake_at - WINDOW, context),
            ShardMessage::Report { radar_id, generation, report: Report::Idle { handled, next } } => {
                if let Some(account_id) = self.let_go(radar_id, generation, handled, context) {
                    self.take_over(account_id, radar_id, next, context);
                }
            }
            ShardMessage::Report { radar_id, generation, report: Report::Exited { panicked } } => {
                let is_current = self.children.get(&radar_id).is_some_and(|child| child.generation == generation);
                if is_current && panicked {
                    self.note_crash(radar_id, context);
                }
            }
        }
    }
}
