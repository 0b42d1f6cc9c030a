//! The specification as code: pure functions and values.
//!
//! Duty: every rule of the service. Never here: a clock, randomness, I/O, actix, tokio, a database.

pub mod book;
pub mod filter;
pub mod ids;
pub mod ledger;
pub mod lots;
pub mod money;
pub mod pricing;
pub mod radar;
pub mod radar_type;
pub mod renewal;
pub mod target;
pub mod title_expression;
pub mod update;
