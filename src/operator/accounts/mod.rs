//! Accounts, and the keys of their API.

pub(super) mod account;
pub(super) mod api_keys;
