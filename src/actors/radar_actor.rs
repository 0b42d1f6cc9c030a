//! One radar: its life and its renewal timer.
//!
//! What a radar does by itself is a *turn*: set-up, a renewal that is due, items that it has not read. A turn runs
//! outside the mailbox (`radar_turn`), one at a time; hints that arrive meanwhile start the next one. What its owner or
//! a provider asks for goes to the ledger at once. Rules: `domain::book`.

use std::rc::Weak;

use actix::{Actor, ActorContext, ActorFutureExt, AsyncContext, Context, Handler, SpawnHandle, WrapFuture};
use chrono::{DateTime, Utc};
use tokio::sync::oneshot;

use super::balance_ledger::LedgerError;
use super::census::Resident;
use super::engine::SharedEngine;
use super::mailbox::{Mailbox, Posted};
use super::radar_shard::{ChildExited, ChildIdle, RadarShard};
use super::radar_turn;
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
    /// The shard has let the radar go; nothing was sent after the last answer.
    Retire,
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
    timer: Option<SpawnHandle>,
    /// Something may be due; however often that was said, one look settles it.
    wants_look: bool,
    is_looking: bool,
    /// Requests that the ledger has not decided yet. They do not wait for a look, which may be a long set-up.
    asking: usize,
    handled: u64,
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
    /// Ends with the parent: its successor knows nothing of this actor, which must not go on by itself.
    pub shard_life: Weak<()>,
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
            timer: None,
            wants_look: false,
            is_looking: false,
            asking: 0,
            handled: 0,
            guard,
        }
    }

    /// Starts a turn if one is wanted; with nothing left to do, tells the shard so.
    fn advance(&mut self, context: &mut Context<Self>) {
        if self.is_looking {
            return;
        }
        if self.guard.shard_life.strong_count() == 0 {
            return context.stop();
        }
        if !self.wants_look {
            if self.asking == 0 {
                let (radar_id, generation) = (self.radar_id, self.guard.generation);
                let (handled, wake_at) = (self.handled, self.wake_at);
                self.guard.shard.notify(ChildIdle { radar_id, generation, handled, wake_at });
            }
            return;
        }
        self.wants_look = false;
        self.is_looking = true;
        let turn = radar_turn::run(self.engine.clone(), self.account_id, self.radar_id);
        context.spawn(turn.into_actor(self).map(|wake_at, radar, context| {
            radar.is_looking = false;
            radar.set_timer(wake_at, context);
            radar.advance(context);
        }));
    }

    /// Lets the ledger decide something, then looks at what that has left to do.
    fn ask(&mut self, asking: impl Future<Output = ()> + 'static, context: &mut Context<Self>) {
        self.asking += 1;
        context.spawn(asking.into_actor(self).map(|(), radar, context| {
            radar.asking -= 1;
            radar.wants_look = true;
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
            radar.wants_look = true;
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
        let (engine, account_id, radar_id) = (self.engine.clone(), self.account_id, self.radar_id);
        match request {
            Request::Rouse => self.wants_look = true,
            Request::WakeAt(wake_at) => self.set_timer(Some(wake_at), context),
            Request::Deactivate(answer) => {
                self.ask(radar_turn::deactivate(engine, account_id, radar_id, answer), context);
            }
            Request::Ingest(findings, answer) => {
                self.ask(radar_turn::ingest(engine, account_id, radar_id, findings, answer), context);
            }
            // The timer would keep an actor alive that nobody can reach.
            Request::Retire => return context.stop(),
        }
        self.advance(context);
    }
}
