//! A dispatcher that takes nothing over.

use ::radar::domain::delivery::endpoint_health::EndpointHealth;
use ::radar::domain::ids::{AccountId, EndpointId};
use ::radar::store::{Dispatch, HandOver};
use chrono::TimeDelta;

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
