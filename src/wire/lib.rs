//! The shapes of JSON: what requests may hold and what answers look like.
//!
//! Duty: names and types of the JSON fields of both APIs, of payloads and of schemas. Never here: a rule, a clock, I/O, actix.

pub mod content;
pub mod cursor;
pub mod envelope;
pub mod error;
pub mod fields;
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

#[cfg(test)]
mod tests;
