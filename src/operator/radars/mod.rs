//! Radars of all accounts: looking for them, what happened to each, and why.

pub(super) mod search;
pub(super) mod timeline;
pub(super) mod why;
