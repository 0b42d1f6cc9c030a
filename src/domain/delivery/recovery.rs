//! Sending everything again that failed in a range of time (decision 5.8).

use chrono::{DateTime, Utc};

use crate::ids::AccountId;
use crate::radar_type::RadarType;

/// Which deliveries are sent again. A delivery is in the range if its update was published in it and its attempts have
/// failed so far: all of them, or all but those that are still to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecoveryRange {
    /// Of this account; of every account when absent.
    pub account_id: Option<AccountId>,
    /// Published from this instant on.
    pub since: DateTime<Utc>,
    /// Published before this instant.
    pub until: DateTime<Utc>,
    /// Of radars of this type only.
    pub radar_type: Option<RadarType>,
    /// Whether what was delivered is sent once more as well.
    pub with_delivered: bool,
}

impl RecoveryRange {
    /// Whatever was published before an instant and failed.
    pub fn everything_until(until: DateTime<Utc>) -> Self {
        Self { account_id: None, since: DateTime::UNIX_EPOCH, until, radar_type: None, with_delivered: false }
    }
}
