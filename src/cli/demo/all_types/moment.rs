//! Whom and what the sample web is about, and how far it has come.

use chrono::{DateTime, NaiveDate, Utc};

/// The company that the radars watch.
pub const DOMAIN: &str = "acme-robotics.com";
/// Its name.
pub const COMPANY: &str = "Acme Robotics";
/// The theme that industry radars watch.
pub const KEYWORD: &str = "robotics";
/// The person whose career a radar watches.
pub const PERSON: &str = "Erik Sundberg";

/// One moment of the sample web.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// How many things have happened of every kind.
    pub happened: u32,
    /// The instant at which the last of them did.
    pub now: DateTime<Utc>,
}

impl Moment {
    /// The day of that.
    pub fn today(self) -> NaiveDate {
        self.now.date_naive()
    }

    /// The numbers of what has happened, from 1.
    pub fn numbers(self) -> std::ops::RangeInclusive<u32> {
        1..=self.happened
    }
}
