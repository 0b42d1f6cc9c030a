//! The JSON of the operator API.

pub mod accounts;
pub mod api_keys;
pub mod deliveries;
pub mod findings;
pub mod money;
pub mod push;
pub mod push_batch;
pub mod sources;
pub mod system;
pub mod values;
