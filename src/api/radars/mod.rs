//! Radars: creating, listing, reading, ending.

mod bulk;
mod create_company;
mod create_contact;
mod create_industry;
mod creation;
mod delete_radar;
mod get_radar;
mod list_radars;
mod preview;
mod radar_health;

pub(super) use bulk::bulk;
pub(super) use create_company::create_company;
pub(super) use create_contact::create_contact;
pub(super) use create_industry::create_industry;
pub(super) use delete_radar::delete_radar;
pub(super) use get_radar::get_radar;
pub(super) use list_radars::list_radars;
pub(super) use preview::preview;
pub(super) use radar_health::radar_health;
