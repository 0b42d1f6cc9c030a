//! Webhooks: a sample for a receiver, and the schema of payloads.

mod webhook_schema;
mod webhook_test;

pub(super) use webhook_schema::webhook_schema;
pub(super) use webhook_test::webhook_test;
