//! How the capacity of a dispatcher is shared among endpoints, so that one that hangs slows nobody else (decision 5.5).
//!
//! Each endpoint has a lane with a cap of its own, which grows while the receiver keeps up and shrinks when it does not;
//! endpoints that have failed lately get no more than half of the whole together. Pure; kept in memory only, because all
//! of it is learnt again within seconds.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};

use super::delivery::Outcome;
use super::endpoint_health::{EndpointHealth, Gate};
use super::ids::EndpointId;

/// Deliveries under way to one endpoint before anything is known about it.
const CAP_START: usize = 4;
/// The most deliveries under way to one endpoint.
const CAP_MAX: usize = 32;

/// An endpoint with pending deliveries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingEndpoint {
    /// The endpoint.
    pub endpoint_id: EndpointId,
    /// When the first of them is due.
    pub due_at: DateTime<Utc>,
    /// How the endpoint fares.
    pub health: EndpointHealth,
}

/// What may be claimed for one endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// The endpoint.
    pub endpoint_id: EndpointId,
    /// At most this many deliveries.
    pub count: usize,
    /// Set for a probe of an open breaker: the instant until which it was open.
    pub probe_since: Option<DateTime<Utc>>,
    /// Whether the endpoint has failed lately.
    pub is_failing: bool,
}

/// What a look at the waiting endpoints comes to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// What to claim.
    pub shares: Vec<Share>,
    /// The disabled endpoints with due deliveries, which are to be held.
    pub hold: Vec<EndpointId>,
    /// When the next endpoint that gets nothing now may get something.
    pub next_at: Option<DateTime<Utc>>,
}

/// The lanes of one dispatcher.
#[derive(Debug)]
pub struct Lanes {
    capacity: usize,
    in_flight: usize,
    in_flight_failing: usize,
    lanes: BTreeMap<EndpointId, Lane>,
}

#[derive(Debug)]
struct Lane {
    in_flight: usize,
    cap: usize,
    is_failing: bool,
}

impl Lanes {
    /// Lanes for `capacity` deliveries under way in all.
    pub fn new(capacity: usize) -> Self {
        Self { capacity: capacity.max(1), in_flight: 0, in_flight_failing: 0, lanes: BTreeMap::new() }
    }

    /// Deliveries under way.
    pub const fn in_flight(&self) -> usize {
        self.in_flight
    }

    /// Whether nothing more may begin.
    pub const fn is_full(&self) -> bool {
        self.in_flight >= self.capacity
    }

    /// Shares the free capacity, at most `batch_max` deliveries of it, among the endpoints that are due at `now`: one
    /// each, the longest waiting first, then a second, until nothing is left.
    pub fn plan(&self, mut waiting: Vec<WaitingEndpoint>, now: DateTime<Utc>, batch_max: usize) -> Plan {
        let mut plan = Plan::default();
        let mut open: Vec<Share> = Vec::new();
        let mut room = BTreeMap::new();
        waiting.sort_by_key(|endpoint| (endpoint.due_at, endpoint.endpoint_id));
        for WaitingEndpoint { endpoint_id, due_at, health } in waiting {
            let gate = health.gate(now);
            let ready_at = match gate {
                Gate::Wait(until) => due_at.max(until),
                _ => due_at,
            };
            if ready_at > now {
                plan.next_at = Some(plan.next_at.map_or(ready_at, |next_at| next_at.min(ready_at)));
                continue;
            }
            let lane = self.lanes.get(&endpoint_id);
            let (in_flight, cap) = lane.map_or((0, CAP_START), |lane| (lane.in_flight, lane.cap));
            match gate {
                Gate::Disabled(_) => plan.hold.push(endpoint_id),
                Gate::Probe => {
                    open.push(Share {
                        endpoint_id,
                        count: 0,
                        probe_since: health.breaker_open_until,
                        is_failing: true,
                    });
                    room.insert(endpoint_id, 1);
                }
                _ => {
                    let is_failing = lane.map_or(health.consecutive_failures > 0, |lane| lane.is_failing);
                    open.push(Share { endpoint_id, count: 0, probe_since: None, is_failing });
                    room.insert(endpoint_id, cap.saturating_sub(in_flight));
                }
            }
        }
        self.fill(&mut open, &room, batch_max);
        plan.shares = open.into_iter().filter(|share| share.count > 0).collect();
        plan
    }

    fn fill(&self, open: &mut [Share], room: &BTreeMap<EndpointId, usize>, batch_max: usize) {
        let mut free = self.capacity.saturating_sub(self.in_flight).min(batch_max);
        let mut free_failing = self.capacity.div_ceil(2).saturating_sub(self.in_flight_failing);
        let mut filled = BTreeSet::new();
        while free > 0 && filled.len() < open.len() {
            for share in open.iter_mut() {
                let room = room.get(&share.endpoint_id).copied().unwrap_or_default();
                if free == 0 || share.count >= room || share.is_failing && free_failing == 0 {
                    filled.insert(share.endpoint_id);
                    continue;
                }
                share.count += 1;
                free -= 1;
                free_failing -= usize::from(share.is_failing);
            }
        }
    }

    /// Counts a delivery that begins; `is_failing` says whether its endpoint has failed lately.
    pub fn begin(&mut self, endpoint_id: EndpointId, is_failing: bool) {
        let lane = self.lanes.entry(endpoint_id).or_insert(Lane { in_flight: 0, cap: CAP_START, is_failing });
        lane.in_flight += 1;
        self.in_flight += 1;
        self.in_flight_failing += usize::from(lane.is_failing);
    }

    /// Counts a delivery that ended; `None` when nothing was learnt from it.
    pub fn end(&mut self, endpoint_id: EndpointId, outcome: Option<Outcome>) {
        let Some(lane) = self.lanes.get_mut(&endpoint_id) else { return };
        self.in_flight -= 1;
        if lane.is_failing {
            self.in_flight_failing -= lane.in_flight;
        }
        lane.in_flight -= 1;
        if let Some(outcome) = outcome.filter(|&outcome| outcome != Outcome::Cancelled) {
            lane.is_failing = !outcome.is_success();
            lane.cap = cap_after(lane.cap, outcome);
        }
        if lane.is_failing {
            self.in_flight_failing += lane.in_flight;
        }
        if lane.in_flight == 0 {
            self.lanes.remove(&endpoint_id);
        }
    }
}

/// One more after a success, half after a sign that the receiver has too much.
fn cap_after(cap: usize, outcome: Outcome) -> usize {
    match outcome {
        Outcome::Ok => (cap + 1).min(CAP_MAX),
        Outcome::Timeout | Outcome::Http429 | Outcome::Http5xx | Outcome::Connect => (cap / 2).max(1),
        _ => cap,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::super::endpoint_health::DisabledReason;
    use super::*;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_700_000_000 + seconds, 0).unwrap()
    }

    fn endpoint(number: u128) -> EndpointId {
        EndpointId(Uuid::from_u128(number))
    }

    fn waiting(number: u128, due_at: i64) -> WaitingEndpoint {
        WaitingEndpoint { endpoint_id: endpoint(number), due_at: at(due_at), health: EndpointHealth::default() }
    }

    fn counts(plan: &Plan) -> Vec<(u128, usize)> {
        plan.shares.iter().map(|share| (share.endpoint_id.0.as_u128(), share.count)).collect()
    }

    #[test]
    fn capacity_goes_round_the_endpoints_the_longest_waiting_first() {
        let plan = Lanes::new(8).plan(vec![waiting(1, -1), waiting(2, -3), waiting(3, -2)], at(0), 100);
        assert_eq!(counts(&plan), [(2, 3), (3, 3), (1, 2)]);
        let plan = Lanes::new(100).plan(vec![waiting(1, -1), waiting(2, 0)], at(0), 100);
        assert_eq!(counts(&plan), [(1, 4), (2, 4)]);
        let plan = Lanes::new(100).plan(vec![waiting(1, -1), waiting(2, 0)], at(0), 3);
        assert_eq!(counts(&plan), [(1, 2), (2, 1)]);
    }

    #[test]
    fn what_is_not_ready_says_when_it_will_be() {
        let mut paused = waiting(1, -10);
        paused.health.next_allowed_at = Some(at(50));
        let plan = Lanes::new(8).plan(vec![paused, waiting(2, 70)], at(0), 100);
        assert_eq!(plan, Plan { next_at: Some(at(50)), ..Plan::default() });
    }

    #[test]
    fn an_open_breaker_gets_one_probe_and_a_disabled_endpoint_nothing() {
        let mut broken = waiting(1, -10);
        broken.health.breaker_open_until = Some(at(-5));
        let mut disabled = waiting(2, -10);
        disabled.health = disabled.health.disabled(DisabledReason::Operator, at(-20));
        let plan = Lanes::new(8).plan(vec![broken, disabled], at(0), 100);
        let probe = Share { endpoint_id: endpoint(1), count: 1, probe_since: Some(at(-5)), is_failing: true };
        assert_eq!(plan, Plan { shares: vec![probe], hold: vec![endpoint(2)], next_at: None });
    }

    #[test]
    fn failing_endpoints_leave_half_of_the_capacity_to_the_others() {
        let failing = (1..=9).map(|number| {
            let mut endpoint = waiting(number, -100);
            endpoint.health.consecutive_failures = 1;
            endpoint
        });
        let plan = Lanes::new(10).plan(failing.chain([waiting(10, 0)]).collect(), at(0), 100);
        assert_eq!(counts(&plan), [(1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (10, 4)]);
    }

    #[test]
    fn a_lane_widens_with_success_and_narrows_with_trouble() {
        let mut lanes = Lanes::new(1000);
        lanes.begin(endpoint(1), false);
        let cap = |lanes: &Lanes| counts(&lanes.plan(vec![waiting(1, 0)], at(0), 100))[0].1 + 1;
        for (outcome, expected) in [
            (Some(Outcome::Ok), 5),
            (Some(Outcome::Ok), 6),
            (Some(Outcome::Timeout), 3),
            (Some(Outcome::Http4xx), 3),
            (None, 3),
            (Some(Outcome::Ok), 4),
        ] {
            lanes.begin(endpoint(1), false);
            lanes.end(endpoint(1), outcome);
            assert_eq!(cap(&lanes), expected, "{outcome:?}");
        }
    }

    proptest! {
        /// No cap is ever exceeded, and when nothing is under way the counters are at zero.
        #[test]
        fn caps_hold(
            capacity in 1..20usize,
            rounds in prop::collection::vec((prop::collection::vec((0..6u128, any::<bool>()), 0..6), 0..13usize), 1..20),
        ) {
            let mut lanes = Lanes::new(capacity);
            let mut under_way = Vec::new();
            for (due, outcome) in rounds {
                let mut seen = BTreeSet::new();
                let due: Vec<_> = due.into_iter().filter(|(number, _)| seen.insert(*number)).map(|(number, failing)| {
                    let mut endpoint = waiting(number, -1);
                    endpoint.health.consecutive_failures = u32::from(failing);
                    endpoint
                }).collect();
                let plan = lanes.plan(due, at(0), 100);
                for share in &plan.shares {
                    for _ in 0..share.count {
                        lanes.begin(share.endpoint_id, share.is_failing);
                        under_way.push(share.endpoint_id);
                    }
                }
                prop_assert!(lanes.in_flight() <= capacity);
                prop_assert_eq!(lanes.in_flight(), under_way.len());
                for lane in lanes.lanes.values() {
                    prop_assert!(lane.in_flight <= CAP_MAX);
                }
                if let Some(ended) = under_way.pop() {
                    lanes.end(ended, Some(Outcome::ALL[outcome]));
                }
            }
            for ended in under_way {
                lanes.end(ended, None);
            }
            prop_assert_eq!((lanes.in_flight, lanes.in_flight_failing, lanes.lanes.len()), (0, 0, 0));
        }
    }
}
