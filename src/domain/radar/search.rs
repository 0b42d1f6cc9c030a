//! Radars of all accounts, as operators and pushed findings look for them.

use chrono::{DateTime, Utc};

use super::Status;
use crate::closed;
use crate::ids::{AccountId, RadarId};
use crate::radar_type::RadarType;

/// The most that are counted; beyond that it is enough to know that there are more.
pub const COUNT_MAX: u64 = 10_000;

closed! {
    /// A field of a target by which radars are found.
    SearchField {
        /// The domain of a company, or of a contact's employer.
        Domain = "domain",
        /// The profile of a contact.
        ProfileUrl = "profile",
        /// The e-mail address of a contact.
        Email = "email",
        /// The name of a contact.
        FullName = "name",
        /// The keyword of an industry.
        Keyword = "keyword",
    }
}

/// A value of a field that is looked for. Names and keywords are the same whether they are in upper or lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sought {
    /// This one, in its normal form.
    Value(String),
    /// Those that begin so.
    Beginning(String),
}

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
        field: SearchField,
        /// The value.
        text: String,
    },
}

/// Which radars are looked for. What is not given does not narrow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RadarSearch {
    /// This one.
    pub radar_id: Option<RadarId>,
    /// Those whose target has these values.
    pub fields: Vec<(SearchField, Sought)>,
    /// Those of this account.
    pub account_id: Option<AccountId>,
    /// Those of this type.
    pub radar_type: Option<RadarType>,
    /// Those in this state.
    pub status: Option<Status>,
    /// Created before this one: its creation and itself.
    pub before: Option<(DateTime<Utc>, RadarId)>,
}
