//! Answers that are given again under the same `Idempotency-Key` (decision 2.9). They are written by the commit alone.

use chrono::{DateTime, Utc};
use entity::kept_answer;
use uuid::Uuid;

use crate::database::rows;
use crate::{Store, StoreError};
use domain::account::{KeptAnswer, UsedKey};

/// The use of a key that its row tells of.
pub(crate) fn used_key(row: kept_answer::Model) -> Result<UsedKey, StoreError> {
    let status =
        u16::try_from(row.status).map_err(|_| StoreError::corrupt("kept_answer", format!("status {}", row.status)))?;
    Ok(UsedKey {
        request_hash: row.request_hash,
        used_at: rows::instant("kept_answer", row.used_at)?,
        answer: KeptAnswer { status, body: row.body },
    })
}

/// The row of a key that was used.
pub(crate) fn used_key_row(account_id: Uuid, key_hash: String, used: UsedKey) -> kept_answer::Model {
    kept_answer::Model {
        account_id,
        key_hash,
        request_hash: used.request_hash,
        status: i64::from(used.answer.status),
        body: used.answer.body,
        used_at: used.used_at.timestamp_micros(),
    }
}

impl Store {
    /// Removes answers whose keys were first used at `until` or before, oldest first, and answers how many. No account
    /// is locked: rows that a commit is replacing are passed over.
    pub async fn forget_answers(&self, until: DateTime<Utc>, limit: u64) -> Result<usize, StoreError> {
        let until = until.timestamp_micros();
        let mut sql = self.sql("delete from kept_answer where used_at <= ");
        sql.bind(until).push(" and (account_id, key_hash) in (");
        sql.push("select account_id, key_hash from kept_answer where used_at <= ").bind(until);
        sql.push(" order by used_at limit ").count(limit).lock_skipping().push(")");
        let forgotten = self.clock.io(sql.run(&self.write)).await?;
        Ok(usize::try_from(forgotten).unwrap_or(usize::MAX))
    }
}
