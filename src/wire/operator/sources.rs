//! Sources and their health, as operators see them.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::domain::source_health::FailureClass;
use crate::wire::time::Instant;

/// A source: its terms, its state and its health.
#[derive(Debug, Serialize)]
pub(crate) struct SourceRecord<'a> {
    pub(crate) source_id: &'a str,
    pub(crate) name: &'a str,
    pub(crate) kind: &'static str,
    pub(crate) radar_types: Vec<&'static str>,
    pub(crate) enabled: bool,
    /// Why it is not.
    pub(crate) disabled_because: Option<&'a str>,
    pub(crate) terms: Option<TermsRecord<'a>>,
    pub(crate) health: HealthRecord,
}

#[derive(Debug, Serialize)]
pub(crate) struct TermsRecord<'a> {
    pub(crate) licence: &'a str,
    pub(crate) attribution: Option<&'a str>,
    pub(crate) url: Option<&'a str>,
    /// The day somebody last read them.
    pub(crate) checked: &'a str,
}

/// What its feeds say now, and what this process has counted since its start.
#[derive(Debug, Serialize)]
pub(crate) struct HealthRecord {
    pub(crate) state: &'static str,
    /// In which way most feeds fail, and since when.
    pub(crate) broken_by: Option<&'static str>,
    pub(crate) broken_since: Option<Instant>,
    pub(crate) flagged_at: Option<Instant>,
    /// The last good answer.
    pub(crate) succeeded_at: Option<Instant>,
    pub(crate) feeds: u64,
    pub(crate) feeds_failing: u64,
    /// Of all feeds, from 0 to 1; null where there are none.
    pub(crate) share_failing: Option<f64>,
    pub(crate) feeds_failing_by_class: BTreeMap<&'static str, u64>,
    pub(crate) items_kept: u64,
    pub(crate) counted: CountedRecord,
}

#[derive(Debug, Serialize)]
pub(crate) struct CountedRecord {
    pub(crate) items: u64,
    pub(crate) findings: u64,
    pub(crate) errors: BTreeMap<&'static str, u64>,
}

/// Counts by class, under the words of the wire.
pub(crate) fn by_class(counts: &BTreeMap<FailureClass, u64>) -> BTreeMap<&'static str, u64> {
    counts.iter().map(|(class, count)| (class.as_str(), *count)).collect()
}
