//! The `data` of `GET /v1/radars/{id}/health` (decisions 1.3, 4.11).

use serde::Serialize;
use uuid::Uuid;

use crate::domain::radar::health::HealthState;
use crate::wire::time::Instant;

/// How well a radar can see.
#[derive(Debug, Serialize)]
pub struct RadarHealthRecord<'a> {
    /// The radar.
    pub radar_id: Uuid,
    /// Whether it sees anything.
    pub state: HealthState,
    /// When any of its sources was last polled.
    pub polled_at: Option<Instant>,
    /// When any of its sources was last read with success.
    pub succeeded_at: Option<Instant>,
    /// When the first of its sources is polled next, or its set-up is tried again.
    pub next_poll_at: Option<Instant>,
    /// What went wrong last, unless all is well.
    pub last_error: Option<&'a str>,
    /// When the radar is ended unless a source is read with success before.
    pub ends_at: Option<Instant>,
    /// Items that its filter has kept out, and those that are older than itself (decision 4.14).
    pub filtered_items: u64,
    /// Where it looks.
    pub sources: Vec<SourceHealth<'a>>,
}

/// One source of a radar.
#[derive(Debug, Serialize)]
pub struct SourceHealth<'a> {
    /// The source.
    pub source_id: &'a str,
    /// When it was last polled for this target.
    pub polled_at: Option<Instant>,
    /// When that last succeeded.
    pub succeeded_at: Option<Instant>,
    /// When it is polled next.
    pub next_poll_at: Option<Instant>,
    /// What went wrong at the last poll.
    pub last_error: Option<&'a str>,
    /// The same of this source.
    pub filtered_items: u64,
}
