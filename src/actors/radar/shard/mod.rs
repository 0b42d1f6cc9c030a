//! The parent of the radars of the accounts that hash to it: activates, passivates, restarts.
//!
//! A radar's address never leaves its shard, so that a radar can be let go and brought back at any time: the shard
//! counts what it sent, the radar what it handled, and only when the two agree is the address dropped. Radars whose
//! wake is near are brought up ahead of it, from an index; the others cost nothing. Renewals are decided account by
//! account (`renewals`).

mod messages;
mod renewals;
mod window;

use std::collections::HashMap;
use std::rc::Rc;
use std::time::Duration;

use actix::{Actor, ActorFutureExt, Addr, AsyncContext, Context, Handler, SpawnHandle, WrapFuture};
use chrono::{DateTime, Utc};

use super::actor::{ChildGuard, RadarActor, Request, ToRadar};
use super::engine::SharedEngine;
use crate::actors::ledger::LedgerError;
use crate::actors::runtime::mailbox::{Mailbox, Posted};
use crate::actors::runtime::metrics::Kind;
use crate::actors::runtime::supervisor::{ExitGuard, backoff};
use crate::domain::ids::{AccountId, RadarId};
use crate::store::Wake;
pub use messages::ToChild;
pub(super) use messages::{Ahead, ChildExited, ChildIdle, RenewalDue};
use renewals::DueAccounts;
use window::{WINDOW, Window};

/// The waits before a crashed radar is started again.
const RESTART_MIN: Duration = Duration::from_secs(1);
const RESTART_MAX: Duration = Duration::from_secs(600);
/// So many crashes in a row mark a radar, so that somebody looks at it.
const CRASHES_MAX: u32 = 5;

/// The actor.
pub struct RadarShard {
    engine: SharedEngine,
    shard: i64,
    itself: Mailbox<Self>,
    children: HashMap<RadarId, Child>,
    next_generation: u64,
    life: Rc<()>,
    timer: Option<(DateTime<Utc>, SpawnHandle)>,
    due: DueAccounts,
    /// Whether the last window could not be read: of an outage each shard tells once.
    is_blind: bool,
    _guard: ExitGuard,
}

struct Child {
    account_id: AccountId,
    /// `None` between a crash and the restart.
    address: Option<Mailbox<RadarActor>>,
    generation: u64,
    sent: u64,
    crashes: u32,
}

impl Actor for RadarShard {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        self.load_window(context);
    }
}

impl RadarShard {
    /// A shard that knows no radar yet. `itself` is the mailbox that it is kept behind.
    pub fn new(engine: SharedEngine, shard: i64, itself: Mailbox<Self>, guard: ExitGuard) -> Self {
        Self {
            engine,
            shard,
            itself,
            children: HashMap::new(),
            next_generation: 0,
            life: Rc::new(()),
            timer: None,
            due: DueAccounts::default(),
            is_blind: false,
            _guard: guard,
        }
    }

    /// Reads who has to be woken soon, brings them up, and sets the timer for the next reading.
    fn load_window(&mut self, context: &mut Context<Self>) {
        self.timer = None;
        let (engine, shard, at_work) = (self.engine.clone(), self.shard, self.due.at_work());
        let window = async move { window::read(&engine, shard, &at_work).await };
        context.spawn(window.into_actor(self).map(|window, shard, context| match window {
            Ok(Window { wakes, next_at }) => {
                shard.is_blind = false;
                for Wake { account_id, radar_id, wake_at, is_renewal } in wakes {
                    if is_renewal {
                        shard.expect_renewal(account_id, wake_at, context);
                    } else if !shard.children.contains_key(&radar_id) {
                        shard.pass_on(account_id, radar_id, Request::WakeAt(wake_at));
                    }
                }
                shard.load_at(next_at, context);
            }
            Err(error) => {
                if !std::mem::replace(&mut shard.is_blind, true) {
                    tracing::warn!(%error, "the wakes of a shard cannot be read");
                }
                shard.load_at(shard.engine.clock.now() + RESTART_MIN, context);
            }
        }));
    }

    /// Moves the next reading of the window to an earlier instant.
    fn load_at(&mut self, at: DateTime<Utc>, context: &mut Context<Self>) {
        if let Some((set_for, timer)) = self.timer {
            if set_for <= at {
                return;
            }
            context.cancel_future(timer);
        }
        let clock = self.engine.clock.clone();
        let sleep = async move { clock.sleep_until(at).await };
        let timer = context.spawn(sleep.into_actor(self).map(|(), shard, context| shard.load_window(context)));
        self.timer = Some((at, timer));
    }

    fn pass_on(&mut self, account_id: AccountId, radar_id: RadarId, request: Request) {
        if !self.children.contains_key(&radar_id) {
            self.activate(account_id, radar_id, 0);
        }
        let Some(child) = self.children.get_mut(&radar_id) else { return };
        match &child.address {
            Some(address) => {
                child.sent += 1;
                address.notify(ToRadar { request });
            }
            None => refuse(request),
        }
    }

    fn activate(&mut self, account_id: AccountId, radar_id: RadarId, crashes: u32) {
        self.next_generation += 1;
        let generation = self.next_generation;
        let guard = ChildGuard {
            radar_id,
            generation,
            shard: self.itself.clone(),
            shard_life: Rc::downgrade(&self.life),
            resident: Some(self.engine.actor_metrics.resident(Kind::RadarActor)),
        };
        let address: Addr<RadarActor> = RadarActor::new(self.engine.clone(), account_id, guard).start();
        let mailbox = Mailbox::new(Kind::RadarActor, 1, &self.engine.actor_metrics, &self.engine.clock);
        mailbox.connect(address);
        self.children.insert(radar_id, Child { account_id, address: Some(mailbox), generation, sent: 0, crashes });
    }

    /// A crash keeps the radar's place; it is started again later, and looks at the database for what was left.
    fn crashed(&mut self, radar_id: RadarId, context: &mut Context<Self>) {
        let Some(child) = self.children.get_mut(&radar_id) else { return };
        child.address = None;
        child.crashes += 1;
        let (account_id, crashes) = (child.account_id, child.crashes);
        let actor_metrics = self.engine.actor_metrics.clone();
        actor_metrics.restarted(Kind::RadarActor);
        if crashes == CRASHES_MAX {
            actor_metrics.poisoned(Kind::RadarActor, 1);
        }
        tracing::error!(radar.id = %radar_id, crashes, "a radar's actor panicked and is restarted later");
        let engine = self.engine.clone();
        let restart = async move {
            let error = (crashes >= CRASHES_MAX).then_some("the radar's actor keeps crashing");
            if let Err(error) = engine.store.note_crash(account_id, radar_id, i64::from(crashes), error).await {
                tracing::warn!(%error, "a crash could not be noted");
            }
            engine.clock.sleep(backoff(crashes, RESTART_MIN, RESTART_MAX)).await;
        };
        context.spawn(restart.into_actor(self).map(move |(), shard, _| {
            shard.activate(account_id, radar_id, crashes);
            shard.pass_on(account_id, radar_id, Request::Wake);
        }));
    }

    /// The child's generation and count agree with what was sent to it: nobody waits for it.
    fn is_current(&self, radar_id: RadarId, generation: u64, handled: u64) -> bool {
        let child = self.children.get(&radar_id);
        child.is_some_and(|child| child.generation == generation && child.sent == handled)
    }

    fn let_go(&mut self, radar_id: RadarId) {
        if let Some(address) = self.children.remove(&radar_id).and_then(|child| child.address) {
            address.notify(ToRadar { request: Request::Retire });
        }
    }

    /// A radar that was marked or had crashed is well again.
    fn recovered(&mut self, radar_id: RadarId, context: &mut Context<Self>) {
        let Some(child) = self.children.get_mut(&radar_id).filter(|child| child.crashes > 0) else { return };
        let (account_id, crashes) = (child.account_id, std::mem::take(&mut child.crashes));
        if crashes >= CRASHES_MAX {
            self.engine.actor_metrics.poisoned(Kind::RadarActor, -1);
        }
        let store = self.engine.store.clone();
        let note = async move { store.note_crash(account_id, radar_id, 0, None).await };
        context.spawn(note.into_actor(self).map(|noted, _, _| {
            if let Err(error) = noted {
                tracing::warn!(%error, "a recovery could not be noted");
            }
        }));
    }
}

/// The radar is between a crash and its restart: whoever asked may ask again.
fn refuse(request: Request) {
    match request {
        Request::Wake | Request::WakeAt(_) | Request::Retire => {}
        Request::Deactivate(answer) | Request::Ingest(_, answer) => {
            answer.send(Err(LedgerError::Unavailable)).ok();
        }
    }
}

impl Handler<Posted<ToChild>> for RadarShard {
    type Result = ();

    fn handle(&mut self, posted: Posted<ToChild>, _: &mut Context<Self>) {
        let ToChild { account_id, radar_id, request } = posted.open();
        self.pass_on(account_id, radar_id, request);
    }
}

impl Handler<Posted<Ahead>> for RadarShard {
    type Result = ();

    fn handle(&mut self, posted: Posted<Ahead>, context: &mut Context<Self>) {
        self.load_at(posted.open().wake_at - WINDOW, context);
    }
}

impl Handler<Posted<ChildIdle>> for RadarShard {
    type Result = ();

    fn handle(&mut self, posted: Posted<ChildIdle>, context: &mut Context<Self>) {
        let ChildIdle { radar_id, generation, handled, wake_at } = posted.open();
        if !self.is_current(radar_id, generation, handled) {
            return;
        }
        self.recovered(radar_id, context);
        let horizon = self.engine.clock.now() + WINDOW;
        if let Some(wake_at) = wake_at {
            if wake_at <= horizon {
                return;
            }
            self.load_at(wake_at - WINDOW, context);
        }
        self.let_go(radar_id);
    }
}

impl Handler<Posted<RenewalDue>> for RadarShard {
    type Result = ();

    fn handle(&mut self, posted: Posted<RenewalDue>, context: &mut Context<Self>) {
        let RenewalDue { radar_id, generation, handled, due_at, is_idle, wants_look } = posted.open();
        let Some(child) = self.children.get(&radar_id).filter(|child| child.generation == generation) else { return };
        let account_id = child.account_id;
        if is_idle && self.is_current(radar_id, generation, handled) {
            self.recovered(radar_id, context);
            self.let_go(radar_id);
        }
        if self.due.note(account_id, due_at, wants_look.then_some(radar_id)) {
            self.renew(account_id, context);
        }
    }
}

impl Handler<Posted<ChildExited>> for RadarShard {
    type Result = ();

    fn handle(&mut self, posted: Posted<ChildExited>, context: &mut Context<Self>) {
        let ChildExited { radar_id, generation, panicked } = posted.open();
        let is_current = self.children.get(&radar_id).is_some_and(|child| child.generation == generation);
        if is_current && panicked {
            self.crashed(radar_id, context);
        }
    }
}
