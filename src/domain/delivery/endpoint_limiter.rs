//! How the places of a dispatcher are shared, so that no endpoint and no account that hangs slows down another
//! (decision 5.5).
//!
//! An account gets a third of what the others leave free, and an endpoint half of what the others leave of that; at least
//! one place each while there is one. Endpoints that have failed lately, or that have never answered well, are *suspect*:
//! together they get a quarter of the places, of which an account gets a ninth of what the others leave, but two if there
//! are so many, and each of them one place. Every endpoint also has a cap of its own, which grows while the receiver keeps
//! up. Kept in memory only, because all of it is learnt again within seconds.

use std::collections::HashMap;
use std::sync::Arc;

use crate::delivery::Outcome;
use crate::ids::{AccountId, EndpointId};
use crate::scheduling::fair_share::{Places, Share};

/// Deliveries under way to one endpoint before anything is known about it.
const CAP_START: usize = 4;
/// The most deliveries under way to one endpoint.
const CAP_MAX: usize = 32;
/// What an account gets of the places.
const ACCOUNT_SHARE: Share = Share::one_in(3);
/// What an endpoint gets of its account's.
const ENDPOINT_SHARE: Share = Share::one_in(2);
/// What one host gets of all places. It may have many names and many customers.
const HOST_SHARE: Share = Share::one_in(4).at_least(CAP_MAX);
/// Suspect endpoints get one in so many places.
const SUSPECTS_ONE_IN: usize = 4;
/// What an account gets of those: one endpoint that hangs must not hide all others of its account.
const SUSPECT_ACCOUNT_SHARE: Share = Share::one_in(9).at_least(2);
/// Deliveries that are held in memory for each place: enough to keep the places busy while more are claimed.
const HELD_PER_PLACE: usize = 16;
/// What an account gets of the memory.
const HELD_SHARE: Share = Share::one_in(2);
/// Deliveries of one endpoint that are held in memory at most.
const HELD_MAX: usize = 128;
/// The same for a suspect endpoint, which may not get to them.
const HELD_SUSPECT_MAX: usize = 8;

/// Counts what is held in memory and what is under way, and says what more may be.
#[derive(Debug)]
pub struct EndpointLimiter {
    places: usize,
    pub(super) held: Places<AccountId>,
    in_flight: Places<AccountId>,
    /// Those of the deliveries under way that go to suspect endpoints.
    suspects: Places<AccountId>,
    hosts: Places<Arc<str>>,
    endpoints: HashMap<EndpointId, Endpoint>,
    is_closed: bool,
}

#[derive(Debug)]
struct Endpoint {
    account_id: AccountId,
    held: usize,
    in_flight: usize,
    cap: usize,
    is_suspect: bool,
}

impl EndpointLimiter {
    /// A limiter for `places` deliveries under way in all.
    pub fn new(places: usize) -> Self {
        let places = places.max(1);
        Self {
            places,
            held: Places::new(places * HELD_PER_PLACE, HELD_SHARE),
            in_flight: Places::new(places, ACCOUNT_SHARE),
            suspects: Places::new(places.div_ceil(SUSPECTS_ONE_IN), SUSPECT_ACCOUNT_SHARE),
            hosts: Places::new(places, HOST_SHARE),
            endpoints: HashMap::new(),
            is_closed: false,
        }
    }

    /// Holds nothing any more.
    pub const fn close(&mut self) {
        self.is_closed = true;
    }

    /// Deliveries under way.
    pub const fn in_flight(&self) -> usize {
        self.in_flight.taken()
    }

    /// Holds up to `wanted` deliveries of an endpoint, and answers how many; `is_suspect` is its health unless a newer one
    /// is known here.
    pub fn hold(&mut self, account_id: AccountId, endpoint_id: EndpointId, is_suspect: bool, wanted: usize) -> usize {
        let known = self.endpoints.get(&endpoint_id);
        let is_suspect = known.map_or(is_suspect, |endpoint| endpoint.is_suspect);
        let of_endpoint = held_max(is_suspect).saturating_sub(known.map_or(0, |endpoint| endpoint.held));
        let count = if self.is_closed { 0 } else { wanted.min(of_endpoint).min(self.held.room(&[account_id])) };
        self.hold_all(account_id, endpoint_id, is_suspect, count);
        count
    }

    /// Whether so little of an endpoint is held that it is worth claiming more.
    pub fn wants_more(&self, endpoint_id: EndpointId) -> bool {
        let known = self.endpoints.get(&endpoint_id);
        known.is_none_or(|endpoint| endpoint.held * 2 <= held_max(endpoint.is_suspect))
    }

    /// Holds `count` deliveries of an endpoint, whatever is held already.
    pub fn hold_all(&mut self, account_id: AccountId, endpoint_id: EndpointId, is_suspect: bool, count: usize) {
        if count > 0 {
            self.endpoints.entry(endpoint_id).or_insert(Endpoint::new(account_id, is_suspect)).held += count;
            self.held.take(&[account_id], count);
        }
    }

    /// Stops holding `count` deliveries of an endpoint.
    pub fn release(&mut self, endpoint_id: EndpointId, count: usize) {
        let Some(endpoint) = self.endpoints.get_mut(&endpoint_id) else { return };
        let count = count.min(endpoint.held);
        endpoint.held -= count;
        self.held.give_back(&[endpoint.account_id], count);
        self.forget_idle(endpoint_id);
    }

    /// Takes a place for a delivery, if there is one for its endpoint at `host`.
    pub fn begin(&mut self, account_id: AccountId, endpoint_id: EndpointId, host: &Arc<str>) -> bool {
        let endpoint = self.endpoints.entry(endpoint_id).or_insert(Endpoint::new(account_id, true));
        let account = [endpoint.account_id];
        let of_account = self.in_flight.room(&account);
        let is_free = of_account > 0
            && ENDPOINT_SHARE.may_take(endpoint.in_flight, of_account)
            && endpoint.in_flight < endpoint.cap
            && self.hosts.held(std::slice::from_ref(host)) < HOST_SHARE.most(self.places);
        let is_proven = !endpoint.is_suspect || endpoint.in_flight == 0 && self.suspects.room(&account) > 0;
        if !is_free || !is_proven {
            self.forget_idle(endpoint_id);
            return false;
        }
        endpoint.in_flight += 1;
        self.in_flight.take(&account, 1);
        self.suspects.take(&account, usize::from(endpoint.is_suspect));
        self.hosts.take(std::slice::from_ref(host), 1);
        true
    }

    /// Learns from the outcome of an attempt.
    pub fn learn(&mut self, endpoint_id: EndpointId, outcome: Outcome) {
        let Some(endpoint) = self.endpoints.get_mut(&endpoint_id) else { return };
        if outcome == Outcome::Cancelled {
            return;
        }
        endpoint.cap = cap_after(endpoint.cap, outcome);
        let is_suspect = !outcome.is_success();
        match (std::mem::replace(&mut endpoint.is_suspect, is_suspect), is_suspect) {
            (false, true) => self.suspects.take(&[endpoint.account_id], endpoint.in_flight),
            (true, false) => self.suspects.give_back(&[endpoint.account_id], endpoint.in_flight),
            _ => {}
        }
    }

    /// Gives the place of a delivery back.
    pub fn end(&mut self, endpoint_id: EndpointId, host: &Arc<str>) {
        let Some(endpoint) = self.endpoints.get_mut(&endpoint_id).filter(|endpoint| endpoint.in_flight > 0) else {
            return;
        };
        endpoint.in_flight -= 1;
        self.in_flight.give_back(&[endpoint.account_id], 1);
        self.suspects.give_back(&[endpoint.account_id], usize::from(endpoint.is_suspect));
        self.hosts.give_back(std::slice::from_ref(host), 1);
        self.forget_idle(endpoint_id);
    }

    fn forget_idle(&mut self, endpoint_id: EndpointId) {
        if self.endpoints.get(&endpoint_id).is_some_and(|endpoint| endpoint.held == 0 && endpoint.in_flight == 0) {
            self.endpoints.remove(&endpoint_id);
        }
    }
}

impl Endpoint {
    const fn new(account_id: AccountId, is_suspect: bool) -> Self {
        Self { account_id, held: 0, in_flight: 0, cap: CAP_START, is_suspect }
    }
}

const fn held_max(is_suspect: bool) -> usize {
    if is_suspect { HELD_SUSPECT_MAX } else { HELD_MAX }
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

    use super::*;

    const LONELY: AccountId = AccountId(Uuid::from_u128(1_000));

    fn account(number: u128) -> AccountId {
        AccountId(Uuid::from_u128(number))
    }

    fn endpoint(number: u128) -> EndpointId {
        EndpointId(Uuid::from_u128(number))
    }

    fn host(number: u128) -> Arc<str> {
        format!("host{number}:443").into()
    }

    /// Begins as many of the deliveries of an endpoint as may be.
    fn begin_all(limiter: &mut EndpointLimiter, of: AccountId, number: u128, is_suspect: bool) -> usize {
        limiter.hold(of, endpoint(number), is_suspect, 1_000);
        std::iter::repeat_with(|| limiter.begin(of, endpoint(number), &host(number))).take_while(|begun| *begun).count()
    }

    /// Lets an endpoint widen its cap as far as it goes.
    fn widen(limiter: &mut EndpointLimiter, of: AccountId, number: u128) {
        limiter.hold_all(of, endpoint(number), false, 1);
        (0..CAP_MAX).for_each(|_| limiter.learn(endpoint(number), Outcome::Ok));
    }

    #[test]
    fn a_hundred_fresh_endpoints_of_one_account_leave_places_to_everybody_else() {
        let mut limiter = EndpointLimiter::new(64);
        let begun: usize = (0..100).map(|number| begin_all(&mut limiter, account(1), number, true)).sum();
        assert_eq!(begun, 2, "a ninth of the sixteen places of suspect endpoints");
        assert_eq!(begin_all(&mut limiter, account(2), 200, false), CAP_START);
        assert!(begin_all(&mut limiter, account(3), 300, true) > 0);
    }

    #[test]
    fn an_account_gets_a_third_of_what_the_others_leave() {
        let mut limiter = EndpointLimiter::new(60);
        for (number, expected) in [(1, 20), (2, 13), (3, 9)] {
            let of = account(number);
            let mut begun = 0;
            for endpoint in number * 100..number * 100 + 50 {
                widen(&mut limiter, of, endpoint);
                begun += begin_all(&mut limiter, of, endpoint, false);
            }
            assert_eq!(begun, expected, "account {number}");
        }
    }

    #[test]
    fn an_endpoint_leaves_places_to_the_others_of_its_account() {
        let mut limiter = EndpointLimiter::new(64);
        widen(&mut limiter, account(1), 1);
        assert_eq!(begin_all(&mut limiter, account(1), 1, false), 10);
        assert_eq!(begin_all(&mut limiter, account(1), 2, false), CAP_START);
    }

    #[test]
    fn one_host_takes_no_more_than_a_quarter_whoever_points_at_it() {
        let mut limiter = EndpointLimiter::new(400);
        let mut begun = 0;
        for number in 1..=40 {
            limiter.hold(account(number), endpoint(number), false, 8);
            begun += (0..8).filter(|_| limiter.begin(account(number), endpoint(number), &host(0))).count();
        }
        assert_eq!(begun, 100);
        assert!(begin_all(&mut limiter, account(41), 41, false) > 0);
    }

    #[test]
    fn a_cap_widens_with_success_and_narrows_with_trouble() {
        let mut limiter = EndpointLimiter::new(1000);
        limiter.hold(account(1), endpoint(1), false, 100);
        for (outcome, expected) in [
            (Outcome::Ok, 5),
            (Outcome::Ok, 6),
            (Outcome::Cancelled, 6),
            (Outcome::Http5xx, 1),
            (Outcome::Http4xx, 1),
            (Outcome::Ok, 4),
        ] {
            limiter.learn(endpoint(1), outcome);
            let begun = begin_all(&mut limiter, account(1), 1, false);
            assert_eq!(begun, expected, "{outcome:?}");
            (0..begun).for_each(|_| limiter.end(endpoint(1), &host(1)));
        }
    }

    #[test]
    fn what_is_held_is_bounded_and_a_closed_limiter_holds_nothing() {
        let mut limiter = EndpointLimiter::new(64);
        assert_eq!(limiter.hold(account(1), endpoint(1), false, 1_000), HELD_MAX);
        assert_eq!(limiter.hold(account(1), endpoint(2), true, 1_000), HELD_SUSPECT_MAX);
        assert_eq!(limiter.hold(account(1), endpoint(1), false, 1), 0);
        for number in 10..1_000 {
            limiter.hold(account(1), endpoint(number), false, 1_000);
        }
        assert!(limiter.held.taken() <= 64 * HELD_PER_PLACE / 2 + 1);
        assert!(limiter.hold(account(2), endpoint(3), false, 1_000) > 100, "one account leaves half to the others");
        limiter.close();
        assert_eq!(limiter.hold(account(4), endpoint(4), false, 1), 0);
    }

    proptest! {
        /// However a few accounts let their endpoints hang, fail and answer, the delivery of another account that has
        /// nothing under way begins at once, even to an endpoint that nothing is known about.
        #[test]
        fn another_account_is_never_delayed(
            places in 32..300usize,
            steps in prop::collection::vec((0..3u128, 0..40u128, 0..Outcome::ALL.len(), any::<bool>()), 0..300),
        ) {
            let mut limiter = EndpointLimiter::new(places);
            let mut under_way = Vec::new();
            for (of, number, outcome, ends) in steps {
                let number = of * 100 + number;
                limiter.hold(account(of), endpoint(number), true, 3);
                if limiter.begin(account(of), endpoint(number), &host(number)) {
                    under_way.push(number);
                }
                limiter.learn(endpoint(number), Outcome::ALL[outcome]);
                if let Some(ended) = under_way.pop().filter(|_| ends) {
                    limiter.end(endpoint(ended), &host(ended));
                    limiter.release(endpoint(ended), 1);
                }
            }
            for (number, is_suspect) in [(1_000, false), (1_001, true)] {
                prop_assert_eq!(limiter.hold(LONELY, endpoint(number), is_suspect, 1), 1);
            }
            prop_assert!(limiter.begin(LONELY, endpoint(1_000), &host(1_000)), "to a proven endpoint");
            limiter.end(endpoint(1_000), &host(1_000));
            // Endpoints that were proven and begin to fail can exceed the share of suspect ones for as long as their
            // attempts last; those that never were cannot.
            if limiter.suspects.free() > 0 {
                prop_assert!(limiter.begin(LONELY, endpoint(1_001), &host(1_001)), "to a fresh endpoint");
            }
        }

        /// Endpoints that never answered can never use up the share of suspect ones, so the fresh endpoint of another
        /// account always begins.
        #[test]
        fn hanging_endpoints_leave_a_place_to_a_fresh_one(
            places in 32..300usize,
            steps in prop::collection::vec((0..3u128, 0..200u128, any::<bool>()), 0..600),
        ) {
            let mut limiter = EndpointLimiter::new(places);
            for (of, number, times_out) in steps {
                let number = of * 1_000 + number;
                if begin_all(&mut limiter, account(of), number, true) > 0 && times_out {
                    limiter.learn(endpoint(number), Outcome::Timeout);
                    limiter.end(endpoint(number), &host(number));
                }
            }
            prop_assert!(begin_all(&mut limiter, LONELY, 9_999, true) > 0);
        }

        /// No cap is ever exceeded, and when nothing is held the counters are at zero.
        #[test]
        fn caps_hold(
            places in 1..40usize,
            steps in prop::collection::vec((0..3u128, 0..6u128, 0..Outcome::ALL.len(), any::<bool>()), 0..200),
        ) {
            let mut limiter = EndpointLimiter::new(places);
            let mut under_way = Vec::new();
            for (of, number, outcome, ends) in steps {
                let number = of * 10 + number;
                let held = limiter.hold(account(of), endpoint(number), outcome % 2 == 0, 1);
                if held == 1 && limiter.begin(account(of), endpoint(number), &host(number)) {
                    under_way.push(number);
                } else {
                    limiter.release(endpoint(number), held);
                }
                prop_assert!(limiter.in_flight() <= places);
                prop_assert_eq!((limiter.in_flight(), limiter.held.taken()), (under_way.len(), under_way.len()));
                if ends && !under_way.is_empty() {
                    let ended = under_way.swap_remove(0);
                    limiter.learn(endpoint(ended), Outcome::ALL[outcome]);
                    limiter.end(endpoint(ended), &host(ended));
                    limiter.release(endpoint(ended), 1);
                }
            }
            for ended in under_way {
                limiter.end(endpoint(ended), &host(ended));
                limiter.release(endpoint(ended), 1);
            }
            prop_assert_eq!((limiter.held.taken(), limiter.in_flight(), limiter.suspects.taken()), (0, 0, 0));
            prop_assert!(limiter.endpoints.is_empty() && limiter.hosts.taken() == 0);
        }
    }
}
