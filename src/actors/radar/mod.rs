//! The radars at work: shards that wake and restart them, their turns, their set-ups.

mod actor;
mod engine;
pub mod new_feeds;
pub mod profiles;
mod set_ups;
mod shard;
mod shards;
mod turn;

pub use engine::{Engine, SETTLEMENTS_MAX, SharedEngine, TURNS_MAX};
pub use set_ups::SetUpsHandle;
pub use shards::Shards;
