//! What the oracle knows of an account. Times are microseconds, money is micro-USD.

use domain::radar_type::RadarType;
use uuid::Uuid;

pub const DAY: i64 = 24 * 3600 * 1_000_000;
/// What a subscription pays for.
pub const PERIOD: i64 = 30 * DAY;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Price {
    pub is_subscription: bool,
    pub rate: i64,
    /// Whether a DELETE leaves the paid period.
    pub has_grace: bool,
    /// How many findings from the web are charged in a day of a radar.
    pub findings_per_day: i64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Lot {
    pub granted: i64,
    pub left: i64,
    pub expires_at: Option<i64>,
    /// When the payment expires, or expired, that its money first came from.
    pub first_expires_at: Option<i64>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Radar {
    pub radar_type: RadarType,
    pub target: String,
    pub is_subscription: bool,
    pub has_grace: bool,
    pub set_up: &'static str,
    /// Why it is inactive; `None` while it is active.
    pub ended: Option<&'static str>,
    pub created_at: i64,
    pub ended_at: Option<i64>,
    pub period: i64,
    pub next_charge_at: Option<i64>,
    /// When its last day of findings began, and how many were charged in it.
    pub day: Option<(i64, i64)>,
    /// Since when it reads no further.
    pub full_since: Option<i64>,
    /// When the last day ends, or ended, whose bound was exceeded.
    pub release_at: Option<i64>,
}

impl Radar {
    /// When the paid period ends that a DELETE has left; `None` while active, and once it is known to be over.
    pub fn grace_ends_at(&self) -> Option<i64> {
        let is_left = self.ended == Some("user_deactivated") && self.is_subscription && self.has_grace;
        is_left.then_some(self.created_at + (self.period + 1) * PERIOD)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Hold {
    pub radar: Uuid,
    pub radar_type: RadarType,
    pub record: Uuid,
    pub rate: i64,
    pub detected_at: i64,
    pub is_web: bool,
    /// Whether it waits for another day of its radar, not for money.
    pub waits_for_day: bool,
}

/// A ledger transaction; `parts` are the lots (counted from 1) and what each gave or got.
#[derive(Clone, Debug, PartialEq)]
pub struct LedgerTx {
    pub key: String,
    pub amount: i64,
    pub at: i64,
    pub due_at: i64,
    pub parts: Vec<(i64, i64)>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Update {
    pub radar: Uuid,
    /// The record that was found; `None` for a failure.
    pub record: Option<Uuid>,
    pub at: i64,
    /// The number of the ledger transaction that paid it.
    pub paid_by: Option<i64>,
}

/// What an operator said to a finding, if anything.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Approval {
    pub detected_at: i64,
    pub is_web: bool,
    pub decision: Option<ApprovalDecision>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ApprovalDecision {
    Approve,
    Reject,
}

impl ApprovalDecision {
    /// What a finding is after it.
    pub fn state(self) -> &'static str {
        match self {
            Self::Approve => "approved",
            Self::Reject => "rejected",
        }
    }
}

/// The account was told that the bound of a radar's day was exceeded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundAlert {
    pub radar: Uuid,
    pub at: i64,
}

/// A finding as it is reported.
#[derive(Clone, Debug)]
pub struct Found {
    pub record: Uuid,
    pub detected_at: i64,
    pub is_web: bool,
    /// The event that it tells of, if any.
    pub event: Option<String>,
}

/// The balance fell below a threshold with a ledger transaction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alert {
    pub tx: i64,
    pub threshold: i64,
    pub balance: i64,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Usage {
    pub activated: i64,
    pub deactivated: i64,
    pub failed: i64,
    pub found: i64,
    pub used: i64,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Created {
    Yes,
    Duplicate(Uuid),
    TooPoor,
    /// The account is stopped.
    Stopped,
}

/// The answer to a request under a key.
#[derive(Clone, Debug, PartialEq)]
pub struct Answered {
    pub request: String,
    pub text: String,
    pub used_at: i64,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reported {
    pub published: Vec<Uuid>,
    pub held: usize,
    pub pending: usize,
    pub duplicates: usize,
    pub dropped: usize,
}
