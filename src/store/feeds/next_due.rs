//! How long it is until claimable work is due, by the clock of the leases.

use std::time::Duration;

use crate::{Store, StoreError};

/// How long it is until work is due; nothing at all when it is due already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NextDue {
    /// For the next piece of work without an open attempt.
    pub unsuspected_in: Option<Duration>,
    /// For the next one whose last attempt has not ended, or the end of its lease if that still runs.
    pub suspect_in: Option<Duration>,
}

impl NextDue {
    /// Whether work without an open attempt is due.
    pub fn has_unsuspected(&self) -> bool {
        self.unsuspected_in.is_some_and(|wait| wait.is_zero())
    }

    /// Whether a suspect is due.
    pub fn has_suspect(&self) -> bool {
        self.suspect_in.is_some_and(|wait| wait.is_zero())
    }

    /// How long it is until the first thing is due that is not due yet.
    pub fn next_in(&self) -> Option<Duration> {
        [self.unsuspected_in, self.suspect_in].into_iter().flatten().filter(|wait| !wait.is_zero()).min()
    }
}

impl Store {
    /// Asks with `words` for the instants at which work without an open attempt and a suspect are due.
    pub(crate) async fn next_due(&self, words: &str) -> Result<NextDue, StoreError> {
        let mut sql = self.sql(words);
        sql.now(self.leases.now()).push(" as now_at");
        let mut found: Vec<(Option<i64>, Option<i64>, i64)> = self.clock.io(sql.all(&self.read)).await?;
        let Some((due_at, suspect_at, now_at)) = found.pop() else { return Ok(NextDue::default()) };
        let wait =
            |due_at: i64| Duration::from_micros(u64::try_from(due_at.saturating_sub(now_at)).unwrap_or_default());
        Ok(NextDue { unsuspected_in: due_at.map(wait), suspect_in: suspect_at.map(wait) })
    }
}
