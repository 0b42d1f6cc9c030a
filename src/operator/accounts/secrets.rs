//! Random bits for keys and secrets, from the system's source.

use crate::web::errors::Failure;

/// 256 random bits.
pub(super) fn random() -> Result<[u8; 32], Failure> {
    let mut bits = [0; 32];
    getrandom::fill(&mut bits).map_err(Failure::internal)?;
    Ok(bits)
}
