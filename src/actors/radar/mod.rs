//! The radars at work: shards that wake and restart them, their turns, their set-ups.

mod actor;
pub mod new_feeds;
mod parts;
pub mod profiles;
mod renewal;
mod set_ups;
mod shard;
mod shards;
mod turn;

pub use parts::{RadarParts, SharedParts, TURNS_MAX};
pub use set_ups::SetUpsHandle;
pub use shards::Shards;
