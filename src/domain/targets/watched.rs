//! The radars that a pushed finding is for.

use crate::ids::RadarId;
use crate::radar_type::RadarType;

/// The radars that a pushed finding is for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum WatchedTarget {
    /// One radar.
    Radar(RadarId),
    /// The radars of a type whose target has this value, in its normal form.
    Value {
        /// The type of the radars.
        radar_type: RadarType,
        /// Which field of the target it is.
        field: TargetField,
        /// The value.
        text: String,
    },
}

/// The fields of targets that pushed findings may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TargetField {
    /// The domain of a company, or of a contact's employer.
    Domain,
    /// The profile of a contact.
    ProfileUrl,
    /// The e-mail address of a contact.
    Email,
    /// The keyword of an industry.
    Keyword,
}
