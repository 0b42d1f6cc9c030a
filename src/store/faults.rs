//! Named points at which a test can inject a fault. In the service they do nothing.

use std::fmt::Display;
use std::sync::Arc;

/// Called with the name of a point and its subject.
type AtPoint = Arc<dyn Fn(&'static str, &str) -> Result<(), InjectedFault> + Send + Sync>;

/// A fault that a test injected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an injected fault at {point}")]
pub struct InjectedFault {
    /// The name of the point.
    pub point: &'static str,
}

/// The faults to inject at the named points.
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

    /// The same; a point that can fail does so when `at` answers an error.
    pub fn failing(at: impl Fn(&'static str, &str) -> Result<(), InjectedFault> + Send + Sync + 'static) -> Self {
        Self { at: Some(Arc::new(at)) }
    }

    /// Passes a point that can only panic.
    pub fn pass(&self, point: &'static str, subject: &dyn Display) {
        if let Err(error) = self.pass_or_fail(point, subject) {
            tracing::debug!(%error, "nothing can fail here");
        }
    }

    /// Passes a point that can fail.
    pub fn pass_or_fail(&self, point: &'static str, subject: &dyn Display) -> Result<(), InjectedFault> {
        self.at.as_ref().map_or(Ok(()), |at| at(point, &subject.to_string()))
    }
}
