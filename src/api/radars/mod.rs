//! Radars: creating, listing, reading, ending.

pub(super) mod bulk;
pub(super) mod creation;
pub(super) mod delete_radar;
pub(super) mod get_radar;
pub(super) mod list_radars;
pub(super) mod preview;
pub(super) mod radar_health;
