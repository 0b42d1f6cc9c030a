//! The secrets of an account, as both APIs show, make and replace them.

pub(crate) mod api_keys;
pub(crate) mod webhook_secret;
