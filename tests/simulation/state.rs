//! What the oracle knows of an account. Times are microseconds, money is micro-USD.

use radar::domain::radar_type::RadarType;
use uuid::Uuid;

pub const DAY: i64 = 24 * 3600 * 1_000_000;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Price {
    pub is_subscription: bool,
    pub rate: i64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Lot {
    pub granted: i64,
    pub left: i64,
    pub expires_at: Option<i64>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Radar {
    pub radar_type: RadarType,
    pub target: String,
    pub is_subscription: bool,
    pub set_up: &'static str,
    /// Why it is inactive; `None` while it is active.
    pub ended: Option<&'static str>,
    pub created_at: i64,
    pub ended_at: Option<i64>,
    pub period: i64,
    pub next_charge_at: Option<i64>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Hold {
    pub radar: Uuid,
    pub radar_type: RadarType,
    pub record: Uuid,
    pub rate: i64,
    pub detected_at: i64,
}

/// A movement of money; `parts` are the lots (counted from 1) and what each gave or got.
#[derive(Clone, Debug, PartialEq)]
pub struct Movement {
    pub key: String,
    pub amount: i64,
    pub due_at: i64,
    pub parts: Vec<(i64, i64)>,
    pub month: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Update {
    pub radar: Uuid,
    /// The record that was found; `None` for a failure.
    pub record: Option<Uuid>,
    /// The number of the movement that paid it.
    pub paid_by: Option<i64>,
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
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reported {
    pub published: Vec<Uuid>,
    pub held: usize,
    pub duplicates: usize,
    pub dropped: usize,
}
