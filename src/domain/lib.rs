//! The specification as code: pure functions and values.
//!
//! Duty: every rule of the service. Never here: a clock, randomness, I/O, actix, tokio, a database.

pub mod account;
pub mod account_limits;
pub mod account_status;
pub mod api_key;
pub mod approval;
pub mod audit;
pub mod client_network;
pub mod content;
pub mod delivery;
pub mod encryption;
pub mod field_limits;
pub mod fields;
pub mod idempotency_key;
pub mod ids;
mod macros;
pub mod money;
pub mod radar;
pub mod radar_type;
pub mod rejection;
pub mod scheduling;
pub mod source_health;
pub mod targets;

pub use macros::UnknownWord;
