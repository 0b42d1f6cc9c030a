//! A dispatcher that takes nothing over.

use chrono::TimeDelta;
use domain::delivery::endpoint_health::EndpointHealth;
use domain::ids::{AccountId, EndpointId};
use store::{Dispatch, HandOver};

/// Takes nothing over: every delivery is left to the next look into the table.
#[derive(Clone, Copy, Debug)]
pub struct NoDispatch;

impl Dispatch for NoDispatch {
    fn lease(&self) -> TimeDelta {
        TimeDelta::zero()
    }

    fn reserve(&self, _: AccountId, _: EndpointId, _: &EndpointHealth) -> bool {
        false
    }

    fn release(&self, _: EndpointId) {}

    fn hand_over(&self, _: HandOver) {}
}
