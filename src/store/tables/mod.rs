//! The tables that commits write, each declared once (`stored`): the value that a row is, and what becomes of each column of
//! a row that is there already. Only what takes more than its columns to read or make, such as a radar, is written out.
//!
//! Every column stands here by name, so one that is forgotten does not compile. Never here: which rows are read, and in which
//! order they are written.

pub(super) mod accounts;
pub(super) mod deliveries;
pub(super) mod feeds;
pub(super) mod findings;
pub(super) mod holds;
pub(super) mod kept_answers;
pub(super) mod money;
pub(super) mod prices;
pub(super) mod radars;
pub(super) mod stored;
pub(super) mod updates;

#[cfg(test)]
mod tests;
