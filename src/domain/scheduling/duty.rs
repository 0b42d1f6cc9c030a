//! The rare duties of the housekeeper, and when each is begun.

use chrono::{DateTime, SubsecRound, TimeDelta, Utc};
use croner::Cron;
use croner::parser::{CronParser, Seconds, Year};

use crate::closed;

closed! {
    /// A rare duty.
    Duty {
        /// Wakes radars that have not read all of a feed: left behind by a crash or a full queue.
        FindLagging = "find_lagging",
        /// Lets accounts settle what is due: expired lots, held findings that the balance covers, overdue renewals.
        SettleAccounts = "settle_accounts",
        /// Lets feeds rest that no radar reads, and polls those again that a radar reads.
        SettleFeeds = "settle_feeds",
        /// Ends radars none of whose sources has answered for too long (decision 4.11).
        EndUnreachable = "end_unreachable",
        /// Checks the accounts that have changed; one whose rows do not add up is frozen.
        VerifyLedgers = "verify_ledgers",
        /// Removes updates whose retention is over, with their deliveries; radars whose retention is over and that have no
        /// updates left; findings that waited too long for approval (Spec 6.4, decision 4.10).
        Retention = "retention",
        /// Brings back what was noted for later than it can be, because a clock was ahead.
        SettleClock = "settle_clock",
        /// Removes answers that no retry is given any more (decision 2.9).
        ForgetAnswers = "forget_answers",
        /// Looks again at companies whose profiles are a week old, and forgets those that nobody watches.
        RefreshProfiles = "refresh_profiles",
        /// Flags sources that are broken for everybody, and those that are well again.
        AssessSources = "assess_sources",
        /// Ends the radars that jobs of operators are about.
        WorkOffJobs = "work_off_jobs",
        /// Looks for other feeds for radars all of whose feeds are gone (decision 7.5).
        ReplaceGone = "replace_gone",
    }
}

impl Duty {
    /// Whether one process does it for all that share the database. The state of the sources is shown by each of them.
    pub fn is_shared(self) -> bool {
        self != Self::AssessSources
    }
}

/// When a duty is begun: a cron expression of six fields, in UTC.
#[derive(Clone, Debug, PartialEq)]
pub struct CronSchedule {
    text: String,
    cron: Cron,
}

/// A text that is no schedule: it is malformed, or matches no instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(r#"must be a cron expression of six fields such as "0 30 3 * * *""#)]
pub struct NoSchedule;

impl CronSchedule {
    /// Reads the fields second, minute, hour, day of the month, month and day of the week.
    pub fn parse(text: &str) -> Result<Self, NoSchedule> {
        let parser = CronParser::builder().seconds(Seconds::Required).year(Year::Disallowed).dom_and_dow(true).build();
        let cron = parser.parse(text).map_err(|_| NoSchedule)?;
        cron.find_next_occurrence(&DateTime::UNIX_EPOCH, true).map_err(|_| NoSchedule)?;
        Ok(Self { text: text.to_owned(), cron })
    }

    /// The expression.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The first instant from `at` on that matches, in whole seconds; `None` when there is none before time ends.
    pub fn next_from(&self, at: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let second = at.trunc_subsecs(0);
        let from = if second < at { second.checked_add_signed(TimeDelta::seconds(1))? } else { at };
        self.cron.find_next_occurrence(&from, true).ok()
    }
}

impl Eq for CronSchedule {}

#[cfg(test)]
mod tests {
    use super::{CronSchedule, NoSchedule};

    #[test]
    fn a_schedule_answers_the_next_instant_in_utc() {
        let schedule = CronSchedule::parse("0 30 3 * * *").expect("a schedule");
        assert_eq!(schedule.as_str(), "0 30 3 * * *");
        for (at, expected) in [
            ("2026-11-22T03:29:59.5Z", "2026-11-22T03:30:00Z"),
            ("2026-11-22T03:30:00Z", "2026-11-22T03:30:00Z"),
            ("2026-11-22T03:30:00.000001Z", "2026-11-23T03:30:00Z"),
            ("2028-02-28T23:00:00Z", "2028-02-29T03:30:00Z"),
        ] {
            let next = schedule.next_from(at.parse().expect("an instant"));
            assert_eq!(next, Some(expected.parse().expect("an instant")), "{at}");
        }
    }

    #[test]
    fn what_is_no_schedule_is_refused() {
        for text in ["", "daily", "30 3 * * *", "0 30 3 * * * 2026", "0 60 3 * * *", "0 0 0 31 2 *"] {
            assert_eq!(CronSchedule::parse(text), Err(NoSchedule), "{text}");
        }
    }
}
