//! The endpoints that are known to have deliveries in the table, and which of them are claimed next (decisions 5.5, 5.6).
//!
//! The table is read seldom; between two readings this says what is due, as it learns of every claim and every result.
//! Accounts take turns, and of one account its endpoints, the longest waiting first. Pure.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::{DateTime, Utc};

use crate::delivery::endpoint_health::{EndpointHealth, Gate};
use crate::delivery::endpoint_limiter::EndpointLimiter;
use crate::ids::{AccountId, EndpointId};

/// Endpoints that one claim takes at most.
const ENDPOINTS_MAX: usize = 64;
/// Deliveries of one endpoint that one claim takes at most.
const ENDPOINT_CLAIM_MAX: usize = 64;

/// An endpoint with pending deliveries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingEndpoint {
    /// The endpoint.
    pub endpoint_id: EndpointId,
    /// Whose it is.
    pub account_id: AccountId,
    /// When the first of them is due.
    pub due_at: DateTime<Utc>,
    /// The health of the endpoint.
    pub health: EndpointHealth,
}

/// What may be claimed for one endpoint. As many deliveries are held by the limiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndpointClaim {
    /// The endpoint.
    pub endpoint_id: EndpointId,
    /// Whose it is.
    pub account_id: AccountId,
    /// At most this many deliveries.
    pub count: usize,
    /// Set for a probe of an open breaker: the instant until which it was open.
    pub probe_since: Option<DateTime<Utc>>,
}

/// What to do at the table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// What to claim.
    pub claims: Vec<EndpointClaim>,
    /// The disabled endpoints with due deliveries, which are to be held.
    pub hold: Vec<EndpointId>,
}

/// The endpoints that wait.
#[derive(Debug, Default)]
pub struct WaitingEndpoints {
    known: BTreeMap<EndpointId, WaitingEndpoint>,
    by_time: BTreeSet<(DateTime<Utc>, EndpointId)>,
}

/// When the oldest delivery was due that may be attempted at `now`; `None` when nothing is late.
pub fn oldest_due(waiting: &[WaitingEndpoint], now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let may_go = |endpoint: &&WaitingEndpoint| endpoint.due_at <= now && endpoint.health.gate(now) == Gate::Open;
    waiting.iter().filter(may_go).map(|endpoint| endpoint.due_at).min()
}

impl Plan {
    /// Whether there is nothing to be done.
    pub const fn is_empty(&self) -> bool {
        self.claims.is_empty() && self.hold.is_empty()
    }
}

impl WaitingEndpoint {
    /// The first instant at which something can be claimed.
    fn ready_at(&self) -> DateTime<Utc> {
        match self.health.gate(self.due_at) {
            Gate::Wait(until) => until,
            _ => self.due_at,
        }
    }
}

impl WaitingEndpoints {
    /// Forgets what is known, and knows `found` instead.
    pub fn replace(&mut self, found: Vec<WaitingEndpoint>) {
        *self = Self::default();
        found.into_iter().for_each(|endpoint| self.note(endpoint));
    }

    /// Notes that an endpoint has a delivery that is due, with its latest health.
    pub fn note(&mut self, mut endpoint: WaitingEndpoint) {
        if let Some(known) = self.remove(endpoint.endpoint_id) {
            endpoint.due_at = endpoint.due_at.min(known.due_at);
        }
        self.by_time.insert((endpoint.ready_at(), endpoint.endpoint_id));
        self.known.insert(endpoint.endpoint_id, endpoint);
    }

    /// All that is known.
    pub fn into_known(self) -> impl Iterator<Item = WaitingEndpoint> {
        self.known.into_values()
    }

    /// Notes the health of an endpoint, if it waits.
    pub fn note_health(&mut self, endpoint_id: EndpointId, health: &EndpointHealth) {
        if let Some(known) = self.remove(endpoint_id) {
            self.note(WaitingEndpoint { health: health.clone(), ..known });
        }
    }

    /// Forgets an endpoint; answers what was known about it.
    pub fn remove(&mut self, endpoint_id: EndpointId) -> Option<WaitingEndpoint> {
        let known = self.known.remove(&endpoint_id)?;
        self.by_time.remove(&(known.ready_at(), endpoint_id));
        Some(known)
    }

    /// When the first endpoint that is not ready at `now` will be.
    pub fn next_at(&self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let after_now = (now, EndpointId(uuid::Uuid::max()));
        self.by_time.range(after_now..).map(|(ready_at, _)| *ready_at).find(|ready_at| *ready_at > now)
    }

    /// What to claim at `now`: at most `claims_max` deliveries, which `limiter` holds from then on.
    pub fn plan(&self, limiter: &mut EndpointLimiter, now: DateTime<Utc>, claims_max: usize) -> Plan {
        let mut plan = Plan::default();
        let mut turns: HashMap<AccountId, usize> = HashMap::new();
        let mut ready = Vec::new();
        for (_, endpoint_id) in self.by_time.iter().take_while(|(ready_at, _)| *ready_at <= now) {
            let Some(endpoint) = self.known.get(endpoint_id) else { continue };
            match endpoint.health.gate(now) {
                Gate::Disabled(_) => plan.hold.push(endpoint.endpoint_id),
                Gate::Wait(_) => {}
                _ if !limiter.wants_more(endpoint.endpoint_id) => {}
                gate => {
                    let turn = turns.entry(endpoint.account_id).or_default();
                    *turn += 1;
                    ready.push((*turn, endpoint, gate));
                }
            }
        }
        // The sort is stable: within a turn, the longest waiting goes first.
        ready.sort_by_key(|(turn, ..)| *turn);
        let mut left = claims_max;
        for (_, endpoint, gate) in ready {
            let (wanted, probe_since) = match gate {
                Gate::Probe => (1, endpoint.health.breaker_open_until),
                _ => (ENDPOINT_CLAIM_MAX, None),
            };
            let WaitingEndpoint { endpoint_id, account_id, .. } = *endpoint;
            let count = limiter.hold(account_id, endpoint_id, endpoint.health.is_suspect(), wanted.min(left));
            if count > 0 {
                left -= count;
                plan.claims.push(EndpointClaim { endpoint_id, account_id, count, probe_since });
            }
            if left == 0 || plan.claims.len() == ENDPOINTS_MAX {
                break;
            }
        }
        plan
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use uuid::Uuid;

    use super::*;
    use crate::delivery::Outcome;
    use crate::delivery::endpoint_health::{DisabledReason, Observation};

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_700_000_000 + seconds, 0).unwrap()
    }

    fn endpoint(number: u128) -> EndpointId {
        EndpointId(Uuid::from_u128(number))
    }

    /// An endpoint that has answered well before; of the account that its number divided by a hundred tells.
    fn waiting(number: u128, due_in: i64) -> WaitingEndpoint {
        WaitingEndpoint {
            endpoint_id: endpoint(number),
            account_id: AccountId(Uuid::from_u128(number / 100)),
            due_at: at(due_in),
            health: EndpointHealth { last_success_at: Some(at(-1_000)), ..EndpointHealth::default() },
        }
    }

    fn failed(number: u128, due_in: i64, failures: i64) -> WaitingEndpoint {
        let mut endpoint = waiting(number, due_in);
        for second in 0..failures {
            let seen = Observation { outcome: Outcome::Http5xx, retry_after: None, was_probe: false };
            endpoint.health = endpoint.health.after(seen, at(second - 100));
        }
        endpoint
    }

    fn known(endpoints: impl IntoIterator<Item = WaitingEndpoint>) -> WaitingEndpoints {
        let mut known = WaitingEndpoints::default();
        known.replace(endpoints.into_iter().collect());
        known
    }

    fn order(plan: &Plan) -> Vec<u128> {
        plan.claims.iter().map(|claim| claim.endpoint_id.0.as_u128()).collect()
    }

    #[test]
    fn accounts_take_turns_and_the_longest_waiting_goes_first() {
        let known = known([waiting(101, -9), waiting(102, -8), waiting(103, -7), waiting(201, -2), waiting(301, -5)]);
        let plan = known.plan(&mut EndpointLimiter::new(64), at(0), 1_000);
        assert_eq!(order(&plan), [101, 301, 201, 102, 103]);
        assert!(plan.claims.iter().all(|claim| claim.count == ENDPOINT_CLAIM_MAX && claim.probe_since.is_none()));
    }

    #[test]
    fn what_is_planned_is_held_and_no_more_than_there_is_room() {
        let mut limiter = EndpointLimiter::new(64);
        let known = known([waiting(101, -1), failed(201, -1, 1)]);
        let plan = known.plan(&mut limiter, at(0), 66);
        assert_eq!(plan.claims.iter().map(|claim| claim.count).collect::<Vec<_>>(), [64, 2]);
        assert_eq!(limiter.held.taken(), 66);
    }

    #[test]
    fn a_closed_gate_is_no_reason_to_claim_until_it_opens() {
        let broken = failed(1, -90, 5);
        let opens_at = broken.health.breaker_open_until.unwrap();
        let known = known([broken, waiting(2, 7)]);
        let mut limiter = EndpointLimiter::new(64);
        let before = opens_at - TimeDelta::seconds(1);
        assert!(known.plan(&mut limiter, before, 10).is_empty());
        assert_eq!(known.next_at(before), Some(opens_at));
        let plan = known.plan(&mut limiter, opens_at, 10);
        assert_eq!((plan.claims[0].count, plan.claims[0].probe_since), (1, Some(opens_at)));
        assert_eq!(known.next_at(opens_at), Some(at(7)));
        assert_eq!(known.next_at(at(7)), None);
    }

    #[test]
    fn what_is_due_at_a_disabled_endpoint_is_to_be_held() {
        let mut gone = waiting(1, -1);
        gone.health = gone.health.disabled(DisabledReason::Gone, at(-5));
        let mut later = waiting(2, 5);
        later.health = later.health.disabled(DisabledReason::Gone, at(-5));
        let plan = known([gone, later]).plan(&mut EndpointLimiter::new(64), at(0), 10);
        assert_eq!((plan.hold, plan.claims), (vec![endpoint(1)], vec![]));
    }

    #[test]
    fn what_an_endpoint_keeps_waiting_is_not_late() {
        let mut gone = waiting(1, -90);
        gone.health = gone.health.disabled(DisabledReason::Gone, at(-95));
        let broken = failed(2, -80, 5);
        assert_eq!(oldest_due(&[gone, broken], at(0)), None);
        assert_eq!(oldest_due(&[waiting(3, 1)], at(0)), None);
        assert_eq!(oldest_due(&[waiting(3, -5), waiting(4, -7), waiting(5, 9)], at(0)), Some(at(-7)));
    }

    #[test]
    fn an_endpoint_is_known_by_its_soonest_delivery_and_its_newest_health() {
        let mut known = known([waiting(1, 5)]);
        known.note(waiting(1, 9));
        assert_eq!(known.next_at(at(0)), Some(at(5)));
        known.note(waiting(1, 3));
        assert_eq!(known.next_at(at(0)), Some(at(3)));
        let broken = failed(1, 0, 5).health.with_probe_until(at(60));
        known.note_health(endpoint(1), &broken);
        assert_eq!(known.next_at(at(0)), Some(at(60)));
        assert_eq!(known.remove(endpoint(1)).map(|one| one.due_at), Some(at(3)));
        assert_eq!(known.next_at(at(0)), None);
    }
}
