//! Radars: creating, listing, reading, ending.

mod bulk;
mod creation;
mod delete_radar;
mod get_radar;
mod list_radars;
mod preview;
mod radar_health;

pub(super) use bulk::bulk;
pub(super) use creation::{create_company, create_contact, create_industry};
pub(super) use delete_radar::delete_radar;
pub(super) use get_radar::get_radar;
pub(super) use list_radars::list_radars;
pub(super) use preview::preview;
pub(super) use radar_health::radar_health;
