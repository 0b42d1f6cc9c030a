//! Findings that wait for money or for the next day of their radar, and types that are paused.

use entity::{held_finding, type_pause};

use super::stored::{overwritten, stored};
use domain::account::{Finding, HeldFinding, Pause};
use domain::{AccountId, RadarType};

stored! {
    /// Why a finding is held may change.
    held_finding {
        Key: account_id, hold_seq;
        Kept: radar_id, radar_type, record_id, rate_micros, content, detected_at, origin;
        Replaced: reason;
    }
    (AccountId, HeldFinding) = (account_id, HeldFinding {
        hold_seq,
        radar_id,
        radar_type,
        rate: rate_micros,
        reason,
        finding: Finding { record_id, content, detected_at, origin, event, provenance },
    })
    without event, provenance
}

stored! {
    /// A pause that ended and began again.
    type_pause {
        Key: account_id, radar_type;
        Replaced: since, rate_micros;
    }
    (AccountId, (RadarType, Pause)) = (account_id, (radar_type, Pause { since, rate: rate_micros }))
}
