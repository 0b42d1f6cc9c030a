//! The actors of a shard's radars: started on demand, restarted after a panic, let go when idle.
//!
//! The address of a radar's actor never leaves its shard. The shard counts what it sent, the actor what it handled; only
//! when the two agree can the actor be let go without losing a request.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;

use actix::{Actor, ActorFutureExt, AsyncContext, Context, WrapFuture};

use chrono::{DateTime, Utc};

use super::{RadarShard, ShardMessage};
use crate::ledger::LedgerError;
use crate::radar::actor::{ChildGuard, RadarActor, Request};
use crate::radar::outcome::{Next, TurnError};
use crate::runtime::{Kind, Mailbox};
use domain::scheduling::backoff::backoff;
use domain::{AccountId, RadarId};

/// The waits before a crashed radar is started again.
const RESTART_MIN: Duration = Duration::from_secs(1);
const RESTART_MAX: Duration = Duration::from_secs(600);
/// So many crashes in a row mark a radar for the operator.
const CRASHES_MAX: u32 = 5;

pub(super) struct Child {
    pub(super) account_id: AccountId,
    /// `None` between a crash and the restart.
    mailbox: Option<Mailbox<Request>>,
    pub(super) generation: u64,
    sent: u64,
    crashes: u32,
    /// The renewal that its actor waits for, or has its account decide.
    pub(super) renewal_at: Option<DateTime<Utc>>,
}

impl Child {
    /// Whether it has handled all that was sent to it: no request is on its way.
    pub(super) const fn has_handled(&self, handled: u64) -> bool {
        self.sent == handled
    }
}

impl RadarShard {
    /// Passes a request to a radar, whose actor is started if there is none.
    pub(super) fn pass_on(&mut self, account_id: AccountId, radar_id: RadarId, request: Request) {
        if !self.children.contains_key(&radar_id) {
            self.activate(account_id, radar_id, 0);
        }
        let Some(child) = self.children.get_mut(&radar_id) else { return };
        match &child.mailbox {
            Some(mailbox) => {
                child.sent += 1;
                mailbox.notify(request);
            }
            None => refuse(request),
        }
    }

    /// Has a radar wait for its renewal, unless it does so already.
    pub(super) fn expect_renewal(&mut self, account_id: AccountId, radar_id: RadarId, at: DateTime<Utc>) {
        if self.children.get(&radar_id).is_some_and(|child| child.renewal_at == Some(at)) {
            return;
        }
        self.pass_on(account_id, radar_id, Request::WakeAt(Next::Renewal(at)));
        if let Some(child) = self.children.get_mut(&radar_id) {
            child.renewal_at = Some(at);
        }
    }

    /// The accounts of radars whose renewal is due: they decide all that is due there.
    pub(super) fn accounts_being_settled(&self) -> BTreeSet<AccountId> {
        let now = self.parts.clock.now();
        let is_due = |child: &&Child| child.renewal_at.is_some_and(|at| at <= now);
        self.children.values().filter(is_due).map(|child| child.account_id).collect()
    }

    fn activate(&mut self, account_id: AccountId, radar_id: RadarId, crashes: u32) {
        self.next_generation += 1;
        let (generation, shard) = (self.next_generation, self.itself.clone());
        let guard = ChildGuard {
            reports: Rc::new(move |report| shard.notify(ShardMessage::Report { radar_id, generation, report })),
            shard_life: Rc::downgrade(&self.life),
            resident: Some(self.parts.actor_metrics.resident(Kind::RadarActor)),
        };
        let mailbox = Mailbox::new(Kind::RadarActor, 1, &self.parts.actor_metrics, &self.parts.clock);
        mailbox.connect(RadarActor::new(self.parts.clone(), account_id, radar_id, guard).start());
        let child = Child { account_id, mailbox: Some(mailbox), generation, sent: 0, crashes, renewal_at: None };
        self.children.insert(radar_id, child);
    }

    /// Lets the radars go that wait for their renewal, which another process sees to.
    pub(super) fn let_waiting_go(&mut self, context: &mut Context<Self>) {
        let now = self.parts.clock.now();
        let is_waiting = |(_, child): &(&RadarId, &Child)| child.renewal_at.is_some_and(|at| at > now);
        let waiting: Vec<RadarId> = self.children.iter().filter(is_waiting).map(|(radar_id, _)| *radar_id).collect();
        waiting.into_iter().for_each(|radar_id| self.let_go(radar_id, context));
    }

    /// Lets an idle radar go.
    pub(super) fn let_go(&mut self, radar_id: RadarId, context: &mut Context<Self>) {
        let Some(child) = self.children.remove(&radar_id) else { return };
        if child.crashes > 0 {
            self.note_recovery(child.account_id, radar_id, child.crashes, context);
        }
        if let Some(mailbox) = child.mailbox {
            mailbox.notify(Request::Retire);
        }
    }

    /// A crashed radar keeps its place and is started again later; then it takes a turn.
    pub(super) fn note_crash(&mut self, radar_id: RadarId, context: &mut Context<Self>) {
        let Some(child) = self.children.get_mut(&radar_id) else { return };
        child.mailbox = None;
        child.renewal_at = None;
        child.crashes += 1;
        let (account_id, crashes) = (child.account_id, child.crashes);
        let actor_metrics = self.parts.actor_metrics.clone();
        actor_metrics.note(Kind::RadarActor, |figures| figures.restarts += 1);
        if crashes == CRASHES_MAX {
            actor_metrics.note(Kind::RadarActor, |figures| figures.poisoned += 1);
        }
        tracing::error!(%radar_id, crashes, "a radar's actor panicked and is restarted later");
        let parts = self.parts.clone();
        let restart = async move {
            let error = (crashes >= CRASHES_MAX).then_some("the radar's actor keeps crashing");
            if let Err(error) = parts.store.note_crash(account_id, radar_id, i64::from(crashes), error).await {
                tracing::warn!(%error, "a crash could not be noted");
            }
            parts.clock.sleep(backoff(crashes, RESTART_MIN, RESTART_MAX)).await;
        };
        context.spawn(restart.into_actor(self).map(move |(), shard, _| {
            shard.activate(account_id, radar_id, crashes);
            shard.pass_on(account_id, radar_id, Request::Wake);
        }));
    }

    fn note_recovery(&mut self, account_id: AccountId, radar_id: RadarId, crashes: u32, context: &mut Context<Self>) {
        if crashes >= CRASHES_MAX {
            self.parts.actor_metrics.note(Kind::RadarActor, |figures| figures.poisoned -= 1);
        }
        let store = self.parts.store.clone();
        let note = async move { store.note_crash(account_id, radar_id, 0, None).await };
        context.spawn(note.into_actor(self).map(|noted, _, _| {
            if let Err(error) = noted {
                tracing::warn!(%error, "a recovery could not be noted");
            }
        }));
    }
}

/// Refuses a request to a radar between its crash and its restart; the caller may ask again.
fn refuse(request: Request) {
    match request {
        Request::Wake | Request::WakeAt(_) | Request::Retire => {}
        Request::SetUp(_, answer) => drop(answer.send(Err(TurnError::NotBegun))),
        Request::Deactivate(answer) => drop(answer.send(Err(LedgerError::Unavailable))),
    }
}
