//! Findings on their way to an update.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::approval::ApprovalState;
use crate::closed;
use crate::content::event::FindingEvent;
use crate::delivery::trace::Trace;
use crate::ids::{FeedId, RadarId, UpdateId};
use crate::money::MicroUsd;
use crate::radar_type::RadarType;

closed! {
    /// How a finding came in.
    Origin {
        /// It was read from a feed: how many there are is up to strangers.
        Web = "web",
        /// A provider handed it in.
        Pushed = "pushed",
    }
}

closed! {
    /// Why a finding is held.
    HoldReason {
        /// The balance or the month's cap did not cover it (decision 4.7).
        Money = "money",
        /// Its radar had been charged as much in its day as is allowed (decision 4.14).
        DailyBound = "daily_bound",
    }
}

/// A detected item that a radar wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What was detected; a radar reports it once.
    pub record_id: Uuid,
    /// The `content` object as JSON text.
    pub content: String,
    /// When it was detected; its price is the one in force then.
    pub detected_at: DateTime<Utc>,
    /// How it came in.
    pub origin: Origin,
    /// The event that it tells of, while it is reported; afterwards it stands with what the radar has seen.
    pub event: Option<FindingEvent>,
    /// Where it comes from, while it is reported; afterwards the same.
    pub provenance: Option<Provenance>,
}

/// Where a finding comes from: what leads to its evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Provenance {
    /// An item of a feed's log.
    Item {
        /// The feed.
        feed_id: FeedId,
        /// The number of the item in its log.
        seq: i64,
    },
    /// A provider handed it in.
    Provider {
        /// The provider's source.
        source_id: String,
        /// The trace of its request.
        trace: Option<Trace>,
    },
}

/// A finding that waits for money, or for the next day of its radar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldFinding {
    /// Counts the account's holds, and so orders them.
    pub hold_seq: i64,
    /// The radar.
    pub radar_id: RadarId,
    /// The radar's type, which is paused while it waits for money.
    pub radar_type: RadarType,
    /// The price in force at detection.
    pub rate: MicroUsd,
    /// Why it is held.
    pub reason: HoldReason,
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
