//! What customers ask a running service for from a terminal: a look ahead, and a file of what was found.

pub mod access;
pub mod export;
pub mod preview;
