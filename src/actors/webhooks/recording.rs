//! Results of attempts, recorded many at a time: while one transaction runs, the next group gathers.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use actix::{ActorFutureExt, AsyncContext, Context, WrapFuture};
use chrono::{DateTime, Utc};

use super::{DispatcherParts, WebhookDispatcher};
use crate::runtime::GroupDelay;
use domain::scheduling::group_delay;
use domain::{AfterAttempt, DeliveryState, Gate, Outcome, WaitingEndpoint};
use store::{EndedAttempt, StoreError};

/// Results that one transaction records at most.
const GROUP_MAX: usize = 512;
/// The waits between tries to record; together well below the margin of a lease.
const WAITS: [Duration; 4] =
    [Duration::from_secs(1), Duration::from_secs(2), Duration::from_secs(4), Duration::from_secs(8)];

/// How recording one result ended.
enum Recorded {
    As(Box<AfterAttempt>),
    /// Another process has the claim.
    Lost,
    /// The attempt is repeated when its lease ends.
    Failed,
}

impl WebhookDispatcher {
    /// Records ended attempts, unless a group is being recorded; then they follow.
    pub(super) fn record(&mut self, context: &mut Context<Self>) {
        if self.is_recording || self.ended.is_empty() || self.waits_for_more(context) {
            return;
        }
        self.is_recording = true;
        let rest = self.ended.split_off(self.ended.len().min(GROUP_MAX));
        let (group, places): (Vec<_>, Vec<_>) = std::mem::replace(&mut self.ended, rest).into_iter().unzip();
        let (parts, busy) = (self.parts.clone(), self.parts.clock.busy());
        let recording = async move {
            let (recorded, at) = record_group(&parts, &group).await;
            (group, recorded, at, busy)
        };
        context.spawn(recording.into_actor(self).map(|(group, recorded, at, _busy), dispatcher, context| {
            dispatcher.is_recording = false;
            for ((ended, recorded), place) in group.iter().zip(recorded).zip(places) {
                dispatcher.note_recorded(ended, recorded, place, at);
            }
            dispatcher.advance(context);
        }));
    }

    /// Whether results wait for those of attempts that are under way. A simulated clock stands still meanwhile.
    fn waits_for_more(&mut self, context: &mut Context<Self>) -> bool {
        let (ended, expected) = (self.ended.len(), self.ended.len() + self.room.lock().limiter.in_flight());
        let is_wanted = group_delay::waits(ended, expected.min(GROUP_MAX))
            && self.draining.is_none()
            && !self.parts.clock.is_simulated();
        self.delay.holds(is_wanted, &self.parts.clock, context, |dispatcher: &mut Self, context| {
            dispatcher.delay = GroupDelay::Over;
            dispatcher.advance(context);
        })
    }

    fn note_recorded(&mut self, ended: &EndedAttempt, recorded: Recorded, place: Option<Arc<str>>, at: DateTime<Utc>) {
        let EndedAttempt { claimed, report } = ended;
        let (account_id, endpoint_id) = (claimed.account_id, claimed.endpoint_id);
        let decision = match recorded {
            Recorded::As(decision) => decision,
            Recorded::Lost => {
                self.parts.figures.note_refused();
                let update_id = claimed.delivery.update_id;
                tracing::warn!(%update_id, "an attempt ended after another process had claimed its delivery");
                return self.let_go(ended, place);
            }
            Recorded::Failed => {
                self.let_go(ended, place);
                self.poll_by(claimed.lease_until);
                return;
            }
        };
        self.let_go(ended, place);
        self.parts.figures.note_recorded(report, claimed.created_at);
        log(ended, &decision, at);
        let AfterAttempt { health, delivery } = *decision;
        self.waiting.note_health(endpoint_id, &health);
        health.alert_at.into_iter().for_each(|alert_at| self.poll_by(alert_at));
        if health.gate(at) != Gate::Open {
            let outgoing = self.ready.remove(account_id, endpoint_id);
            self.give_back(outgoing);
        }
        if let Some(due_at) = delivery.due_at {
            self.waiting.note(WaitingEndpoint { endpoint_id, account_id, due_at, health });
        }
    }

    fn let_go(&mut self, ended: &EndedAttempt, place: Option<Arc<str>>) {
        let endpoint_id = ended.claimed.endpoint_id;
        let limiter = &mut self.room.lock().limiter;
        if let Some(host) = place {
            limiter.end(endpoint_id, &host);
        }
        limiter.release(endpoint_id, 1);
    }
}

/// Records a group; answers the results and their instant. One result that the database rejects must not hold up the
/// others.
async fn record_group(parts: &Rc<DispatcherParts>, group: &[EndedAttempt]) -> (Vec<Recorded>, DateTime<Utc>) {
    let at = parts.clock.now();
    match try_to_record(parts, group, at).await {
        Ok(recorded) => (recorded, at),
        Err(error) => {
            if group.len() > 1 {
                tracing::warn!(%error, attempts = group.len(), "a group of attempts is recorded one by one");
            }
            let mut recorded = Vec::with_capacity(group.len());
            for one in group {
                match try_to_record(parts, std::slice::from_ref(one), at).await {
                    Ok(alone) => recorded.extend(alone),
                    Err(error) => {
                        let update_id = one.claimed.delivery.update_id;
                        tracing::error!(%error, %update_id, "an attempt cannot be recorded and will be repeated");
                        recorded.push(Recorded::Failed);
                    }
                }
            }
            (recorded, at)
        }
    }
}

/// Waits for a database that is away as long as the leases allow. Then the deliveries are due again by themselves.
async fn try_to_record(
    parts: &Rc<DispatcherParts>,
    group: &[EndedAttempt],
    at: DateTime<Utc>,
) -> Result<Vec<Recorded>, StoreError> {
    let mut waits = WAITS.into_iter();
    loop {
        match parts.store.record_attempts(group, &parts.schedule, at).await {
            Ok(decisions) => {
                let recorded = |decision: Option<AfterAttempt>| match decision {
                    Some(decision) => Recorded::As(Box::new(decision)),
                    None => Recorded::Lost,
                };
                return Ok(decisions.into_iter().map(recorded).collect());
            }
            Err(error @ StoreError::Unavailable(_)) => {
                tracing::warn!(%error, attempts = group.len(), "attempts are not recorded yet");
                match waits.next() {
                    Some(wait) => parts.clock.sleep(wait).await,
                    None => return Ok(group.iter().map(|_| Recorded::Failed).collect()),
                }
            }
            Err(error) => return Err(error),
        }
    }
}

/// Logs a failed attempt, its result and what follows.
fn log(ended: &EndedAttempt, decision: &AfterAttempt, at: DateTime<Utc>) {
    let (report, claimed) = (&ended.report, &ended.claimed);
    let (account_id, endpoint_id) = (claimed.account_id, claimed.endpoint_id);
    if matches!(report.outcome, Outcome::Ok | Outcome::Cancelled) {
        return;
    }
    let (update_id, attempt) = (claimed.delivery.update_id, decision.delivery.attempts);
    let (outcome, status) = (report.outcome.as_str(), report.status);
    let next_attempt_at = decision.delivery.due_at.map(tracing::field::display);
    tracing::info!(%account_id, %endpoint_id, %update_id, attempt, outcome, status, next_attempt_at, "an attempt failed");
    if decision.delivery.state == DeliveryState::Exhausted {
        tracing::warn!(%account_id, %endpoint_id, %update_id, "a delivery has used up its attempts");
    }
    if let Some((reason, _)) = decision.health.disabled.filter(|(_, since)| *since == at) {
        tracing::warn!(%account_id, %endpoint_id, reason = reason.as_str(), "a webhook endpoint is disabled");
    }
}
