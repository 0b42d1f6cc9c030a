//! Alerts and digests by mail: an account sets its address, and the owner of the mailbox confirms or stops it by links.

pub(super) mod links;
pub(super) mod manage;
