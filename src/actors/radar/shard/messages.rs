//! The messages of a shard.

use chrono::{DateTime, Utc};

use crate::actors::radar::actor::{Report, Request};
use crate::domain::ids::{AccountId, RadarId};

/// A request to a radar of this shard.
pub struct ToChild {
    /// Whose radar it is.
    pub account_id: AccountId,
    /// The radar.
    pub radar_id: RadarId,
    /// What is asked.
    pub request: Request,
}

/// Something will be due in this shard at `wake_at`.
pub struct Ahead {
    /// When.
    pub wake_at: DateTime<Utc>,
}

/// A report of a radar's actor.
pub(super) struct FromChild {
    pub(super) radar_id: RadarId,
    /// Which of the actors that the shard has started.
    pub(super) generation: u64,
    pub(super) report: Report,
}
