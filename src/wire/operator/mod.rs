//! The JSON of the operator API.

pub mod accounts;
pub mod actions;
pub mod deliveries;
pub mod findings;
pub mod jobs;
pub mod money;
pub mod push;
pub mod push_batch;
pub mod radars;
pub mod system;
pub mod values;
