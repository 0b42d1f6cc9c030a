//! Alerts and digests by mail: an account sets its address, whoever reads there confirms and stops it by links.

pub(super) mod links;
pub(super) mod manage;
