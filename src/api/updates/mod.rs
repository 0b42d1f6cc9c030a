//! Updates: what radars reported.

mod list_updates;

pub(super) use list_updates::list_updates;
