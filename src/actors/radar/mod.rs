//! The radars at work: shards that wake and restart them, and a file for each duty of a radar: its set-up, its turns, its
//! findings, its renewal, its end.

mod actor;
mod ending;
mod findings;
pub mod new_feeds;
mod outcome;
mod parts;
pub mod profiles;
mod renewal;
mod set_up;
mod set_ups;
mod shard;
mod shards;
mod turn;

pub use parts::{RadarParts, SharedParts, TURNS_MAX};
pub use shards::Shards;
