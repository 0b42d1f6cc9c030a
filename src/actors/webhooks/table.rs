//! Deliveries that were not handed over in memory: reading the table, and claiming what is due there.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use actix::{ActorFutureExt, AsyncContext, Context, SpawnHandle, WrapFuture};
use chrono::{DateTime, TimeDelta, Utc};

use super::alerts::send_endpoint_alerts;
use super::{DispatcherParts, WebhookDispatcher};
use domain::scheduling::backoff::backoff;
use domain::{EndpointClaim, EndpointId, Plan, WaitingEndpoint};
use store::{Claimed, OutboxOutlook, RecoveryStep, Store, StoreError};

/// Deliveries that one transaction claims at most.
const CLAIMS_MAX: usize = 1_024;
/// How often the table is read: for what other processes left, and what an operator changed.
const POLL: Duration = Duration::from_secs(2);
/// Reading the table takes at most one part in so many of the time, unless the pause for it would be too long.
const READING_TIME_PART: i32 = 20;
/// The longest pause between two readings for that reason: a long reading often means that the process or the database
/// stood still, and what came due meanwhile must not wait.
const READING_PAUSE_MAX: TimeDelta = TimeDelta::seconds(10);
/// The pause between two steps of a recovery: what it makes due must not crowd out what is new.
const RECOVERY_PAUSE: TimeDelta = TimeDelta::milliseconds(50);
/// Instants of the wall clock that are this close are one to the steady clock.
const TIMER_PRECISION: TimeDelta = TimeDelta::milliseconds(1);
/// The longest wait after the database did not answer.
const ERROR_WAIT_MAX: Duration = Duration::from_secs(30);

impl WebhookDispatcher {
    /// Looks through the table when it is time to, or else claims what is known to be due if there is room for it.
    pub(super) fn visit_table(&mut self, context: &mut Context<Self>) {
        if self.is_at_table || self.draining.is_some() || self.errors > 0 && self.timer.is_some() {
            return;
        }
        let (now, steady_now) = (self.parts.clock.now(), self.parts.clock.steady_now());
        if self.is_stale || self.poll_at <= steady_now {
            return self.look(context);
        }
        let plan = self.waiting.plan(&mut self.room.lock().limiter, now, CLAIMS_MAX);
        if !plan.is_empty() {
            return self.claim(plan, now, context);
        }
        let next_at = self.waiting.next_at(now).map(|next_at| steady_now + (next_at - now));
        self.wake_at(next_at.map_or(self.poll_at, |next_at| next_at.min(self.poll_at)), context);
    }

    /// Looks through the table for endpoints that wait.
    fn look(&mut self, context: &mut Context<Self>) {
        self.is_at_table = true;
        self.is_stale = false;
        // What is noted during the reading is newer than its result.
        let known = std::mem::take(&mut self.waiting);
        let parts = self.parts.clone();
        let looking = async move {
            let began_at = parts.clock.steady_now();
            let found = look_through(&parts).await;
            (found, parts.clock.steady_now() - began_at)
        };
        context.spawn(looking.into_actor(self).map(|(found, took), dispatcher, context| {
            dispatcher.is_at_table = false;
            let noted = std::mem::take(&mut dispatcher.waiting);
            match found {
                Ok((found, next)) => {
                    dispatcher.errors = 0;
                    dispatcher.waiting.replace(found);
                    dispatcher.poll_again(took);
                    next.into_iter().flatten().for_each(|at| dispatcher.poll_by(at));
                }
                Err(error) => {
                    dispatcher.waiting = known;
                    dispatcher.come_back_after(&error, context);
                }
            }
            noted.into_known().for_each(|endpoint| dispatcher.waiting.note(endpoint));
            dispatcher.advance(context);
        }));
    }

    fn claim(&mut self, plan: Plan, now: DateTime<Utc>, context: &mut Context<Self>) {
        self.is_at_table = true;
        let (parts, lease_until) = (self.parts.clone(), now + self.parts.lease());
        let claiming = async move {
            parts.faults.pass("dispatcher.before_claim", &plan.claims.len());
            let claimed = claim(&parts.store, &plan, now, lease_until).await;
            parts.faults.pass("dispatcher.after_claim", &plan.claims.len());
            (claimed, plan)
        };
        context.spawn(claiming.into_actor(self).map(move |(claimed, plan), dispatcher, context| {
            dispatcher.is_at_table = false;
            match claimed {
                Ok(claimed) => dispatcher.note_claimed(claimed, &plan, lease_until),
                Err(error) => {
                    dispatcher.release(&plan, &Claimed::default());
                    dispatcher.come_back_after(&error, context);
                }
            }
            dispatcher.advance(context);
        }));
    }

    fn note_claimed(&mut self, claimed: Claimed, plan: &Plan, lease_until: DateTime<Utc>) {
        self.errors = 0;
        self.parts.figures.note_expired_leases(claimed.expired_leases);
        self.release(plan, &claimed);
        // Held deliveries are no longer due; what the endpoint has due later is not known.
        self.is_stale |= !plan.hold.is_empty();
        for endpoint_id in &plan.hold {
            self.waiting.remove(*endpoint_id);
        }
        let next: HashMap<_, _> = claimed.next.into_iter().collect();
        let has_claimed: HashSet<_> = claimed.deliveries.iter().map(|delivery| delivery.endpoint_id).collect();
        // Leased by another process, and this one's clock is ahead of the database's.
        let not_before = self.parts.clock.now() + TimeDelta::seconds(1);
        for EndpointClaim { endpoint_id, probe_since, .. } in &plan.claims {
            let Some(known) = self.waiting.remove(*endpoint_id) else { continue };
            let Some(due_at) = next.get(endpoint_id).copied().flatten() else { continue };
            let due_at = if has_claimed.contains(endpoint_id) { due_at } else { due_at.max(not_before) };
            // Until a probe is over, no other goes.
            let health = if probe_since.is_some() { known.health.with_probe_until(lease_until) } else { known.health };
            self.waiting.note(WaitingEndpoint { due_at, health, ..known });
        }
        claimed.deliveries.into_iter().for_each(|claimed| self.queue(claimed));
        if self.draining.is_some() {
            self.give_back_ready();
        }
    }

    /// Frees the places of what was planned and not claimed.
    fn release(&mut self, plan: &Plan, claimed: &Claimed) {
        let mut counts: HashMap<EndpointId, usize> = HashMap::new();
        for delivery in &claimed.deliveries {
            *counts.entry(delivery.endpoint_id).or_default() += 1;
        }
        let limiter = &mut self.room.lock().limiter;
        for EndpointClaim { endpoint_id, count, .. } in &plan.claims {
            limiter.release(*endpoint_id, count.saturating_sub(counts.get(endpoint_id).copied().unwrap_or(0)));
        }
    }

    fn poll_again(&mut self, took: TimeDelta) {
        let clock = &self.parts.clock;
        let poll = TimeDelta::from_std(clock.backstop(POLL)).unwrap_or(TimeDelta::days(1));
        self.poll_at = clock.steady_now() + poll.max(pause_after_reading(took));
    }

    /// Reads the table at an instant of the wall clock, if that comes before the next reading.
    pub(super) fn poll_by(&mut self, at: DateTime<Utc>) {
        let clock = &self.parts.clock;
        self.poll_at = self.poll_at.min(clock.steady_now() + (at - clock.now()));
    }

    fn come_back_after(&mut self, error: &StoreError, context: &mut Context<Self>) {
        tracing::warn!(%error, "the outbox cannot be read");
        self.errors += 1;
        self.is_stale = true;
        let wait = backoff(self.errors, Duration::from_secs(1), ERROR_WAIT_MAX);
        let wake_at = self.parts.clock.steady_now() + TimeDelta::from_std(wait).unwrap_or_default();
        self.wake_at(wake_at, context);
    }

    /// Sets the timer, by the steady clock, unless it fires just before.
    fn wake_at(&mut self, wake_at: DateTime<Utc>, context: &mut Context<Self>) {
        let is_set = |(at, _): &(DateTime<Utc>, SpawnHandle)| *at <= wake_at && wake_at - *at < TIMER_PRECISION;
        if self.timer.as_ref().is_some_and(is_set) {
            return;
        }
        if let Some((_, timer)) = self.timer.take() {
            context.cancel_future(timer);
        }
        let clock = self.parts.clock.clone();
        let left = (wake_at - clock.steady_now()).to_std().unwrap_or_default();
        let sleeping = async move { clock.sleep(left).await };
        let timer = context.spawn(sleeping.into_actor(self).map(|(), dispatcher, context| {
            dispatcher.timer = None;
            dispatcher.advance(context);
        }));
        self.timer = Some((wake_at, timer));
    }
}

/// How long to wait after a reading before the next one, so that reading stays a small part of the work.
fn pause_after_reading(took: TimeDelta) -> TimeDelta {
    (took * READING_TIME_PART).min(READING_PAUSE_MAX)
}

/// Does what is due of what one process does for all, and reads which endpoints wait; also when the next recovery goes on and
/// the next alert is due.
async fn look_through(
    parts: &DispatcherParts,
) -> Result<(Vec<WaitingEndpoint>, [Option<DateTime<Utc>>; 2]), StoreError> {
    let OutboxOutlook { has_pending, recovery_at, alert_at } = parts.store.all_outbox_outlook().await?;
    let has_duties = parts.store.membership().has_duties();
    let [recovery_at, alert_at] = [recovery_at, alert_at].map(|at| at.filter(|_| has_duties));
    let is_due = |at: Option<DateTime<Utc>>| at.is_some_and(|at| at <= parts.clock.now());
    let [steps, alerts] = [recovery_at, alert_at].map(is_due);
    let next = [
        if steps { advance_recovery(parts).await } else { recovery_at },
        if alerts { send_endpoint_alerts(parts).await } else { alert_at },
    ];
    match has_pending || steps || alerts {
        true => Ok((parts.store.all_waiting_endpoints().await?, next)),
        false => Ok((Vec::new(), next)),
    }
}

/// Takes a recovery one step further, if there is one; when the next step is to be made.
async fn advance_recovery(parts: &DispatcherParts) -> Option<DateTime<Utc>> {
    match parts.store.advance_recovery(parts.clock.now()).await {
        Ok(RecoveryStep::Nothing) => None,
        Ok(RecoveryStep::Pause { resumes_at }) => Some(resumes_at),
        Ok(RecoveryStep::Made(recovery)) => {
            parts.faults.pass("dispatcher.recovery_step", &recovery.done);
            if recovery.finished_at.is_some() {
                tracing::info!(recovery_id = %recovery.job_id, resent = recovery.done, "a recovery is finished");
            }
            Some(parts.clock.now() + RECOVERY_PAUSE)
        }
        Err(error) => {
            tracing::warn!(%error, "a recovery could not be taken further");
            None
        }
    }
}

async fn claim(
    store: &Store,
    plan: &Plan,
    now: DateTime<Utc>,
    lease_until: DateTime<Utc>,
) -> Result<Claimed, StoreError> {
    if !plan.hold.is_empty() {
        store.hold_deliveries(&plan.hold, now).await?;
    }
    if plan.claims.is_empty() {
        return Ok(Claimed::default());
    }
    store.claim_deliveries(&plan.claims, now, lease_until).await
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::pause_after_reading;

    #[test]
    fn decision_5_5_reading_takes_a_small_part_of_the_time_and_a_standstill_delays_nothing_for_long() {
        for (took_ms, pause_ms) in [(0, 0), (50, 1_000), (400, 8_000), (3_200, 10_000), (60_000, 10_000)] {
            let pause = pause_after_reading(TimeDelta::milliseconds(took_ms));
            assert_eq!(pause, TimeDelta::milliseconds(pause_ms), "after {took_ms} ms");
        }
    }
}
