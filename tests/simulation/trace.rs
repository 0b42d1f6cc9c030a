//! What happened in a run, line by line, and a hash over it: two runs are the same if their hashes are.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use chrono::{DateTime, Utc};

/// The trace of a run.
#[derive(Default)]
pub struct Trace {
    lines: Vec<String>,
}

impl Trace {
    /// Notes what happened.
    pub fn note(&mut self, at: DateTime<Utc>, what: impl std::fmt::Display) {
        self.lines.push(format!("{} {what}", at.format("%F %T%.6f")));
    }

    /// Every line.
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// The last lines.
    pub fn last(&self, count: usize) -> &[String] {
        &self.lines[self.lines.len().saturating_sub(count)..]
    }

    /// One number for all of it.
    pub fn hash(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.lines.hash(&mut hasher);
        hasher.finish()
    }
}
