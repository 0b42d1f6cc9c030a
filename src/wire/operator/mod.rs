//! The JSON of the operator API.

pub(crate) mod accounts;
pub(crate) mod api_keys;
pub(crate) mod deliveries;
pub(crate) mod findings;
pub(crate) mod money;
pub(crate) mod push;
pub(crate) mod push_batch;
pub(crate) mod sources;
pub(crate) mod system;
pub(crate) mod values;
