//! One radar: its life and its renewal timer.
//!
//! Everything that a radar does is a *turn*: set-up, a renewal that is due, items that it has not read. A turn runs
//! outside the mailbox (`radar_turn`), one at a time; what arrives meanwhile starts the next one. Rules: `domain::book`.

use std::collections::VecDeque;

use actix::{Actor, ActorFutureExt, AsyncContext, Context, Handler, SpawnHandle, WrapFuture};
use chrono::{DateTime, Utc};
use tokio::sync::oneshot;

use super::balance_ledger::LedgerError;
use super::census::Resident;
use super::engine::SharedEngine;
use super::mailbox::{Mailbox, Posted};
use super::radar_shard::{ChildExited, ChildIdle, RadarShard};
use super::radar_turn::{self, Job};
use crate::domain::book::{Decision, Finding};
use crate::domain::filter::Position;
use crate::domain::ids::{AccountId, RadarId};

/// Answers what a request to a radar came to.
pub type Answer = oneshot::Sender<Result<Decision, LedgerError>>;

/// What a radar is asked to do.
pub enum Request {
    /// Something may be due.
    Rouse,
    /// Something will be due then; nothing is to be done before.
    WakeAt(DateTime<Utc>),
    /// Its owner ends it.
    Deactivate(Answer),
    /// A provider pushed findings.
    Ingest(Vec<(Finding, Position)>, Answer),
}

/// A request, as the shard passes it on.
pub struct ToRadar {
    /// What is asked.
    pub request: Request,
}

/// The actor.
pub struct RadarActor {
    engine: SharedEngine,
    account_id: AccountId,
    radar_id: RadarId,
    wake_at: Option<DateTime<Utc>>,
    waiting: VecDeque<Request>,
    at_work: bool,
    handled: u64,
    timer: Option<SpawnHandle>,
    guard: ChildGuard,
}

/// Reports the actor's end to its shard, however it comes.
pub struct ChildGuard {
    /// The radar.
    pub radar_id: RadarId,
    /// Counts the actors that the shard has started.
    pub generation: u64,
    /// The parent.
    pub shard: Mailbox<RadarShard>,
    /// Counts the actor.
    pub resident: Option<Resident>,
}

impl Drop for ChildGuard {
    fn drop(&mut self) {
        self.resident.take();
        let (radar_id, generation, panicked) = (self.radar_id, self.generation, std::thread::panicking());
        self.shard.notify(ChildExited { radar_id, generation, panicked });
    }
}

impl Actor for RadarActor {
    type Context = Context<Self>;
}

impl RadarActor {
    /// A radar's actor, before it has done anything.
    pub fn new(engine: SharedEngine, account_id: AccountId, guard: ChildGuard) -> Self {
        let radar_id = guard.radar_id;
        Self {
            engine,
            account_id,
            radar_id,
            wake_at: None,
            waiting: VecDeque::new(),
            at_work: false,
            handled: 0,
            timer: None,
            guard,
        }
    }

    /// Starts the next turn, unless one runs; with nothing left to do, tells the shard so.
    fn advance(&mut self, context: &mut Context<Self>) {
        if self.at_work {
            return;
        }
        let Some(request) = self.waiting.pop_front() else {
            let (radar_id, generation) = (self.radar_id, self.guard.generation);
            let (handled, wake_at) = (self.handled, self.wake_at);
            self.guard.shard.notify(ChildIdle { radar_id, generation, handled, wake_at });
            return;
        };
        self.at_work = true;
        let job = match request {
            Request::Rouse => {
                // Several hints to look are one.
                self.waiting.retain(|request| !matches!(request, Request::Rouse));
                Job::Look
            }
            Request::WakeAt(wake_at) => {
                self.at_work = false;
                self.set_timer(Some(wake_at), context);
                return self.advance(context);
            }
            Request::Deactivate(answer) => Job::Deactivate(answer),
            Request::Ingest(findings, answer) => Job::Ingest(findings, answer),
        };
        let turn = radar_turn::run(self.engine.clone(), self.account_id, self.radar_id, job);
        context.spawn(turn.into_actor(self).map(|end, radar, context| {
            radar.at_work = false;
            radar.set_timer(end.wake_at, context);
            radar.advance(context);
        }));
    }

    /// Sets the timer for what comes next, in place of the one that was set.
    fn set_timer(&mut self, wake_at: Option<DateTime<Utc>>, context: &mut Context<Self>) {
        if let Some(timer) = self.timer.take() {
            context.cancel_future(timer);
        }
        self.wake_at = wake_at;
        let Some(wake_at) = wake_at else { return };
        let clock = self.engine.clock.clone();
        let sleep = async move { clock.sleep_until(wake_at).await };
        self.timer = Some(context.spawn(sleep.into_actor(self).map(|(), radar, context| {
            radar.timer = None;
            radar.wake_at = None;
            radar.waiting.push_back(Request::Rouse);
            radar.advance(context);
        })));
    }
}

impl Handler<Posted<ToRadar>> for RadarActor {
    type Result = ();

    fn handle(&mut self, posted: Posted<ToRadar>, context: &mut Context<Self>) {
        let ToRadar { request } = posted.open();
        self.engine.faults.pass("radar.message", &self.radar_id);
        self.handled += 1;
        self.waiting.push_back(request);
        self.advance(context);
    }
}
