//! What a shard is told: by the application, and by its radars.

use chrono::{DateTime, Utc};

use crate::actors::radar::actor::Request;
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

/// Something will be due in this shard then.
pub struct Ahead {
    pub wake_at: DateTime<Utc>,
}

/// A radar has nothing to do.
pub struct ChildIdle {
    pub radar_id: RadarId,
    pub generation: u64,
    pub handled: u64,
    pub wake_at: Option<DateTime<Utc>>,
}

/// A radar's renewal is due.
pub struct RenewalDue {
    pub radar_id: RadarId,
    pub generation: u64,
    pub handled: u64,
    pub due_at: DateTime<Utc>,
    /// Whether the radar has nothing else to do.
    pub is_idle: bool,
    /// Whether it wants to look again afterwards.
    pub wants_look: bool,
}

/// A radar's actor ended.
pub struct ChildExited {
    pub radar_id: RadarId,
    pub generation: u64,
    pub panicked: bool,
}
