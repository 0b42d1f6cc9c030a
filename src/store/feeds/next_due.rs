//! How long it is until claimable work is due, by the clock of the leases.

use std::time::Duration;

use sea_orm::ConnectionTrait;

use crate::store::database::statement::Sql;
use crate::store::{Store, StoreError};

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
    /// Asks for `due_at`, `suspect_at` and `now_at`.
    pub(in crate::store) async fn next_due(&self, sql: Sql) -> Result<NextDue, StoreError> {
        let Some(row) = self.clock.io(self.read.query_one_raw(sql.finish())).await? else {
            return Ok(NextDue::default());
        };
        let now_at: i64 = row.try_get("", "now_at")?;
        let wait =
            |due_at: i64| Duration::from_micros(u64::try_from(due_at.saturating_sub(now_at)).unwrap_or_default());
        let due_at: Option<i64> = row.try_get("", "due_at")?;
        let suspect_at: Option<i64> = row.try_get("", "suspect_at")?;
        Ok(NextDue { unsuspected_in: due_at.map(wait), suspect_in: suspect_at.map(wait) })
    }
}
