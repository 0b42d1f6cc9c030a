//! Named points at which a test can make something go wrong. In the service they do nothing.

use std::sync::Arc;

/// Is called with a point's name and its subject.
type AtPoint = Arc<dyn Fn(&'static str, &str) + Send + Sync>;

/// What to do at the named points.
#[derive(Clone, Default)]
pub struct Faults {
    at: Option<AtPoint>,
}

impl Faults {
    /// Faults that call `at` with the point's name and its subject, such as a radar's identifier; it may panic.
    pub fn new(at: impl Fn(&'static str, &str) + Send + Sync + 'static) -> Self {
        Self { at: Some(Arc::new(at)) }
    }

    /// Passes a point.
    pub fn pass(&self, point: &'static str, subject: &dyn std::fmt::Display) {
        if let Some(at) = &self.at {
            at(point, &subject.to_string());
        }
    }
}
