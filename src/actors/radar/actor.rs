//! One radar at work: it serialises what is asked of the radar, and runs its turns.
//!
//! What a radar does by itself is a *turn* (`turn`): it reads new items, or ends its grace period. A turn runs outside
//! the mailbox, one at a time; wakes that arrive during a turn start the next one. Requests of the owner and of
//! providers go to the ledger at once. The actor has no timer: its shard fires the radar's reminder, and lets the actor
//! go whenever it is idle. Rules: `domain::account`.

use std::rc::{Rc, Weak};

use actix::{Actor, ActorContext, ActorFutureExt, AsyncContext, Context, Handler, WrapFuture};

use super::parts::SharedParts;
use super::turn::{self, Answer, Next};
use crate::ledger::LedgerError;
use crate::runtime::mailbox::Posted;
use crate::runtime::metrics::Resident;
use domain::account::{Deactivate, Deactivated, Decision, Finding, ReportOutcome};
use domain::ids::{AccountId, RadarId};
use domain::radar::filter::Role;

/// What a radar is asked to do.
pub enum Request {
    /// Take a turn: something may be due.
    Wake,
    /// Its owner ends it.
    Deactivate(Answer<Deactivated>),
    /// A provider pushed findings.
    Ingest(Vec<(Finding, Role)>, Answer<ReportOutcome>),
    /// Stop: the shard has let the radar go and has sent nothing since its last report.
    Retire,
}

/// What a radar's actor reports to its shard.
pub enum Report {
    /// It has nothing to do for now.
    Idle {
        /// How many requests it has handled.
        handled: u64,
        /// What it has to do later.
        next: Next,
    },
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
    is_in_turn: bool,
    /// What the last turn left for later.
    next: Next,
    /// Requests that the ledger has not decided yet. They do not wait for a turn, which may take long.
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
            is_in_turn: false,
            next: Next::Nothing,
            asking: 0,
            handled: 0,
            guard,
        }
    }

    /// Starts a turn if one is wanted; reports to the shard when nothing is left to do.
    fn advance(&mut self, context: &mut Context<Self>) {
        if self.is_in_turn {
            return;
        }
        if self.guard.shard_life.strong_count() == 0 {
            return context.stop();
        }
        if self.wants_turn {
            return self.begin_turn(context);
        }
        if self.asking == 0 {
            (self.guard.reports)(Report::Idle { handled: self.handled, next: self.next });
        }
    }

    fn begin_turn(&mut self, context: &mut Context<Self>) {
        self.wants_turn = false;
        self.is_in_turn = true;
        let turn = turn::run(self.parts.clone(), self.account_id, self.radar_id);
        context.spawn(turn.into_actor(self).map(|next, radar, context| {
            radar.is_in_turn = false;
            radar.next = next;
            if matches!(next, Next::AfterRenewal(_)) {
                // The shard wakes the radar again once the account is settled.
                radar.wants_turn = false;
            }
            radar.advance(context);
        }));
    }

    /// Lets the ledger decide something, then takes a turn for what that has left to do.
    fn ask<O: 'static>(
        &mut self,
        asking: impl Future<Output = Result<Decision<O>, LedgerError>> + 'static,
        answer: Answer<O>,
        context: &mut Context<Self>,
    ) {
        self.asking += 1;
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
        let (parts, account_id, radar_id) = (self.parts.clone(), self.account_id, self.radar_id);
        match request {
            Request::Wake => self.wants_turn = true,
            Request::Deactivate(answer) => {
                let asking = async move { parts.ledger.ask(account_id, Deactivate { radar_id }).await };
                self.ask(asking, answer, context);
            }
            Request::Ingest(findings, answer) => {
                let asking = async move { turn::report_pushed(&parts, account_id, radar_id, findings).await };
                self.ask(asking, answer, context);
            }
            Request::Retire => return context.stop(),
        }
        self.advance(context);
    }
}
