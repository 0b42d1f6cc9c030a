//! Named points at which a test can make something go wrong. In the service they do nothing.

use std::fmt::Display;
use std::sync::Arc;

/// Is called with a point's name and its subject.
type AtPoint = Arc<dyn Fn(&'static str, &str) -> Result<(), PlannedFault> + Send + Sync>;

/// What a test made go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a planned fault at {point}")]
pub struct PlannedFault {
    /// Where.
    pub point: &'static str,
}

/// What to do at the named points.
#[derive(Clone, Default)]
pub struct Faults {
    at: Option<AtPoint>,
}

impl Faults {
    /// Faults that call `at` with the point's name and its subject, such as a radar's identifier; it may panic.
    pub fn new(at: impl Fn(&'static str, &str) + Send + Sync + 'static) -> Self {
        Self::failing(move |point, subject| {
            at(point, subject);
            Ok(())
        })
    }

    /// The same; where a point can fail, an error of `at` makes it fail.
    pub fn failing(at: impl Fn(&'static str, &str) -> Result<(), PlannedFault> + Send + Sync + 'static) -> Self {
        Self { at: Some(Arc::new(at)) }
    }

    /// Passes a point that can only panic.
    pub fn pass(&self, point: &'static str, subject: &dyn Display) {
        if let Err(error) = self.pass_or_fail(point, subject) {
            tracing::debug!(%error, "nothing can fail here");
        }
    }

    /// Passes a point that can fail.
    ///
    /// # Errors
    /// Only where a test planned one.
    pub fn pass_or_fail(&self, point: &'static str, subject: &dyn Display) -> Result<(), PlannedFault> {
        self.at.as_ref().map_or(Ok(()), |at| at(point, &subject.to_string()))
    }
}
