//! How often a source is asked (the `[politeness]` table).

use std::time::Duration;

use serde::Deserialize;

use super::error::{Broken, broken};
use super::list_source::SourcePace;
use super::source::SourceKind;
use crate::text::read_from_text;
use config::duration;
use domain::scheduling::polling::PollIntervals;
use domain::scheduling::quota::{Quota, REQUESTS_MAX};

/// How often a source is polled whose file does not say.
const POLL_INTERVAL_DEFAULT: Duration = Duration::from_secs(60 * 60);
/// No source is polled more often than this.
const POLL_INTERVAL_MIN: Duration = Duration::from_secs(60);
/// Quiet feeds are polled so many times less often than others where the file does not say.
const QUIET: u32 = 2;
/// How long an answer that is the same for everybody serves all where the file does not say: what a new radar finds in it
/// counts as having been there before the radar.
const SHARED_FOR: Duration = Duration::from_secs(60);
/// And how long at most.
const SHARED_FOR_MAX: Duration = Duration::from_secs(24 * 60 * 60);
/// Requests to a host are no further apart than this, whatever a file says.
const MIN_GAP_MAX: Duration = Duration::from_secs(60);

/// A duration as people write it: `90s`, `30m`, `6h`, `7d`.
#[derive(Clone, Copy)]
pub(super) struct DurationText(pub(super) Duration);

#[derive(Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Politeness {
    poll_interval: Option<DurationText>,
    poll_interval_min: Option<DurationText>,
    poll_interval_max: Option<DurationText>,
    min_gap: Option<DurationText>,
    shared_for: Option<DurationText>,
    host_group: Option<String>,
    quotas: Vec<QuotaText>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct QuotaText {
    requests: usize,
    per: DurationText,
}

read_from_text!(DurationText, |text: &str| {
    duration::parse(text)
        .map(DurationText)
        .ok_or_else(|| format!("`{text}` is no duration such as `90s`, `30m`, `6h` or `7d`"))
});

impl Politeness {
    pub(super) fn check(&self) -> Result<(), Broken> {
        let usual = self.usual();
        if usual < POLL_INTERVAL_MIN {
            return Err(broken("politeness.poll_interval", "must be at least 60s"));
        }
        if self.poll_interval_min.is_some_and(|min| min.0 < POLL_INTERVAL_MIN || min.0 > usual) {
            return Err(broken("politeness.poll_interval_min", "must be at least 60s and at most the poll_interval"));
        }
        if self.poll_interval_max.is_some_and(|max| max.0 < usual) {
            return Err(broken("politeness.poll_interval_max", "must be at least the poll_interval"));
        }
        if self.quotas.iter().any(|quota| !(1..=REQUESTS_MAX).contains(&quota.requests) || quota.per.0.is_zero()) {
            return Err(broken("politeness.quotas", "must permit 1 to 10000 requests in a time that is not empty"));
        }
        if self.host_group.is_some() && self.quotas.is_empty() {
            return Err(broken("politeness.host_group", "shares `quotas`, and there are none"));
        }
        Ok(())
    }

    /// The intervals of a source of this kind. Without a word of the file busy feeds are polled no more often than others.
    /// Nor are quiet feeds of a source that shows the same to everybody polled less often: one target's silence says
    /// nothing of such a source.
    pub(super) fn poll_intervals(&self, kind: &SourceKind) -> PollIntervals {
        let usual = self.usual();
        let is_shared = matches!(kind, SourceKind::List(list) if list.is_shared());
        let quiet = if is_shared { usual } else { usual.saturating_mul(QUIET) };
        PollIntervals {
            usual,
            min: self.poll_interval_min.map_or(usual, |min| min.0),
            max: self.poll_interval_max.map_or(quiet, |max| max.0),
        }
    }

    /// How fast the source `id` may be asked; it is a group of its own unless the file names one.
    pub(super) fn pace(&self, id: &str) -> SourcePace {
        let quotas = self.quotas.iter().map(|quota| Quota { requests: quota.requests, per: quota.per.0 });
        SourcePace {
            min_gap: self.min_gap.map_or(Duration::ZERO, |gap| gap.0.min(MIN_GAP_MAX)),
            host_group: self.host_group.clone().unwrap_or_else(|| id.to_owned()),
            quotas: quotas.collect(),
        }
    }

    /// How long an answer that is the same for everybody serves all.
    pub(super) fn shared_for(&self) -> Duration {
        self.shared_for.map_or(SHARED_FOR, |shared_for| shared_for.0.min(SHARED_FOR_MAX))
    }

    fn usual(&self) -> Duration {
        self.poll_interval.map_or(POLL_INTERVAL_DEFAULT, |interval| interval.0)
    }
}

#[cfg(test)]
mod tests {
    use crate::format::catalog::Catalog;

    #[test]
    fn intervals_have_bounds_of_their_own_or_follow_from_the_usual_one() {
        let catalog = Catalog::load_with(None, &|_| None).unwrap();
        for (source_id, minutes) in
            [("careers_page", [240, 240, 480]), ("greenhouse", [30, 60, 120]), ("prnewswire_keyword", [15, 15, 15])]
        {
            let intervals = catalog.get(source_id).unwrap().poll_intervals;
            let found = [intervals.min, intervals.usual, intervals.max].map(|interval| interval.as_secs() / 60);
            assert_eq!(found, minutes, "{source_id}");
        }
    }
}
