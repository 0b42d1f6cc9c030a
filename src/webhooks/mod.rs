//! Pushing updates to receivers (Spec 6, decisions section 5).
//!
//! Duty: secrets, signatures, and the sending of one attempt. Never here: when an attempt is due or what its outcome
//! changes (`domain::delivery`), or the database.

pub mod attempt;
pub mod secret;
pub mod signature;
