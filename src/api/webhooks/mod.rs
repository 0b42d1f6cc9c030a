//! Webhooks: the log of deliveries, sending again, endpoints, secrets, a sample for a receiver, and the schema of payloads.

mod deliveries;
mod endpoints;
mod recoveries;
mod secret;
mod webhook_schema;
mod webhook_test;

pub(super) use deliveries::{get_delivery, list_deliveries, resend_delivery};
pub(super) use endpoints::{enable_endpoint, list_endpoints};
pub(super) use recoveries::{get_recovery, recover};
pub(super) use secret::{get_secret, rotate_secret};
pub(super) use webhook_schema::webhook_schema;
pub(super) use webhook_test::webhook_test;
