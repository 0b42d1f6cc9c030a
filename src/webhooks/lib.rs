//! Pushing updates to receivers (Spec 6, decisions section 5).
//!
//! Duty: secrets, signatures, the sending of one attempt, samples and their sending. Never here: when an attempt is due or
//! what its outcome changes (`domain::delivery`), or the database.

pub mod attempt;
pub mod sample;
pub mod secret;
pub mod signature;
pub mod test_sends;
