//! One radar: its life and its renewal timer.
//!
//! What a radar does by itself is a *turn*: items that it has not read, the end of its grace. A turn runs
//! outside the mailbox (`turn`), one at a time; wakes that arrive meanwhile start the next one. When its renewal
//! is due it tells its shard, which has the account decide all that are due there. What its owner or a provider asks
//! for goes to the ledger at once. Rules: `domain::account`.

use std::rc::Weak;

use actix::{Actor, ActorContext, ActorFutureExt, AsyncContext, Context, Handler, SpawnHandle, WrapFuture};
use chrono::{DateTime, Utc};

use super::engine::SharedEngine;
use super::shard::{ChildExited, ChildIdle, RadarShard, RenewalDue};
use super::turn::{self, Answer, Next};
use crate::actors::runtime::mailbox::{Mailbox, Posted};
use crate::actors::runtime::metrics::Resident;
use crate::domain::account::Finding;
use crate::domain::ids::{AccountId, RadarId};
use crate::domain::radar::filter::Position;

/// What a radar is asked to do.
pub enum Request {
    /// Something may be due.
    Wake,
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
    /// Requests that the ledger has not decided yet. They do not wait for a look, which may take long.
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
        let looking = turn::run(self.engine.clone(), self.account_id, self.radar_id);
        context.spawn(looking.into_actor(self).map(|next, radar, context| {
            radar.is_looking = false;
            match next {
                // The turn left off where the account has to decide first.
                Next::AfterRenewal(due_at) => {
                    radar.set_timer(Next::Nothing, context);
                    radar.wants_look = false;
                    radar.tell_renewal(due_at, true);
                }
                next => {
                    radar.set_timer(next, context);
                    radar.advance(context);
                }
            }
        }));
    }

    /// Tells the shard that the renewal is due. It has the account decide, and lets an idle radar go.
    fn tell_renewal(&mut self, due_at: DateTime<Utc>, wants_look: bool) {
        self.guard.shard.notify(RenewalDue {
            radar_id: self.radar_id,
            generation: self.guard.generation,
            handled: self.handled,
            due_at,
            is_idle: self.asking == 0 && !self.is_looking && !self.wants_look,
            wants_look,
        });
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
    fn set_timer(&mut self, next: Next, context: &mut Context<Self>) {
        if let Some(timer) = self.timer.take() {
            context.cancel_future(timer);
        }
        self.wake_at = next.at();
        let Some(wake_at) = self.wake_at else { return };
        let clock = self.engine.clock.clone();
        let sleep = async move { clock.sleep_until(wake_at).await };
        self.timer = Some(context.spawn(sleep.into_actor(self).map(move |(), radar, context| {
            radar.timer = None;
            radar.wake_at = None;
            if matches!(next, Next::Renewal(_)) {
                return radar.tell_renewal(wake_at, false);
            }
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
            Request::Wake => self.wants_look = true,
            Request::WakeAt(wake_at) => self.set_timer(Next::Turn(wake_at), context),
            Request::Deactivate(answer) => {
                self.ask(turn::deactivate(engine, account_id, radar_id, answer), context);
            }
            Request::Ingest(findings, answer) => {
                self.ask(turn::ingest(engine, account_id, radar_id, findings, answer), context);
            }
            // The timer would keep an actor alive that nobody can reach.
            Request::Retire => return context.stop(),
        }
        self.advance(context);
    }
}
