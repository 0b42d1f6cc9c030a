//! The radars that a pushed finding is for.

use crate::domain::ids::RadarId;
use crate::domain::radar_type::RadarType;

/// The radars that a pushed finding is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WatchedTarget {
    /// One radar.
    Radar(RadarId),
    /// The radars of a type on a domain.
    Domain(RadarType, String),
    /// The radars of a type on a profile.
    ProfileUrl(RadarType, String),
    /// The radars of a type on an e-mail address.
    Email(RadarType, String),
    /// The radars of a type on a keyword.
    Keyword(RadarType, String),
}

impl WatchedTarget {
    /// The type of the radars, where it is not one radar that is named.
    pub fn radar_type(&self) -> Option<RadarType> {
        match self {
            Self::Radar(_) => None,
            Self::Domain(radar_type, _)
            | Self::ProfileUrl(radar_type, _)
            | Self::Email(radar_type, _)
            | Self::Keyword(radar_type, _) => Some(*radar_type),
        }
    }
}
