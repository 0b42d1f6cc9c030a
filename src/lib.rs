//! A self-hostable service that watches companies, people and industries on the public web and reports what is new.

#![warn(missing_docs)]

pub mod actors;
pub mod api;
pub mod app;
pub mod cli;
pub mod clock;
pub mod config;
pub mod domain;
pub mod fair_work;
pub mod faults;
pub mod logging;
pub mod operator;
pub mod outbound;
pub mod private_files;
pub mod reading;
pub mod sources;
pub mod store;
pub mod web;
pub mod webhooks;
pub mod wire;

#[cfg(test)]
extern crate self as radar;

#[cfg(test)]
#[path = "../tests/support/any_command.rs"]
mod any_command;
#[cfg(test)]
#[path = "../tests/support/commit_any.rs"]
mod commit_any;
#[cfg(test)]
#[path = "../tests/it/support/dice.rs"]
mod dice;
#[cfg(test)]
#[path = "../tests/support/no_dispatch.rs"]
mod no_dispatch;
#[cfg(test)]
#[path = "../tests/support/pieces.rs"]
mod pieces;
#[cfg(test)]
#[path = "../tests/support/worst_headlines.rs"]
mod worst_headlines;
