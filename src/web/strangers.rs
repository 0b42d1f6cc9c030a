//! Rate limits by address, for requests with a wrong key or an unknown path.
//!
//! Such requests belong to no account, so no limit of an account bounds them. Requests with a valid key are never
//! counted. An address that has used up its budget gets the 429 of Spec 7.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse};
use chrono::{DateTime, Utc};
use parking_lot::Mutex;

use super::budgets;
use super::errors::Failure;
use super::headers::client_address;
use clock::Clock;
use domain::client_network::client_network;
use domain::{Budget, RateBuckets, RateRejection, Rejection, Remaining};

/// Addresses with a budget of their own. All others share one budget.
const ADDRESSES_MAX: usize = 16 * 1024;

/// The budgets of addresses. Clones share them.
#[derive(Clone)]
pub struct Strangers {
    budget: Budget,
    addresses: Arc<Mutex<HashMap<IpAddr, RateBuckets>>>,
}

impl Strangers {
    /// Full budgets: each address may be refused `per_minute` times.
    pub fn new(per_minute: u32) -> Self {
        Self { budget: Budget { per_minute, per_second: per_minute, is_hourly: false }, addresses: Arc::default() }
    }

    /// The answer to a request that belongs to no account: its failure, or 429.
    pub(crate) fn refuse(&self, failure: Failure, request: &HttpRequest, clock: &Clock) -> HttpResponse {
        let now = clock.now();
        match self.take(client_address::client(request), clock.steady_now()) {
            Ok(_) => failure.respond(request, now),
            Err(refused) => {
                let mut response = Failure::from(Rejection::RateLimited(refused)).respond(request, now);
                let reset_s = refused.retry_after_s;
                let RateRejection { limit, remaining, .. } = refused;
                budgets::set_headers(&mut response, Remaining { limit, remaining, reset_s });
                response
            }
        }
    }

    fn take(&self, address: IpAddr, now: DateTime<Utc>) -> Result<Remaining, RateRejection> {
        let network = client_network(address);
        let mut addresses = self.addresses.lock();
        if addresses.len() >= ADDRESSES_MAX && !addresses.contains_key(&network) {
            addresses.retain(|_, buckets| !buckets.are_full_again(now));
        }
        let is_remembered = addresses.contains_key(&network) || addresses.len() < ADDRESSES_MAX;
        let network = if is_remembered { network } else { IpAddr::V4(Ipv4Addr::UNSPECIFIED) };
        addresses.entry(network).or_insert_with(|| RateBuckets::new(self.budget, now)).take(1, 1, now)
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use chrono::{DateTime, Duration};

    use super::{ADDRESSES_MAX, Strangers};

    fn ipv6(network: usize) -> IpAddr {
        let [.., high, low] = network.to_be_bytes();
        format!("2001:db8:{:x}:{:x}::1", network >> 16, u16::from_be_bytes([high, low])).parse().expect("an ip")
    }

    #[test]
    fn each_address_has_a_budget_of_its_own() {
        let (strangers, now) = (Strangers::new(3), DateTime::UNIX_EPOCH);
        for _ in 0..3 {
            assert!(strangers.take(ipv6(1), now).is_ok());
        }
        assert!(strangers.take(ipv6(1), now).is_err());
        assert!(strangers.take(ipv6(2), now).is_ok());
        assert!(strangers.take(ipv6(1), now + Duration::seconds(20)).is_ok());
    }

    #[test]
    fn a_crowd_is_not_remembered_without_end() {
        let (strangers, now) = (Strangers::new(3), DateTime::UNIX_EPOCH);
        for network in 0..2 * ADDRESSES_MAX {
            assert!(strangers.take(ipv6(network), now).is_ok() || network > ADDRESSES_MAX);
        }
        assert!(strangers.addresses.lock().len() <= ADDRESSES_MAX + 1);
        assert!(strangers.take(ipv6(3 * ADDRESSES_MAX), now).is_err(), "those beyond share a budget");
        let later = now + Duration::seconds(90);
        assert!(strangers.take(ipv6(3 * ADDRESSES_MAX), later).is_ok());
        assert!(strangers.addresses.lock().len() <= 2, "who was quiet is forgotten");
    }
}
