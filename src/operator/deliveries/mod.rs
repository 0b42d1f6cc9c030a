//! Deliveries of webhooks: the log of all accounts, sending again, and the endpoints.

pub(super) mod deliveries;
pub(super) mod endpoints;
pub(super) mod recoveries;
pub(super) mod webhook_secret;
