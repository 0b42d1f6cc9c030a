//! Findings that wait for money or for the next day of their radar, and types that are paused.

use entity::{held_finding, type_pause};
use uuid::Uuid;

use crate::StoreError;
use crate::database::if_present::{Overwritten, Then};
use crate::database::rows;
use domain::account::{Finding, HeldFinding, Pause};
use domain::ids::RadarId;
use domain::money::MicroUsd;
use domain::radar_type::RadarType;

/// Why a finding is held may change.
impl Overwritten for held_finding::Entity {
    fn then(column: held_finding::Column) -> Then {
        use held_finding::Column;
        match column {
            Column::AccountId | Column::HoldSeq => Then::Key,
            Column::RadarId
            | Column::RadarType
            | Column::RecordId
            | Column::RateMicros
            | Column::Content
            | Column::DetectedAt
            | Column::Origin => Then::Kept,
            Column::Reason => Then::Replaced,
        }
    }
}

/// A pause that ended and began again.
impl Overwritten for type_pause::Entity {
    fn then(column: type_pause::Column) -> Then {
        use type_pause::Column;
        match column {
            Column::AccountId | Column::RadarType => Then::Key,
            Column::Since | Column::RateMicros => Then::Replaced,
        }
    }
}

/// A finding that is held, and in which account.
pub(crate) fn held(row: held_finding::Model) -> Result<(Uuid, HeldFinding), StoreError> {
    const TABLE: &str = "held_finding";
    let held_finding::Model {
        account_id,
        hold_seq,
        radar_id,
        radar_type,
        record_id,
        rate_micros,
        content,
        detected_at,
        origin,
        reason,
    } = row;
    let finding = Finding {
        record_id,
        content,
        detected_at: rows::instant(TABLE, detected_at)?,
        origin: rows::closed(TABLE, &origin)?,
        event: None,
    };
    let held = HeldFinding {
        hold_seq,
        radar_id: RadarId(radar_id),
        radar_type: rows::closed(TABLE, &radar_type)?,
        rate: MicroUsd::from_micros(rate_micros),
        reason: rows::closed(TABLE, &reason)?,
        finding,
    };
    Ok((account_id, held))
}

pub(crate) fn held_row(account_id: Uuid, held: HeldFinding) -> held_finding::Model {
    held_finding::Model {
        account_id,
        hold_seq: held.hold_seq,
        radar_id: held.radar_id.0,
        radar_type: held.radar_type.as_str().to_owned(),
        record_id: held.finding.record_id,
        rate_micros: held.rate.micros(),
        content: held.finding.content,
        detected_at: held.finding.detected_at.timestamp_micros(),
        origin: held.finding.origin.as_str().to_owned(),
        reason: held.reason.as_str().to_owned(),
    }
}

/// The pause of a type, and in which account.
pub(crate) fn pause(row: type_pause::Model) -> Result<(Uuid, RadarType, Pause), StoreError> {
    const TABLE: &str = "type_pause";
    let type_pause::Model { account_id, radar_type, since, rate_micros } = row;
    let pause = Pause { since: rows::instant(TABLE, since)?, rate: MicroUsd::from_micros(rate_micros) };
    Ok((account_id, rows::closed(TABLE, &radar_type)?, pause))
}

pub(crate) fn pause_row(account_id: Uuid, radar_type: RadarType, pause: Pause) -> type_pause::Model {
    type_pause::Model {
        account_id,
        radar_type: radar_type.as_str().to_owned(),
        since: pause.since.timestamp_micros(),
        rate_micros: pause.rate.micros(),
    }
}
