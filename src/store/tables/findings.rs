//! Findings that radars have seen, and those that wait for an operator or that one has decided about.

use entity::{approval, finding_seen};
use uuid::Uuid;

use crate::StoreError;
use crate::database::if_present::{Overwritten, Then};
use crate::database::rows;
use domain::account::{Finding, FindingForApproval, SeenFinding, SeenOutcome};
use domain::ids::{AccountId, RadarId, UpdateId};

/// Only what became of a finding changes.
impl Overwritten for finding_seen::Entity {
    fn then(column: finding_seen::Column) -> Then {
        use finding_seen::Column;
        match column {
            Column::RadarId | Column::RecordId => Then::Key,
            Column::UpdateId | Column::SeenAt | Column::EventId | Column::EventPart => Then::Kept,
            Column::Outcome => Then::Replaced,
        }
    }
}

/// Only the decision changes.
impl Overwritten for approval::Entity {
    fn then(column: approval::Column) -> Then {
        use approval::Column;
        match column {
            Column::UpdateId => Then::Key,
            Column::AccountId
            | Column::RadarId
            | Column::RadarType
            | Column::RecordId
            | Column::Content
            | Column::DetectedAt
            | Column::Origin => Then::Kept,
            Column::State | Column::DecidedAt => Then::Replaced,
        }
    }
}

/// A finding that was seen before.
pub(crate) struct Seen {
    pub(crate) radar_id: RadarId,
    pub(crate) record_id: Uuid,
    pub(crate) outcome: SeenOutcome,
    /// The event that it told of, and which part of it.
    pub(crate) event: Option<(Uuid, Option<String>)>,
}

pub(crate) fn seen(row: finding_seen::Model) -> Result<Seen, StoreError> {
    let finding_seen::Model {
        radar_id,
        record_id,
        outcome,
        // Made of the radar and the record.
        update_id: _,
        seen_at: _,
        event_id,
        event_part,
    } = row;
    Ok(Seen {
        radar_id: RadarId(radar_id),
        record_id,
        outcome: rows::closed("finding_seen", &outcome)?,
        event: event_id.map(|event_id| (event_id, event_part)),
    })
}

pub(crate) fn seen_row(
    (radar_id, record_id): (RadarId, Uuid),
    seen: SeenFinding,
    now_micros: i64,
) -> finding_seen::Model {
    finding_seen::Model {
        radar_id: radar_id.0,
        record_id,
        outcome: seen.outcome.as_str().to_owned(),
        update_id: seen.update_id.0,
        seen_at: now_micros,
        event_id: seen.event.as_ref().map(|event| event.id),
        event_part: seen.event.and_then(|event| event.part),
    }
}

/// A finding for approval, and whose it is.
pub(crate) fn approval(row: approval::Model) -> Result<(AccountId, FindingForApproval), StoreError> {
    const TABLE: &str = "approval";
    let approval::Model {
        update_id,
        account_id,
        radar_id,
        radar_type,
        record_id,
        content,
        detected_at,
        state,
        decided_at,
        origin,
    } = row;
    let finding = Finding {
        record_id,
        content,
        detected_at: rows::instant(TABLE, detected_at)?,
        origin: rows::closed(TABLE, &origin)?,
        event: None,
    };
    let finding = FindingForApproval {
        update_id: UpdateId(update_id),
        radar_id: RadarId(radar_id),
        radar_type: rows::closed(TABLE, &radar_type)?,
        finding,
        state: rows::closed(TABLE, &state)?,
        decided_at: rows::instant_option(TABLE, decided_at)?,
    };
    Ok((AccountId(account_id), finding))
}

pub(crate) fn approval_row(account_id: Uuid, finding: FindingForApproval) -> approval::Model {
    approval::Model {
        update_id: finding.update_id.0,
        account_id,
        radar_id: finding.radar_id.0,
        radar_type: finding.radar_type.as_str().to_owned(),
        record_id: finding.finding.record_id,
        content: finding.finding.content,
        detected_at: finding.finding.detected_at.timestamp_micros(),
        state: finding.state.as_str().to_owned(),
        decided_at: finding.decided_at.map(|at| at.timestamp_micros()),
        origin: finding.finding.origin.as_str().to_owned(),
    }
}
