//! The JSON around webhooks: deliveries and their repair, endpoints, test sends, alerts.

pub mod alerts;
pub mod deliveries;
pub mod endpoints;
pub mod recoveries;
pub mod webhook_test;
