//! Webhooks: the log of deliveries, sending again, endpoints, secrets, a sample for a receiver, and the schema of payloads.

pub(super) mod deliveries;
pub(super) mod endpoints;
pub(super) mod recoveries;
pub(super) mod secret;
pub(super) mod webhook_schema;
pub(super) mod webhook_test;
