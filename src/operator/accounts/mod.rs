//! Accounts, and the keys of their API.

pub(super) mod account;
pub(super) mod api_keys;
pub(super) mod portal_links;
