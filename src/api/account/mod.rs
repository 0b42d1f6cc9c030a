//! The account that a key belongs to.

mod summary;

pub(super) use summary::account;
