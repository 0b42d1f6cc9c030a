//! Figures of the sources for operators: what this process has read of each, and how their feeds fared when that was last
//! assessed. The sources are those of the catalog, so that labels are a closed set.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::TimeDelta;
use parking_lot::Mutex;
use prometheus::{HistogramVec, Registry};

use crate::runtime::registered::histograms;
use domain::FailureClass;
use outbound::fetch::{ReaderCounts, Readers};
use sources::Catalog;
use store::SourceState;

/// Bounds of the time that a poll takes, in seconds.
const DURATIONS_S: [f64; 8] = [0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0];
/// The class of polls that did not fail.
const SUCCEEDED: &str = "ok";

/// The figures of a process. Clones share them.
#[derive(Clone)]
pub struct SourceFigures {
    counts: Arc<Mutex<BTreeMap<String, SourceCounts>>>,
    assessed: Arc<Mutex<BTreeMap<String, SourceState>>>,
    readers: Option<Readers>,
    polls: HistogramVec,
}

/// What this process has counted of one source since its start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceCounts {
    /// New items that polls have shown, or findings that a provider has handed in.
    pub items: u64,
    /// Polls that were recorded.
    pub polls: u64,
    /// Findings that were published.
    pub findings: u64,
    /// Items that are older than a radar that read them.
    pub older: u64,
    /// Polls that failed, by class.
    pub failures: BTreeMap<FailureClass, u64>,
}

impl SourceFigures {
    /// Nothing counted yet of any source of `catalog`; how long polls take is shown in `registry`.
    ///
    /// # Errors
    /// A metric of that name is there.
    pub fn new(catalog: &Catalog, registry: &Registry) -> prometheus::Result<Self> {
        let counts: BTreeMap<_, _> = catalog.all().map(|source| (source.id.clone(), SourceCounts::default())).collect();
        let polls = ("radar_poll_duration_seconds", "How long polls took, by source and how they ended");
        let polls = histograms(registry, polls, &DURATIONS_S, &["source", "class"])?;
        Ok(Self { counts: Arc::new(Mutex::new(counts)), assessed: Arc::default(), readers: None, polls })
    }

    /// The same figures, with those of the threads on which answers are read.
    pub fn with_readers(self, readers: Readers) -> Self {
        Self { readers: Some(readers), ..self }
    }

    /// What the threads for reading do now.
    pub fn readers(&self) -> ReaderCounts {
        self.readers.as_ref().map(Readers::counts).unwrap_or_default()
    }

    /// Notes how long a poll took: of one that failed in which way it did.
    pub(super) fn note_poll(&self, source_id: &str, class: Option<FailureClass>, took: TimeDelta) {
        self.note(source_id, |counts| counts.polls += 1);
        if self.counts.lock().contains_key(source_id) {
            let class = class.map_or(SUCCEEDED, FailureClass::as_str);
            self.polls.with_label_values(&[source_id, class]).observe(took.as_seconds_f64().max(0.0));
        }
    }

    /// Adds to what was counted of a source, where it is in the catalog.
    pub fn note(&self, source_id: &str, add: impl FnOnce(&mut SourceCounts)) {
        if let Some(counts) = self.counts.lock().get_mut(source_id) {
            add(counts);
        }
    }

    /// Replaces what was last assessed.
    pub fn note_assessed(&self, mut states: BTreeMap<String, SourceState>) {
        let counts = self.counts.lock();
        states.retain(|source_id, _| counts.contains_key(source_id));
        *self.assessed.lock() = states;
    }

    /// What was last assessed, by source.
    pub fn assessed(&self) -> BTreeMap<String, SourceState> {
        self.assessed.lock().clone()
    }

    /// What was counted of each source.
    pub fn counts(&self) -> BTreeMap<String, SourceCounts> {
        self.counts.lock().clone()
    }

    /// What was counted of one source; nothing of one that is not in the catalog.
    pub fn of(&self, source_id: &str) -> SourceCounts {
        self.counts.lock().get(source_id).cloned().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use prometheus::Registry;

    use std::collections::BTreeMap;

    use super::{SourceCounts, SourceFigures};
    use domain::FailureClass;
    use sources::Catalog;
    use store::SourceState;

    #[test]
    fn only_sources_of_the_catalog_are_counted() {
        let catalog = Catalog::load_with(None, &|_| None).expect("the built-in sources");
        let figures = SourceFigures::new(&catalog, &Registry::new()).expect("figures");
        for source_id in ["greenhouse", "a stranger's"] {
            figures.note(source_id, |counts| counts.items += 3);
            figures.note_poll(source_id, None, TimeDelta::zero());
            figures.note(source_id, |counts| counts.findings += 2);
            figures.note(source_id, |counts| counts.older += 4);
            figures.note(source_id, |counts| *counts.failures.entry(FailureClass::Auth).or_default() += 1);
        }
        let failures = BTreeMap::from([(FailureClass::Auth, 1)]);
        assert_eq!(figures.of("greenhouse"), SourceCounts { items: 3, polls: 1, findings: 2, older: 4, failures });
        assert_eq!(figures.of("a stranger's"), SourceCounts::default());
        let states = ["greenhouse", "a stranger's"].map(|id| (id.to_owned(), SourceState::default()));
        figures.note_assessed(states.into());
        assert_eq!(figures.assessed().into_keys().collect::<Vec<_>>(), ["greenhouse"]);
    }
}
