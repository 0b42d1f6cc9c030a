//! Findings: pushed by providers, and approved by operators.

pub(super) mod approvals;
pub(super) mod push;
pub(super) mod push_batch;
mod pushed;
pub(super) mod release;
