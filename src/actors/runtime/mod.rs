//! What every actor needs and actix does not have: bounded mailboxes, restarts after a panic, metrics.
//!
//! Duty: to run actors. Never here: what one of them does.

pub mod isolation;
pub mod mailbox;
pub mod metrics;
pub mod pulse;
pub mod supervisor;
