//! Updates: what a radar reports (Spec 2.4, 6.1).

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use crate::closed;
use crate::delivery::webhook_format::WebhookFormat;
use crate::field_limits::UPDATES_PAGE_BYTES_MAX;
use crate::ids::{RadarId, UpdateId};
use crate::money::MicroUsd;
use crate::radar::radar_type::RadarType;
use crate::radar::{FailureReason, Radar};
use crate::targets::DomainName;

closed! {
    /// `update_type` (Spec 6.1).
    UpdateType {
        /// New data detected by a radar.
        Finding = "radar_finding",
        /// A radar failed or was deactivated.
        Failure = "radar_failure",
    }
}

/// Which updates are wanted. An empty list does not filter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UpdateFilter {
    /// Of these radars.
    pub radar_ids: Vec<RadarId>,
    /// Of these types.
    pub radar_types: Vec<RadarType>,
    /// Of these domains.
    pub domains: Vec<DomainName>,
    /// Of these kinds.
    pub update_types: Vec<UpdateType>,
    /// Discovered strictly after this instant.
    pub since: Option<DateTime<Utc>>,
    /// After this number within the account.
    pub after_seq: i64,
    /// Before this number.
    pub before_seq: Option<i64>,
    /// Whether the newest come first.
    pub is_newest_first: bool,
}

impl UpdateFilter {
    /// Leaves out what was discovered before `kept_from`.
    pub fn keep_from(&mut self, kept_from: DateTime<Utc>) {
        self.since = self.since.max(Some(kept_from - TimeDelta::microseconds(1)));
    }
}

closed! {
    /// Which updates come first. What follows new ones reads the oldest first, people read the newest.
    UpdateOrder {
        /// In the order of their publication.
        OldestFirst = "oldest_first",
        /// The other way round.
        NewestFirst = "newest_first",
    }
}

/// What an update says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// The `content` object of a finding as JSON text, its keys those of the radar's type (decisions, section 6).
    Finding(String),
    /// Why a radar ended, and what was given back (Spec 2.4).
    Failure {
        /// The closed reason.
        reason: FailureReason,
        /// What was refunded.
        refund: MicroUsd,
        /// The reason in a sentence.
        message: String,
    },
}

impl Content {
    /// The kind of update that carries this.
    pub const fn update_type(&self) -> UpdateType {
        match self {
            Self::Finding(_) => UpdateType::Finding,
            Self::Failure { .. } => UpdateType::Failure,
        }
    }
}

/// An update at the moment of its publication: all that its payload is made of.
#[derive(Clone, Debug)]
pub struct Publication<'a> {
    /// What consumers deduplicate on.
    pub update_id: UpdateId,
    /// The detected record; `None` for failures.
    pub record_id: Option<Uuid>,
    /// The moment of publication; strictly increasing within an account (decision 3.5).
    pub discovered_at: DateTime<Utc>,
    /// The radar, as it is after what happened.
    pub radar: &'a Radar,
    /// What it says.
    pub content: &'a Content,
    /// The form of the payload.
    pub format: WebhookFormat,
}

/// How many payloads of these lengths, in bytes, fit on one page: at least one where there is one.
pub fn fitting(lengths: impl IntoIterator<Item = usize>) -> usize {
    let mut bytes = 0_usize;
    let fits = |(index, length): &(usize, usize)| {
        bytes = bytes.saturating_add(*length);
        *index == 0 || bytes <= UPDATES_PAGE_BYTES_MAX
    };
    lengths.into_iter().enumerate().take_while(fits).count()
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, TimeDelta};

    use super::{UpdateFilter, fitting};
    use crate::field_limits::UPDATES_PAGE_BYTES_MAX;
    use crate::scheduling::retention::kept_from;

    #[test]
    fn spec_6_4_what_is_exactly_60_days_old_is_kept() {
        let now = DateTime::UNIX_EPOCH + TimeDelta::days(100);
        let first_kept = kept_from(now, TimeDelta::days(60));
        assert_eq!(first_kept, now - TimeDelta::days(60));
        let mut filter = UpdateFilter::default();
        filter.keep_from(first_kept);
        let since = filter.since;
        assert!(since.is_some_and(|since| first_kept > since && first_kept - TimeDelta::microseconds(1) <= since));
        filter.keep_from(first_kept - TimeDelta::days(1));
        assert_eq!(filter.since, since);
        assert_eq!(kept_from(now, TimeDelta::MAX), DateTime::UNIX_EPOCH);
    }

    #[test]
    fn a_page_is_bounded_in_bytes_and_never_empty() {
        let most = UPDATES_PAGE_BYTES_MAX;
        for (lengths, expected) in [
            (vec![], 0),
            (vec![most * 2, 1], 1),
            (vec![most - 1, 1], 2),
            (vec![most - 1, 2, 1], 1),
            (vec![1, most * 2, 1], 1),
            (vec![10; 100], 100),
        ] {
            assert_eq!(fitting(lengths.clone()), expected, "{lengths:?}");
        }
    }
}
