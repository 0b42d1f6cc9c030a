//! The shapes of JSON: what requests may hold and what answers look like.
//!
//! Duty: names and types of the JSON fields of both APIs, of payloads and of schemas; what an endpoint alone answers it writes
//! itself, with [`object!`]. Never here: a rule, a clock, I/O, actix.

pub mod content;
pub mod csv;
pub mod cursor;
pub mod envelope;
pub mod error;
pub mod forms;
pub mod json;
pub mod money;
mod object;
pub mod operator;
pub mod parameters;
pub mod public;
pub mod record;
pub mod schema;
pub mod shapes;
pub mod time;

pub use cursor::{FindingCursor, RadarCursor, UpdatesCursor};
pub use envelope::Page;
pub use money::Usd;
pub use time::Instant;

#[cfg(test)]
#[path = "../../tests/support/sample_radar.rs"]
mod sample_radar;
#[cfg(test)]
mod tests;
