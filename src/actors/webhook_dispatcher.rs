//! Sends what the outbox holds: claims due deliveries, a fair share for each endpoint, and records every attempt
//! (decisions 5.1, 5.5).
//!
//! An attempt runs as a task of its own, with no transaction open, and ends with a message, even when it panics. The
//! dispatcher holds no truth: whatever it forgets is due again when its lease ends. Rules: `domain::delivery`,
//! `domain::endpoint_health`, `domain::delivery_lanes`. Transactions: `store::deliveries`.

mod handle;

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use actix::{Actor, ActorFutureExt, AsyncContext, Context, Handler, SpawnHandle, WrapFuture};
use chrono::{DateTime, TimeDelta, Utc};
use tokio::sync::{oneshot, watch};

use super::keeper::{self, ExitGuard};
use super::mailbox::{Mailbox, Posted};
use super::webhook_attempt::{Counters, Ended, Ending, attempt};
use crate::clock::Clock;
use crate::domain::delivery::RetrySchedule;
use crate::domain::delivery_lanes::{Lanes, Plan, WaitingEndpoint};
use crate::faults::Faults;
use crate::store::{ClaimedDelivery, Store, StoreError};
use crate::webhooks::attempt::Sender;

pub use super::webhook_attempt::DispatchFigures;
pub use handle::{DispatcherHandle, start};

/// Deliveries that one transaction claims at most.
const BATCH_MAX: usize = 128;
/// How much longer than an attempt its lease lasts: room for recording it, and for clocks that differ.
const LEASE_MARGIN: TimeDelta = TimeDelta::seconds(60);
/// How often the outbox is looked at when nothing is known to be due.
const POLL: Duration = Duration::from_secs(2);
/// The longest wait after the database did not answer.
const ERROR_WAIT_MAX: Duration = Duration::from_secs(30);
/// Deliveries may have been written: worth a look.
pub struct Kick;

/// Claims nothing more; answers once nothing is under way.
pub struct Drain {
    /// Is told.
    pub done: oneshot::Sender<()>,
    /// Whether to give up what is under way instead of waiting for its time-out.
    pub is_hasty: bool,
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
    /// Named faults for tests.
    pub faults: Faults,
}

/// The actor.
pub struct WebhookDispatcher {
    parts: DispatcherParts,
    mailbox: Mailbox<Self>,
    counters: Arc<Counters>,
    /// Tells the attempts of this life from those of one that panicked.
    life: u64,
    lanes: Lanes,
    is_looking: bool,
    /// Something happened during the look that is under way: look again.
    is_stale: bool,
    errors: u32,
    timer: Option<SpawnHandle>,
    hurry: watch::Sender<bool>,
    draining: Option<Vec<oneshot::Sender<()>>>,
    _guard: ExitGuard,
}

impl Actor for WebhookDispatcher {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Context<Self>) {
        self.look(context);
    }
}

impl WebhookDispatcher {
    fn new(
        parts: DispatcherParts,
        mailbox: Mailbox<Self>,
        counters: Arc<Counters>,
        life: u64,
        guard: ExitGuard,
    ) -> Self {
        let lanes = Lanes::new(parts.concurrency);
        Self {
            parts,
            mailbox,
            counters,
            life,
            lanes,
            is_looking: false,
            is_stale: false,
            errors: 0,
            timer: None,
            hurry: watch::Sender::new(false),
            draining: None,
            _guard: guard,
        }
    }

    /// Looks at the outbox, unless a look is under way; then another one follows it.
    fn look(&mut self, context: &mut Context<Self>) {
        if self.is_looking || self.draining.is_some() || self.lanes.is_full() {
            self.is_stale = true;
            return;
        }
        self.is_looking = true;
        self.is_stale = false;
        let store = self.parts.store.clone();
        let looking = async move { store.sweep_waiting_endpoints().await };
        context.spawn(looking.into_actor(self).map(|waiting, dispatcher, context| match waiting {
            Ok(waiting) => dispatcher.claim(waiting, context),
            Err(error) => dispatcher.come_back_after(&error, context),
        }));
    }

    fn claim(&mut self, waiting: Vec<WaitingEndpoint>, context: &mut Context<Self>) {
        let now = self.parts.clock.now();
        let plan = self.lanes.plan(waiting, now, BATCH_MAX);
        if self.draining.is_some() || plan.shares.is_empty() && plan.hold.is_empty() {
            self.errors = 0;
            self.rest(plan.next_at, context);
            return;
        }
        let parts = self.parts.clone();
        let lease = TimeDelta::from_std(parts.sender.timeout()).unwrap_or(TimeDelta::MAX / 4) + LEASE_MARGIN;
        let claiming = async move {
            parts.faults.pass("dispatcher.before_claim", &plan.shares.len());
            let claimed = claim(&parts.store, &plan, now, now + lease).await;
            parts.faults.pass("dispatcher.after_claim", &plan.shares.len());
            (claimed, plan)
        };
        context.spawn(claiming.into_actor(self).map(|(claimed, plan), dispatcher, context| match claimed {
            Ok(claimed) => dispatcher.begin(claimed, &plan, context),
            Err(error) => dispatcher.come_back_after(&error, context),
        }));
    }

    fn begin(&mut self, claimed: Vec<ClaimedDelivery>, plan: &Plan, context: &mut Context<Self>) {
        self.errors = 0;
        self.is_stale |= !claimed.is_empty();
        for delivery in claimed {
            let endpoint_id = delivery.endpoint_id;
            let is_failing = plan.shares.iter().any(|share| share.endpoint_id == endpoint_id && share.is_failing);
            self.lanes.begin(endpoint_id, is_failing);
            let ending = Ending {
                mailbox: self.mailbox.clone(),
                ended: Some(Ended { life: self.life, endpoint_id, outcome: None }),
            };
            actix::spawn(attempt(self.parts.clone(), delivery, self.hurry.subscribe(), self.counters.clone(), ending));
        }
        self.counters.in_flight.store(self.lanes.in_flight(), Relaxed);
        self.rest(plan.next_at, context);
    }

    /// Ends a look: begins the next one at once if there is reason to, else when something may be due.
    fn rest(&mut self, next_at: Option<DateTime<Utc>>, context: &mut Context<Self>) {
        self.is_looking = false;
        if self.is_stale && self.draining.is_none() && !self.lanes.is_full() {
            self.look(context);
            return;
        }
        let clock = &self.parts.clock;
        let backstop = TimeDelta::from_std(clock.backstop(POLL)).unwrap_or(TimeDelta::days(1));
        let poll_at = clock.now() + backstop;
        self.wake_at(next_at.map_or(poll_at, |next_at| next_at.min(poll_at)), context);
        self.finish_drain();
    }

    fn come_back_after(&mut self, error: &StoreError, context: &mut Context<Self>) {
        tracing::warn!(%error, "the outbox cannot be read");
        self.is_looking = false;
        self.errors += 1;
        let wait = keeper::backoff(self.errors, Duration::from_secs(1), ERROR_WAIT_MAX);
        let wake_at = self.parts.clock.now() + TimeDelta::from_std(wait).unwrap_or_default();
        self.wake_at(wake_at, context);
        self.finish_drain();
    }

    fn wake_at(&mut self, wake_at: DateTime<Utc>, context: &mut Context<Self>) {
        if let Some(timer) = self.timer.take() {
            context.cancel_future(timer);
        }
        let clock = self.parts.clock.clone();
        let sleeping = async move { clock.sleep_until(wake_at).await };
        self.timer = Some(context.spawn(sleeping.into_actor(self).map(|(), dispatcher, context| {
            dispatcher.timer = None;
            dispatcher.look(context);
        })));
    }

    fn finish_drain(&mut self) {
        if self.is_looking || self.lanes.in_flight() > 0 {
            return;
        }
        for done in self.draining.iter_mut().flat_map(|waiting| waiting.drain(..)) {
            // Whoever stops the service may have run out of patience.
            done.send(()).ok();
        }
    }
}

impl Handler<Posted<Kick>> for WebhookDispatcher {
    type Result = ();

    fn handle(&mut self, posted: Posted<Kick>, context: &mut Context<Self>) {
        posted.open();
        self.look(context);
    }
}

impl Handler<Posted<Ended>> for WebhookDispatcher {
    type Result = ();

    fn handle(&mut self, posted: Posted<Ended>, context: &mut Context<Self>) {
        let ended = posted.open();
        if ended.life != self.life {
            return;
        }
        self.lanes.end(ended.endpoint_id, ended.outcome);
        self.counters.in_flight.store(self.lanes.in_flight(), Relaxed);
        self.look(context);
        self.finish_drain();
    }
}

impl Handler<Posted<Drain>> for WebhookDispatcher {
    type Result = ();

    fn handle(&mut self, posted: Posted<Drain>, _: &mut Context<Self>) {
        let Drain { done, is_hasty } = posted.open();
        self.draining.get_or_insert_default().push(done);
        if is_hasty {
            self.hurry.send_replace(true);
        }
        self.finish_drain();
    }
}

async fn claim(
    store: &Store,
    plan: &Plan,
    now: DateTime<Utc>,
    lease_until: DateTime<Utc>,
) -> Result<Vec<ClaimedDelivery>, StoreError> {
    if !plan.hold.is_empty() {
        store.sweep_hold_deliveries(&plan.hold, now).await?;
    }
    if plan.shares.is_empty() {
        return Ok(Vec::new());
    }
    store.sweep_claim_deliveries(&plan.shares, now, lease_until).await
}

#[cfg(test)]
mod tests;
