//! A self-hostable service that watches companies, people and industries on the public web and reports what is new.

#![warn(missing_docs)]

pub mod api;
pub mod app;
pub mod cli;
pub mod logging;
mod mail;
pub mod mcp;
pub mod operator;
mod traces;
pub mod web;

#[cfg(test)]
#[path = "../tests/support/sample_radar.rs"]
mod sample_radar;
