//! The parent of the radars of the accounts that hash to it: it starts, restarts and lets go their actors.
//!
//! The reminder of a radar is durable: `radar.wake_at` in the database. A shard reads those of the next ten minutes from
//! an index (`window`) and starts the actors of these radars (`children`), each of which waits for its own instant. Of the
//! processes that share the database the one that owns the shard looks ahead; in the others its actor only passes on what
//! is asked there, and what is due before the owner's next reading.

mod children;
mod window;

use std::collections::HashMap;
use std::rc::Rc;
use std::time::Duration;

use actix::{Actor, ActorFutureExt, AsyncContext, Context, Handler, SpawnHandle, WrapFuture};
use chrono::{DateTime, Utc};

use super::actor::{Report, Request};
use super::outcome::Next;
use super::parts::{READ_AFTER, SharedParts, WINDOW};
use crate::ledger::LedgerError;
use crate::runtime::{ExitGuard, Mailbox, Posted, WorkHandle};
use children::Child;
use domain::account::Outcome;
use domain::{AccountId, RadarId, SetUp};
use store::{ClaimedSetUp, Decisions, Submission, Wake};
use tokio::sync::oneshot;
use window::{REFRESH, Window};

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
    /// Commands about radars of an account of this shard, decided in one transaction.
    Submit {
        /// What is asked.
        submission: Submission,
        /// What is decided.
        answer: oneshot::Sender<Result<Decisions, LedgerError>>,
    },
    /// Something will be due in this shard at that instant.
    Ahead(DateTime<Utc>),
    /// The shard came to this process, or went.
    Moved,
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
    set_ups: WorkHandle<ClaimedSetUp>,
    next_generation: u64,
    life: Rc<()>,
    /// When the window is read next.
    next_reading: Option<(DateTime<Utc>, SpawnHandle)>,
    /// Whether the last window could not be read: a shard logs an outage once.
    is_blind: bool,
    _guard: ExitGuard,
}

impl Actor for RadarShard {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        self.note_move(context);
    }
}

impl RadarShard {
    /// A shard that knows no radar yet, reached through `itself`.
    pub fn new(
        parts: SharedParts,
        shard: i64,
        itself: Mailbox<ShardMessage>,
        set_ups: WorkHandle<ClaimedSetUp>,
        guard: ExitGuard,
    ) -> Self {
        Self {
            parts,
            shard,
            itself,
            children: HashMap::new(),
            set_ups,
            next_generation: 0,
            life: Rc::new(()),
            next_reading: None,
            is_blind: false,
            _guard: guard,
        }
    }

    /// Reads the reminders that are due soon, hands them to their radars, and sets the timer for the next reading.
    fn read_window(&mut self, context: &mut Context<Self>) {
        self.next_reading = None;
        let (parts, shard, settling) = (self.parts.clone(), self.shard, self.accounts_being_settled());
        let window = async move { window::read(&parts, shard, &settling).await };
        context.spawn(window.into_actor(self).map(|window, shard, context| match window {
            Ok(Window { wakes, next_at }) => {
                shard.is_blind = false;
                wakes.into_iter().for_each(|wake| shard.expect_wake(wake));
                if shard.is_own() {
                    shard.read_window_at(next_at, context);
                }
            }
            Err(error) => {
                if !std::mem::replace(&mut shard.is_blind, true) {
                    tracing::warn!(%error, "the wakes of a shard cannot be read");
                }
                shard.read_window_at(shard.parts.clock.now() + READ_AGAIN_AFTER, context);
            }
        }));
    }

    fn is_own(&self) -> bool {
        self.parts.store.membership().owns(self.shard)
    }

    /// Looks ahead from now on, or leaves that to another process.
    fn note_move(&mut self, context: &mut Context<Self>) {
        if let Some((_, timer)) = self.next_reading.take() {
            context.cancel_future(timer);
        }
        match self.is_own() {
            true => self.read_window(context),
            false => self.let_waiting_go(context),
        }
    }

    /// Something will be due at that instant. Where another process looks ahead, it sees in time what is far enough away.
    fn expect_at(&mut self, wake_at: DateTime<Utc>, context: &mut Context<Self>) {
        if self.is_own() || wake_at <= self.parts.clock.now() + REFRESH {
            self.read_window_at(wake_at - WINDOW, context);
        }
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

    /// Has the ledger decide a submission. It runs by itself: a context looks at all of its futures whenever one is ready.
    fn submit(&self, submission: Submission, answer: oneshot::Sender<Result<Decisions, LedgerError>>) {
        let (parts, itself, set_ups) = (self.parts.clone(), self.itself.clone(), self.set_ups.clone());
        actix::spawn(async move {
            let decided = parts.ledger.submit(submission).await;
            for radar in decided.iter().flatten().flatten().flat_map(Outcome::created) {
                // As if the process ended between the commit and this.
                if parts.faults.pass_or_fail("shard.created", &radar.radar_id).is_err() {
                    continue;
                }
                if radar.set_up == SetUp::Pending {
                    set_ups.look();
                }
                if let Some(wake_at) = radar.wake_at() {
                    itself.notify(ShardMessage::Ahead(wake_at));
                }
            }
            // The caller may have hung up; what is decided stands.
            answer.send(decided).ok();
        });
    }

    fn note_report(&mut self, radar_id: RadarId, generation: u64, report: Report, context: &mut Context<Self>) {
        let current = self.children.get_mut(&radar_id).filter(|child| child.generation == generation);
        match (report, current) {
            (Report::Idle { handled, next_at }, current) => {
                if current.is_some_and(|child| child.has_handled(handled)) {
                    self.let_go(radar_id, context);
                }
                if let Some(next_at) = next_at {
                    self.expect_at(next_at, context);
                }
            }
            (Report::Renewed, Some(child)) => {
                child.renewal_at = None;
                self.read_window_at(self.parts.clock.now() + READ_AFTER, context);
            }
            (Report::Exited { panicked: true }, Some(_)) => self.note_crash(radar_id, context),
            (Report::Renewed | Report::Exited { .. }, _) => {}
        }
    }

    /// Hands a reminder to its radar, unless that is at work and knows it, or finds it by itself.
    fn expect_wake(&mut self, wake: Wake) {
        let Wake { account_id, radar_id, wake_at, is_renewal } = wake;
        if is_renewal {
            self.expect_renewal(account_id, radar_id, wake_at);
        } else if !self.children.contains_key(&radar_id) {
            self.pass_on(account_id, radar_id, Request::WakeAt(Next::Turn(wake_at)));
        }
    }
}

impl Handler<Posted<ShardMessage>> for RadarShard {
    type Result = ();

    fn handle(&mut self, posted: Posted<ShardMessage>, context: &mut Context<Self>) {
        match posted.open() {
            ShardMessage::Request { account_id, radar_id, request } => self.pass_on(account_id, radar_id, request),
            ShardMessage::Submit { submission, answer } => self.submit(submission, answer),
            ShardMessage::Ahead(wake_at) => self.expect_at(wake_at, context),
            ShardMessage::Moved => self.note_move(context),
            ShardMessage::Report { radar_id, generation, report } => {
                self.note_report(radar_id, generation, report, context);
            }
        }
    }
}
