//! One radar at work: it serialises what is asked of the radar, runs its turns, and keeps its timer.
//!
//! What a radar does by itself is a *turn* (`turn`): it reads new items, or ends its grace period. A turn and a renewal
//! (`renewal`) run outside the mailbox, one at a time; wakes that arrive meanwhile start the next one. Requests of the
//! owner go to the ledger at once, and an attempt of its set-up (`set_up`) keeps nothing waiting. What is due within the
//! window of its shard the actor waits for itself; its shard lets it go when nothing is. Rules: `domain::account`.

use std::rc::{Rc, Weak};

use actix::{Actor, ActorContext, ActorFutureExt, AsyncContext, Context, Handler, SpawnHandle, WrapFuture};
use chrono::{DateTime, Utc};

use super::outcome::{Answer, Next, SetUpAnswer};
use super::parts::{SharedParts, WINDOW};
use super::{renewal, set_up, turn};
use crate::runtime::{Posted, Resident};
use domain::account::{Deactivate, Deactivated};
use domain::{AccountId, RadarId};
use store::ClaimedSetUp;

/// What a radar is asked to do.
pub enum Request {
    /// Take a turn: something may be due.
    Wake,
    /// Wait for what is due soon.
    WakeAt(Next),
    /// Attempt its set-up, which was claimed; it is cut off when nobody waits for the answer any more.
    SetUp(ClaimedSetUp, SetUpAnswer),
    /// Its owner ends it.
    Deactivate(Answer<Deactivated>),
    /// Stop: the shard has let the radar go and has sent nothing since its last report.
    Retire,
}

/// What a radar's actor reports to its shard.
pub enum Report {
    /// It has nothing to do for now.
    Idle {
        /// How many requests it has handled.
        handled: u64,
        /// When something is due that is too far ahead to wait for.
        next_at: Option<DateTime<Utc>>,
    },
    /// It has renewed: what its account has left due is in the database, where the shard reads it for all of its radars
    /// together.
    Renewed,
    /// It has ended.
    Exited {
        /// Whether a panic ended it.
        panicked: bool,
    },
}

/// Takes the reports of one actor to its shard.
pub type Reports = Rc<dyn Fn(Report)>;

/// Ties an actor to its shard: reports its end, however it comes.
pub struct ChildGuard {
    /// The way to the shard.
    pub reports: Reports,
    /// Dangles once the shard is gone. Its successor does not know this actor, which must then stop.
    pub shard_life: Weak<()>,
    /// Counts the actor.
    pub resident: Option<Resident>,
}

impl Drop for ChildGuard {
    fn drop(&mut self) {
        self.resident.take();
        (self.reports)(Report::Exited { panicked: std::thread::panicking() });
    }
}

/// The actor.
pub struct RadarActor {
    parts: SharedParts,
    account_id: AccountId,
    radar_id: RadarId,
    /// Whether another turn is wanted; any number of wakes ask for one turn.
    wants_turn: bool,
    /// The renewal that is due.
    overdue: Option<DateTime<Utc>>,
    /// Whether a turn or a renewal runs.
    is_at_work: bool,
    /// What it waits for, and the timer.
    alarm: Option<(Next, SpawnHandle)>,
    /// When something is due that is too far ahead to wait for.
    next_at: Option<DateTime<Utc>>,
    /// Requests that have not ended yet. They do not wait for a turn, which may take long.
    asking: usize,
    handled: u64,
    guard: ChildGuard,
}

impl Actor for RadarActor {
    type Context = Context<Self>;
}

impl RadarActor {
    /// A radar's actor that has done nothing yet.
    pub fn new(parts: SharedParts, account_id: AccountId, radar_id: RadarId, guard: ChildGuard) -> Self {
        Self {
            parts,
            account_id,
            radar_id,
            wants_turn: false,
            overdue: None,
            is_at_work: false,
            alarm: None,
            next_at: None,
            asking: 0,
            handled: 0,
            guard,
        }
    }

    /// Begins what is wanted; reports to the shard when nothing is left to do.
    fn advance(&mut self, context: &mut Context<Self>) {
        if self.is_at_work {
            return;
        }
        if self.guard.shard_life.strong_count() == 0 {
            return context.stop();
        }
        let (parts, account_id, radar_id) = (self.parts.clone(), self.account_id, self.radar_id);
        if let Some(due_at) = self.overdue.take() {
            let renewal = async move { renewal::settle(&parts, account_id, due_at).await };
            self.work(renewal, |radar, (), _| (radar.guard.reports)(Report::Renewed), context);
        } else if self.wants_turn {
            self.wants_turn = false;
            self.work(turn::run(parts, account_id, radar_id), Self::wait_for, context);
        } else if self.asking == 0 && self.alarm.is_none() {
            (self.guard.reports)(Report::Idle { handled: self.handled, next_at: self.next_at.take() });
        }
    }

    fn work<T: 'static>(
        &mut self,
        work: impl Future<Output = T> + 'static,
        note: fn(&mut Self, T, &mut Context<Self>),
        context: &mut Context<Self>,
    ) {
        self.is_at_work = true;
        context.spawn(work.into_actor(self).map(move |done, radar, context| {
            radar.is_at_work = false;
            note(radar, done, context);
            radar.advance(context);
        }));
    }

    /// Attempts the set-up, beside whatever else is asked.
    fn set_up(&mut self, claimed: ClaimedSetUp, mut answer: SetUpAnswer, context: &mut Context<Self>) {
        self.asking += 1;
        let parts = self.parts.clone();
        let attempt = async move {
            let ended = tokio::select! {
                biased;
                ended = Box::pin(set_up::attempt(&parts, &claimed)) => ended,
                // The claim is lost, or was given back.
                () = answer.closed() => return Next::Nothing,
            };
            let next = *ended.as_ref().unwrap_or(&Next::Nothing);
            answer.send(ended.map(drop)).ok();
            next
        };
        context.spawn(attempt.into_actor(self).map(|next, radar, context| {
            radar.asking -= 1;
            radar.wait_for(next, context);
            radar.advance(context);
        }));
    }

    /// Sets the timer for what is due, unless something else is due earlier: what is later is found again after that.
    fn wait_for(&mut self, next: Next, context: &mut Context<Self>) {
        let Some(at) = next.at() else { return };
        if at > self.parts.clock.now() + WINDOW {
            self.next_at = Some(self.next_at.map_or(at, |known| known.min(at)));
            return;
        }
        if let Some((waits_for, timer)) = self.alarm.take() {
            if waits_for.at().is_some_and(|known| known <= at) {
                self.alarm = Some((waits_for, timer));
                return;
            }
            context.cancel_future(timer);
        }
        let clock = self.parts.clock.clone();
        let sleep = async move { clock.sleep_until(at).await };
        let timer = context.spawn(sleep.into_actor(self).map(|(), radar, context| radar.fire(context)));
        self.alarm = Some((next, timer));
    }

    fn fire(&mut self, context: &mut Context<Self>) {
        match self.alarm.take() {
            Some((Next::Renewal(due_at), _)) => self.overdue = Some(due_at),
            Some((Next::Turn(_), _)) => self.wants_turn = true,
            Some((Next::Nothing, _)) | None => {}
        }
        self.advance(context);
    }

    /// Lets the ledger end the radar, then takes a turn for what that has left to do.
    fn deactivate(&mut self, answer: Answer<Deactivated>, context: &mut Context<Self>) {
        self.asking += 1;
        let (ledger, account_id, radar_id) = (self.parts.ledger.clone(), self.account_id, self.radar_id);
        let asking = async move { ledger.ask(account_id, Deactivate { radar_id }).await };
        context.spawn(asking.into_actor(self).map(|decision, radar, context| {
            // The caller may have hung up; what is decided stands.
            answer.send(decision).ok();
            radar.asking -= 1;
            radar.wants_turn = true;
            radar.advance(context);
        }));
    }
}

impl Handler<Posted<Request>> for RadarActor {
    type Result = ();

    fn handle(&mut self, posted: Posted<Request>, context: &mut Context<Self>) {
        let request = posted.open();
        self.parts.faults.pass("radar.message", &self.radar_id);
        self.handled += 1;
        match request {
            Request::Wake => self.wants_turn = true,
            Request::WakeAt(next) => self.wait_for(next, context),
            Request::SetUp(claimed, answer) => self.set_up(claimed, answer, context),
            Request::Deactivate(answer) => self.deactivate(answer, context),
            Request::Retire => return context.stop(),
        }
        self.advance(context);
    }
}
