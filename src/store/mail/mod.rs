//! Mails to accounts: where they go, and those that are to be sent.

pub(super) mod addresses;
pub(super) mod alerts;
pub(super) mod outbox;
