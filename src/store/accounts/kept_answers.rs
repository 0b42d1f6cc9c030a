//! Answers that are given again under the same `Idempotency-Key` (decision 2.9). They are written by the commit alone.

use chrono::{DateTime, Utc};

use crate::{Result, Store};

impl Store {
    /// Removes answers whose keys were first used at `until` or before, oldest first, and answers how many. No account
    /// is locked: rows that a commit is replacing are passed over.
    pub async fn forget_answers(&self, until: DateTime<Utc>, limit: u64) -> Result<usize> {
        let oldest = "delete from kept_answer where used_at <= ? and (account_id, key_hash) in (
            select account_id, key_hash from kept_answer where used_at <= ? order by used_at limit ?";
        let mut sql = self.sql_with(oldest, (until, until, limit));
        let forgotten = self.deadline.io(sql.lock_skipping().push(")").run(&self.write)).await?;
        Ok(usize::try_from(forgotten).unwrap_or(usize::MAX))
    }
}
