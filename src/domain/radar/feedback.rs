//! What customers think of findings.

use crate::radar_type::RadarType;

/// What a customer thinks of a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feedback {
    /// Whether it was of use.
    pub useful: bool,
    /// Why.
    pub reason: Option<String>,
}

/// What customers think of the findings of one source and one radar type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeedbackShare {
    /// The type.
    pub radar_type: RadarType,
    /// How many findings somebody has judged.
    pub judged: u64,
    /// How many of those were of no use.
    pub useless: u64,
}
