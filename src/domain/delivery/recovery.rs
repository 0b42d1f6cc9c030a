//! Sending everything again that failed in a range of time (decision 5.8).

use chrono::{DateTime, TimeDelta, Utc};

use crate::ids::{AccountId, RecoveryId};
use crate::radar_type::RadarType;

/// Recoveries of one account, or of the operator, that may be unfinished at the same time.
pub const UNFINISHED_MAX: u64 = 10;
/// How long a finished recovery can be looked up.
pub const KEPT_FOR: TimeDelta = TimeDelta::days(60);

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

/// A recovery and its progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recovery {
    /// Which one.
    pub recovery_id: RecoveryId,
    /// What it sends again.
    pub range: RecoveryRange,
    /// When it was asked for.
    pub created_at: DateTime<Utc>,
    /// Deliveries in the range when it was asked for.
    pub count: u64,
    /// Deliveries that it has made due so far.
    pub resent: u64,
    /// When it was done with the whole range.
    pub finished_at: Option<DateTime<Utc>>,
    /// When it goes on, where it waits: for the next day of its account, or for its turn at a host.
    pub resumes_at: Option<DateTime<Utc>>,
}
