//! Requests to other people's hosts: webhook receivers and the targets that are watched.
//!
//! Duty: one guarded way out (decision 5.9) with one time-out, a cap on what is read and the vetted address pinned.
//! Never here: what an answer means, or a host that is asked because our own configuration names it.

pub mod address_guard;
mod asked;
mod carried_v4;
pub mod fair_work;
pub mod fetch;
mod fetched;
pub mod own_listeners;
pub mod politeness;
pub mod reading;
mod request_headers;
pub mod rewrite;
pub mod robots;
pub mod transport;
pub mod web_address;
mod workers;
