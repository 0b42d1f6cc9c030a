//! The shapes of JSON: what requests may hold and what answers look like.
//!
//! Duty: names and types of the JSON fields of both APIs, of payloads and of schemas. Never here: a rule, a clock, I/O, actix.

pub mod content;
pub mod cursor;
pub mod envelope;
pub mod error;
pub(crate) mod fields;
pub mod json;
pub mod money;
mod object;
pub(crate) mod operator;
pub(crate) mod parameters;
pub mod public;
pub(crate) mod record;
pub(crate) mod schema;
pub(crate) mod shapes;
pub mod time;

#[cfg(test)]
mod tests;
