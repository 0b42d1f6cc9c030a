//! Findings that radars have seen, and those that wait for an operator or that one has decided about.

use chrono::{DateTime, Utc};
use entity::{approval, finding_seen};
use uuid::Uuid;

use super::stored::{overwritten, stored};
use domain::account::{Finding, SeenOutcome};
use domain::{AccountId, FeedId, FindingForApproval, RadarId, UpdateId};

/// What is kept of a finding that a radar has seen: with the event that it told of, and which part of it; and with the item
/// of a feed that it was, or the source of the provider that handed it in.
pub(crate) struct Seen {
    pub(crate) outcome: SeenOutcome,
    pub(crate) update_id: UpdateId,
    pub(crate) seen_at: DateTime<Utc>,
    pub(crate) event_id: Option<Uuid>,
    pub(crate) event_part: Option<String>,
    pub(crate) feed_id: Option<FeedId>,
    pub(crate) item_seq: Option<i64>,
    pub(crate) source_id: Option<String>,
}

stored! {
    /// Only what became of a finding changes.
    finding_seen {
        Key: radar_id, record_id;
        Kept: update_id, seen_at, event_id, event_part, feed_id, item_seq, source_id;
        Replaced: outcome;
    }
    ((RadarId, Uuid), Seen) = ((radar_id, record_id), Seen {
        outcome,
        update_id,
        seen_at,
        event_id,
        event_part,
        feed_id,
        item_seq,
        source_id,
    })
}

stored! {
    /// Only the decision changes.
    approval {
        Key: update_id;
        Kept: account_id, radar_id, radar_type, record_id, content, detected_at, origin;
        Replaced: state, decided_at;
    }
    (AccountId, FindingForApproval) = (account_id, FindingForApproval {
        update_id,
        radar_id,
        radar_type,
        finding: Finding { record_id, content, detected_at, origin, event, provenance },
        state,
        decided_at,
    })
    without event, provenance
}
