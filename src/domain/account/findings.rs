//! Findings on their way to an update.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::domain::approval::ApprovalState;
use crate::domain::content::event::FindingEvent;
use crate::domain::ids::{RadarId, UpdateId};
use crate::domain::money::MicroUsd;
use crate::domain::radar_type::RadarType;

/// A detected item that a radar wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What was detected; a radar reports it once.
    pub record_id: Uuid,
    /// The `content` object as JSON text.
    pub content: String,
    /// When it was detected; its price is the one in force then.
    pub detected_at: DateTime<Utc>,
    /// The event that it tells of, while it is reported; afterwards it stands with what the radar has seen.
    pub event: Option<FindingEvent>,
}

/// A finding that waits for money (decision 4.7).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldFinding {
    /// Counts the account's holds, and so orders them.
    pub hold_seq: i64,
    /// The radar.
    pub radar_id: RadarId,
    /// The radar's type, which is paused.
    pub radar_type: RadarType,
    /// The price in force at detection.
    pub rate: MicroUsd,
    /// What was found.
    pub finding: Finding,
}

/// A finding that waits for approval, or that an operator has approved or rejected (decision 4.10).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindingForApproval {
    /// The identifier that its update gets.
    pub update_id: UpdateId,
    /// The radar.
    pub radar_id: RadarId,
    /// The radar's type.
    pub radar_type: RadarType,
    /// What was found; its price is the one in force at its detection.
    pub finding: Finding,
    /// Where it stands.
    pub state: ApprovalState,
    /// When the operator decided.
    pub decided_at: Option<DateTime<Utc>>,
}
