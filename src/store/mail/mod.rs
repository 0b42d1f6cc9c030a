//! Mails to accounts: where they go, and those that are to be sent.

mod addresses;
mod alerts;
mod outbox;

pub use addresses::{AskedToConfirm, MailAddress};
pub use alerts::UNTOLD_MAX;
pub use outbox::{ClaimedMail, NewMail, Untold};
