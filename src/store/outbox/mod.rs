//! The outbox: deliveries, their attempts and the health of the endpoints that they go to.

pub(super) mod attempts;
pub(super) mod bodies;
pub(super) mod claimed_delivery;
pub(super) mod counts;
pub(super) mod deliveries;
pub(super) mod delivery_log;
pub(super) mod endpoint_alerts;
pub(super) mod endpoint_health;
pub(super) mod endpoint_log;
pub(super) mod hand_over;
mod jobs;
pub(super) mod outlook;
pub(super) mod recoveries;
mod redeliveries;
pub(super) mod waiting_endpoints;

#[cfg(test)]
pub(super) mod tests;
