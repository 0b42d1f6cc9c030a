//! The tables that commits write, each in one place: how a row is read, how it is made, and what becomes of each column of
//! one that is there already.
//!
//! Every column stands here by name: a row is taken apart and made without `..`, and
//! [`Overwritten`](crate::database::if_present::Overwritten) says something of each. So a column that is forgotten does not
//! compile. Never here: which rows are read, and in which order they are written.

pub(super) mod accounts;
pub(super) mod deliveries;
pub(super) mod feeds;
pub(super) mod findings;
pub(super) mod holds;
pub(super) mod kept_answers;
pub(super) mod money;
pub(super) mod prices;
pub(super) mod radars;
pub(super) mod updates;

#[cfg(test)]
mod tests;
