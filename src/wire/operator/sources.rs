//! Sources and their health, as operators see them.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::time::Instant;
use domain::source_health::FailureClass;

/// A source: its terms, its state and its health.
#[derive(Debug, Serialize)]
pub struct SourceRecord<'a> {
    pub source_id: &'a str,
    pub name: &'a str,
    pub kind: &'static str,
    pub radar_types: Vec<&'static str>,
    pub enabled: bool,
    /// Why it is not.
    pub disabled_because: Option<&'a str>,
    pub terms: Option<TermsRecord<'a>>,
    pub health: HealthRecord,
}

#[derive(Debug, Serialize)]
pub struct TermsRecord<'a> {
    pub licence: &'a str,
    pub attribution: Option<&'a str>,
    pub url: Option<&'a str>,
    /// The day somebody last read them.
    pub checked: &'a str,
}

/// What its feeds say now, and what this process has counted since its start.
#[derive(Debug, Serialize)]
pub struct HealthRecord {
    pub state: &'static str,
    /// In which way most feeds fail, and since when.
    pub broken_by: Option<&'static str>,
    pub broken_since: Option<Instant>,
    pub flagged_at: Option<Instant>,
    /// The last good answer.
    pub succeeded_at: Option<Instant>,
    pub feeds: u64,
    pub feeds_failing: u64,
    /// Of all feeds, from 0 to 1; null where there are none.
    pub share_failing: Option<f64>,
    pub feeds_failing_by_class: BTreeMap<&'static str, u64>,
    pub items_kept: u64,
    pub counted: CountedRecord,
}

#[derive(Debug, Serialize)]
pub struct CountedRecord {
    pub items: u64,
    pub findings: u64,
    pub errors: BTreeMap<&'static str, u64>,
}

/// Counts by class, under the words of the wire.
pub fn by_class(counts: &BTreeMap<FailureClass, u64>) -> BTreeMap<&'static str, u64> {
    counts.iter().map(|(class, count)| (class.as_str(), *count)).collect()
}
