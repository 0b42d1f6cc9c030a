//! The settings of the sources.

use std::path::PathBuf;
use std::time::Duration;

/// `sources`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sources {
    /// Whether the built-in sources are there.
    pub builtin: bool,
    /// A folder with more source files.
    pub dir: Option<PathBuf>,
    /// Replaces every source's own interval.
    pub poll_interval: Option<Duration>,
    /// How many feeds are polled at the same time.
    pub fetches_max: usize,
    /// Whether networks and directories are asked about the companies that are watched.
    pub lookups: bool,
}
