//! Webhook secrets, encrypted at rest, and the keys that encrypt them.

pub(super) mod encryption_keys;
pub(super) mod key_rotation;
pub(super) mod webhook_secrets;
