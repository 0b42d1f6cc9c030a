//! Updates for feed readers, which know an address and nothing else: how an account makes, lists, replaces and ends such
//! addresses, and what is read there.

pub(super) mod manage;
pub(super) mod read;
