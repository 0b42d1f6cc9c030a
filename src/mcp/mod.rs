//! Tools for AI agents, by the Model Context Protocol.
//!
//! Duty: which tools there are, what they say of themselves, and which requests of the public API each is. Never here: a
//! rule, a limit or a record of its own, a way around the API.

mod api;
mod calls;
mod schemas;
mod server;
mod tools;

pub use api::{Api, Outcome, Request};
pub use server::Server;
