//! Deliveries of webhooks: the log of all accounts, sending again, and the endpoints.

pub(super) mod endpoints;
pub(super) mod log;
pub(super) mod recoveries;
pub(super) mod webhook_secret;
