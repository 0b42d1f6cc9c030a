//! Figures of the sources for operators: what this process has read of each, and how their feeds fared when that was last
//! assessed. The sources are those of the catalog, so that labels are a closed set.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use crate::domain::source_health::FailureClass;
use crate::sources::Catalog;
use crate::store::SourceState;

/// The figures of a process. Clones share them.
#[derive(Clone)]
pub struct SourceFigures {
    counts: Arc<BTreeMap<String, Counts>>,
    assessed: Arc<Mutex<BTreeMap<String, SourceState>>>,
}

#[derive(Default)]
struct Counts {
    items: AtomicU64,
    findings: AtomicU64,
    failures: BTreeMap<FailureClass, AtomicU64>,
}

/// What this process has counted of one source since its start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceCounts {
    /// New items that polls have shown, or findings that a provider has handed in.
    pub items: u64,
    /// Findings that were published.
    pub findings: u64,
    /// Polls that failed, by class.
    pub failures: BTreeMap<FailureClass, u64>,
}

impl SourceFigures {
    /// Nothing counted yet of any source of `catalog`.
    pub fn new(catalog: &Catalog) -> Self {
        let counts = || Counts {
            failures: FailureClass::ALL.iter().map(|class| (*class, AtomicU64::default())).collect(),
            ..Counts::default()
        };
        let counts = catalog.all().map(|source| (source.id.clone(), counts())).collect();
        Self { counts: Arc::new(counts), assessed: Arc::default() }
    }

    /// Notes new items of a source.
    pub fn note_items(&self, source_id: &str, count: usize) {
        if let Some(counts) = self.counts.get(source_id) {
            counts.items.fetch_add(count as u64, Relaxed);
        }
    }

    /// Notes findings that were published.
    pub fn note_findings(&self, source_id: &str, count: usize) {
        if let Some(counts) = self.counts.get(source_id) {
            counts.findings.fetch_add(count as u64, Relaxed);
        }
    }

    /// Notes a poll that failed.
    pub fn note_failure(&self, source_id: &str, class: FailureClass) {
        if let Some(count) = self.counts.get(source_id).and_then(|counts| counts.failures.get(&class)) {
            count.fetch_add(1, Relaxed);
        }
    }

    /// Replaces what was last assessed.
    pub fn note_assessed(&self, states: BTreeMap<String, SourceState>) {
        let known = states.into_iter().filter(|(source_id, _)| self.counts.contains_key(source_id)).collect();
        *self.assessed.lock().unwrap_or_else(PoisonError::into_inner) = known;
    }

    /// What was last assessed, by source.
    pub fn assessed(&self) -> BTreeMap<String, SourceState> {
        self.assessed.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What was counted of each source.
    pub fn counts(&self) -> impl Iterator<Item = (&str, SourceCounts)> {
        self.counts.iter().map(|(source_id, counts)| (source_id.as_str(), counts.now()))
    }

    /// What was counted of one source; nothing of one that is not in the catalog.
    pub fn of(&self, source_id: &str) -> SourceCounts {
        self.counts.get(source_id).map(Counts::now).unwrap_or_default()
    }
}

impl Counts {
    fn now(&self) -> SourceCounts {
        let failures = self.failures.iter().map(|(class, count)| (*class, count.load(Relaxed)));
        SourceCounts {
            items: self.items.load(Relaxed),
            findings: self.findings.load(Relaxed),
            failures: failures.filter(|(_, count)| *count > 0).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{SourceCounts, SourceFigures};
    use crate::domain::source_health::FailureClass;
    use crate::sources::Catalog;
    use crate::store::SourceState;

    #[test]
    fn only_sources_of_the_catalog_are_counted() {
        let catalog = Catalog::load_with(None, &|_| None).expect("the built-in sources");
        let figures = SourceFigures::new(&catalog);
        for source_id in ["greenhouse", "a stranger's"] {
            figures.note_items(source_id, 3);
            figures.note_findings(source_id, 2);
            figures.note_failure(source_id, FailureClass::Auth);
        }
        let failures = BTreeMap::from([(FailureClass::Auth, 1)]);
        assert_eq!(figures.of("greenhouse"), SourceCounts { items: 3, findings: 2, failures });
        assert_eq!(figures.of("a stranger's"), SourceCounts::default());
        let states = ["greenhouse", "a stranger's"].map(|id| (id.to_owned(), SourceState::default()));
        figures.note_assessed(states.into());
        assert_eq!(figures.assessed().into_keys().collect::<Vec<_>>(), ["greenhouse"]);
    }
}
