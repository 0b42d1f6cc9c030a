//! The shapes of JSON: what requests may hold and what answers look like.
//!
//! Duty: the only room that knows names and types of JSON fields. Never here: a rule, a clock, I/O, actix.

pub mod account;
pub mod balance_alert;
pub mod bulk;
pub mod content;
pub mod csv;
pub mod cursor;
pub mod envelope;
pub mod error;
pub(crate) mod fields;
pub mod json;
pub mod money;
pub mod new_radar;
mod object;
pub mod query;
pub mod radar_page;
pub mod radar_record;
pub(crate) mod schema;
pub mod time;
pub mod update;
pub mod updates_page;
pub mod webhook_schema;
pub mod webhook_test;

#[cfg(test)]
mod tests;
