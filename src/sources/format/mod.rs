//! Source files (decision 7.1): what one may say, how it is checked, and where the files are.
//!
//! Duty: TOML to a checked [`source::Source`]. Never here: a request, or reading an answer.

pub mod answers;
pub mod capture;
pub mod catalog;
mod error;
pub mod fields;
mod list_file;
pub mod list_source;
mod politeness;
pub mod request;
pub mod source;
pub mod source_file;
mod source_map;
pub mod template;
pub mod token_patterns;
pub mod wire_format;
